// The JSON text of a verdict → objects of Python.
#pragma once

#include <nanobind/nanobind.h>

#include <string_view>

namespace assay_python {

namespace nb = nanobind;

// How numbers are given: int and float as json.loads does, or what `convert` (Decimal, Fraction) makes of their digits,
// which is exact. `convert` None: the former.
// The value of a whole text. ValueError: it is not JSON, or nested more than 1,000 levels deep.
nb::object from_json(std::string_view json, nb::handle convert);

// The value of one member of a text that is an object, without reading the others; an invalid object: it has none of this
// name. Of a member that is there twice, the first. ValueError as above, as far as the text was read.
nb::object member_of_json(std::string_view json, std::string_view name, nb::handle convert);

}  // namespace assay_python
