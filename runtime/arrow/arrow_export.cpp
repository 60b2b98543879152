// Exports shared memory as structs of the C data interface.
#include "runtime/arrow/arrow_export.hpp"

#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

#include <cstdlib>
#include <new>
#include <utility>

namespace assay {

namespace {

// The data owned by an exported array. A parent owns its children until they are moved out.
struct ArrayOwner {
  std::vector<ArrowBuffer> buffers;
  std::vector<const void*> pointers;
  std::vector<ArrowArray> children;
  std::vector<ArrowArray*> child_pointers;
  ArrowArray dictionary{};
  std::shared_ptr<ArrowHeld> held;
};

struct SchemaOwner {
  std::string format, name;
  std::vector<ArrowSchema> children;
  std::vector<ArrowSchema*> child_pointers;
  ArrowSchema dictionary{};
};

template <class Struct, class Owner>
void release(Struct* exported) {
  auto* const owner = static_cast<Owner*>(exported->private_data);
  for (Struct& child : owner->children) {
    if (child.release != nullptr) child.release(&child);
  }
  if (owner->dictionary.release != nullptr) owner->dictionary.release(&owner->dictionary);
  delete owner;
  exported->release = nullptr;
}

template <class Struct, class Owner>
void finish(Owner* owner, Struct& out) {
  owner->child_pointers.reserve(owner->children.size());
  for (Struct& child : owner->children) owner->child_pointers.push_back(&child);
  out.n_children = static_cast<std::int64_t>(owner->children.size());
  out.children = owner->children.empty() ? nullptr : owner->child_pointers.data();
  out.dictionary = owner->dictionary.release != nullptr ? &owner->dictionary : nullptr;
  out.release = release<Struct, Owner>;
  out.private_data = owner;
}

void wrap(const std::shared_ptr<ArrowHeld>& held, const ArrowArray& from, ArrowArray& out) {  // as deep as types are
  auto* const owner = new ArrayOwner;
  owner->held = held;
  out = from;
  owner->children.resize(static_cast<std::size_t>(from.n_children));
  for (std::size_t i = 0; i < owner->children.size(); ++i) wrap(held, *from.children[i], owner->children[i]);
  if (from.dictionary != nullptr) wrap(held, *from.dictionary, owner->dictionary);
  finish(owner, out);
}

template <class Type>  // one of the library, or one of a host
void export_described(const Type& type, ArrowSchema& out) {
  auto* const owner = new SchemaOwner;
  owner->format = type.format;
  owner->name = type.name;
  owner->children.resize(type.children.size());
  for (std::size_t i = 0; i < type.children.size(); ++i) export_described(type.children[i], owner->children[i]);
  if (type.dictionary) export_described(*type.dictionary, owner->dictionary);
  out = {};
  out.format = owner->format.c_str();
  out.name = owner->name.c_str();
  out.flags = ARROW_FLAG_NULLABLE;
  finish(owner, out);
}

}  // namespace

ArrowBuffer::ArrowBuffer(std::size_t bytes) : bytes_(new char[bytes == 0 ? 1 : bytes]) {}

ArrowBuffer ArrowBuffer::zeros(std::size_t bytes) {
#if __has_include(<sys/mman.h>)
  // calloc() takes memory that was used before as soon as a host has freed blocks of this size, and fills it.
  constexpr std::size_t kLarge = 1 << 17;
  if (bytes >= kLarge) {
    void* const pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) throw std::bad_alloc();
    ArrowBuffer buffer;
    buffer.bytes_ = std::shared_ptr<char[]>(static_cast<char*>(pages), [bytes](char* of) { munmap(of, bytes); });
    return buffer;
  }
#endif
  auto* const made = static_cast<char*>(std::calloc(bytes == 0 ? 1 : bytes, 1));
  if (made == nullptr) throw std::bad_alloc();
  ArrowBuffer buffer;
  buffer.bytes_ = std::shared_ptr<char[]>(made, [](char* bytes_of) { std::free(bytes_of); });
  return buffer;
}

void export_array(const ArrowOwned& array, ArrowArray& out) {
  auto* const owner = new ArrayOwner;
  owner->buffers = array.buffers;
  for (ArrowBuffer& buffer : owner->buffers) owner->pointers.push_back(buffer.data());
  owner->children.resize(array.children.size());
  for (std::size_t i = 0; i < array.children.size(); ++i) export_array(array.children[i], owner->children[i]);
  if (array.dictionary) export_array(*array.dictionary, owner->dictionary);
  out = {};
  out.length = array.length;
  out.null_count = array.nulls;
  out.n_buffers = static_cast<std::int64_t>(owner->pointers.size());
  out.buffers = owner->pointers.data();
  finish(owner, out);
}

ArrowHeld::ArrowHeld(ArrowArray& array) : array_(array) { array.release = nullptr; }

ArrowHeld::~ArrowHeld() {
  if (array_.release != nullptr) array_.release(&array_);
}

void export_child(const std::shared_ptr<ArrowHeld>& held, std::size_t column, ArrowArray& out) {
  const ArrowArray& parent = held->array();
  wrap(held, *parent.children[column], out);
  out.offset += parent.offset;
  out.length = parent.length;
  // What a host says of its nulls is not trusted: the bitmap decides, here and for every reader of the verdicts.
  const bool bitmap = out.n_buffers > 0 && out.buffers != nullptr && out.buffers[0] != nullptr;
  if (bitmap || parent.offset != 0 || parent.children[column]->length != parent.length) out.null_count = -1;
}

void export_schema(const ArrowOwned& type, ArrowSchema& out) { export_described(type, out); }
void export_schema(const ArrowType& type, ArrowSchema& out) { export_described(type, out); }

}  // namespace assay
