// Converts Python objects to the JSON text of a record.
#pragma once

#include <assay/assay.hpp>

#include <nanobind/nanobind.h>

#include <optional>
#include <string>
#include <string_view>

namespace assay_python {

namespace nb = nanobind;

// Appends `value`. Numbers keep every digit: int, float (the shortest decimal that reads back as it), Decimal; None and
// NaN are null. What is none of these, a str, a bool, a list, a tuple or a dict with text keys goes through `plain`, a
// function of Python that answers (True, digits) or (False, simpler value), or raises TypeError or ValueError.
//
// Raises, with the path of the value in front of which `where` stands: TypeError for a type that no record can hold,
// assay.RecordError for a value that none can hold (half of a surrogate pair, too many digits, too much nesting) or that
// takes more than `most` bytes, the limit record_bytes.
void write_json(nb::handle value, nb::handle plain, std::string& out, std::string_view where, std::size_t most);

// Appends `value`. Numbers keep all digits: int, float (the shortest decimal that reads back as the same value),
// Decimal. None and NaN become null. A value that is not one of these, a str, a bool, a list, a tuple or a dict with
// text keys is passed to `plain`, a Python function that returns such a value or raises TypeError. Throws
// nb::python_error.
std::optional<assay::InputError> write_json_or_error(nb::handle value, nb::handle plain, std::string& out,
                                                     std::size_t most);

}  // namespace assay_python
