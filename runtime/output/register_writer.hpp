// Writes the verdict of a record from the registers of a kernel, byte for byte as VerdictWriter
// (runtime/output/report.hpp) writes the same values: prepared fragments with the keys and the texts of the rubric,
// numbers by pairs of digits, into a buffer that the caller has made large enough.
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
  // `fields`: the fields of the verdict, which are the first results of the kernel, in this order; optionally preceded
  // by the name and version of the rubric.
  RegisterWriter(const Model& model, int rubric, const std::vector<VerdictField>& fields,
                 std::shared_ptr<const Kernel> kernel, bool with_name = true, bool with_version = true,
                 bool with_hash = true);
  // The largest size of a verdict in bytes, without the texts of inputs; `write` may overwrite that much.
  std::size_t max_size() const { return max_size_; }
  // Writes a verdict to `out` and returns its end. shown[slot]: the text of an input, in its quotes (kBare: without
  // them), followed by a block of readable bytes; {}: absent.
  template <bool kBare>
  char* write(const std::int64_t* registers, const std::string_view* shown, char* out) const;

 private:
  struct Fragment {
    std::string text;  // padded to a whole block
    std::size_t size = 0;
    Fragment() = default;
    explicit Fragment(std::string_view from);
  };
  struct Part {
    Fragment key;  // ,"score":   the first one includes the text before it
    KernelResult::Kind kind = KernelResult::Kind::missing;
    Register reg = kNoReg, given = kNoReg;
    int decimals = 0;
    std::uint32_t slot = 0;
    std::vector<Fragment> texts;  // one for each position; for a constant, one
  };
  static char* put(char* out, const Fragment& fragment);

  std::shared_ptr<const Kernel> kernel_;
  std::vector<Part> parts_;
  Fragment tail_;
  std::size_t max_size_ = 0;
};

}  // namespace assay
