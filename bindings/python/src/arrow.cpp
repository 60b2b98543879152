// Arrow tables, exchanged by the PyCapsule protocol.
#include "module.hpp"

#include <assay/arrow.hpp>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include <cstring>
#include <map>
#include <memory>
#include <optional>

namespace assay_python {

using namespace assay;

namespace {

constexpr const char* kSchemaName = "arrow_schema";
constexpr const char* kArrayName = "arrow_array";
constexpr const char* kStreamName = "arrow_array_stream";

template <class Struct>
void free_struct(Struct* owned) {
  if (owned == nullptr) return;
  if (owned->release != nullptr) owned->release(owned);
  delete owned;
}

template <class Struct>
struct Freed {
  void operator()(Struct* owned) const { free_struct(owned); }
};
template <class Struct>
using Owned = std::unique_ptr<Struct, Freed<Struct>>;

template <class Struct>
Struct* struct_of(nb::handle capsule, const char* name) {
  auto* const found = static_cast<Struct*>(PyCapsule_GetPointer(capsule.ptr(), name));
  if (found == nullptr) throw nb::python_error();
  return found;
}

template <class Struct>
nb::object capsule_of(Owned<Struct> owned, const char* name) {
  const auto destroy = [](PyObject* capsule) {
    free_struct(static_cast<Struct*>(PyCapsule_GetPointer(capsule, PyCapsule_GetName(capsule))));
  };
  PyObject* const capsule = PyCapsule_New(owned.get(), name, destroy);
  if (capsule == nullptr) throw nb::python_error();
  owned.release();
  return nb::steal(capsule);
}

// ---- arrays that can be exported several times

struct ArrayParts {
  std::shared_ptr<ArrowArray> held;
  std::vector<ArrowArray> children;
  std::vector<ArrowArray*> pointers;
  std::unique_ptr<ArrowArray> dictionary;
};

void release_array(ArrowArray* array) {
  auto* const parts = static_cast<ArrayParts*>(array->private_data);
  for (ArrowArray& child : parts->children) {
    if (child.release != nullptr) child.release(&child);
  }
  if (parts->dictionary && parts->dictionary->release != nullptr) parts->dictionary->release(parts->dictionary.get());
  delete parts;
  array->release = nullptr;
}

// Exports another owner of the same memory.
void share(const std::shared_ptr<ArrowArray>& held, const ArrowArray& from, ArrowArray& out) {
  auto* const parts = new ArrayParts;
  parts->held = held;
  parts->children.resize(static_cast<std::size_t>(from.n_children));
  for (std::size_t i = 0; i < parts->children.size(); ++i) {
    share(held, *from.children[i], parts->children[i]);
    parts->pointers.push_back(&parts->children[i]);
  }
  out = from;
  if (from.dictionary != nullptr) {
    parts->dictionary = std::make_unique<ArrowArray>();
    share(held, *from.dictionary, *parts->dictionary);
  }
  out.children = parts->pointers.data();
  out.dictionary = parts->dictionary.get();
  out.release = release_array;
  out.private_data = parts;
}

struct SchemaParts {
  std::string format, name;
  std::vector<ArrowSchema> children;
  std::vector<ArrowSchema*> pointers;
  std::unique_ptr<ArrowSchema> dictionary;
};

void release_schema(ArrowSchema* schema) {
  auto* const parts = static_cast<SchemaParts*>(schema->private_data);
  for (ArrowSchema& child : parts->children) {
    if (child.release != nullptr) child.release(&child);
  }
  if (parts->dictionary && parts->dictionary->release != nullptr) parts->dictionary->release(parts->dictionary.get());
  delete parts;
  schema->release = nullptr;
}

void copy_schema(const ArrowSchema& from, ArrowSchema& out) {
  auto* const parts = new SchemaParts;
  parts->format = from.format;
  parts->name = from.name == nullptr ? "" : from.name;
  parts->children.resize(static_cast<std::size_t>(from.n_children));
  for (std::size_t i = 0; i < parts->children.size(); ++i) {
    copy_schema(*from.children[i], parts->children[i]);
    parts->pointers.push_back(&parts->children[i]);
  }
  if (from.dictionary != nullptr) {
    parts->dictionary = std::make_unique<ArrowSchema>();
    copy_schema(*from.dictionary, *parts->dictionary);
  }
  out = from;
  out.format = parts->format.c_str();
  out.name = parts->name.c_str();
  out.metadata = nullptr;
  out.children = parts->pointers.data();
  out.dictionary = parts->dictionary.get();
  out.release = release_schema;
  out.private_data = parts;
}

// ---- tables of verdicts whose batches are complete

struct Table {
  std::shared_ptr<ArrowSchema> schema;
  std::vector<std::shared_ptr<ArrowArray>> batches;

  std::int64_t rows() const {
    std::int64_t count = 0;
    for (const auto& batch : batches) count += batch->length;
    return count;
  }
};

struct TableReader {
  Table table;
  std::size_t next = 0;
};

int reader_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  copy_schema(*static_cast<TableReader*>(stream->private_data)->table.schema, *out);
  return 0;
}
int reader_next(ArrowArrayStream* stream, ArrowArray* out) {
  auto* const reader = static_cast<TableReader*>(stream->private_data);
  *out = {};
  if (reader->next == reader->table.batches.size()) return 0;
  const auto& batch = reader->table.batches[reader->next++];
  share(batch, *batch, *out);
  return 0;
}
const char* reader_error(ArrowArrayStream*) { return nullptr; }
void reader_release(ArrowArrayStream* stream) {
  delete static_cast<TableReader*>(stream->private_data);
  stream->release = nullptr;
}

nb::object table_stream(const Table& table) {
  Owned<ArrowArrayStream> stream(new ArrowArrayStream{});
  stream->private_data = new TableReader{table, 0};
  stream->get_schema = reader_schema;
  stream->get_next = reader_next;
  stream->get_last_error = reader_error;
  stream->release = reader_release;
  return capsule_of(std::move(stream), kStreamName);
}

nb::object table_schema(const Table& table) {
  Owned<ArrowSchema> schema(new ArrowSchema{});
  copy_schema(*table.schema, *schema);
  return capsule_of(std::move(schema), kSchemaName);
}

// The buffers of an array, unchanged, for the reader in Python: (format, name, length, offset, nulls, buffers,
// children, dictionary), with the address of each buffer.
nb::tuple raw(const ArrowSchema& schema, const ArrowArray& array) {
  nb::list buffers, children;
  for (std::int64_t i = 0; i < array.n_buffers; ++i) buffers.append(reinterpret_cast<std::uintptr_t>(array.buffers[i]));
  for (std::int64_t i = 0; i < array.n_children; ++i) children.append(raw(*schema.children[i], *array.children[i]));
  nb::object dictionary = nb::none();
  if (array.dictionary != nullptr) dictionary = raw(*schema.dictionary, *array.dictionary);
  return nb::make_tuple(schema.format, schema.name == nullptr ? "" : schema.name, array.length, array.offset,
                        array.null_count, buffers, children, dictionary);
}

// ---- scorers

struct Scorer {
  Rubric rubric;
  std::unique_ptr<Interrupt> interrupt = std::make_unique<Interrupt>();
  std::unique_ptr<Signals> signals = std::make_unique<Signals>(*interrupt);
  std::optional<ArrowScorer> scorer;
  std::shared_ptr<ArrowSchema> schema;  // of the verdicts
  Owned<ArrowArrayStream> records;      // that next() reads

  ArrowScorer& usable() {
    if (!scorer) throw nb::value_error("the scorer has been used up");
    return *scorer;
  }
  void set_schema() {
    auto made = std::make_unique<ArrowSchema>();
    if (const auto error = usable().result_schema(*made)) raise_record_error(*error);
    schema = std::shared_ptr<ArrowSchema>(made.release(), free_struct<ArrowSchema>);
  }
  Table empty() const { return {schema, {}}; }
  // Calls the scorer without the lock.
  template <class... Batch>
  std::optional<InputError> score(Batch&... batch) {
    std::optional<InputError> error;
    ArrowScorer& used = usable();
    Call call;
    unlocked(*interrupt, [&] { error = used.score(batch...); });
    signals->finish();
    call.finish();
    return error;
  }
};

std::unique_ptr<Scorer> make_scorer(const Rubric& rubric, const nb::list& fields, const nb::dict& limits, bool strict,
                                    bool decimals, const std::string& result, unsigned threads, bool json_records,
                                    bool collect, const FrozenCohort* cohort) {
  auto made = std::make_unique<Scorer>(Scorer{rubric});
  ArrowOptions options;
  options.evaluator.fields = strings_of(fields);
  options.evaluator.limits = limits_of(limits);
  options.evaluator.strict = strict;
  options.evaluator.interrupt = made->interrupt.get();
  options.collect = collect;
  if (cohort != nullptr) options.cohort = *cohort;
  options.numbers = decimals ? ArrowNumbers::decimals : ArrowNumbers::doubles;
  if (result == "verdicts") options.result = ArrowResult::verdicts;
  else if (result == "json") options.result = ArrowResult::json;
  else if (result != "columns") throw nb::value_error("result is 'columns', 'verdicts' or 'json'");
  options.threads = threads;
  options.poll = [signals = made->signals.get()] { signals->look(); };
  options.json_records = json_records;
  made->scorer.emplace(rubric, std::move(options));
  if (const InputError* error = made->scorer->error()) raise_record_error(*error);
  if (json_records) made->set_schema();
  return made;
}

std::shared_ptr<ArrowArray> held(Owned<ArrowArray> array) { return {array.release(), free_struct<ArrowArray>}; }

// All that a stream has left.
Table table_of_stream(nb::handle capsule) {
  auto* const given = struct_of<ArrowArrayStream>(capsule, kStreamName);
  if (given->release == nullptr) throw nb::value_error("the stream has been read already");
  const auto told = [&](const char* otherwise) {
    const char* const message = given->get_last_error(given);
    return std::runtime_error(message == nullptr ? otherwise : message);
  };
  Table table;
  Owned<ArrowSchema> schema(new ArrowSchema{});
  if (given->get_schema(given, schema.get()) != 0) throw told("the stream has no schema");
  table.schema = std::shared_ptr<ArrowSchema>(schema.release(), free_struct<ArrowSchema>);
  for (;;) {
    Owned<ArrowArray> batch(new ArrowArray{});
    if (given->get_next(given, batch.get()) != 0) throw told("the stream failed");
    if (batch->release == nullptr) return table;
    table.batches.push_back(held(std::move(batch)));
  }
}

void open_stream(Scorer& self, nb::handle capsule) {
  auto* const given = struct_of<ArrowArrayStream>(capsule, kStreamName);
  if (given->release == nullptr) throw nb::value_error("the stream of records has been read already");
  self.records.reset(new ArrowArrayStream(*given));
  given->release = nullptr;
  Owned<ArrowSchema> schema(new ArrowSchema{});
  if (self.records->get_schema(self.records.get(), schema.get()) != 0) {
    const char* const told = self.records->get_last_error(self.records.get());
    throw std::runtime_error(told == nullptr ? "the stream of records has no schema" : told);
  }
  if (const auto error = self.usable().bind(*schema)) raise_record_error(*error);
  self.set_schema();
}

// Scores the next batch. Returns None at the end.
nb::object next_batch(Scorer& self) {
  if (!self.records) throw nb::value_error("there is no stream");
  Owned<ArrowArray> batch(new ArrowArray{}), verdicts(new ArrowArray{});
  std::optional<InputError> error;
  int status = 0;
  {
    const nb::gil_scoped_release lock_given;
    status = self.records->get_next(self.records.get(), batch.get());
  }
  if (status == 0 && batch->release != nullptr) error = self.score(*batch, *verdicts);
  if (status != 0) {
    const char* const told = self.records->get_last_error(self.records.get());
    throw std::runtime_error(told == nullptr ? "the stream of records failed" : told);
  }
  if (error) raise_record_error(*error);
  if (verdicts->release == nullptr) {
    self.records.reset();
    return nb::none();
  }
  Table table = self.empty();
  table.batches.push_back(held(std::move(verdicts)));
  return nb::cast(std::move(table));
}

void bind_schema(Scorer& self, nb::handle capsule) {
  if (const auto error = self.usable().bind(*struct_of<ArrowSchema>(capsule, kSchemaName))) raise_record_error(*error);
  self.set_schema();
}

Table score_array(Scorer& self, nb::handle capsule) {
  auto* const given = struct_of<ArrowArray>(capsule, kArrayName);
  Owned<ArrowArray> verdicts(new ArrowArray{});
  const std::optional<InputError> error = self.score(*given, *verdicts);
  if (error) raise_record_error(*error);
  Table table = self.empty();
  table.batches.push_back(held(std::move(verdicts)));
  return table;
}

// `unread`: {position: (path, code, message)}.
Table score_texts(Scorer& self, const nb::list& records, const nb::dict& unread) {
  std::vector<std::string_view> views;
  for (nb::handle record : records) views.push_back(bytes_of(record));
  std::map<std::size_t, InputError> errors;
  for (auto [position, error] : unread) {
    const auto part = [&](int i) { return std::string(bytes_of(nb::object(error[i]))); };
    errors[nb::cast<std::size_t>(position)] = {part(0), part(1), part(2)};
  }
  Owned<ArrowArray> verdicts(new ArrowArray{});
  const std::optional<InputError> error = self.score(views, *verdicts, errors);
  if (error) raise_record_error(*error);
  Table table = self.empty();
  table.batches.push_back(held(std::move(verdicts)));
  return table;
}

// The scorer and its record stream as one stream of verdicts, which scores when it is read.
nb::object lazy_stream(Scorer& self, nb::handle capsule) {
  auto* const given = struct_of<ArrowArrayStream>(capsule, kStreamName);
  Owned<ArrowArrayStream> stream(new ArrowArrayStream{});
  ArrowScorer scorer = std::move(self.usable());
  self.scorer.reset();
  if (const auto error = std::move(scorer).score(*given, *stream)) raise_record_error(*error);
  return capsule_of(std::move(stream), kStreamName);
}

void bind_scorer(nb::module_& m) {
  nb::class_<Scorer>(m, "Scorer")
      .def(nb::new_(&make_scorer), nb::arg("rubric"), nb::arg("fields"), nb::arg("limits"), nb::arg("strict"),
           nb::arg("decimals"), nb::arg("result"), nb::arg("threads"), nb::arg("json_records"), nb::arg("collect"),
           nb::arg("cohort").none())
      .def("configure",
           [](Scorer& self, const nb::list& contexts, const nb::list& weights) {
             if (const auto error = self.usable().configure(settings_of(contexts, weights))) raise_record_error(*error);
           })
      .def("set_timeout", [](Scorer& self, double seconds) { set_timeout(*self.interrupt, seconds); })
      .def("cancel", [](Scorer& self) { self.interrupt->cancel(); })
      .def("open", &open_stream)
      .def("next", &next_batch)
      .def("bind", &bind_schema)
      .def("score_array", &score_array)
      .def("score_texts", &score_texts)
      .def("stream", &lazy_stream)
      .def("empty", &Scorer::empty)
      .def("collected", [](Scorer& self) { return std::make_unique<Cohort>(self.usable().collected()); })
      .def("rejected", [](Scorer& self) { return self.usable().rejected(); })
      .def("statistics", [](Scorer& self) {
        const Statistics& statistics = self.usable().statistics();
        nb::dict d;
        d["records"] = statistics.records;
        d["rejected"] = statistics.rejected;
        d["kernel"] = statistics.kernel;
        d["jit_rows"] = statistics.jit_rows;
        return d;
      });
}

}  // namespace

void bind_arrow(nb::module_& m) {
  nb::class_<Table>(m, "Table")
      .def("rows", &Table::rows)
      .def("batches", [](const Table& table) { return table.batches.size(); })
      .def("extend",
           [](Table& table, const Table& more) {
             table.batches.insert(table.batches.end(), more.batches.begin(), more.batches.end());
           })
      .def_static("of_stream", &table_of_stream)
      .def("schema", &table_schema)
      .def("stream", &table_stream)
      .def("raw",
           [](const Table& table, std::size_t batch) {
             if (batch >= table.batches.size()) throw nb::index_error("there is no such batch");
             return raw(*table.schema, *table.batches[batch]);
           })
      .def("names", [](const Table& table) {
        nb::list names;
        for (std::int64_t i = 0; i < table.schema->n_children; ++i) names.append(table.schema->children[i]->name);
        return names;
      });
  bind_scorer(m);
}

}  // namespace assay_python
