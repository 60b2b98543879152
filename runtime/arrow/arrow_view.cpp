// Checks an array against its type and itself.
#include "runtime/arrow/arrow_view.hpp"

namespace assay {

namespace {

constexpr std::int64_t kViewBytes = 16, kInlineBytes = 12;

std::int64_t buffers_of(ArrowKind kind) {
  switch (kind) {
    case ArrowKind::null: return 0;
    case ArrowKind::record:
    case ArrowKind::fixed_list: return 1;
    case ArrowKind::text:
    case ArrowKind::list_view: return 3;
    default: return 2;
  }
}

std::int64_t offset_at(const void* offsets, int bytes, std::int64_t i) {
  return bytes == 4 ? load_at<std::int32_t>(offsets, i) : load_at<std::int64_t>(offsets, i);
}

template <class T>
bool ascending(const void* offsets, std::int64_t from, std::int64_t count) {
  T before = load_at<T>(offsets, from);
  if (before < 0) return false;
  bool good = true;
  for (std::int64_t i = 1; i <= count; ++i) {
    const T next = load_at<T>(offsets, from + i);
    good = good && next >= before;
    before = next;
  }
  return good;
}

class Checker {
 public:
  std::optional<InputError> check(const ArrowType& type, const ArrowArray& array, ArrowView& view,
                                  const std::string& path, std::int64_t more_offset, std::int64_t length);

 private:
  std::optional<InputError> check_buffers(const ArrowArray& array, ArrowView& view, const std::string& path);
  std::optional<InputError> check_offsets(ArrowView& view, const std::string& path);
  std::optional<InputError> check_text_views(const ArrowArray& array, ArrowView& view, const std::string& path);
  std::optional<InputError> check_children(const ArrowArray& array, ArrowView& view, const std::string& path);
  std::optional<InputError> check_dictionary(const ArrowArray& array, ArrowView& view, const std::string& path);
};

std::optional<InputError> Checker::check(const ArrowType& type, const ArrowArray& array, ArrowView& view,
                                         const std::string& path, std::int64_t more_offset, std::int64_t length) {
  view.type = &type;
  if (!type.wanted) return std::nullopt;
  if (array.length < 0 || array.offset < 0 || array.offset > INT64_MAX / 64 || array.length > INT64_MAX / 64 ||
      more_offset > INT64_MAX / 64)
    return arrow_error(path, "has a negative or impossible length or offset");
  if (more_offset + length > array.length)
    return arrow_error(path, "has " + std::to_string(array.length) + " rows, fewer than the " +
                                 std::to_string(more_offset + length) + " of what holds it");
  if (array.null_count < -1 || array.null_count > array.length)
    return arrow_error(path, "has a wrong count of nulls, " + std::to_string(array.null_count));
  view.offset = array.offset + more_offset;
  view.length = length;
  if (auto error = check_buffers(array, view, path)) return error;
  if (auto error = check_children(array, view, path)) return error;
  return check_dictionary(array, view, path);
}

std::optional<InputError> Checker::check_buffers(const ArrowArray& array, ArrowView& view, const std::string& path) {
  const ArrowKind kind = view.type->kind;
  const std::int64_t expected = buffers_of(kind);
  // Polars gives a null column a bitmap, which the format does not have; no buffer of such a column is ever read.
  if (kind == ArrowKind::null) return std::nullopt;
  const bool enough = kind == ArrowKind::text_view ? array.n_buffers >= 3 : array.n_buffers == expected;
  if (!enough || array.buffers == nullptr)
    return arrow_error(path, "has " + std::to_string(array.n_buffers) + " buffers, which its type has not");
  view.valid = static_cast<const std::uint8_t*>(array.buffers[0]);
  if (view.valid == nullptr && array.null_count > 0)
    return arrow_error(path, "has " + std::to_string(array.null_count) + " nulls and nothing that says which");
  if (expected == 1) return std::nullopt;
  const bool flat = kind == ArrowKind::boolean || kind == ArrowKind::integer || kind == ArrowKind::floating ||
                    kind == ArrowKind::decimal;
  (flat ? view.data : view.offsets) = array.buffers[1];
  if (array.buffers[1] == nullptr && view.length > 0) return arrow_error(path, "has rows and no buffer of values");
  if (flat) return std::nullopt;
  if (kind == ArrowKind::text_view) return check_text_views(array, view, path);
  if (kind == ArrowKind::text) view.data = array.buffers[2];
  if (kind == ArrowKind::list_view) {
    view.sizes = array.buffers[2];
    if (view.sizes == nullptr && view.length > 0) return arrow_error(path, "has rows and no buffer of sizes");
    return std::nullopt;
  }
  return check_offsets(view, path);
}

std::optional<InputError> Checker::check_offsets(ArrowView& view, const std::string& path) {
  if (view.length == 0) return std::nullopt;
  const bool good = view.type->bytes == 4 ? ascending<std::int32_t>(view.offsets, view.offset, view.length)
                                          : ascending<std::int64_t>(view.offsets, view.offset, view.length);
  if (!good) return arrow_error(path, "has offsets that are negative or not in order");
  if (view.type->kind != ArrowKind::text || view.data != nullptr) return std::nullopt;
  const std::int64_t first = offset_at(view.offsets, view.type->bytes, view.offset);
  const std::int64_t last = offset_at(view.offsets, view.type->bytes, view.offset + view.length);
  if (first != last) return arrow_error(path, "has texts and no buffer of bytes");
  view.data = "";
  return std::nullopt;
}

std::optional<InputError> Checker::check_text_views(const ArrowArray& array, ArrowView& view, const std::string& path) {
  const std::int64_t buffers = array.n_buffers - 3;
  view.more = array.buffers + 2;
  view.sizes = array.buffers[array.n_buffers - 1];
  if (view.sizes == nullptr && buffers > 0) return arrow_error(path, "has buffers of texts without their sizes");
  for (std::int64_t b = 0; b < buffers; ++b) {
    const auto size = load_at<std::int64_t>(view.sizes, b);
    if (size < 0 || (size > 0 && view.more[b] == nullptr)) return arrow_error(path, "has a wrong buffer of texts");
  }
  for (std::int64_t i = 0; i < view.length; ++i) {
    if (view.null(i)) continue;
    const char* const at = static_cast<const char*>(view.offsets) + (view.offset + i) * kViewBytes;
    const auto size = load_at<std::int32_t>(at, 0);
    if (size >= 0 && size <= kInlineBytes) continue;
    const std::int64_t buffer = load_at<std::int32_t>(at, 2), from = load_at<std::int32_t>(at, 3);
    if (size < 0 || buffer < 0 || buffer >= buffers || from < 0 ||
        from + size > load_at<std::int64_t>(view.sizes, buffer))
      return arrow_error(path, "has a text outside of its buffers, in row " + std::to_string(i));
  }
  return std::nullopt;
}

std::optional<InputError> Checker::check_children(const ArrowArray& array, ArrowView& view, const std::string& path) {
  const ArrowType& type = *view.type;
  if (array.n_children != static_cast<std::int64_t>(type.children.size()) ||
      (array.n_children > 0 && array.children == nullptr))
    return arrow_error(path, "has " + std::to_string(array.n_children) + " children, and its type " +
                                 std::to_string(type.children.size()));
  view.children.resize(type.children.size());
  for (std::size_t k = 0; k < type.children.size(); ++k) {
    const ArrowArray* const child = array.children[k];
    if (child == nullptr) return arrow_error(path, "lacks one of its children");
    if (type.kind == ArrowKind::record) {
      const std::string below = path.empty() ? type.children[k].name : path + "." + type.children[k].name;
      if (auto error = check(type.children[k], *child, view.children[k], below, view.offset, view.length)) return error;
      continue;
    }
    if (child->length < 0) return arrow_error(path, "has a negative or impossible length or offset");
    std::int64_t items = child->length;
    if (type.kind == ArrowKind::fixed_list) {
      if (type.count > 0 && view.offset + view.length > items / type.count)
        return arrow_error(path, "has fewer items than its rows need");
    } else if (type.kind == ArrowKind::list_view) {
      for (std::int64_t i = 0; i < view.length; ++i) {
        if (view.null(i)) continue;
        const std::int64_t from = offset_at(view.offsets, type.bytes, view.offset + i);
        const std::int64_t size = offset_at(view.sizes, type.bytes, view.offset + i);
        if (from < 0 || size < 0 || from > items || size > items - from)
          return arrow_error(path, "has a list outside of its items, in row " + std::to_string(i));
      }
    } else if (view.length > 0 && offset_at(view.offsets, type.bytes, view.offset + view.length) > items) {
      return arrow_error(path, "has offsets beyond its items");
    }
    if (auto error = check(type.children[k], *child, view.children[k], path + "[]", 0, items)) return error;
  }
  return std::nullopt;
}

std::optional<InputError> Checker::check_dictionary(const ArrowArray& array, ArrowView& view, const std::string& path) {
  if (!view.type->dictionary)
    return array.dictionary == nullptr ? std::nullopt
                                       : std::optional(arrow_error(path, "has a dictionary, which its type has not"));
  if (array.dictionary == nullptr) return arrow_error(path, "lacks its dictionary");
  view.dictionary = std::make_unique<ArrowView>();
  const std::int64_t size = array.dictionary->length;
  if (size < 0) return arrow_error(path, "has a negative or impossible length or offset");
  if (auto error = check(*view.type->dictionary, *array.dictionary, *view.dictionary, path, 0, size)) return error;
  for (std::int64_t i = 0; i < view.length; ++i) {
    if (view.null(i)) continue;
    if (view.type->is_signed ? view.signed_at(i) < 0 || view.signed_at(i) >= size
                             : view.unsigned_at(i) >= static_cast<std::uint64_t>(size))
      return arrow_error(path, "has an index outside of its dictionary, in row " + std::to_string(i));
  }
  return std::nullopt;
}

}  // namespace

std::int64_t ArrowView::signed_at(std::int64_t i) const {
  switch (type->bytes) {
    case 1: return load_at<std::int8_t>(data, offset + i);
    case 2: return load_at<std::int16_t>(data, offset + i);
    case 4: return load_at<std::int32_t>(data, offset + i);
    default: return load_at<std::int64_t>(data, offset + i);
  }
}

std::uint64_t ArrowView::unsigned_at(std::int64_t i) const {
  switch (type->bytes) {
    case 1: return load_at<std::uint8_t>(data, offset + i);
    case 2: return load_at<std::uint16_t>(data, offset + i);
    case 4: return load_at<std::uint32_t>(data, offset + i);
    default: return load_at<std::uint64_t>(data, offset + i);
  }
}

std::string_view ArrowView::text(std::int64_t i) const {
  if (type->kind == ArrowKind::text_view) {
    const char* const at = static_cast<const char*>(offsets) + (offset + i) * kViewBytes;
    const auto size = load_at<std::int32_t>(at, 0);
    if (size <= kInlineBytes) return {at + 4, static_cast<std::size_t>(size)};
    const auto* const bytes = static_cast<const char*>(more[load_at<std::int32_t>(at, 2)]);
    return {bytes + load_at<std::int32_t>(at, 3), static_cast<std::size_t>(size)};
  }
  const std::int64_t first = offset_at(offsets, type->bytes, offset + i);
  const std::int64_t last = offset_at(offsets, type->bytes, offset + i + 1);
  return {static_cast<const char*>(data) + first, static_cast<std::size_t>(last - first)};
}

void ArrowView::range(std::int64_t i, std::int64_t& first, std::int64_t& last) const {
  switch (type->kind) {
    case ArrowKind::fixed_list:
      first = (offset + i) * type->count;
      last = first + type->count;
      return;
    case ArrowKind::list_view:
      first = offset_at(offsets, type->bytes, offset + i);
      last = first + offset_at(sizes, type->bytes, offset + i);
      return;
    default:
      first = offset_at(offsets, type->bytes, offset + i);
      last = offset_at(offsets, type->bytes, offset + i + 1);
  }
}

std::optional<InputError> view_array(const ArrowType& type, const ArrowArray& array, ArrowView& view) {
  if (array.release == nullptr) return arrow_error("", "has been released");
  return Checker().check(type, array, view, "", 0, array.length);
}

}  // namespace assay
