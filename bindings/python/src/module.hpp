// Declarations shared by the files of the extension module.
#pragma once

#include <assay/assay.hpp>

#include <nanobind/nanobind.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay_python {

namespace nb = nanobind;

// Raises assay.RecordError(path, code, message), which the Python side constructs.
[[noreturn]] void raise_record_error(const assay::InputError& error);

inline nb::str text(std::string_view view) { return nb::str(view.data(), view.size()); }

// The bytes of a str, bytes or other object with a byte buffer. Valid as long as the object.
std::string_view bytes_of(nb::handle object);

assay::Limits limits_of(const nb::dict& limits);
assay::Settings settings_of(const nb::list& contexts, const nb::list& weights);
std::vector<std::string> strings_of(const nb::list& list);
void set_timeout(assay::Interrupt& interrupt, double seconds);  // starting now; ValueError: not a valid time

void bind_arrow(nb::module_& module);
void bind_cohorts(nb::module_& module);
void bind_questions(nb::module_& module);
void bind_streams(nb::module_& module);

}  // namespace assay_python
