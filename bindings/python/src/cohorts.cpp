// Cohorts: merging, freezing and saving the data that a run's verdicts leave.
#include "module.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include <memory>
#include <optional>

namespace assay_python {

using namespace assay;

namespace {

nb::bytes bytes(const std::string& saved) { return nb::bytes(saved.data(), saved.size()); }

FrozenCohort freeze(const Cohort& cohort) {
  InputError error;
  std::optional<FrozenCohort> frozen;
  Call call;
  {
    const Running running(nullptr);
    const nb::gil_scoped_release lock_given;  // hooks of Python take it again
    frozen = cohort.freeze(error);
  }
  call.finish();
  if (!frozen) raise_record_error(error);
  return *frozen;
}

}  // namespace

void bind_cohorts(nb::module_& m) {
  nb::class_<Cohort>(m, "Cohort")
      .def(nb::new_([](const Rubric& rubric, const nb::dict& limits) {
             return std::make_unique<Cohort>(rubric, limits_of(limits));
           }),
           nb::arg("rubric"), nb::arg("limits"))
      .def("verdicts", &Cohort::verdicts)
      .def("rejected", &Cohort::rejected)
      .def("repeated_ids",
           [](const Cohort& self, std::size_t most) {
             nb::list list;
             for (const RepeatedId& repeated : self.repeated_ids(most))
               list.append(nb::make_tuple(text(repeated.id), repeated.count));
             return list;
           })
      .def("merge",
           [](Cohort& self, const Cohort& other) {
             std::optional<InputError> error;
             {
               const Running running(nullptr);
               const nb::gil_scoped_release lock_given;
               error = self.merge(other);
             }
             if (error) raise_record_error(*error);
           })
      .def("copy", [](const Cohort& self) { return std::make_unique<Cohort>(self); })
      .def("save", [](const Cohort& self) { return bytes(self.save()); })
      .def_static(
          "load",
          [](const Rubric& rubric, nb::handle saved, const nb::dict& limits) {
            InputError error;
            std::optional<Cohort> loaded = Cohort::load(rubric, bytes_of(saved), error, limits_of(limits));
            if (!loaded) raise_record_error(error);
            return std::make_unique<Cohort>(std::move(*loaded));
          },
          nb::arg("rubric"), nb::arg("saved"), nb::arg("limits"))
      .def("freeze", &freeze);
  nb::class_<FrozenCohort>(m, "FrozenCohort")
      .def("outputs", [](const FrozenCohort& self) { return text(self.outputs()); })
      .def("verdicts", &FrozenCohort::verdicts)
      .def("hash", [](const FrozenCohort& self) { return text(self.hash()); })
      .def("save", [](const FrozenCohort& self) { return bytes(self.save()); })
      .def_static(
          "load",
          [](const Rubric& rubric, nb::handle saved) {
            InputError error;
            std::optional<FrozenCohort> loaded = FrozenCohort::load(rubric, bytes_of(saved), error);
            if (!loaded) raise_record_error(error);
            return *loaded;
          },
          nb::arg("rubric"), nb::arg("saved"));
}

}  // namespace assay_python
