// Writes Python records as JSON directly. json.dumps supports neither Decimal nor NaN as a missing value.
#include "to_json.hpp"

#include <assay/text.hpp>

#include <charconv>
#include <cmath>
#include <string_view>

namespace assay_python {

namespace {

constexpr int kMostNesting = 400;

class Writer {
 public:
  Writer(nb::handle plain, std::string& out) : plain_(plain), out_(out) {}

  void write(nb::handle value, int levels) {
    PyObject* const object = value.ptr();
    if (object == Py_None) {
      out_ += "null";
    } else if (PyBool_Check(object)) {
      out_ += object == Py_True ? "true" : "false";
    } else if (PyFloat_Check(object)) {
      write_float(PyFloat_AsDouble(object));
    } else if (PyLong_CheckExact(object)) {
      write_int(object);
    } else if (PyUnicode_Check(object)) {
      write_text(object);
    } else if (levels == 0) {
      PyErr_SetString(PyExc_ValueError, "the record is nested more than 400 levels deep, or holds itself");
      throw nb::python_error();
    } else if (PyDict_Check(object)) {
      write_dict(object, levels - 1);
    } else if (PyList_Check(object) || PyTuple_CheckExact(object)) {
      write_list(value, levels - 1);
    } else {
      write_other(value, levels - 1);
    }
  }

 private:
  void write_float(double value) {
    if (std::isnan(value)) {
      out_ += "null";
      return;
    }
    if (std::isinf(value)) {  // not a valid number
      out_ += value < 0 ? "\"-Infinity\"" : "\"Infinity\"";
      return;
    }
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    out_.append(digits, end);
  }

  void write_int(PyObject* object) {
    int overflow = 0;
    const long long small = PyLong_AsLongLongAndOverflow(object, &overflow);
    if (overflow == 0) {
      char digits[32];
      out_.append(digits, std::to_chars(digits, digits + sizeof digits, small).ptr);
      return;
    }
    const nb::object text = nb::steal(PyObject_Str(object));  // limited by sys.set_int_max_str_digits
    if (!text.is_valid()) throw nb::python_error();
    append(text.ptr());
  }

  std::string_view view(PyObject* text) {
    Py_ssize_t size = 0;
    const char* const bytes = PyUnicode_AsUTF8AndSize(text, &size);
    if (bytes == nullptr) throw nb::python_error();
    return {bytes, static_cast<std::size_t>(size)};
  }
  void append(PyObject* text) { out_ += view(text); }
  void write_text(PyObject* text) { assay::write_json_text(view(text), out_); }

  void write_dict(PyObject* dict, int levels) {
    out_ += '{';
    bool first = true;
    for (auto [key, value] : nb::borrow<nb::dict>(dict)) {
      if (!first) out_ += ',';
      first = false;
      if (!PyUnicode_Check(key.ptr())) {
        PyErr_SetString(PyExc_TypeError, "a key of the record is not a str");
        throw nb::python_error();
      }
      write_text(key.ptr());
      out_ += ':';
      write(value, levels);
    }
    out_ += '}';
  }

  void write_list(nb::handle list, int levels) {
    out_ += '[';
    bool first = true;
    for (nb::handle item : list) {
      if (!first) out_ += ',';
      first = false;
      write(item, levels);
    }
    out_ += ']';
  }

  // `plain` returns (True, digits) for a number, with its digits, or (False, value).
  void write_other(nb::handle value, int levels) {
    const nb::object answer = plain_(value);
    if (nb::cast<bool>(answer[0])) append(nb::object(answer[1]).ptr());
    else write(nb::object(answer[1]), levels);
  }

  nb::handle plain_;
  std::string& out_;
};

}  // namespace

void write_json(nb::handle value, nb::handle plain, std::string& out) { Writer(plain, out).write(value, kMostNesting); }

}  // namespace assay_python
