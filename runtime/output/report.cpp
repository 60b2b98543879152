// Writes values and verdicts as JSON: one line, no white space, keys in the order of the rubric.
#include "runtime/output/report.hpp"

#include "lang/value/equality.hpp"
#include "lang/value/limit_message.hpp"
#include "runtime/json/json_tree.hpp"

#include <algorithm>

namespace assay {

void write_number(Number n, int decimals, std::string& out) {
  if (n.missing()) {
    out.append("null");
  } else if (decimals >= 0) {
    write_rounded(n, decimals, out);
  } else if (decimals == kAllDigits && is_whole(n)) {
    write_exact(n, out);
  } else if (decimals == kAsGiven || is_whole(n)) {
    write_shortest(n, out);
  } else {
    write_significant(n, decimals <= kDigits ? kDigits - decimals : 12, out);
  }
}

namespace {

// Copies JSON without the white space between its parts: a verdict is one line.
void write_compact(std::string_view json, OutputBuffer& out) {
  bool inside = false;  // inside a text
  char* to = out.room(json.size());
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (inside) {
      *to++ = c;
      if (c == '\\' && i + 1 < json.size()) *to++ = json[++i];
      if (c == '"') inside = false;
    } else if (c != ' ' && c != '\n' && c != '\r' && c != '\t') {
      *to++ = c;
      inside = c == '"';
    }
  }
  out.end_at(to);
}

// Marks the bytes of a word that are a quote, a backslash or a control character.
inline std::uint64_t marks(std::uint64_t word) {
  constexpr std::uint64_t kOnes = 0x0101010101010101u;
  const std::uint64_t quote = word ^ (kOnes * '"'), escape = word ^ (kOnes * '\\');
  return (((word - kOnes * 0x20) & ~word) | ((quote - kOnes) & ~quote) | ((escape - kOnes) & ~escape)) & (kOnes * 0x80);
}

// Copies a text without such bytes; false: it has some. Reads and writes only within the text.
inline bool copy_plain(const char* from, std::size_t size, char* to) {
  std::uint64_t found = 0;
  const auto copy = [&]<class Word>(std::size_t at, Word word) {
    std::memcpy(&word, from + at, sizeof word);
    std::memcpy(to + at, &word, sizeof word);
    constexpr std::uint64_t kRest = sizeof word == 8 ? 0 : 0x2020202020202020u << 8 * (sizeof word % 8);
    found |= marks(std::uint64_t{word} | kRest);
  };
  if (size >= 8) {
    for (std::size_t at = 0; at + 8 < size; at += 8) copy(at, std::uint64_t{});
    copy(size - 8, std::uint64_t{});  // the last two words may overlap
  } else if (size >= 4) {
    copy(0, std::uint32_t{});
    copy(size - 4, std::uint32_t{});
  } else {
    for (std::size_t at = 0; at < size; ++at) copy(at, std::uint8_t{});
  }
  return found == 0;
}

// Writes a number of few digits; null: it has too many. `to`: room for kMostDecimalText bytes.
inline char* put_number(Number n, int decimals, char* to) {
  if (decimals >= 0) return put_rounded(n, decimals, to);
  return decimals == kAsGiven || is_whole(n) ? put_shortest(n, to) : nullptr;
}

}  // namespace

void OutputBuffer::grow(std::size_t bytes) {
  const std::size_t capacity = std::max(2 * capacity_, size_ + bytes + kSlack + 1024);
  std::unique_ptr<char[]> text(new char[capacity]);
  if (size_ > 0) std::memcpy(text.get(), text_.get(), size_);
  text_ = std::move(text);
  capacity_ = capacity;
}

void OutputBuffer::put_json_text(std::string_view text) {
  char* const to = room(text.size() + 2);
  if (copy_plain(text.data(), text.size(), to + 1)) {
    to[0] = to[text.size() + 1] = '"';
    size_ += text.size() + 2;
    return;
  }
  std::string escaped;
  write_json_text(text, escaped);
  put(std::string_view(escaped));
}

const ValueWriter::Form& ValueWriter::new_form(TypeId id) {
  if (forms_.size() <= id) forms_.resize(types_.size());
  Form& form = forms_[id];
  const Type& type = types_[id];
  form.kind = type.kind;
  form.element = type.element;
  for (const Field& field : type.fields) {
    std::string key = form.members.empty() ? "{" : ",";
    write_json_text(field.name, key);
    form.members.push_back({Fragment(key + ':'), field.type, types_.kind(field.type)});
  }
  form.known = true;
  return form;
}

void ValueWriter::write_number(Number n, int decimals, OutputBuffer& out) {
  char* const to = out.room(kMostDecimalText);
  const char* const end = put_number(n, decimals, to);
  if (end != nullptr) return out.end_at(end);
  if (!n.small() && interrupted(interrupt_)) stop(End::stopped);
  rare_.clear();
  assay::write_number(n, decimals, rare_);
  out.put(std::string_view(rare_));
}

void ValueWriter::write_record(const Form& form, const Value* fields, int decimals, OutputBuffer& out) {
  if (form.members.empty()) out.put('{');
  for (const Form::Member& member : form.members) {
    const Value& value = *fields++;
    char* const to = member.key.put(out.room(member.key.size() + kMostDecimalText));
    if (member.kind == TypeKind::number && !value.missing()) {
      const char* const end = put_number(value.number, decimals, to);
      if (end != nullptr) {
        out.end_at(end);
        continue;
      }
    }
    out.end_at(to);
    write_value(member.type, value, decimals, out);
  }
  out.put('}');
}

void ValueWriter::write_value(TypeId id, const Value& value, int decimals, OutputBuffer& out) {
  if (value.missing()) {
    out.put(std::string_view("null"));
    return;
  }
  if (out.size() > limit_) return;  // the limit is exceeded already
  const Form& type = form(id);
  switch (type.kind) {
    case TypeKind::number: write_number(value.number, decimals, out); return;
    case TypeKind::boolean: out.put(std::string_view(value.boolean.truth != 0 ? "true" : "false")); return;
    case TypeKind::text: out.put_json_text(value.text.view()); return;
    case TypeKind::any: write_compact(value.text.view(), out); return;
    case TypeKind::list:
      if (!enter()) return;
      out.put('[');
      for (std::uint32_t i = 0; i < value.list.size && out.size() <= limit_ && goes_on(i); ++i) {
        if (i > 0) out.put(',');
        write_value(type.element, value.list.items[i], decimals, out);
      }
      out.put(']');
      --depth_;
      return;
    case TypeKind::map:
      if (!enter()) return;
      out.put('{');
      for (std::uint32_t i = 0; i < value.map.size && out.size() <= limit_ && goes_on(i); ++i) {
        if (i > 0) out.put(',');
        out.put_json_text(value.map.data->keys[i].text.view());
        out.put(':');
        write_value(type.element, value.map.data->values[i], decimals, out);
      }
      out.put('}');
      --depth_;
      return;
    case TypeKind::record: write_record(type, value.record.fields, decimals, out); return;
    case TypeKind::range: {
      const RangeData& range = *value.range.data;
      out.put(std::string_view(range.low_open ? "{\"above\":" : "{\"from\":"));
      write_number(range.low, decimals, out);
      out.put(std::string_view(range.high_open ? ",\"below\":" : ",\"to\":"));
      write_number(range.high, decimals, out);
      out.put('}');
      return;
    }
    case TypeKind::either: write_value(types_.actual(id, value), value, decimals, out); return;
    case TypeKind::unknown: out.put(std::string_view("null")); return;
  }
}

bool ValueWriter::enter() {
  if (depth_ >= kMostValueNesting) return stop(End::deep);
  ++depth_;
  return goes_on(++parts_);
}

bool ValueWriter::goes_on(std::uint32_t count) {
  return (count & 0xff) != 0xff || !interrupted(interrupt_) || stop(End::stopped);
}

bool ValueWriter::stop(End end) {
  end_ = end;
  limit_ = 0;  // stops further writing
  return false;
}

InputError ValueWriter::error(std::string_view what, std::size_t limit) const {
  const Interrupt::State state = interrupt_state(interrupt_);
  if (end_ == End::stopped && state != Interrupt::State::none)
    return {"", interrupt_code(state), interrupt_message(state)};
  if (end_ == End::deep)
    return {"", "limit", limit_message(std::string(what) + " holds a value of", kMostValueNesting, "levels", "")};
  return {"", "limit", limit_message(std::string(what) + " takes", limit, "bytes", "output_bytes")};
}

bool ValueWriter::write(TypeId type, const Value& value, int decimals, OutputBuffer& out, std::size_t limit) {
  limit_ = limit;
  depth_ = 0;
  end_ = End::none;
  write_value(type, value, decimals, out);
  return out.size() <= limit && end_ == End::none;
}

bool ValueWriter::write(TypeId type, const Value& value, int decimals, std::string& out, std::size_t limit) {
  sheet_.clear();
  const bool good = write(type, value, decimals, sheet_, limit - std::min(limit, out.size()));
  out.append(sheet_.view());
  return good;
}

VerdictWriter::VerdictWriter(const Model& model, int rubric, std::vector<VerdictField> fields, bool with_name,
                             bool with_version, bool with_hash)
    : fields_(std::move(fields)), writer_(model.types) {
  const RubricModel& from = model.rubrics[static_cast<std::size_t>(rubric)];
  write_json_text(from.name, name_);
  write_json_text(from.version, version_);
  write_json_text(from.scoring_hash, hash_);
  head_ = "{";
  const auto add = [this](const char* key, const std::string& json) {
    head_ += (head_.size() > 1 ? ",\"" : "\"") + std::string(key) + "\":" + json;
  };
  if (with_name) add("rubric", name_);
  if (with_version) add("version", version_);
  if (with_hash) add("scoring_hash", hash_);
  bool first = head_.size() == 1;
  for (const VerdictField& field : fields_) {
    types_.push_back(from.items[static_cast<std::size_t>(field.item)].type);
    kinds_.push_back(model.types.kind(types_.back()));
    if (kinds_.back() == TypeKind::number && fields_[kinds_.size() - 1].name == "id")
      fields_[kinds_.size() - 1].decimals = kAllDigits;
    std::string prefix = first ? "" : ",";
    write_json_text(field.name, prefix);
    prefixes_.emplace_back(prefix + ':');
    first = false;
  }
}

int VerdictWriter::find(std::string_view name) const {
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    if (fields_[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

bool VerdictWriter::write(const Value* values, std::string& out, std::vector<FieldSpan>& spans, std::size_t limit,
                          InputError& error) {
  sheet_.clear();
  sheet_.put(std::string_view(head_));
  spans.resize(fields_.size());
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    prefixes_[i].put(sheet_);
    spans[i].begin = sheet_.size();
    if (!writer_.write(types_[i], values[i], fields_[i].decimals, sheet_, limit)) {
      error = writer_.error("the verdict", limit);
      return false;
    }
    spans[i].end = sheet_.size();
  }
  sheet_.put('}');
  out.assign(sheet_.view());
  if (out.size() <= limit) return true;
  error = writer_.error("the verdict", limit);
  return false;
}

}  // namespace assay
