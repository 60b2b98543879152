// Objects of Python → the JSON text of a record.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

namespace assay_python {

namespace nb = nanobind;

// Appends `value`. Numbers keep every digit: int, float (the shortest decimal that reads back as it), Decimal; None and
// NaN are null. What is none of these, a str, a bool, a list, a tuple or a dict with text keys goes through `plain`, a
// function of Python that returns such a value or raises TypeError. Throws nb::python_error.
void write_json(nb::handle value, nb::handle plain, std::string& out);

}  // namespace assay_python
