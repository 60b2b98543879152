// Writes Python records as JSON directly. json.dumps supports neither Decimal nor NaN as a missing value.
#include "to_json.hpp"

#include "module.hpp"

#include <assay/text.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

namespace assay_python {

namespace {

constexpr int kMostNesting = 400;
constexpr const char kNesting[] = "limit", kBytes[] = "limit";  // told apart by their addresses

// What is wrong with a value; on its way up it gathers the path.
struct Fault {
  bool type;  // a TypeError
  const char* code;
  std::string message;  // "holds …", behind the path
  std::string path;

  void inside(std::string_view step) {
    if (code == kNesting) {  // where it begins says enough
      path = step;
      return;
    }
    if (code == kBytes) return;  // of the record as a whole
    const bool dot = !path.empty() && path[0] != '[';
    path.insert(0, std::string(step) + (dot ? "." : ""));
  }
  std::string sentence() const { return (path.empty() ? "the record" : path) + " " + message; }
};

class Writer {
 public:
  Writer(nb::handle plain, std::string& out, std::size_t most)
      : plain_(plain), out_(out), most_(out.size() + std::min(most, SIZE_MAX - out.size())), given_(most) {}

  void write(nb::handle value, int levels) {
    // Before anything is written: a value with shared parts may be far longer as JSON than in memory.
    if (out_.size() > most_) too_long();
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
      throw Fault{false, kNesting, "is more than 400 levels deep, or holds itself", {}};
    } else if (PyDict_Check(object)) {
      write_dict(object, levels - 1);
    } else if (PyList_Check(object) || PyTuple_CheckExact(object)) {
      write_list(value, levels - 1);
    } else {
      write_other(value, levels - 1);
    }
  }

 private:
  [[noreturn]] void too_long() const {
    throw Fault{false,
                kBytes,
                "takes more than " + std::to_string(given_) + " bytes (raise the limit 'record_bytes' to allow more)",
                {}};
  }
  // Also before a copy of a long text.
  void room_for(std::size_t bytes) const {
    if (bytes > most_ - std::min(most_, out_.size())) too_long();
  }

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
    const nb::object text = nb::steal(PyObject_Str(object));  // bounded by sys.set_int_max_str_digits
    if (!text.is_valid()) {
      if (PyErr_ExceptionMatches(PyExc_ValueError) == 0) throw nb::python_error();
      PyErr_Clear();
      throw Fault{
          false, "range", "is a whole number of more digits than Python writes (sys.set_int_max_str_digits)", {}};
    }
    append(text.ptr());
  }

  std::string_view view(PyObject* text) {
    Py_ssize_t size = 0;
    const char* const bytes = PyUnicode_AsUTF8AndSize(text, &size);
    if (bytes == nullptr) {
      if (PyErr_ExceptionMatches(PyExc_UnicodeError) == 0) throw nb::python_error();
      PyErr_Clear();
      throw Fault{false, "type", "holds half of a surrogate pair, which is no text: " + shown(nb::repr(text)), {}};
    }
    return {bytes, static_cast<std::size_t>(size)};
  }
  void append(PyObject* text) { out_ += checked(text); }
  void write_text(PyObject* text) { assay::write_json_text(checked(text), out_); }
  std::string_view checked(PyObject* text) {
    const std::string_view bytes = view(text);
    room_for(bytes.size());
    return bytes;
  }

  // The key belongs to the object that holds it, and so does the value: `plain` may change them under our hands.
  void write_dict(PyObject* dict, int levels) {
    out_ += '{';
    const Py_ssize_t size = PyDict_Size(dict);
    Py_ssize_t at = 0;
    PyObject *key = nullptr, *value = nullptr;
    bool first = true;
    while (PyDict_Next(dict, &at, &key, &value) != 0) {
      if (!first) out_ += ',';
      first = false;
      const nb::object name = nb::borrow(key), member = nb::borrow(value);
      if (!PyUnicode_Check(key))
        throw Fault{true, "type", "has the key " + shown(nb::repr(name)) + ", which is not a str", {}};
      write_text(key);
      out_ += ':';
      try {
        write(member, levels);
      } catch (Fault& fault) {
        fault.inside(shown(name));
        throw;
      }
      if (PyDict_Size(dict) != size) throw Fault{true, "type", "changed while it was read", {}};
    }
    out_ += '}';
  }

  void write_list(nb::handle list, int levels) {
    out_ += '[';
    std::size_t count = 0;
    for (nb::handle item : nb::iter(list)) {
      if (count > 0) out_ += ',';
      try {
        write(item, levels);
      } catch (Fault& fault) {
        fault.inside("[" + std::to_string(count) + "]");
        throw;
      }
      ++count;
    }
    out_ += ']';
  }

  // `plain` returns (True, digits) for a number, with its digits, or (False, value).
  void write_other(nb::handle value, int levels) {
    nb::object answer;
    try {
      answer = plain_(value);
    } catch (nb::python_error& error) {
      if (!error.matches(PyExc_TypeError) && !error.matches(PyExc_ValueError)) throw;
      throw Fault{error.matches(PyExc_TypeError), "type", shown(error.value()), {}};
    }
    const nb::object digits = answer[1];
    if (nb::cast<bool>(answer[0])) append(digits.ptr());
    else write(digits, levels);
  }

  nb::handle plain_;
  std::string& out_;
  const std::size_t most_, given_;  // of `out_`; of the record
};

}  // namespace

std::optional<assay::InputError> write_json_or_error(nb::handle value, nb::handle plain, std::string& out,
                                                     std::size_t most) {
  try {
    Writer(plain, out, most).write(value, kMostNesting);
    return std::nullopt;
  } catch (const Fault& fault) {
    if (fault.type) throw nb::type_error(fault.sentence().c_str());
    return assay::InputError{fault.path, fault.code, fault.sentence()};
  }
}

void write_json(nb::handle value, nb::handle plain, std::string& out, std::string_view where, std::size_t most) {
  try {
    Writer(plain, out, most).write(value, kMostNesting);
  } catch (Fault& fault) {
    if (fault.code == kBytes) fault.path = where;
    else if (!where.empty()) fault.inside(where);
    if (fault.type) throw nb::type_error(fault.sentence().c_str());
    raise_record_error({fault.path, fault.code, fault.sentence()});
  }
}

}  // namespace assay_python
