// Fields of verdicts → columns of a batch.
#include "runtime/arrow/arrow_results.hpp"

#include "runtime/engine/evaluator.hpp"
#include "runtime/rubric/rubric_impl.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

namespace assay {

namespace {

constexpr std::int64_t kNoNumber = INT64_MIN;

bool scalar(TypeKind kind) { return kind == TypeKind::number || kind == TypeKind::boolean || kind == TypeKind::text; }

std::size_t width_of(const ArrowField& field) {
  switch (field.form) {
    case ArrowField::Form::number: return 8;
    case ArrowField::Form::decimal: return 16;
    case ArrowField::Form::truth: return 1;
    case ArrowField::Form::choice: return static_cast<std::size_t>(field.code_bytes);
    default: return 0;
  }
}

std::string format_of(const ArrowField& field) {
  switch (field.form) {
    case ArrowField::Form::number: return "g";
    case ArrowField::Form::decimal: return "d:38," + std::to_string(field.decimals);
    case ArrowField::Form::truth: return "b";
    case ArrowField::Form::choice: return field.code_bytes == 1 ? "c" : field.code_bytes == 2 ? "s" : "i";
    default: return "U";
  }
}

std::shared_ptr<const ArrowOwned> dictionary_of(const ArrowField& field) {
  ValueBuilder texts = ValueBuilder::texts("", {""});
  for (const std::string& text : field.texts) texts.append_texts({text});
  return std::make_shared<const ArrowOwned>(texts.finish().children[0]);
}

const std::vector<std::string> kErrorMembers = {"path", "code", "message"};

ValueBuilder errors_of(const ArrowPlan& plan) {
  return plan.structured() ? ValueBuilder::texts("error", kErrorMembers) : ValueBuilder::texts("", {"error"});
}

}  // namespace

// ---- the form of each field

ArrowPlan::ArrowPlan(const Rubric& rubric, const ArrowOptions& options)
    : types_(&rubric.impl().model->types),
      as_decimals_(options.numbers == ArrowNumbers::decimals),
      structured_(options.result == ArrowResult::verdicts),
      json_records_(options.json_records) {
  const std::vector<std::string>& chosen = options.evaluator.fields;
  const Model& model = *rubric.impl().model;
  const int each = rubric.impl().rubric().cohort.each;
  if (options.cohort && each >= 0) each_ = &model.rubrics[static_cast<std::size_t>(each)];
  if (options.result == ArrowResult::json) {
    fields_.push_back({ArrowField::Form::verdict, "verdict", kUnknown, -1, {}, {}, {}, 1});
    computed_ = chosen;
    direct_ = false;
    return;
  }
  for (const std::string& name : chosen) {
    if (name == "error") continue;  // always present
    add(rubric, name, structured_);
  }
  if (options.collect || options.cohort) direct_ = false;
  if (!chosen.empty()) return;
  std::vector<FieldInfo> all = rubric.fields();
  if (each_ != nullptr) {
    for (FieldInfo& field : rubric.each_fields()) all.push_back(std::move(field));
  }
  for (const FieldInfo& field : all) {
    const bool key = field.role == FieldInfo::Role::key;
    const bool usual = field.name == "id" || field.name == "status" || field.name == "score";
    if (!structured_ && key && !usual) continue;
    const std::size_t before = fields_.size();
    add(rubric, field.name, structured_);
    if (structured_ || key || fields_.size() == before) continue;
    // With texts of an open set, the evaluator would have to score every record.
    if (fields_.back().form == ArrowField::Form::value) {
      fields_.pop_back();
      computed_.pop_back();
    }
  }
  direct_ = !structured_ && !json_records_ && !options.collect && !options.cohort;
}

void ArrowPlan::add(const Rubric& rubric, const std::string& name, bool nested) {
  using Form = ArrowField::Form;
  for (const ArrowField& field : fields_) {
    if (field.name == name) return;
  }
  ArrowField made;
  made.name = name;
  const RubricModel& meaning = rubric.impl().rubric();
  if (name == "id" && !nested && !json_records_) {
    made.form = Form::id;
    fields_.push_back(std::move(made));
    return;
  }
  if (name == "rubric" || name == "version" || name == "scoring_hash") {
    made.form = Form::constant;
    made.constant = name == "rubric" ? rubric.name() : name == "version" ? rubric.version() : rubric.scoring_hash();
    fields_.push_back(std::move(made));
    return;
  }
  const auto found = [&](const RubricModel& of) {
    return std::find_if(of.verdict.fields.begin(), of.verdict.fields.end(),
                        [&](const VerdictField& f) { return f.name == name; });
  };
  const RubricModel* from = &meaning;
  auto at = found(meaning);
  if (at == meaning.verdict.fields.end() && each_ != nullptr) {
    from = each_;
    at = found(*each_);
  }
  if (at == from->verdict.fields.end()) {
    const std::vector<FieldInfo> each = rubric.each_fields();
    const bool later = each_ == nullptr && std::any_of(each.begin(), each.end(),
                                                       [&](const FieldInfo& field) { return field.name == name; });
    if (!error_) {
      error_ = InputError{name, "field",
                          later ? "'" + name + "' is a value of the whole run: it needs a cohort"
                                : "'" + name + "' is not a field of the verdict"};
    }
    return;
  }
  computed_.push_back(name);
  made.type = from->items[static_cast<std::size_t>(at->item)].type;
  made.decimals = at->decimals;
  const TypeKind kind = types_->kind(made.type);
  if (nested || !scalar(kind)) {
    made.form = Form::value;
  } else if (kind == TypeKind::boolean) {
    made.form = Form::truth;
  } else if (kind == TypeKind::number) {
    made.form = as_decimals_ && made.decimals >= 0 && made.decimals <= 9 ? Form::decimal : Form::number;
  } else if (made.texts = (*types_)[made.type].choices; !made.texts.empty()) {
    made.form = Form::choice;
    made.index = TextIndex(made.texts);
    made.code_bytes = made.texts.size() <= INT8_MAX ? 1 : made.texts.size() <= INT16_MAX ? 2 : 4;
  } else {
    made.form = Form::value;
  }
  direct_ = direct_ && made.form != Form::value;
  fields_.push_back(std::move(made));
}

// ---- rows

ArrowBatch::ArrowBatch(const ArrowPlan& plan, std::int64_t rows) : plan_(plan), rows_(rows) {
  const auto size = static_cast<std::size_t>(rows);
  for (const ArrowField& field : plan.fields()) {
    Column& column = columns_.emplace_back();
    const std::size_t width = width_of(field);
    if (width == 0) continue;
    column.bits = field.form == ArrowField::Form::truth;
    const std::size_t bytes = (size + 7) / 8;
    column.values = ArrowBuffer(column.bits ? bytes : size * width);
    column.valid = ArrowBuffer(bytes);
    std::memset(column.valid.data(), 0, bytes);
    if (column.bits) std::memset(column.values.data(), 0, bytes);
  }
  blocks_.resize((size + kArrowBlock - 1) / kArrowBlock);
  for (Block& b : blocks_) b.texts.resize(plan.fields().size());
}

namespace {

// Copies values, possibly in place, and marks those that are present. `first` is a multiple of eight.
template <class From, class Valid, class Put>
void put_all(const void* values, std::int64_t first, std::int64_t count, std::uint8_t* valid, const Valid& is_valid,
             const Put& put) {
  const auto* const from = static_cast<const From*>(values);
  const auto one = [&](std::int64_t i) {
    const From value = from[i];
    put(first + i, value);
    return static_cast<unsigned>(is_valid(value));
  };
  std::int64_t i = 0;
  for (; i + 8 <= count; i += 8) {
    unsigned bits = 0;
    for (int k = 0; k < 8; ++k) bits |= one(i + k) << k;
    valid[(first + i) >> 3] = static_cast<std::uint8_t>(bits);
  }
  if (i == count) return;
  unsigned bits = 0;
  for (int k = 0; i + k < count; ++k) bits |= one(i + k) << k;
  valid[(first + i) >> 3] = static_cast<std::uint8_t>(bits);
}

// Marks all rows of a block as present.
void set_bits(std::uint8_t* valid, std::int64_t first, std::int64_t count) {
  std::memset(valid + first / 8, 0xff, static_cast<std::size_t>(count / 8));
  if (count % 8 != 0) valid[(first + count) / 8] = static_cast<std::uint8_t>((1u << (count % 8)) - 1);
}

// Compilers do not make these two loops wide at -O2: one by one they take a tenth of the time of a whole batch.
typedef double Pair __attribute__((vector_size(16)));

// A finite number minus itself is 0, and sums keep a NaN. Comparisons would not stay in vectors: before SSE4.1 GCC takes
// 64-bit masks apart.
bool all_numbers(const double* from, std::int64_t count) {
  Pair a{}, b{}, c{}, d{};
  std::int64_t i = 0;
  for (; i + 8 <= count; i += 8) {
    Pair p, q, r, s;
    std::memcpy(&p, from + i, sizeof p);
    std::memcpy(&q, from + i + 2, sizeof q);
    std::memcpy(&r, from + i + 4, sizeof r);
    std::memcpy(&s, from + i + 6, sizeof s);
    // Zero, or not a number if an item is none or infinite. NOLINTBEGIN(misc-redundant-expression)
    a += p - p;
    b += q - q;
    c += r - r;
    d += s - s;
    // NOLINTEND(misc-redundant-expression)
  }
  const Pair sum = (a + b) + (c + d);
  double rest = sum[0] + sum[1];
  for (; i < count; ++i) rest += from[i] - from[i];
  return rest == 0;
}

template <class Code>
bool all_codes(const Code* from, std::int64_t count) {
  constexpr std::int64_t kWord = 8 / sizeof(Code);
  std::uint64_t signs = 0;
  std::int64_t i = 0;
  for (; i + kWord <= count; i += kWord) {
    std::uint64_t word = 0;
    std::memcpy(&word, from + i, sizeof word);
    signs |= word;
  }
  Code rest = 0;
  for (; i < count; ++i) rest = static_cast<Code>(rest | from[i]);
  constexpr std::uint64_t kSigns = sizeof(Code) == 1   ? 0x8080808080808080u
                                   : sizeof(Code) == 2 ? 0x8000800080008000u
                                                       : 0x8000000080000000u;
  return (signs & kSigns) == 0 && rest >= 0;
}

// Numbers that lie where they belong already. Most blocks lack none.
void mark_numbers(const double* from, std::int64_t first, std::int64_t count, std::uint8_t* valid) {
  if (all_numbers(from, count)) return set_bits(valid, first, count);
  put_all<double>(
      from, first, count, valid, [](double v) { return v == v; }, [](std::int64_t, double) {});
}

template <class Code>
void put_codes(const void* values, std::int64_t first, std::int64_t count, std::uint8_t* valid, Code* to) {
  const auto* const from = static_cast<const Code*>(values);
  if (all_codes(from, count)) {
    if (from != to + first) std::memcpy(to + first, from, static_cast<std::size_t>(count) * sizeof(Code));
    return set_bits(valid, first, count);
  }
  put_all<Code>(
      values, first, count, valid, [](Code code) { return code >= 0; },
      [to](std::int64_t row, Code code) { to[row] = std::max<Code>(code, 0); });
}

}  // namespace

void ArrowBatch::put_block(std::size_t at, std::int64_t first, std::int64_t count, const void* values) {
  Column& column = columns_[at];
  auto* const valid = column.valid.as<std::uint8_t>();
  switch (plan_.fields()[at].form) {
    case ArrowField::Form::number: {
      auto* const to = column.values.as<double>() + first;
      if (values != to) std::memcpy(to, values, static_cast<std::size_t>(count) * sizeof(double));
      return mark_numbers(to, first, count, valid);
    }
    case ArrowField::Form::decimal: {
      auto* const to = column.values.as<std::int64_t>();
      return put_all<std::int64_t>(
          values, first, count, valid, [](std::int64_t v) { return v != kNoNumber; },
          [to](std::int64_t row, std::int64_t v) {
            to[2 * row] = v;
            to[2 * row + 1] = v < 0 ? -1 : 0;
          });
    }
    case ArrowField::Form::truth: {
      auto* const to = column.values.as<std::uint8_t>();
      std::memset(to + first / 8, 0, static_cast<std::size_t>((count + 7) / 8));
      return put_all<std::int8_t>(
          values, first, count, valid, [](std::int8_t v) { return v >= 0; },
          [to](std::int64_t row, std::int8_t v) {
            if (v > 0) set_bit(to, row);
          });
    }
    case ArrowField::Form::choice:
      if (plan_.fields()[at].code_bytes == 1) put_codes(values, first, count, valid, column.values.as<std::int8_t>());
      else if (plan_.fields()[at].code_bytes == 2)
        put_codes(values, first, count, valid, column.values.as<std::int16_t>());
      else put_codes(values, first, count, valid, column.values.as<std::int32_t>());
      return;
    default: return;
  }
}

void ArrowBatch::prepare_direct() {
  direct_rows_ = true;
  for (std::size_t at = 0; at < columns_.size(); ++at) {
    const ArrowField::Form form = plan_.fields()[at].form;
    const auto size = static_cast<std::size_t>(rows_);
    if (form == ArrowField::Form::decimal) columns_[at].direct = ArrowBuffer(size * sizeof(std::int64_t));
    else if (form == ArrowField::Form::truth) columns_[at].direct = ArrowBuffer(size);
    else columns_[at].direct = columns_[at].values;
  }
}

char* ArrowBatch::direct(std::size_t at) { return columns_[at].direct.data(); }

void ArrowBatch::put_missing(std::size_t at, std::int64_t row) {
  Column& column = columns_[at];
  const std::size_t width = width_of(plan_.fields()[at]);
  if (width == 0) return;
  const auto clear = static_cast<std::uint8_t>(~(1u << (row & 7)));
  column.valid.as<std::uint8_t>()[row >> 3] &= clear;
  if (column.bits) column.values.as<std::uint8_t>()[row >> 3] &= clear;
  else std::memset(column.values.data() + static_cast<std::size_t>(row) * width, 0, width);
}

void ArrowBatch::put_fixed(std::size_t at, std::int64_t row, const Verdict& verdict, FieldHandle handle) {
  const ArrowField& field = plan_.fields()[at];
  Column& column = columns_[at];
  put_missing(at, row);
  bool given = false;
  switch (field.form) {
    case ArrowField::Form::number: {
      const std::optional<double> number = verdict.number(handle);
      given = number.has_value();
      if (given) column.values.as<double>()[row] = *number;
      break;
    }
    case ArrowField::Form::decimal: {
      const std::string_view json = verdict.json(field.name);
      std::int64_t low = 0, high = 0;
      given = json != "null" && parse_decimal128(json, field.decimals, low, high);
      if (!given && json != "null")
        block(row).errors.emplace_back(
            row, InputError{field.name, "limit", field.name + " has more digits than a decimal128 holds"});
      column.values.as<std::int64_t>()[2 * row] = low;
      column.values.as<std::int64_t>()[2 * row + 1] = high;
      break;
    }
    case ArrowField::Form::truth: {
      const std::optional<bool> truth = verdict.boolean(handle);
      given = truth.has_value();
      if (truth.value_or(false)) set_bit(column.values.as<std::uint8_t>(), row);
      break;
    }
    default: {
      const std::string_view text = verdict.text(handle);
      const std::int64_t code = text.data() == nullptr ? -1 : field.index.find(field.texts, text);
      given = code >= 0;
      const std::int64_t stored = std::max<std::int64_t>(code, 0);
      if (field.code_bytes == 1) column.values.as<std::int8_t>()[row] = static_cast<std::int8_t>(stored);
      else if (field.code_bytes == 2) column.values.as<std::int16_t>()[row] = static_cast<std::int16_t>(stored);
      else column.values.as<std::int32_t>()[row] = static_cast<std::int32_t>(stored);
    }
  }
  if (given) set_bit(column.valid.as<std::uint8_t>(), row);
}

void ArrowBatch::put_verdict(std::int64_t row, const Verdict& verdict, const std::vector<FieldHandle>& handles) {
  const InputError* const error = verdict.error();
  Block& b = block(row);
  if (error != nullptr) b.errors.emplace_back(row, *error);
  for (std::size_t at = 0; at < columns_.size(); ++at) {
    const ArrowField& field = plan_.fields()[at];
    if (field.form == ArrowField::Form::verdict) {
      b.texts[at].emplace_back(row, verdict.json());
    } else if (error != nullptr) {
      put_missing(at, row);
    } else if (field.form == ArrowField::Form::value) {
      b.texts[at].emplace_back(row, verdict.json(field.name));
    } else if (width_of(field) > 0) {
      put_fixed(at, row, verdict, handles[at]);
    }
  }
}

void ArrowBatch::put_unread(std::int64_t row, const InputError& error) {
  Block& b = block(row);
  b.errors.emplace_back(row, error);
  if (!plan_.whole()) return;
  std::string json;
  write_error(error, json);
  b.texts[0].emplace_back(row, std::move(json));
}

void ArrowBatch::put_id(std::int64_t row, std::string_view record) {
  for (std::size_t at = 0; at < columns_.size(); ++at) {
    const ArrowField& field = plan_.fields()[at];
    if (field.name != "id" || field.form != ArrowField::Form::value || plan_.structured()) continue;
    JsonNode root;
    JsonProblem problem;
    if (!parse_json(record, root, problem, 1)) return;
    const JsonNode* const id = root.find("id");
    const bool number = plan_.types_of()->kind(field.type) == TypeKind::number;
    if (id != nullptr && id->is(number ? JsonNode::Kind::number : JsonNode::Kind::text))
      block(row).texts[at].emplace_back(row, id->raw);
  }
}

std::uint64_t ArrowBatch::rejected() const {
  std::uint64_t count = 0;
  for (const Block& b : blocks_) count += b.errors.size();
  return count;
}

// ---- the batch

ArrowOwned ArrowBatch::finish_fixed(std::size_t at) {
  const ArrowField& field = plan_.fields()[at];
  ArrowOwned made;
  made.format = format_of(field);
  made.name = field.name;
  made.length = rows_;
  const auto* const valid = columns_[at].valid.as<std::uint8_t>();
  std::int64_t set = 0, byte = 0;
  const std::int64_t bytes = (rows_ + 7) / 8;
  for (; byte + 8 <= bytes; byte += 8) {
    const auto word = load_at<std::uint64_t>(valid + byte, 0);
    set += word == UINT64_MAX ? 64 : std::popcount(word);  // nearly always all of them
  }
  for (; byte < bytes; ++byte) set += std::popcount(valid[byte]);
  made.nulls = rows_ - set;
  made.buffers = {made.nulls == 0 ? ArrowBuffer() : columns_[at].valid, columns_[at].values};
  if (field.form == ArrowField::Form::choice) made.dictionary = dictionary_of(field);
  return made;
}

ArrowOwned ArrowBatch::finish_texts(std::size_t at) {
  using Form = ArrowField::Form;
  const ArrowField& field = plan_.fields()[at];
  ValueBuilder values = field.form == Form::value ? ValueBuilder(*plan_.types_of(), field.type, field.name,
                                                                 field.decimals, plan_.as_decimals())
                                                  : ValueBuilder::texts("", {field.name});
  std::int64_t row = 0;
  const auto skip_to = [&](std::int64_t next) {
    values.append_missing(next - row);
    row = next;
  };
  JsonNode node;
  for (Block& b : blocks_) {
    for (auto& [at_row, json] : b.texts[at]) {
      skip_to(at_row);
      ++row;
      JsonProblem problem;
      if (field.form == Form::verdict) values.append_texts({json});
      else values.append(parse_json(json, node, problem) ? &node : nullptr);
    }
  }
  skip_to(rows_);
  ArrowOwned made = values.finish();
  return field.form == Form::value ? made : made.children[0];
}

ArrowOwned ArrowBatch::finish_errors() {
  const auto bytes = static_cast<std::size_t>((rows_ + 7) / 8);
  if (rejected() == 0 && rows_ > 0) {
    // All missing, as for errors of most batches: zeroed memory that nobody has to write.
    const auto nothing = [&](ArrowOwned& made) {
      made.length = made.nulls = rows_;
      made.buffers = {ArrowBuffer::zeros(bytes)};
    };
    const auto no_texts = [&](ArrowOwned& made) {
      nothing(made);
      made.buffers.push_back(ArrowBuffer::zeros((static_cast<std::size_t>(rows_) + 1) * sizeof(std::int64_t)));
      made.buffers.emplace_back(0);
    };
    ArrowOwned made = errors_of(plan_).type();
    nothing(made);
    for (ArrowOwned& child : made.children) no_texts(child);
    return plan_.structured() ? made : made.children[0];
  }
  ValueBuilder errors = errors_of(plan_);
  std::int64_t row = 0;
  for (const Block& b : blocks_) {
    for (const auto& [at_row, error] : b.errors) {
      errors.append_missing(at_row - row);
      if (plan_.structured()) errors.append_texts({error.path.str(), error.code, error.message.str()});
      else errors.append_texts({error.message.str()});
      row = at_row + 1;
    }
  }
  errors.append_missing(rows_ - row);
  ArrowOwned made = errors.finish();
  return plan_.structured() ? made : made.children[0];
}

ArrowOwned ArrowBatch::finish_constant(const ArrowField& field) {
  ValueBuilder texts = ValueBuilder::texts("", {field.name});
  std::int64_t row = 0;
  for (const Block& b : blocks_) {
    for (const auto& [at_row, error] : b.errors) {
      for (; row < at_row; ++row) texts.append_texts({field.constant});
      texts.append(nullptr);
      ++row;
    }
  }
  for (; row < rows_; ++row) texts.append_texts({field.constant});
  return texts.finish().children[0];
}

void ArrowBatch::finish(const std::shared_ptr<ArrowHeld>& records, int id, ArrowArray& out) {
  for (Block& b : blocks_) {
    const auto by_row = [](const auto& x, const auto& y) { return x.first < y.first; };
    const auto same = [](const auto& x, const auto& y) { return x.first == y.first; };
    std::stable_sort(b.errors.begin(), b.errors.end(), by_row);
    b.errors.erase(std::unique(b.errors.begin(), b.errors.end(), same), b.errors.end());
  }
  ArrowOwned made;
  made.format = "+s";
  made.length = rows_;
  made.buffers.resize(1);
  std::vector<std::size_t> ids;
  for (std::size_t at = 0; at < columns_.size(); ++at) {
    const ArrowField& field = plan_.fields()[at];
    if (field.form == ArrowField::Form::constant) {
      made.children.push_back(finish_constant(field));
    } else if (width_of(field) > 0) {
      made.children.push_back(finish_fixed(at));
    } else if (field.form != ArrowField::Form::id) {
      made.children.push_back(finish_texts(at));
    } else {
      if (id >= 0) ids.push_back(made.children.size());
      ValueBuilder none = ValueBuilder::texts("", {"id"});
      if (id < 0) none.append_missing(rows_);
      made.children.push_back(none.finish().children[0]);
    }
  }
  if (!plan_.whole()) made.children.push_back(finish_errors());
  export_array(made, out);
  for (const std::size_t at : ids) {
    out.children[at]->release(out.children[at]);
    export_child(records, static_cast<std::size_t>(id), *out.children[at]);
  }
}

void export_result_schema(const ArrowPlan& plan, const ArrowType* id, ArrowSchema& out) {
  using Form = ArrowField::Form;
  ArrowOwned made;
  made.format = "+s";
  std::vector<std::size_t> ids;
  for (const ArrowField& field : plan.fields()) {
    if (field.form == Form::value) {
      made.children.push_back(
          ValueBuilder(*plan.types_of(), field.type, field.name, field.decimals, plan.as_decimals()).type());
      continue;
    }
    if (field.form == Form::id && id != nullptr) ids.push_back(made.children.size());
    ArrowOwned& child = made.children.emplace_back();
    child.format = format_of(field);
    child.name = field.name;
    if (field.form == Form::choice) child.dictionary = dictionary_of(field);
  }
  if (!plan.whole())
    made.children.push_back(plan.structured() ? errors_of(plan).type() : errors_of(plan).type().children[0]);
  export_schema(made, out);
  for (const std::size_t at : ids) {
    out.children[at]->release(out.children[at]);
    export_schema(*id, *out.children[at]);
  }
}

}  // namespace assay
