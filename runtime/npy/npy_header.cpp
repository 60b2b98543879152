// Parses the preamble (magic, version, length) and the dictionary after it into fields with offsets. Checks everything
// that a header can claim, so that readers of rows can trust the table.
#include <assay/npy.hpp>

#include "runtime/npy/python_literal.hpp"

#include <assay/text.hpp>

#include <algorithm>
#include <bit>
#include <charconv>
#include <set>
#include <utility>

namespace assay {

namespace {

constexpr std::size_t kMostParts = 64;  // parts of a path
constexpr char kForeign = std::endian::native == std::endian::little ? '>' : '<';

std::nullopt_t refuse(std::string& problem, std::string message) {
  problem = std::move(message);
  return std::nullopt;
}

unsigned byte(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

// An error of the whole header.
std::string no_records(const std::string& what) {
  return "it holds " + what + ", where an array of records with named fields is expected";
}

struct Element {
  NpyType kind = NpyType::other;
  std::size_t size = 0;
  bool foreign = false;
};

// Parses "<f8", "|S16". Nothing if it is not a type of fixed size.
std::optional<Element> element(std::string_view type) {
  const bool ordered = !type.empty() && std::string_view("<>|=").find(type.front()) != std::string_view::npos;
  const bool foreign = ordered && type.front() == kForeign;
  if (ordered) type.remove_prefix(1);
  if (type.size() < 2) return std::nullopt;
  const char letter = type.front();
  std::size_t size = 0;
  const char* const end = type.data() + type.size();
  const auto [stop, status] = std::from_chars(type.data() + 1, end, size);
  const bool date = letter == 'M' || letter == 'm';  // these continue: "M8[ns]"
  if (status != std::errc() || (stop != end && !date) || size > kMostNpyRow) return std::nullopt;
  const auto known = [&](NpyType kind, std::size_t bytes) {
    const bool turned = foreign && bytes > 1;
    return Element{turned ? NpyType::other : kind, bytes, turned};
  };
  switch (letter) {
    case 'f':
      if (size == 8) return known(NpyType::f64, size);
      if (size == 4) return known(NpyType::f32, size);
      return Element{NpyType::other, size, false};
    case 'i':
    case 'u': {
      if (!std::has_single_bit(size) || size > 8) return std::nullopt;
      const auto first = static_cast<unsigned>(letter == 'i' ? NpyType::i8 : NpyType::u8);
      return known(static_cast<NpyType>(first + static_cast<unsigned>(std::countr_zero(size))), size);
    }
    case 'b':
      if (size == 1) return known(NpyType::truth, size);
      return std::nullopt;
    case 'S':
    case 'a': return Element{NpyType::bytes, size, false};
    case 'U': return known(NpyType::unicode, size * 4);
    case 'V':
    case 'c':
    case 'M':
    case 'm': return Element{NpyType::other, size, false};
    default: return std::nullopt;
  }
}

bool objects(std::string_view type) { return type == "|O" || type == "O" || type == "|O8" || type == "|O4"; }

// Lays out the fields of a dtype one after another.
class Layout {
 public:
  Layout(NpyTable& table, std::string& problem) : table_(table), problem_(problem) {}

  // `before`: the path of the enclosing record, with a dot, or empty. A list of records belongs to no path, so its
  // fields are only measured.
  bool add(const PythonValue& dtype, const std::string& before, std::size_t parts, bool measure_only) {
    for (const PythonValue& field : dtype.items) {
      const bool tuple = field.kind == PythonValue::Kind::tuple && (field.items.size() == 2 || field.items.size() == 3);
      if (!tuple) return fail("its header has a field that is not a tuple of a name and a type");
      const std::optional<std::string> name = name_of(field.items[0]);
      if (!name) return fail("its header has a field without a name");
      const std::size_t depth = parts + static_cast<std::size_t>(std::count(name->begin(), name->end(), '.'));
      if (depth > kMostParts) return fail("its field '" + before + *name + "' is too deep");
      NpyField added;
      added.path = before + *name;
      if (field.items.size() == 3 && !take_shape(field.items[2], added)) return false;
      if (!add_field(field.items[1], std::move(added), depth, measure_only)) return false;
    }
    return true;
  }

  // Whether no path is inside another, as records require.
  bool apart() {
    std::set<std::string_view> paths;
    for (const NpyField& field : table_.fields) {
      if (!paths.insert(field.path).second) return fail("its header names the field '" + field.path + "' twice");
    }
    for (const NpyField& field : table_.fields) {
      for (std::size_t dot = field.path.find('.'); dot != std::string::npos; dot = field.path.find('.', dot + 1)) {
        const std::string_view whole = std::string_view(field.path).substr(0, dot);
        if (paths.contains(whole))
          return fail("its field '" + field.path + "' is within another, '" + std::string(whole) + "'");
      }
    }
    return true;
  }

 private:
  bool fail(std::string message) {
    problem_ = std::move(message);
    return false;
  }

  // A name may have a title: (title, name).
  static std::optional<std::string> name_of(const PythonValue& value) {
    if (value.kind == PythonValue::Kind::text) return value.text;
    const bool titled = value.kind == PythonValue::Kind::tuple && value.items.size() == 2 &&
                        value.items[1].kind == PythonValue::Kind::text;
    if (!titled) return std::nullopt;
    return value.items[1].text;
  }

  bool take_shape(const PythonValue& shape, NpyField& field) {
    const bool plain = shape.kind == PythonValue::Kind::whole;
    std::size_t dimensions = plain ? 1 : 0;
    const auto times = [&](const PythonValue& extent) {
      const bool fits = extent.kind == PythonValue::Kind::whole && extent.whole <= kMostNpyRow &&
                        (extent.whole == 0 || field.items <= kMostNpyRow / extent.whole);
      if (fits) field.items *= static_cast<std::size_t>(extent.whole);
      return fits;
    };
    bool good = plain ? times(shape) : shape.kind == PythonValue::Kind::tuple;
    for (std::size_t i = 0; good && !plain && i < shape.items.size(); ++i, ++dimensions) good = times(shape.items[i]);
    if (!good) return fail("its field '" + field.path + "' has a shape that is none, or too large");
    field.list = dimensions > 0;
    several_ = dimensions > 1;
    return true;
  }

  bool add_field(const PythonValue& type, NpyField field, std::size_t parts, bool measure_only) {
    const bool several = std::exchange(several_, false);
    field.offset = table_.row_bytes;
    if (type.kind == PythonValue::Kind::list) {
      if (!field.list) return add(type, field.path + '.', parts + 1, measure_only);
      if (!add(type, field.path + '.', parts + 1, true)) return false;
      field.type = "list of records";
      field.size = table_.row_bytes - field.offset;
      table_.row_bytes = field.offset;
    } else if (type.kind == PythonValue::Kind::text) {
      field.type = type.text;
      if (objects(field.type)) {
        return fail("its field '" + field.path +
                    "' holds Python objects: give texts a width when saving, as in "
                    "frame.to_records(index=False, column_dtypes={'" +
                    field.path + "': 'U16'})");
      }
      const std::optional<Element> one = element(field.type);
      if (!one)
        return fail("its field '" + field.path + "' has the type '" + field.type + "', which is none of NumPy's");
      field.kind = one->kind;
      field.size = one->size;
      field.foreign = one->foreign;
      const bool text = field.kind == NpyType::bytes || field.kind == NpyType::unicode;
      if (several || (text && field.list && field.size == 0)) field.kind = NpyType::other;
    } else {
      return fail("its field '" + field.path + "' has no type");
    }
    if (field.items != 0 && field.size > (kMostNpyRow - table_.row_bytes) / field.items)
      return fail("its rows are larger than " + std::to_string(kMostNpyRow) + " bytes");
    table_.row_bytes += field.size * field.items;
    const bool padding = field.type.find('V') != std::string::npos && (field.path.empty() || field.path.back() == '.');
    if (!padding && !measure_only) table_.fields.push_back(std::move(field));
    return true;
  }

  NpyTable& table_;
  std::string& problem_;
  bool several_ = false;  // the last shape has more than one dimension
};

}  // namespace

std::optional<std::size_t> npy_header_bytes(std::string_view start, std::string& problem) {
  if (start.substr(0, kNpyMagic.size()) != kNpyMagic.substr(0, start.size())) {
    return refuse(problem, start.starts_with("PK")
                               ? "it is an archive (.npz), not a single array: save one with np.save"
                           : start.starts_with('{') || start.starts_with('[')
                               ? "it holds JSON: read it with --from ndjson, or json"
                               : "it does not begin as a .npy file does");
  }
  if (start.size() < kNpyMagic.size() + 2) return 0;
  const unsigned major = byte(start, 6), minor = byte(start, 7);
  if (major < 1 || major > 3 || minor != 0) {
    return refuse(problem, "its version of the .npy format is " + std::to_string(major) + "." + std::to_string(minor) +
                               ", expected 1.0, 2.0 or 3.0");
  }
  const std::size_t length_bytes = major == 1 ? 2 : 4, preamble = kNpyMagic.size() + 2 + length_bytes;
  if (start.size() < preamble) return 0;
  std::size_t length = 0;
  for (std::size_t i = length_bytes; i-- > 0;) length = length << 8U | byte(start, kNpyMagic.size() + 2 + i);
  if (length > kMostNpyHeader)
    return refuse(problem, "its header is longer than " + std::to_string(kMostNpyHeader) + " bytes");
  return preamble + length;
}

std::optional<NpyTable> parse_npy_header(std::string_view header, std::string& problem) {
  const bool first = byte(header, 6) == 1, utf8 = byte(header, 6) == 3;
  header.remove_prefix(first ? 10 : 12);
  std::string text;
  if (utf8) text = header;
  for (std::size_t i = 0; !utf8 && i < header.size(); ++i) append_utf8(text, byte(header, i));  // Latin-1
  std::size_t at = 0;
  const std::optional<PythonValue> value = is_utf8(text) ? parse_python(text, at) : std::nullopt;
  if (!value || value->kind != PythonValue::Kind::dict)
    return refuse(problem, "its header is not a dictionary of Python, at byte " + std::to_string(at));
  const PythonValue *const dtype = value->find("descr"), *const fortran = value->find("fortran_order"),
                           *const shape = value->find("shape");
  if (dtype == nullptr || fortran == nullptr || shape == nullptr || fortran->kind != PythonValue::Kind::truth)
    return refuse(problem, "its header lacks one of 'descr', 'fortran_order' and 'shape'");
  if (dtype->kind == PythonValue::Kind::text)
    return refuse(problem, objects(dtype->text) ? no_records("Python objects")
                                                : no_records("numbers or texts without names ('" + dtype->text + "')"));
  if (dtype->kind != PythonValue::Kind::list)
    return refuse(problem, "its header has a 'descr' that is not a list of fields");
  if (fortran->truth) return refuse(problem, "its array is in Fortran order: save np.ascontiguousarray(it)");
  if (shape->kind != PythonValue::Kind::tuple || shape->items.size() != 1 ||
      shape->items[0].kind != PythonValue::Kind::whole)
    return refuse(problem, no_records("an array whose shape is not (rows,)"));
  NpyTable table;
  table.rows = shape->items[0].whole;
  Layout layout(table, problem);
  if (!layout.add(*dtype, {}, 1, false) || !layout.apart()) return std::nullopt;
  if (table.row_bytes == 0) return refuse(problem, no_records("rows of no bytes"));
  return table;
}

std::string npy_header(const NpyTable& table) {
  constexpr std::size_t kAlignment = 64;
  std::string text = "{'descr': [";
  for (const NpyField& field : table.fields) {
    text += (&field == table.fields.data() ? "('" : ", ('") + field.path + "', '" + field.type + "')";
  }
  text += "], 'fortran_order': False, 'shape': (" + std::to_string(table.rows) + ",), }";
  const bool first = text.size() + kAlignment <= 0xffff;
  const std::size_t preamble = first ? 10 : 12;
  text.append((kAlignment - (preamble + text.size() + 1) % kAlignment) % kAlignment, ' ');
  text += '\n';
  std::string result(kNpyMagic);
  result += first ? '\1' : '\2';
  result += '\0';
  for (std::size_t i = 0; i < preamble - kNpyMagic.size() - 2; ++i) {
    result += static_cast<char>(text.size() >> (8 * i) & 0xffU);
  }
  return result + text;
}

}  // namespace assay
