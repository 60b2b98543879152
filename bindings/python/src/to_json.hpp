// Converts Python objects to the JSON text of a record.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

namespace assay_python {

namespace nb = nanobind;

// Appends `value`. Numbers keep all digits: int, float (the shortest decimal that reads back as the same value),
// Decimal. None and NaN become null. A value that is not one of these, a str, a bool, a list, a tuple or a dict with
// text keys is passed to `plain`, a Python function that returns such a value or raises TypeError. Throws
// nb::python_error.
void write_json(nb::handle value, nb::handle plain, std::string& out);

}  // namespace assay_python
