// Writes the verdict of a record from the registers of a kernel, byte for byte as VerdictWriter (runtime/output/report.hpp) writes
// the same values: prepared pieces with the keys and the texts of the rubric, numbers by pairs of digits, into memory
// that the caller has made large enough.
#pragma once

#include "lang/kernel/kernel.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

class RegisterWriter {
 public:
  // `fields`: those of the verdict, which the first results of the kernel are, in this order; in front, what
  // says which rubric it is, where asked for.
  RegisterWriter(const Model& model, int rubric, const std::vector<VerdictField>& fields,
                 std::shared_ptr<const Kernel> kernel, bool with_name = true, bool with_version = true,
                 bool with_hash = true);
  // How many bytes a verdict may be long, besides the texts of inputs; `write` may write over all of them.
  std::size_t max_size() const { return max_size_; }
  // Writes a verdict to `out` and returns its end. shown[slot]: the text of an input, in its quotes (kBare: without
  // them), with a block of readable bytes behind it; {}: there is none.
  template <bool kBare>
  char* write(const std::int64_t* registers, const std::string_view* shown, char* out) const;

 private:
  struct Fragment {
    std::string text;  // and as many bytes as fill a block
    std::size_t size = 0;
    Fragment() = default;
    explicit Fragment(std::string_view from);
  };
  struct Part {
    Fragment key;  // ,"score":   of the first, with what stands before
    KernelResult::Kind kind = KernelResult::Kind::missing;
    Register reg = kNoReg, given = kNoReg;
    int decimals = 0;
    std::uint32_t slot = 0;
    std::vector<Fragment> texts;  // one for each position; of a constant: one
  };
  static char* put(char* out, const Fragment& fragment);

  std::shared_ptr<const Kernel> kernel_;
  std::vector<Part> parts_;
  Fragment tail_;
  std::size_t max_size_ = 0;
};

}  // namespace assay
