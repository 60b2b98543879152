// Record streams: reading files and texts into JSON records, and scoring whole streams into files in bounded memory.
#include "module.hpp"

#include <assay/files.hpp>
#include <assay/verdicts.hpp>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include <cstring>
#include <exception>
#include <memory>
#include <optional>

namespace assay_python {

using namespace assay;

namespace {

// Reads with a Python function read(size) → bytes. If it raises, the exception is kept and reading fails.
class PyRead {
 public:
  explicit PyRead(nb::object function) : function_(std::move(function)) {}
  long operator()(char* buffer, std::size_t size) {
    const nb::gil_scoped_acquire lock;
    if (raised) return -1;
    try {
      const nb::object bytes = function_(size);
      const std::string_view view = bytes_of(bytes);
      if (view.size() > size) throw nb::value_error("read() returned more bytes than it was asked for");
      std::memcpy(buffer, view.data(), view.size());
      return static_cast<long>(view.size());
    } catch (...) {
      raised = std::current_exception();
      return -1;
    }
  }
  std::exception_ptr raised;

 private:
  nb::object function_;
};

// A file or a stream of bytes, unpacked if it is compressed. Not movable: readers refer to it.
struct Source {
  PyRead reading;
  std::string name;
  std::optional<RecordSource> records;

  // `named`: of the file, for messages; `format` as SourceOptions::from.
  Source(nb::object read, std::string named, const std::string& format, const Rubric& rubric, bool strict)
      : reading(std::move(read)), name(std::move(named)) {
    if (!format_named(format)) throw nb::value_error("the formats are 'ndjson', 'json', 'csv', 'tsv' and 'npy'");
    std::string problem;
    const auto call = [this](char* buffer, std::size_t size) { return reading(buffer, size); };
    records = RecordSource::open({call, {}}, name, rubric, {format, strict, nullptr, name}, problem);
    if (!records) raise(problem);
  }

  long read(char* buffer, std::size_t size) { return records->read(buffer, size); }

  // After reading has failed: what Python raised, or OSError with what is wrong with the bytes.
  void check() const {
    if (reading.raised) std::rethrow_exception(reading.raised);
    if (!records->problem().empty()) raise(records->problem());
  }

 private:
  [[noreturn]] void raise(const std::string& problem) const {
    if (reading.raised) std::rethrow_exception(reading.raised);
    const std::string message = "cannot read '" + printable(name) + "': " + problem;
    PyErr_SetString(PyExc_OSError, message.c_str());
    throw nb::python_error();
  }
};

// Reads records one by one, as JSON.
struct Reader {
  Rubric rubric;
  std::unique_ptr<Source> source;
  RecordReader records;

  // Reads up to `most` records: ([json], {position: (path, code, message)}). Fewer mean the end.
  nb::tuple next(std::size_t most) {
    nb::list texts;
    nb::dict unread;
    for (std::size_t i = 0; i < most; ++i) {
      Record record;
      InputError problem;
      const RecordReader::Status status = records.next(record, problem);
      if (status != RecordReader::Status::record) source->check();
      if (status == RecordReader::Status::end) break;
      if (status == RecordReader::Status::error) {
        unread[nb::int_(i)] = nb::make_tuple(text(problem.path), text(problem.code), text(problem.message));
        texts.append(nb::bytes("", 0));
      } else {
        texts.append(nb::bytes(record.json.data(), record.json.size()));
      }
    }
    return nb::make_tuple(texts, unread);
  }
};

std::unique_ptr<Reader> make_reader(const Rubric& rubric, nb::object read, const std::string& name,
                                    const std::string& format, const nb::dict& limits, bool strict) {
  auto source = std::make_unique<Source>(std::move(read), name, format, rubric, strict);
  RecordReader records(
      source->records->format(),
      [from = source.get()](char* buffer, std::size_t size) { return from->read(buffer, size); }, rubric,
      limits_of(limits), strict);
  return std::make_unique<Reader>(Reader{rubric, std::move(source), std::move(records)});
}

struct Runner {
  Rubric rubric;
  bool strict = false;
  std::unique_ptr<Interrupt> interrupt = std::make_unique<Interrupt>();
  std::unique_ptr<Batch> batch;
  std::string header;  // of CSV and TSV
};

// `to`: "ndjson", "csv", "tsv"; `columns`: of the last two. `fields`: keys of the verdict; empty: all.
std::unique_ptr<Runner> make_runner(const Rubric& rubric, const nb::list& fields, const nb::list& columns,
                                    const std::string& to, const nb::dict& limits, bool strict, unsigned threads) {
  auto made = std::make_unique<Runner>(Runner{rubric, strict});
  BatchOptions options;
  options.evaluator.fields = strings_of(fields);
  options.evaluator.limits = limits_of(limits);
  options.evaluator.strict = strict;
  options.evaluator.interrupt = made->interrupt.get();
  options.threads = threads;
  if (const std::vector<std::string> names = strings_of(columns); !names.empty()) {
    const VerdictPrinter writer([&made](std::string_view text) { return made->header += text, true; },
                                *find_output_format(to), names);
    options.render = writer.render();
  }
  made->batch = std::make_unique<Batch>(rubric, std::move(options));
  if (const InputError* error = made->batch->error()) raise_record_error(*error);
  return made;
}

// Scores a whole stream. write(bytes) receives the verdicts; progress(bytes written) is called from time to time.
nb::tuple run(Runner& self, nb::object read, const std::string& name, const std::string& format, nb::object write,
              nb::object rejected) {
  Source source(std::move(read), name, format, self.rubric, self.strict);
  std::exception_ptr raised;
  BatchInput input;
  input.format = source.records->format();
  input.read = [&](char* buffer, std::size_t size) { return source.read(buffer, size); };
  BatchOutput output;
  output.write = [&](std::string_view block) {
    const nb::gil_scoped_acquire lock;
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      if (Call::ended()) return false;
      write(nb::bytes(block.data(), block.size()));
      return true;
    } catch (...) {
      raised = std::current_exception();
      return false;
    }
  };
  if (!rejected.is_none()) {
    output.rejected = [&](std::uint64_t line, const InputError& error) {
      const nb::gil_scoped_acquire lock;
      try {
        if (!raised) rejected(line, text(error.path), text(error.code), text(error.message));
      } catch (...) { raised = std::current_exception(); }
    };
  }
  Batch::Result result;
  Call call;
  {
    const Running running(self.interrupt.get());
    const nb::gil_scoped_release lock_given;
    result = self.batch->run(input, output);
  }
  call.finish();
  if (raised) std::rethrow_exception(raised);
  source.check();
  if (result.status == Batch::Status::interrupted) raise_record_error({"", "timeout", "the scoring ran out of time"});
  return nb::make_tuple(result.records, result.rejected);
}

}  // namespace

void bind_streams(nb::module_& m) {
  m.def("verdict_columns", [](const Rubric& rubric, bool second_pass) {
    nb::list names;
    for (const std::string& name : verdict_columns(rubric, second_pass)) names.append(text(name));
    return names;
  });
  nb::class_<Reader>(m, "Reader")
      .def(nb::new_(&make_reader), nb::arg("rubric"), nb::arg("read"), nb::arg("name"), nb::arg("format"),
           nb::arg("limits"), nb::arg("strict"))
      .def("next", &Reader::next)
      .def("columns", [](Reader& self) {
        nb::list list;
        for (const std::string& name : self.records.columns()) list.append(text(name));
        return list;
      });
  nb::class_<Runner>(m, "Runner")
      .def(nb::new_(&make_runner), nb::arg("rubric"), nb::arg("fields"), nb::arg("columns"), nb::arg("to"),
           nb::arg("limits"), nb::arg("strict"), nb::arg("threads"))
      .def("configure",
           [](Runner& self, const nb::list& contexts, const nb::list& weights) {
             if (const auto error = self.batch->configure(settings_of(contexts, weights))) raise_record_error(*error);
           })
      .def("set_history", [](Runner& self, const nb::list& records) { self.batch->set_history(strings_of(records)); })
      .def("set_timeout", [](Runner& self, double seconds) { set_timeout(*self.interrupt, seconds); })
      .def("set_cohort",
           [](Runner& self, const FrozenCohort& cohort) {
             if (const auto error = self.batch->set_cohort(cohort)) raise_record_error(*error);
           })
      .def_prop_ro("header", [](const Runner& self) { return nb::bytes(self.header.data(), self.header.size()); })
      .def("run", &run, nb::arg("read"), nb::arg("name"), nb::arg("format"), nb::arg("write"),
           nb::arg("rejected").none());
}

}  // namespace assay_python
