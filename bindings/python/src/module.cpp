// The extension module assay._core: a thin wrapper of the C++ library. The Python package builds its interface on it.
#include "module.hpp"

#include "from_json.hpp"
#include "to_json.hpp"

#include <assay/diff.hpp>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <utility>

namespace assay_python {

using namespace assay;

namespace {

nb::object error_type() { return nb::module_::import_("assay._errors").attr("RecordError"); }

// ---- hooks: Python functions

std::string type_told(nb::handle value) { return shown(value.type().attr("__name__")); }

nb::object to_python(const HookValue& value) {  // as deep as values nest
  switch (value.kind) {
    case HookValue::Kind::number: return nb::float_(value.number);
    case HookValue::Kind::boolean: return nb::bool_(value.boolean);
    case HookValue::Kind::text: return text(value.text);
    case HookValue::Kind::list: {
      nb::list list;
      for (const HookValue& item : value.items) list.append(to_python(item));
      return list;
    }
    case HookValue::Kind::record: {
      nb::dict dict;
      for (const auto& [name, member] : value.members) dict[text(name)] = to_python(member);
      return dict;
    }
    default: return nb::none();
  }
}

HookValue from_python(nb::handle value, int levels) {
  PyObject* const object = value.ptr();
  if (levels == 0) return HookValue::error("the hook returned a value that is nested too deeply");
  if (object == Py_None) return {};
  if (PyBool_Check(object)) return HookValue(object == Py_True);
  if (PyUnicode_Check(object)) return HookValue(std::string(bytes_of(value)));
  if (PyDict_Check(object)) {
    std::vector<std::pair<std::string, HookValue>> members;
    for (auto [key, member] : nb::borrow<nb::dict>(value)) {
      if (!PyUnicode_Check(key.ptr()))
        return HookValue::error("the hook returned a dict with a key of the type " + type_told(key) + ", expected str");
      members.emplace_back(std::string(bytes_of(key)), from_python(member, levels - 1));
      if (members.back().second.kind == HookValue::Kind::error) return std::move(members.back().second);
    }
    return HookValue::record(std::move(members));
  }
  if (PyList_Check(object) || PyTuple_Check(object)) {
    std::vector<HookValue> items;
    for (nb::handle item : value) {
      items.push_back(from_python(item, levels - 1));
      if (items.back().kind == HookValue::Kind::error) return std::move(items.back());
    }
    return HookValue::list(std::move(items));
  }
  const double number = PyFloat_AsDouble(object);  // float, int, Decimal, numbers of NumPy
  if (PyErr_Occurred() != nullptr) {
    const bool large = PyErr_ExceptionMatches(PyExc_OverflowError) != 0;
    PyErr_Clear();
    return HookValue::error(large ? "the hook returned a number that no double holds"
                                  : "the hook returned a value of the type " + type_told(value));
  }
  return number == number ? HookValue(number) : HookValue();
}

// Owns a Python function. May be destroyed without holding the interpreter's lock.
std::shared_ptr<nb::object> shared(nb::handle function) {
  return {new nb::object(nb::borrow(function)), [](nb::object* owned) {
            const nb::gil_scoped_acquire lock;
            delete owned;
          }};
}

HookFunction hook_of(nb::handle function) {
  return [function = shared(function)](const std::vector<HookValue>& arguments) -> HookValue {
    if (interpreter_exits()) return HookValue::error("the interpreter exits");
    const nb::gil_scoped_acquire lock;
    if (Call::ended()) return HookValue::error("the call has ended");
    try {
      nb::list list;
      for (const HookValue& argument : arguments) list.append(to_python(argument));
      return from_python((*function)(*nb::tuple(list)), 200);
    } catch (nb::python_error& error) {
      if (!error.matches(PyExc_Exception)) Call::keep(std::current_exception());
      return HookValue::error(shown(error.type().attr("__name__")) + ": " + shown(error.value()));
    } catch (const std::exception& error) { return HookValue::error(error.what()); }
  };
}

// An importer in Python: (path, from) → (name, text), or None.
Importer importer_of(nb::handle function) {
  return [function = shared(function)](std::string_view path, std::string_view from,
                                       std::string& name) -> std::optional<std::string> {
    const nb::object found = (*function)(text(path), text(from));
    if (found.is_none()) return std::nullopt;
    name = std::string(bytes_of(nb::object(found[0])));
    return std::string(bytes_of(nb::object(found[1])));
  };
}

// ---- rubrics

nb::dict place(const Location& at) {
  nb::dict result;
  result["file"] = text(at.file);
  result["line"] = at.line;
  result["column"] = at.column;
  result["length"] = at.length;
  return result;
}

nb::tuple compile_rubric(const std::string& name, nb::handle source, nb::handle importer, const nb::dict& limits,
                         bool lua, const nb::dict& hooks) {
  CompileOptions options;
  options.limits = limits_of(limits);
  options.lua = lua;
  if (!importer.is_none()) options.importer = importer_of(importer);
  for (auto [key, function] : hooks) {
    if (PyCallable_Check(function.ptr()) == 0)
      throw nb::type_error(("the hook '" + shown(key) + "' is not a function: " + shown(nb::repr(function))).c_str());
    options.hooks[std::string(bytes_of(key))] = hook_of(function);
  }
  Call call;
  Compiled compiled = compile(name, bytes_of(source), options);
  call.finish();
  nb::list diagnostics;
  for (const Diagnostic& diagnostic : compiled.diagnostics) {
    nb::dict d;
    d["severity"] = diagnostic.severity == Severity::error ? "error" : "warning";
    d["code"] = text(diagnostic.code);
    d["message"] = text(diagnostic.message);
    d["help"] = text(diagnostic.help);
    d["at"] = place(diagnostic.at);
    diagnostics.append(d);
  }
  const std::string rendered = render(compiled.diagnostics);
  nb::object rubric = nb::none();
  if (compiled.rubric) rubric = nb::cast(std::move(*compiled.rubric));
  return nb::make_tuple(rubric, diagnostics, text(rendered));
}

nb::list dimensions_of(const std::vector<DimensionInfo>& dimensions) {
  nb::list list;
  for (const DimensionInfo& dimension : dimensions) {
    nb::dict d;
    d["name"] = text(dimension.name);
    d["prose"] = text(dimension.prose);
    d["weight"] = dimension.weight.empty() ? nb::object(nb::none()) : nb::object(text(dimension.weight));
    d["parts"] = dimensions_of(dimension.parts);
    list.append(d);
  }
  return list;
}

nb::list fields_of(const std::vector<FieldInfo>& fields) {
  static constexpr const char* kRoles[] = {"key", "band", "band_attribute", "output"};
  nb::list list;
  for (const FieldInfo& field : fields) {
    nb::dict f;
    f["name"] = text(field.name);
    f["type"] = text(field.type);
    f["decimals"] = field.decimals < 0 ? nb::object(nb::none()) : nb::object(nb::int_(field.decimals));
    f["role"] = kRoles[static_cast<std::size_t>(field.role)];
    list.append(f);
  }
  return list;
}

nb::dict describe(const Rubric& rubric) {
  nb::dict d;
  d["name"] = text(rubric.name());
  d["version"] = text(rubric.version());
  d["prose"] = text(rubric.prose());
  d["scoring_hash"] = text(rubric.scoring_hash());
  d["ranked"] = rubric.ranked();
  d["cohort"] = rubric.has_cohort();
  d["serial"] = rubric.serial();
  d["scored"] = rubric.scored();
  d["each"] = fields_of(rubric.each_fields());
  nb::list inputs, contexts;
  for (const InputInfo& input : rubric.inputs()) {
    nb::dict i;
    i["name"] = text(input.name);
    i["type"] = text(input.type);
    i["presence"] = text(input.presence);
    i["prose"] = text(input.prose);
    inputs.append(i);
  }
  for (const ContextInfo& context : rubric.contexts()) {
    nb::dict c;
    c["name"] = text(context.name);
    c["prose"] = text(context.prose);
    contexts.append(c);
  }
  d["inputs"] = inputs;
  d["fields"] = fields_of(rubric.fields());
  d["dimensions"] = dimensions_of(rubric.dimensions());
  d["contexts"] = contexts;
  return d;
}

nb::list test_rubric(const Rubric& rubric) {
  std::vector<ExampleResult> results;
  Call call;
  {
    const Running running(nullptr);
    const nb::gil_scoped_release lock_given;
    results = rubric.test();
  }
  call.finish();
  nb::list list;
  for (const ExampleResult& example : results) {
    nb::list differences;
    for (const Printable& difference : example.differences) differences.append(text(difference));
    list.append(nb::make_tuple(text(example.name), example.passed, place(example.at), differences));
  }
  return list;
}

nb::list differences_of(const Rubric& before, const Rubric& after) {
  static constexpr const char* kKinds[] = {"changed", "added", "removed", "renamed", "moved"};
  static constexpr const char* kEffects[] = {"prose", "bands", "scores"};
  Interrupt interrupt;  // by a signal
  std::vector<Change> changes;
  unlocked_elsewhere(interrupt, [&] { changes = differences(before, after, &interrupt); });
  nb::list list;
  for (const Change& change : changes) {
    list.append(nb::make_tuple(kKinds[static_cast<std::size_t>(change.kind)],
                               kEffects[static_cast<std::size_t>(change.effect)], text(change.what), text(change.part),
                               text(change.before), text(change.after)));
  }
  return list;
}

std::string show(const Rubric& rubric, std::string_view view) {
  static constexpr std::pair<std::string_view, View> kViews[] = {
      {"ast", View::ast}, {"model", View::model}, {"bytecode", View::bytecode}, {"kernel", View::kernel}};
  for (const auto& [name, stage] : kViews) {
    if (name != view) continue;
    Interrupt interrupt;  // by a signal
    std::string shown;
    unlocked_elsewhere(interrupt, [&, stage = stage] { shown = rubric.show(stage, &interrupt); });
    return shown;
  }
  throw nb::value_error("the views are 'ast', 'model', 'bytecode' and 'kernel'");
}

// ---- evaluators. Only one thread may use an evaluator at a time; the Python side keeps a pool of them.

constexpr std::size_t kShort = 1 << 14;  // bytes; longer records are scored without the interpreter's lock

struct PyEvaluator {
  Rubric rubric;
  Evaluator evaluator;
  std::string record;
  const std::size_t most_bytes;  // of a record

  PyEvaluator(const Rubric& the_rubric, const EvaluatorOptions& options)
      : rubric(the_rubric), evaluator(rubric, options), most_bytes(options.limits.record_bytes) {
    if (const InputError* error = evaluator.error()) raise_record_error(*error);
  }

  // The JSON of the verdict, and whether it is an error.
  nb::tuple answer(std::string_view json) {
    const Verdict* verdict = nullptr;
    Call call;
    if (json.size() <= kShort) {
      verdict = &evaluator.score(json);
    } else {
      const Running running(nullptr);
      const nb::gil_scoped_release lock_given;
      verdict = &evaluator.score(json);
    }
    call.finish();
    if (const InputError* error = verdict->error()) raise_record_error(*error);
    return nb::make_tuple(text(verdict->json()), verdict->eligible());
  }
};

std::unique_ptr<PyEvaluator> make_evaluator(const Rubric& rubric, const nb::list& fields, const nb::dict& limits,
                                            bool strict, bool jit) {
  EvaluatorOptions options;
  options.fields = strings_of(fields);
  options.limits = limits_of(limits);
  options.strict = strict;
  if (!jit) options.jit_threshold = EvaluatorOptions::kNever;
  return std::make_unique<PyEvaluator>(rubric, options);
}

std::vector<std::string_view> views_of(const nb::list& records) {
  std::vector<std::string_view> views;
  for (nb::handle record : records) views.push_back(bytes_of(record));
  return views;
}

nb::dict statistics_of(const Statistics& statistics) {
  nb::dict d;
  d["records"] = statistics.records;
  d["rejected"] = statistics.rejected;
  d["steps"] = statistics.steps;
  d["kernel"] = statistics.kernel;
  d["jit_rows"] = statistics.jit_rows;
  return d;
}

void bind_rubrics(nb::module_& m) {
  nb::class_<Rubric>(m, "Rubric")
      .def("describe", &describe)
      .def("serial", &Rubric::serial)
      .def("test", &test_rubric)
      .def("show", &show, nb::arg("view"))
      .def("unknown_keys", [](const Rubric& rubric, nb::handle record) {
        nb::list list;
        for (const UnknownKey& key : rubric.unknown_keys(bytes_of(record)))
          list.append(nb::make_tuple(text(key.path), text(key.message), text(key.nearest)));
        return list;
      });
  m.def("compile", &compile_rubric, nb::arg("name"), nb::arg("text"), nb::arg("importer").none(), nb::arg("limits"),
        nb::arg("lua"), nb::arg("hooks"));
  m.def("differences", &differences_of, nb::arg("before"), nb::arg("after"));
}

void bind_evaluators(nb::module_& m) {
  nb::class_<PyEvaluator>(m, "Evaluator")
      .def(nb::new_(&make_evaluator), nb::arg("rubric"), nb::arg("fields"), nb::arg("limits"), nb::arg("strict"),
           nb::arg("jit"))
      .def("configure",
           [](PyEvaluator& self, const nb::list& contexts, const nb::list& weights) {
             if (const auto error = self.evaluator.configure(settings_of(contexts, weights)))
               raise_record_error(*error);
           })
      .def("set_history",
           [](PyEvaluator& self, const nb::list& records) { self.evaluator.set_history(strings_of(records)); })
      .def("score", [](PyEvaluator& self, nb::handle json) { return self.answer(bytes_of(json)); })
      .def(
          "score_object",
          [](PyEvaluator& self, nb::handle record, nb::handle plain) {
            self.record.clear();
            write_json(record, plain, self.record, "", self.most_bytes);
            return self.answer(self.record);
          },
          nb::arg("record").none(), nb::arg("plain"))
      .def("rank",
           [](PyEvaluator& self, const nb::list& records) {
             Ranking ranking;
             const std::vector<std::string_view> views = views_of(records);
             std::optional<InputError> error;
             Call call;
             {
               const Running running(nullptr);
               const nb::gil_scoped_release lock_given;
               error = self.evaluator.rank(views, ranking);
             }
             call.finish();
             if (error) raise_record_error(*error);
             return nb::make_tuple(nb::cast(ranking.groups), nb::cast(ranking.ineligible));
           })
      .def("eval",
           [](PyEvaluator& self, nb::handle request) {
             Call call;
             const nb::str answer = text(self.evaluator.eval(bytes_of(request)));
             call.finish();
             return answer;
           })
      .def("explain",
           [](PyEvaluator& self, nb::handle record, std::string_view name, const std::vector<std::string>& open) {
             bool unknown = false;
             Call call;
             const std::string explained = self.evaluator.explain(bytes_of(record), name, open, &unknown);
             call.finish();
             return nb::make_tuple(text(explained), unknown);
           })
      .def("evaluate",
           [](PyEvaluator& self, std::string_view expression, nb::handle record) {
             Call call;
             const Evaluator::Evaluated result = self.evaluator.evaluate(expression, bytes_of(record));
             call.finish();
             if (result.error) raise_record_error(*result.error);
             return nb::make_tuple(text(result.value), text(result.type), has_errors(result.diagnostics),
                                   text(render(result.diagnostics)));
           })
      .def("start_cohort", [](PyEvaluator& self, std::uint64_t first) { self.evaluator.start_cohort(first); })
      .def("collected", [](PyEvaluator& self) { return std::make_unique<Cohort>(self.evaluator.collected()); })
      .def("set_cohort",
           [](PyEvaluator& self, const FrozenCohort& cohort) {
             if (const auto error = self.evaluator.set_cohort(cohort)) raise_record_error(*error);
           })
      .def("statistics", [](PyEvaluator& self) { return statistics_of(self.evaluator.statistics()); });
}

nb::list json_of_records(nb::handle records, nb::handle plain, nb::object rejected, std::size_t most) {
  nb::list list;
  std::string json;
  for (nb::handle record : nb::iter(records)) {
    if (PyUnicode_Check(record.ptr()) || PyBytes_Check(record.ptr())) {
      list.append(record);
      continue;
    }
    json.clear();
    const std::size_t position = nb::len(list);
    if (rejected.is_none()) {
      write_json(record, plain, json, "[" + std::to_string(position) + "]", most);
    } else if (const auto error = write_json_or_error(record, plain, json, most)) {
      rejected[nb::int_(position)] = nb::make_tuple(text(error->path), text(error->code), text(error->message));
      json.clear();
    }
    list.append(text(json));
  }
  return list;
}

}  // namespace

std::string shown(nb::handle object) {
  const nb::object text = nb::steal(PyObject_Str(object.ptr()));
  const nb::object bytes =
      nb::steal(text.is_valid() ? PyUnicode_AsEncodedString(text.ptr(), "utf-8", "backslashreplace") : nullptr);
  if (bytes.is_valid()) return {PyBytes_AsString(bytes.ptr()), static_cast<std::size_t>(PyBytes_Size(bytes.ptr()))};
  PyErr_Clear();
  return "(a value that cannot be shown)";
}

void raise_record_error(const InputError& error) {
  nb::object id = nb::none();
  if (!error.id.empty()) id = nb::module_::import_("json").attr("loads")(text(error.id));
  nb::list others;
  for (const InputFault& fault : error.others) {
    nb::dict other;
    other["path"] = text(fault.path);
    other["code"] = text(fault.code);
    other["message"] = text(fault.message);
    others.append(other);
  }
  const nb::object raised = error_type()(text(error.path), text(error.code), text(error.message), id, others);
  PyErr_SetObject(raised.type().ptr(), raised.ptr());
  throw nb::python_error();
}

std::string_view bytes_of(nb::handle object) {
  Py_ssize_t size = 0;
  if (PyUnicode_Check(object.ptr())) {
    const char* const bytes = PyUnicode_AsUTF8AndSize(object.ptr(), &size);
    if (bytes == nullptr) throw nb::python_error();
    return {bytes, static_cast<std::size_t>(size)};
  }
  char* bytes = nullptr;
  if (PyBytes_AsStringAndSize(object.ptr(), &bytes, &size) != 0) throw nb::python_error();
  return {bytes, static_cast<std::size_t>(size)};
}

Limits limits_of(const nb::dict& given) {
  Limits limits;
  for (auto [key, value] : given) {
    const std::string name(bytes_of(key));
    const LimitInfo* const info = find_limit(name);
    if (info == nullptr) throw nb::value_error(("there is no limit '" + name + "'").c_str());
    const nb::object whole = nb::steal(PyNumber_Index(value.ptr()));
    if (!whole.is_valid()) {
      PyErr_Clear();
      throw nb::type_error(("the limit '" + name + "' is a whole number, not " + shown(nb::repr(value))).c_str());
    }
    const std::uint64_t number = PyLong_AsUnsignedLongLong(whole.ptr());
    const bool outside = PyErr_Occurred() != nullptr;  // negative, or beyond 64 bits
    PyErr_Clear();
    if (outside || number > info->most)
      throw nb::value_error(("the limit '" + name + "' is a number of 0 to " + std::to_string(info->most)).c_str());
    info->set(limits, number);
  }
  return limits;
}

std::vector<std::string> strings_of(const nb::list& list) {
  std::vector<std::string> strings;
  for (nb::handle item : list) strings.emplace_back(bytes_of(item));
  return strings;
}

Settings settings_of(const nb::list& contexts, const nb::list& weights) {
  Settings settings;
  settings.contexts = strings_of(contexts);
  for (nb::handle pair : weights)
    settings.weights.emplace_back(bytes_of(nb::object(pair[0])), bytes_of(nb::object(pair[1])));
  return settings;
}

}  // namespace assay_python

NB_MODULE(_core, m) {
  using namespace assay_python;
  constexpr std::size_t kMostBytes = Limits{}.record_bytes;     // unless the host sets another limit
  if (PyInterpreterState_GetID(PyInterpreterState_Get()) != 0)  // callbacks find the main interpreter only
    throw nb::import_error("assay works in the main interpreter only, not in subinterpreters");
  nb::set_leak_warnings(false);  // what the host still holds when it exits is no leak of ours
  m.attr("version") = text(assay::version());
  m.attr("MOST_RECORD_BYTES") = kMostBytes;
  m.attr("MOST_SOURCE_BYTES") = Limits{}.source_bytes;
  bind_rubrics(m);
  bind_evaluators(m);
  bind_cohorts(m);
  bind_arrow(m);
  bind_streams(m);
  bind_questions(m);
  m.def("set_leak_warnings", &nb::set_leak_warnings);  // for tests: what is left of us when the interpreter exits
  m.def("end_running", &end_running);
  nb::module_::import_("atexit").attr("register")(m.attr("end_running"));
  m.def(
      "from_json", [](nb::handle json, nb::handle convert) { return from_json(bytes_of(json), convert); },
      nb::arg("json"), nb::arg("convert").none());
  // The value of a member, or `otherwise` if there is none.
  m.def(
      "member",
      [](nb::handle json, nb::handle name, nb::handle convert, nb::object otherwise) {
        nb::object found = member_of_json(bytes_of(json), bytes_of(name), convert);
        return found.is_valid() ? found : otherwise;
      },
      nb::arg("json"), nb::arg("name"), nb::arg("convert").none(), nb::arg("otherwise").none());
  m.def(
      "to_json",
      [](nb::handle record, nb::handle plain, std::size_t most) {
        std::string json;
        write_json(record, plain, json, "", most);
        return text(json);
      },
      nb::arg("record").none(), nb::arg("plain"), nb::arg("most") = kMostBytes);
  // All of `records`, one per line.
  m.def("to_json_list", &json_of_records, nb::arg("records"), nb::arg("plain"), nb::arg("rejected").none() = nb::none(),
        nb::arg("most") = kMostBytes);
}
