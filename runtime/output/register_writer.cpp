// Fragments are copied in whole blocks, which is faster than copying exact sizes.
#include "runtime/output/register_writer.hpp"

#include "lang/number/decimal_text.hpp"
#include "runtime/json/bytes.hpp"
#include "runtime/json/json_tree.hpp"

#include <algorithm>

namespace assay {

RegisterWriter::Fragment::Fragment(std::string_view from) : text(from), size(from.size()) {
  text.resize((size + kBlock - 1) / kBlock * kBlock, '\0');
}

inline char* RegisterWriter::put(char* out, const Fragment& fragment) {
  const char* const from = fragment.text.data();
  const std::size_t size = fragment.size;
  std::memcpy(out, from, kBlock);
  for (std::size_t at = kBlock; at < size; at += kBlock) std::memcpy(out + at, from + at, kBlock);
  return out + size;
}

RegisterWriter::RegisterWriter(const Model& model, int rubric, const std::vector<VerdictField>& fields,
                               std::shared_ptr<const Kernel> kernel, bool with_name, bool with_version, bool with_hash)
    : kernel_(std::move(kernel)) {
  const RubricModel& from = model.rubrics[static_cast<std::size_t>(rubric)];
  std::string head = "{";
  const auto add = [&](std::string_view key, std::string_view text) {
    if (head.size() > 1) head += ',';
    write_json_text(key, head);
    head += ':';
    write_json_text(text, head);
  };
  if (with_name) add("rubric", from.name);
  if (with_version) add("version", from.version);
  if (with_hash) add("scoring_hash", from.scoring_hash);
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const KernelResult& result = kernel_->results[i];
    Part part;
    std::string key = i == 0 ? head : std::string();
    if (key != "{") key += ',';
    write_json_text(fields[i].name, key);
    part.key = Fragment(key + ':');
    part.kind = result.kind;
    part.reg = result.reg;
    part.given = result.given;
    part.decimals = result.decimals;
    part.slot = result.slot;
    const bool constant = result.reg == kNoReg;
    const auto quoted = [&](std::string_view text) {
      std::string json;
      write_json_text(text, json);
      part.texts.emplace_back(json);
    };
    switch (result.kind) {
      case KernelResult::Kind::text:
        if (constant) quoted(result.texts[static_cast<std::size_t>(result.x)]);
        else
          for (const std::string& text : result.texts) quoted(text);
        break;
      case KernelResult::Kind::truth:
        if (!constant || result.x == 0) part.texts.emplace_back("false");
        if (!constant || result.x != 0) part.texts.emplace_back("true");
        break;
      case KernelResult::Kind::number:
        if (constant) {
          char number[kMostDecimalText];
          part.texts.emplace_back(std::string_view(
              number, static_cast<std::size_t>(put_decimal(result.x, result.decimals, false, number) - number)));
        }
        break;
      case KernelResult::Kind::input: {  // the value for a record without it
        const Slot& slot = from.slots[result.slot];
        if (slot.presence == Presence::defaulted && !slot.fallback.missing()) quoted(slot.fallback.text.view());
        else part.texts.emplace_back("null");
        break;
      }
      case KernelResult::Kind::missing: part.texts.emplace_back("null"); break;
    }
    std::size_t longest = kMostDecimalText;
    for (const Fragment& text : part.texts) longest = std::max(longest, text.size);
    max_size_ += part.key.size + longest;
    parts_.push_back(std::move(part));
  }
  tail_ = Fragment(fields.empty() ? head + '}' : "}");
  max_size_ += tail_.size + 2 * kBlock;  // whole blocks are written
}

template <bool kBare>
char* RegisterWriter::write(const std::int64_t* registers, const std::string_view* shown, char* out) const {
  for (const Part& part : parts_) {
    out = put(out, part.key);
    if (part.given != kNoReg && registers[part.given] == 0) {
      std::memcpy(out, "null", 4);
      out += 4;
      continue;
    }
    if (part.kind == KernelResult::Kind::input) {
      const std::string_view text = shown[part.slot];
      if (text.empty()) {  // the value for a record without it
        out = put(out, part.texts[0]);
        continue;
      }
      const char* const from = text.data();
      const std::size_t size = text.size();
      if constexpr (kBare) *out++ = '"';
      std::memcpy(out, from, kBlock);
      if (size > kBlock) std::memcpy(out + kBlock, from + kBlock, size - kBlock);
      out += size;
      if constexpr (kBare) *out++ = '"';
    } else if (part.reg == kNoReg) {
      out = put(out, part.texts[0]);
    } else if (part.kind == KernelResult::Kind::number) {
      out = put_decimal(registers[part.reg], part.decimals, false, out);
    } else {
      out = put(out, part.texts[static_cast<std::size_t>(registers[part.reg])]);
    }
  }
  return put(out, tail_);
}

template char* RegisterWriter::write<false>(const std::int64_t*, const std::string_view*, char*) const;
template char* RegisterWriter::write<true>(const std::int64_t*, const std::string_view*, char*) const;

}  // namespace assay
