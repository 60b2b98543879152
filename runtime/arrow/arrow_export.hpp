// Arrays that the library makes, and how they are handed over by the C data interface.
#pragma once

#include "runtime/arrow/arrow_type.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace assay {

// Memory of an array, shared by all that refer to it; not initialised.
class ArrowBuffer {
 public:
  ArrowBuffer() = default;
  explicit ArrowBuffer(std::size_t bytes);
  static ArrowBuffer zeros(std::size_t bytes);  // costs nothing until it is read, however large
  template <class T>
  T* as() {
    return reinterpret_cast<T*>(bytes_.get());
  }
  char* data() { return bytes_.get(); }
  const std::shared_ptr<char[]>& owner() const { return bytes_; }

 private:
  std::shared_ptr<char[]> bytes_;
};

// An array, or with no rows its type.
struct ArrowOwned {
  std::string format, name;
  std::int64_t length = 0, nulls = 0;
  std::vector<ArrowBuffer> buffers;  // one that is empty is a null pointer
  std::vector<ArrowOwned> children;
  std::shared_ptr<const ArrowOwned> dictionary;
};

// `out` is overwritten; its release frees it, and each part may be released by itself, by any thread.
void export_schema(const ArrowOwned& type, ArrowSchema& out);
void export_array(const ArrowOwned& array, ArrowArray& out);

// An array of a host, kept until nothing refers to it.
class ArrowHeld {
 public:
  explicit ArrowHeld(ArrowArray& array);  // moved from
  ~ArrowHeld();
  ArrowHeld(const ArrowHeld&) = delete;
  ArrowHeld& operator=(const ArrowHeld&) = delete;
  const ArrowArray& array() const { return array_; }

 private:
  ArrowArray array_;
};

// A column of the held array, which it keeps alive, as an array of its own with the rows of the held one.
void export_child(const std::shared_ptr<ArrowHeld>& held, std::size_t column, ArrowArray& out);
void export_type(const ArrowType& type, ArrowSchema& out);

}  // namespace assay
