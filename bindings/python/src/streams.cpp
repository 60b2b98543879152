// Record streams: reading files and texts into JSON records, and scoring whole streams into files in bounded memory.
#include "module.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include <cstring>
#include <exception>
#include <memory>

namespace assay_python {

using namespace assay;

namespace {

Format format_of(const std::string& name) {
  if (name == "ndjson") return Format::ndjson;
  if (name == "json") return Format::json;
  if (name == "csv") return Format::csv;
  if (name == "tsv") return Format::tsv;
  if (name == "npy") return Format::npy;
  throw nb::value_error("the formats are 'ndjson', 'json', 'csv', 'tsv' and 'npy'");
}

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

// Reads records one by one, as JSON.
struct Reader {
  Rubric rubric;
  std::shared_ptr<PyRead> read;
  RecordReader records;

  // Reads up to `most` records: ([json], {position: (path, code, message)}). Fewer mean the end.
  nb::tuple next(std::size_t most) {
    nb::list texts;
    nb::dict unread;
    for (std::size_t i = 0; i < most; ++i) {
      Record record;
      InputError problem;
      const RecordReader::Status status = records.next(record, problem);
      if (read->raised) std::rethrow_exception(read->raised);
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

std::unique_ptr<Reader> make_reader(const Rubric& rubric, nb::object read, const std::string& format,
                                    const nb::dict& limits, bool strict) {
  const auto function = std::make_shared<PyRead>(std::move(read));
  const auto call = [function](char* buffer, std::size_t size) { return (*function)(buffer, size); };
  return std::make_unique<Reader>(
      Reader{rubric, function, RecordReader(format_of(format), call, rubric, limits_of(limits), strict)});
}

std::string csv_row(const std::vector<std::string>& cells, char between) {
  std::string row;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) row += between;
    const std::string& cell = cells[i];
    if (cell.find_first_of(std::string("\"\r\n") + between) == std::string::npos) {
      row += cell;
      continue;
    }
    row += '"';
    for (const char c : cell) row += c == '"' ? std::string("\"\"") : std::string(1, c);
    row += '"';
  }
  return row + '\n';
}

struct Runner {
  Rubric rubric;
  std::unique_ptr<Interrupt> interrupt = std::make_unique<Interrupt>();
  std::unique_ptr<Batch> batch;
};

// `columns`: those of CSV; empty: NDJSON. `fields`: keys of the verdict; empty: all.
std::unique_ptr<Runner> make_runner(const Rubric& rubric, const nb::list& fields, const nb::list& columns, bool tabs,
                                    const nb::dict& limits, bool strict, unsigned threads) {
  auto made = std::make_unique<Runner>(Runner{rubric});
  BatchOptions options;
  options.evaluator.fields = strings_of(fields);
  options.evaluator.limits = limits_of(limits);
  options.evaluator.strict = strict;
  options.evaluator.interrupt = made->interrupt.get();
  options.threads = threads;
  if (const std::vector<std::string> names = strings_of(columns); !names.empty()) {
    options.render = [names, tabs](std::string_view json, bool, std::string& out) {
      out += csv_row(cells(json, names), tabs ? '\t' : ',');
    };
  }
  made->batch = std::make_unique<Batch>(rubric, std::move(options));
  if (const InputError* error = made->batch->error()) raise_record_error(*error);
  return made;
}

// Scores a whole stream. write(bytes) receives the verdicts; progress(bytes written) is called from time to time.
nb::tuple run(Runner& self, nb::object read, const std::string& format, nb::object write, nb::object fault) {
  PyRead reading(std::move(read));
  std::exception_ptr raised;
  BatchInput input;
  input.format = format_of(format);
  input.read = [&](char* buffer, std::size_t size) { return reading(buffer, size); };
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
  if (!fault.is_none()) {
    output.fault = [&](std::uint64_t line, const InputError& error) {
      const nb::gil_scoped_acquire lock;
      try {
        if (!raised) fault(line, text(error.path), text(error.code), text(error.message));
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
  if (reading.raised) std::rethrow_exception(reading.raised);
  if (raised) std::rethrow_exception(raised);
  if (result.status == Batch::Status::interrupted) raise_record_error({"", "timeout", "the scoring ran out of time"});
  return nb::make_tuple(result.records, result.faulty);
}

}  // namespace

void bind_streams(nb::module_& m) {
  nb::class_<Reader>(m, "Reader")
      .def(nb::new_(&make_reader), nb::arg("rubric"), nb::arg("read"), nb::arg("format"), nb::arg("limits"),
           nb::arg("strict"))
      .def("next", &Reader::next)
      .def("columns", [](Reader& self) {
        nb::list list;
        for (const std::string& name : self.records.columns()) list.append(text(name));
        return list;
      });
  nb::class_<Runner>(m, "Runner")
      .def(nb::new_(&make_runner), nb::arg("rubric"), nb::arg("fields"), nb::arg("columns"), nb::arg("tabs"),
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
      .def("run", &run, nb::arg("read"), nb::arg("format"), nb::arg("write"), nb::arg("fault").none());
}

}  // namespace assay_python
