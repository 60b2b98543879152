// Arrays made by the library, and their export through the C data interface.
#pragma once

#include "runtime/arrow/arrow_type.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace assay {

// The memory of an array, shared by all that refer to it; not initialised.
class ArrowBuffer {
 public:
  ArrowBuffer() = default;
  explicit ArrowBuffer(std::size_t bytes);
  static ArrowBuffer zeros(std::size_t bytes);  // zeroed lazily by the system, so it costs nothing until used
  template <class T>
  T* as() {
    return reinterpret_cast<T*>(bytes_.get());
  }
  char* data() { return bytes_.get(); }
  const std::shared_ptr<char[]>& owner() const { return bytes_; }

 private:
  std::shared_ptr<char[]> bytes_;
};

// An array, or without rows its type.
struct ArrowOwned {
  std::string format, name;
  std::int64_t length = 0, nulls = 0;
  std::vector<ArrowBuffer> buffers;  // an empty one is a null pointer
  std::vector<ArrowOwned> children;
  std::shared_ptr<const ArrowOwned> dictionary;
};

// Overwrites `out`; its release frees it. Any thread may release each part separately.
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

// Exports a column of the held array, which it keeps alive, as a separate array with the same rows.
void export_child(const std::shared_ptr<ArrowHeld>& held, std::size_t column, ArrowArray& out);
void export_schema(const ArrowType& type, ArrowSchema& out);

}  // namespace assay
