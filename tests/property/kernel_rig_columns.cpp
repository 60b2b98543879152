// Records as rows of columns: see kernel_rig.hpp.
#include "runtime/columns/columns_impl.hpp"
#include "tests/property/kernel_rig_state.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace assay_tests {

using namespace assay;

namespace {

// An input as a column. Values are the JSON of a record; "" and null are missing.
struct Bound {
  Column column;
  ListColumn list;
  bool is_list = false, ok = true;
  std::vector<double> doubles;
  std::vector<std::int64_t> integers;
  std::vector<std::int32_t> words;
  std::vector<std::uint8_t> bytes;
  std::vector<std::int16_t> codes;
  std::vector<std::string> texts;
  std::vector<std::string_view> views;
  std::vector<std::int32_t> counts;
  std::vector<std::string_view> items;
  std::vector<std::uint8_t> item_codes;
};

constexpr std::size_t kItems = 8;  // the most items of a list in a row

bool absent(const std::string& value) { return value.empty() || value == "null"; }

std::string text_of(const std::string& json) { return json.substr(1, json.size() - 2); }

std::vector<std::string> items_of(const std::string& json) {
  std::vector<std::string> out;
  for (std::size_t at = json.find('"'); at != std::string::npos; at = json.find('"', at + 1)) {
    const std::size_t end = json.find('"', at + 1);
    out.push_back(json.substr(at + 1, end - at - 1));
    at = end;
  }
  return out;
}

int decimals_of(const std::string& value) {
  const std::size_t dot = value.find('.');
  return dot == std::string::npos ? 0 : static_cast<int>(value.size() - dot - 1);
}

std::int64_t scaled(const std::string& value, int decimals) {
  std::string digits = value;
  const int own = decimals_of(value);
  std::erase(digits, '.');
  std::int64_t n = std::strtoll(digits.c_str(), nullptr, 10);
  for (int i = own; i < decimals; ++i) n *= 10;
  return n;
}

std::int32_t code_of(std::vector<std::string>& names, const std::string& text) {
  auto at = std::find(names.begin(), names.end(), text);
  if (at == names.end()) at = names.insert(names.end(), text);
  return static_cast<std::int32_t>(at - names.begin());
}

void fill(Bound& b, const Model& model, TypeId id, const std::vector<std::string>& values, RigTypes types) {
  const bool wide = types == RigTypes::longs;
  const Type& type = model.types[id];
  switch (type.kind) {
    case TypeKind::number:
      if (types == RigTypes::doubles) {
        for (const std::string& v : values)
          b.doubles.push_back(absent(v) ? std::nan("") : std::strtod(v.c_str(), nullptr));
        b.column = {b.doubles.data(), ColumnType::f64};
      } else {
        int decimals = 0;
        for (const std::string& v : values) decimals = std::max(decimals, absent(v) ? 0 : decimals_of(v));
        b.ok = decimals <= 9;
        for (const std::string& v : values) b.integers.push_back(absent(v) ? INT64_MIN : scaled(v, decimals));
        b.column = {b.integers.data(), ColumnType::i64, 0, decimals};
        if (types != RigTypes::words) return;
        for (const std::int64_t v : b.integers) {
          b.ok = b.ok && (v == INT64_MIN || (v > INT32_MIN && v <= INT32_MAX));
          b.words.push_back(v == INT64_MIN ? INT32_MIN : static_cast<std::int32_t>(v));
        }
        b.column = {b.words.data(), ColumnType::i32, 0, decimals, INT32_MIN};
      }
      return;
    case TypeKind::boolean:
      for (const std::string& v : values) {
        const int bit = absent(v) ? 3 : v == "true" ? 1 : 0;
        b.bytes.push_back(static_cast<std::uint8_t>(wide ? 0x13 | bit << 2 : bit));  // the other bits have no meaning
      }
      b.column = {b.bytes.data(), ColumnType::u8, 0, 0, 3};
      if (wide) {
        b.column.shift = 2;
        b.column.bits = 2;
      }
      return;
    case TypeKind::text:
      if (wide) {
        for (const std::string& v : values) b.texts.push_back(absent(v) ? std::string() : text_of(v));
        for (std::size_t i = 0; i < values.size(); ++i)
          b.views.push_back(absent(values[i]) ? std::string_view() : std::string_view(b.texts[i]));
        b.column = {b.views.data(), ColumnType::text};
      } else {
        std::vector<std::string> names = type.choices;
        for (const std::string& v : values)
          b.codes.push_back(static_cast<std::int16_t>(absent(v) ? -1 : code_of(names, text_of(v))));
        if (names.empty()) names.push_back("a name that no row has");
        b.column = {b.codes.data(), ColumnType::i16, 0, 0, -1};
        b.column.names = names;
      }
      return;
    case TypeKind::list: {
      b.is_list = true;
      if (model.types.kind(type.element) != TypeKind::text) break;
      std::vector<std::string> names = model.types[type.element].choices;
      b.texts.resize(values.size() * kItems);
      b.items.resize(values.size() * kItems);
      b.item_codes.resize(values.size() * kItems);
      for (std::size_t i = 0; i < values.size(); ++i) {
        const std::vector<std::string> items = items_of(values[i]);
        b.counts.push_back(absent(values[i]) ? -1 : static_cast<std::int32_t>(items.size()));
        for (std::size_t k = 0; k < items.size(); ++k) {
          b.texts[i * kItems + k] = items[k];
          b.items[i * kItems + k] = b.texts[i * kItems + k];
          b.item_codes[i * kItems + k] = static_cast<std::uint8_t>(code_of(names, items[k]));
        }
      }
      b.list.count = {b.counts.data(), ColumnType::i32, 0, 0, -1};
      if (wide) {
        b.list.items = {b.items.data(), ColumnType::text, sizeof(std::string_view) * kItems};
      } else {
        if (names.empty()) names.push_back("a name that no row has");
        b.list.items = {b.item_codes.data(), ColumnType::u8, kItems};
        b.list.items.names = names;
      }
      return;
    }
    default: break;
  }
  b.ok = false;
}

// A result column with its expected values.
struct Written {
  std::string field;
  bool number = false, truth = false;
  std::vector<std::string> texts;
  ResultColumn column;
  std::vector<double> doubles, expected_doubles;
  std::vector<std::int64_t> integers, expected_integers;
  std::vector<std::int16_t> small;  // of RigTypes::words: truths and texts
};

constexpr std::int64_t kMissing = INT64_MIN;  // outside the range of every field
constexpr std::int16_t kMissingSmall = -99;
constexpr int kDecimals = 9;

bool same(double a, double b) { return a == b || (a != a && b != b); }

}  // namespace

KernelRig::ColumnsRun KernelRig::compare_columns(const std::vector<RigInput>& inputs, const std::vector<RigRecord>& all,
                                                 RigTypes with) {
  const bool wide = with == RigTypes::longs;
  State& s = *state_;
  ColumnsRun run;
  Columns trial(s.rubric);
  // Fields that no column can hold must be absent.
  std::vector<TypeId> types(inputs.size(), kUnknown);
  std::vector<bool> can(inputs.size(), false);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::string& path = inputs[i].path;
    const std::size_t dot = path.find('.');
    for (const Slot& slot : s.meaning().slots) {
      if (slot.name == path.substr(0, dot)) types[i] = slot.type;
    }
    if (dot != std::string::npos)
      types[i] = s.model()
                     .types[types[i]]
                     .fields[static_cast<std::size_t>(s.model().types.field(types[i], path.substr(dot + 1)))]
                     .type;
    Bound b;
    fill(b, s.model(), types[i], inputs[i].values, with);
    can[i] = b.ok;
  }
  std::vector<RigRecord> records;
  for (const RigRecord& record : all) {
    bool fits = true;
    for (std::size_t i = 0; i < inputs.size(); ++i) fits = fits && (can[i] || record[i].empty());
    if (fits) records.push_back(record);
  }
  const std::size_t n = records.size();
  run.rows = n;
  std::vector<Bound> bounds(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!can[i]) continue;
    std::vector<std::string> values;
    for (const RigRecord& record : records) values.push_back(record[i]);
    fill(bounds[i], s.model(), types[i], values, with);
  }
  std::vector<Written> written;
  for (std::size_t f = 0; f < s.names.size(); ++f) {
    Written w;
    w.field = s.names[f];
    const TypeKind kind = s.model().types.kind(s.meaning().items[static_cast<std::size_t>(s.fields[f].item)].type);
    w.number = kind == TypeKind::number;
    w.truth = kind == TypeKind::boolean;
    w.texts = trial.texts(w.field);
    if (!w.number && !w.truth && w.texts.empty()) continue;
    w.doubles.resize(n);
    w.integers.resize(n);
    if (w.number && !wide) w.column = {w.doubles.data(), ColumnType::f64};
    else w.column = {w.integers.data(), ColumnType::i64, 0, w.number ? kDecimals : 0, kMissing};
    if (with == RigTypes::words && !w.number) {
      w.small.resize(n);
      w.column = {w.small.data(), ColumnType::i16, 0, 0, kMissingSmall};
    }
    written.push_back(std::move(w));
  }
  run.fields = written.size();
  if (written.empty() || n == 0) return run;
  // The results of the VM.
  std::vector<std::string> errors;
  for (std::size_t row = 0; row < n; ++row) {
    RigRecord record = records[row];
    for (std::string& value : record) {
      if (value == "null") value.clear();
    }
    const Verdict& verdict = s.evaluator->score(json_of(inputs, record));
    if (verdict.error() != nullptr)
      errors.push_back(std::to_string(row) + ' ' + verdict.error()->path + ' ' + verdict.error()->code);
    else ++run.scored;
    for (Written& w : written) {
      const std::optional<double> number =
          verdict.error() != nullptr ? std::nullopt : verdict.number(*s.evaluator->field(w.field));
      w.expected_doubles.push_back(number ? *number : std::nan(""));
      std::int64_t integer = kMissing;
      if (verdict.error() == nullptr && w.number) {
        if (const auto value = verdict.scaled(*s.evaluator->field(w.field), kDecimals)) integer = *value;
        else if (number && wide) errors.push_back(std::to_string(row) + "  column");
      } else if (verdict.error() == nullptr && w.truth) {
        if (const auto truth = verdict.boolean(w.field)) integer = *truth ? 1 : 0;
      } else if (verdict.error() == nullptr && verdict.text(w.field).data() != nullptr) {
        const auto at = std::find(w.texts.begin(), w.texts.end(), verdict.text(w.field));
        if (at != w.texts.end()) integer = at - w.texts.begin();
      }
      w.expected_integers.push_back(integer);
    }
  }
  const auto differs = [&](const std::string& fix) -> std::string {
    for (Written& w : written) {
      for (std::size_t row = 0; row < w.small.size(); ++row)
        w.integers[row] = w.small[row] == kMissingSmall ? kMissing : w.small[row];
      for (std::size_t row = 0; row < n; ++row) {
        const bool floating = w.number && !wide;
        if (floating ? same(w.doubles[row], w.expected_doubles[row]) : w.integers[row] == w.expected_integers[row])
          continue;
        return fix + ", '" + w.field + "' of " + json_of(inputs, records[row]) + ": " +
               (floating ? std::to_string(w.doubles[row]) + ", VM " + std::to_string(w.expected_doubles[row])
                         : std::to_string(w.integers[row]) + ", VM " + std::to_string(w.expected_integers[row]));
      }
    }
    return {};
  };
  const auto setup = [&](Columns& columns) -> std::string {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (!can[i]) continue;
      const auto error = bounds[i].is_list ? columns.bind_list(inputs[i].path, bounds[i].list)
                                           : columns.bind(inputs[i].path, bounds[i].column);
      if (error) return error->message;
    }
    for (const Written& w : written) {
      if (const auto error = columns.write(w.field, w.column)) return error->message;
    }
    if (s.settings) {
      if (const auto error = columns.configure(*s.settings)) return error->message;
    }
    return {};
  };
  const auto forget = [&] {
    for (Written& w : written) {
      std::fill(w.doubles.begin(), w.doubles.end(), 1e300);
      std::fill(w.integers.begin(), w.integers.end(), -12345);
      std::fill(w.small.begin(), w.small.end(), std::int16_t{-12345});
    }
  };
  const auto add_errors = [](const Columns& columns, std::vector<std::string>& out) {
    for (const auto& [row, error] : columns.errors())
      out.push_back(std::to_string(row) + ' ' + error.path + ' ' + error.code);
  };
  using Set = assay::JitCode::Set;
  struct Fix {
    const char* name;
    bool jit, each;  // each: rows one by one
    Set set;
  };
  for (const Fix& fix : {Fix{"interpreter", false, false, Set::baseline}, Fix{"AVX-512", true, false, Set::avx512},
                         Fix{"AVX2", true, false, Set::avx2}, Fix{"baseline", true, false, Set::baseline},
                         Fix{"rows", true, true, Set::avx2}, Fix{"rows, baseline", true, true, Set::baseline}}) {
    assay::EvaluatorOptions options;
    options.jit_threshold = fix.jit ? 0 : assay::EvaluatorOptions::kNever;
    Columns columns(s.rubric, options);
    if (run.difference = setup(columns); !run.difference.empty()) return run;
    if (!ColumnsTestAccess::use(columns, fix.set)) continue;
    const std::size_t passes = std::max<std::size_t>(4, 200 / n);  // until a kernel is generated
    for (std::size_t pass = 0; pass < passes; ++pass) {
      forget();
      const std::uint64_t before = columns.statistics().kernel, jit_before = columns.statistics().jit_rows,
                          vectors_before = columns.statistics().vectors;
      std::vector<std::string> got;
      if (!fix.each) {
        if (const auto error = columns.score(0, n)) run.difference = error->message;
        add_errors(columns, got);
      } else {
        for (std::size_t row = 0; row < n; ++row) {
          if (const auto error = columns.score(row, row + 1)) run.difference = error->message;
          add_errors(columns, got);
        }
      }
      if (run.difference.empty()) run.difference = differs(fix.name);
      if (run.difference.empty() && got != errors) {
        run.difference = std::string(fix.name) + ": other errors, " + std::to_string(got.size()) + " and of the VM " +
                         std::to_string(errors.size());
        const auto [a, b] = std::mismatch(got.begin(), got.end(), errors.begin(), errors.end());
        run.difference += ": " + (a == got.end() ? "none" : *a) + ", VM " + (b == errors.end() ? "none" : *b);
      }
      if (!run.difference.empty()) return run;
      run.slow = n - static_cast<std::size_t>(columns.statistics().kernel - before);
      if (fix.each) run.jit_rows = columns.statistics().jit_rows - jit_before;
      else if (fix.set == JitCode::best()) run.jit_vectors = columns.statistics().vectors - vectors_before;
    }
  }
  return run;
}

}  // namespace assay_tests
