// Converts the JSON text of a verdict to Python objects.
#pragma once

#include <nanobind/nanobind.h>

#include <string_view>

namespace assay_python {

namespace nb = nanobind;

// Converts a whole text. Numbers become int and float, as with json.loads, or if `convert` (Decimal, Fraction) is not
// None, its exact result for their digits. ValueError: the text is not JSON, or nested more than 1,000 levels deep.
nb::object from_json(std::string_view json, nb::handle convert);

// Converts one member of an object without reading the others. If the member occurs twice, the first one. Returns as
// for a missing member if the object is invalid. ValueError as above, for the part of the text that was read.
nb::object member_of_json(std::string_view json, std::string_view name, nb::handle convert);

}  // namespace assay_python
