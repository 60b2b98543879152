// The C interface: batches over streams and columns in memory.
#include "runtime/c/c_api.hpp"

#include <algorithm>
#include <deque>
#include <optional>

using namespace assay;
using namespace assay::c;

struct assay_batch {
  Batch batch;
  InputError error;
};

// A column of assay_text, which the library reads as std::string_view: the views are rebuilt for each score.
struct TextColumn {
  std::string path;
  const char* data = nullptr;
  std::ptrdiff_t stride = 0;
  std::size_t items = 1;        // of a row, adjacent
  std::optional<Column> count;  // of a list
  Column views_column;
  std::vector<std::string_view> views;
};

struct assay_columns {
  Columns columns;
  std::deque<TextColumn> texts;
  InputError error;
  std::string text;

  assay_status told(std::optional<InputError> problem) {
    if (!problem) return ASSAY_OK;
    error = std::move(*problem);
    return ASSAY_REJECTED;
  }
  void forget(const char* path) {
    const auto last = std::remove_if(texts.begin(), texts.end(), [&](const TextColumn& t) { return t.path == path; });
    texts.erase(last, texts.end());
  }
  std::optional<InputError> bind(TextColumn& column) {
    column.views_column.data = column.views.data();
    if (column.count) return columns.bind_list(column.path, {*column.count, column.views_column});
    return columns.bind(column.path, column.views_column);
  }
  std::optional<InputError> fill(TextColumn& column, std::size_t first, std::size_t last) {
    if (column.views.size() < last * column.items) {
      column.views.resize(last * column.items);
      if (auto problem = bind(column)) return problem;
    }
    for (std::size_t row = first; row < last; ++row) {
      const char* at = column.data + static_cast<std::ptrdiff_t>(row) * column.stride;
      for (std::size_t i = 0; i < column.items; ++i) {
        assay_text item;
        std::memcpy(&item, at + i * sizeof item, sizeof item);
        column.views[row * column.items + i] = text_of(item.data, item.size);
      }
    }
    return std::nullopt;
  }
};

namespace {

static_assert(static_cast<int>(ColumnType::text) == ASSAY_TEXT && static_cast<int>(ColumnType::u32) == ASSAY_U32);
static_assert(static_cast<int>(Format::csv) == ASSAY_CSV && static_cast<int>(Format::tsv) == ASSAY_TSV &&
              static_cast<int>(Format::json) == ASSAY_JSON && static_cast<int>(Format::npy) == ASSAY_NPY);

bool known(assay_column_type type) { return type >= ASSAY_F64 && type <= ASSAY_TEXT; }

bool read_column(const assay_column* given, Column& into) {
  assay_column column{};
  if (given == nullptr || !read_options(given, column) || !known(column.type)) return false;
  if (column.names == nullptr && column.name_count > 0) return false;
  into.data = column.data;
  into.type = static_cast<ColumnType>(column.type);
  into.stride = column.stride;
  into.decimals = column.decimals;
  if (column.has_missing != 0) into.missing = column.missing;
  into.shift = column.shift;
  into.bits = column.bits;
  for (std::size_t i = 0; i < column.name_count; ++i) {
    if (column.names[i] == nullptr) return false;
    into.names.emplace_back(column.names[i]);
  }
  return true;
}

}  // namespace

extern "C" {

// ---- batches

assay_status assay_batch_new(const assay_rubric* rubric, const assay_batch_options* options, assay_batch** batch) {
  if (batch == nullptr) return ASSAY_INVALID_ARGUMENT;
  *batch = nullptr;
  if (rubric == nullptr) return ASSAY_INVALID_ARGUMENT;
  return guarded([&] {
    BatchOptions chosen;
    if (options != nullptr) {
      assay_batch_options given{};
      if (!read_options(options, given) || !evaluator_options(&given.evaluator, chosen.evaluator)) {
        return ASSAY_INVALID_ARGUMENT;
      }
      chosen.threads = given.threads;
    }
    std::unique_ptr<assay_batch> made(new assay_batch{Batch(rubric->rubric, std::move(chosen)), {}});
    if (made->batch.error() != nullptr) return ASSAY_INVALID_ARGUMENT;
    *batch = made.release();
    return ASSAY_OK;
  });
}

assay_status assay_batch_configure(assay_batch* batch, const char* const* contexts, size_t context_count,
                                   const assay_weight* weights, size_t weight_count) {
  if (batch == nullptr) return ASSAY_INVALID_ARGUMENT;
  return guarded([&] {
    Settings settings;
    if (!set_settings(contexts, context_count, weights, weight_count, settings)) return ASSAY_INVALID_ARGUMENT;
    auto problem = batch->batch.configure(settings);
    if (!problem) return ASSAY_OK;
    batch->error = std::move(*problem);
    return ASSAY_REJECTED;
  });
}

assay_error assay_batch_error(const assay_batch* batch) {
  return batch == nullptr ? view(InputError()) : view(batch->error);
}

assay_status assay_batch_run(assay_batch* batch, const assay_stream* stream, assay_counts* counts) {
  if (counts != nullptr) *counts = {};
  if (batch == nullptr || stream == nullptr) return ASSAY_INVALID_ARGUMENT;
  return guarded([&] {
    assay_stream given{};
    if (!read_options(stream, given) || given.read == nullptr || given.write == nullptr ||
        given.format < ASSAY_NDJSON || given.format > ASSAY_NPY) {
      return ASSAY_INVALID_ARGUMENT;
    }
    BatchInput input;
    input.format = static_cast<Format>(given.format);
    input.read = [&](char* buffer, std::size_t size) { return given.read(given.context, buffer, size); };
    BatchOutput output;
    output.write = [&](std::string_view lines) { return given.write(given.context, lines.data(), lines.size()) != 0; };
    if (given.rejected != nullptr) {
      output.rejected = [&](std::uint64_t line, const InputError& problem) {
        const assay_error error = view(problem);
        given.rejected(given.context, line, &error);
      };
    }
    const Batch::Result result = batch->batch.run(input, output);
    if (counts != nullptr) *counts = {result.records, result.rejected};
    if (!result.problem.empty()) batch->error = {"", "read", result.problem};
    switch (result.status) {
      case Batch::Status::done: return ASSAY_OK;
      case Batch::Status::stopped: return ASSAY_STOPPED;
      case Batch::Status::interrupted: return ASSAY_INTERRUPTED;
      case Batch::Status::failed: return ASSAY_READ_FAILED;
    }
    return ASSAY_INTERNAL;
  });
}

void assay_batch_free(assay_batch* batch) { delete batch; }

// ---- columns

assay_status assay_columns_new(const assay_rubric* rubric, const assay_evaluator_options* options,
                               assay_columns** columns) {
  if (columns == nullptr) return ASSAY_INVALID_ARGUMENT;
  *columns = nullptr;
  if (rubric == nullptr) return ASSAY_INVALID_ARGUMENT;
  return guarded([&] {
    EvaluatorOptions chosen;
    if (!evaluator_options(options, chosen)) return ASSAY_INVALID_ARGUMENT;
    *columns = new assay_columns{Columns(rubric->rubric, chosen), {}, {}, {}};
    return ASSAY_OK;
  });
}

assay_status assay_columns_bind(assay_columns* columns, const char* path, const assay_column* column) {
  if (columns == nullptr || path == nullptr) return ASSAY_INVALID_ARGUMENT;
  return guarded([&] {
    Column read;
    if (!read_column(column, read)) return ASSAY_INVALID_ARGUMENT;
    columns->forget(path);
    if (read.type != ColumnType::text) return columns->told(columns->columns.bind(path, read));
    TextColumn text;
    text.path = path;
    text.data = static_cast<const char*>(read.data);
    text.stride = read.stride == 0 ? static_cast<std::ptrdiff_t>(sizeof(assay_text)) : read.stride;
    text.views_column.type = ColumnType::text;
    text.views.resize(1);  // a column has an address from the beginning
    if (auto problem = columns->bind(text)) return columns->told(std::move(problem));
    columns->texts.push_back(std::move(text));
    return ASSAY_OK;
  });
}

assay_status assay_columns_bind_list(assay_columns* columns, const char* path, const assay_column* count,
                                     const assay_column* items) {
  if (columns == nullptr || path == nullptr) return ASSAY_INVALID_ARGUMENT;
  return guarded([&] {
    ListColumn list;
    if (!read_column(count, list.count) || !read_column(items, list.items)) return ASSAY_INVALID_ARGUMENT;
    columns->forget(path);
    if (list.items.type != ColumnType::text) return columns->told(columns->columns.bind_list(path, list));
    if (list.items.stride < static_cast<std::ptrdiff_t>(sizeof(assay_text))) return ASSAY_INVALID_ARGUMENT;
    TextColumn text;
    text.path = path;
    text.data = static_cast<const char*>(list.items.data);
    text.stride = list.items.stride;
    text.items = static_cast<std::size_t>(list.items.stride) / sizeof(assay_text);
    text.count = std::move(list.count);
    text.views_column.type = ColumnType::text;
    text.views_column.stride = static_cast<std::ptrdiff_t>(text.items * sizeof(std::string_view));
    text.views.resize(text.items);
    if (auto problem = columns->bind(text)) return columns->told(std::move(problem));
    columns->texts.push_back(std::move(text));
    return ASSAY_OK;
  });
}

assay_status assay_columns_write(assay_columns* columns, const char* field, const assay_result_column* column) {
  if (columns == nullptr || field == nullptr || column == nullptr) return ASSAY_INVALID_ARGUMENT;
  return guarded([&] {
    assay_result_column given{};
    if (!read_options(column, given) || !known(given.type) || given.type == ASSAY_TEXT) return ASSAY_INVALID_ARGUMENT;
    ResultColumn result;
    result.data = given.data;
    result.type = static_cast<ColumnType>(given.type);
    result.stride = given.stride;
    result.decimals = given.decimals;
    if (given.has_missing != 0) result.missing = given.missing;
    return columns->told(columns->columns.write(field, result));
  });
}

assay_status assay_columns_configure(assay_columns* columns, const char* const* contexts, size_t context_count,
                                     const assay_weight* weights, size_t weight_count) {
  if (columns == nullptr) return ASSAY_INVALID_ARGUMENT;
  return guarded([&] {
    Settings settings;
    if (!set_settings(contexts, context_count, weights, weight_count, settings)) return ASSAY_INVALID_ARGUMENT;
    return columns->told(columns->columns.configure(settings));
  });
}

assay_status assay_columns_texts(assay_columns* columns, const char* field, assay_text* texts) {
  if (texts != nullptr) *texts = kNoText;
  if (columns == nullptr || field == nullptr || texts == nullptr) return ASSAY_INVALID_ARGUMENT;
  return guarded([&] {
    columns->text = json_list(columns->columns.texts(field));
    *texts = view(columns->text);
    return ASSAY_OK;
  });
}

assay_status assay_columns_score(assay_columns* columns, size_t first, size_t last) {
  if (columns == nullptr || first > last) return ASSAY_INVALID_ARGUMENT;
  return guarded([&] {
    for (TextColumn& column : columns->texts) {
      if (auto problem = columns->fill(column, first, last)) return columns->told(std::move(problem));
    }
    return columns->told(columns->columns.score(first, last));
  });
}

size_t assay_columns_rejected(const assay_columns* columns) {
  return columns == nullptr ? 0 : columns->columns.errors().size();
}

int assay_columns_rejected_at(const assay_columns* columns, size_t index, size_t* row, assay_error* error) {
  if (index >= assay_columns_rejected(columns)) return 0;
  const auto& [at, problem] = columns->columns.errors()[index];
  if (row != nullptr) *row = at;
  if (error != nullptr) *error = view(problem);
  return 1;
}

assay_error assay_columns_error(const assay_columns* columns) {
  return columns == nullptr ? view(InputError()) : view(columns->error);
}

void assay_columns_free(assay_columns* columns) { delete columns; }

}  // extern "C"
