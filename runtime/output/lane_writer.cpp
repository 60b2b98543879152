// Pieces are copied in whole blocks, which costs less than to copy what is needed of them.
#include "runtime/output/lane_writer.hpp"

#include "lang/number/decimal_text.hpp"
#include "runtime/json/bytes.hpp"
#include "runtime/json/json_tree.hpp"

#include <algorithm>

namespace assay {

LaneWriter::Piece::Piece(std::string_view from) : text(from), size(from.size()) {
  text.resize((size + kBlock - 1) / kBlock * kBlock, '\0');
}

inline char* LaneWriter::put(char* out, const Piece& piece) {
  const char* const from = piece.text.data();
  const std::size_t size = piece.size;
  std::memcpy(out, from, kBlock);
  for (std::size_t at = kBlock; at < size; at += kBlock) std::memcpy(out + at, from + at, kBlock);
  return out + size;
}

LaneWriter::LaneWriter(const Model& model, int rubric, const std::vector<VerdictField>& fields,
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
    const LaneResult& result = kernel_->results[i];
    Part part;
    std::string key = i == 0 ? head : std::string();
    if (key != "{") key += ',';
    write_json_text(fields[i].name, key);
    part.key = Piece(key + ':');
    part.kind = result.kind;
    part.lane = result.lane;
    part.given = result.given;
    part.decimals = result.decimals;
    part.slot = result.slot;
    const bool constant = result.lane == kNoLane;
    const auto quoted = [&](std::string_view text) {
      std::string json;
      write_json_text(text, json);
      part.texts.emplace_back(json);
    };
    switch (result.kind) {
      case LaneResult::Kind::text:
        if (constant) quoted(result.texts[static_cast<std::size_t>(result.x)]);
        else
          for (const std::string& text : result.texts) quoted(text);
        break;
      case LaneResult::Kind::truth:
        if (!constant || result.x == 0) part.texts.emplace_back("false");
        if (!constant || result.x != 0) part.texts.emplace_back("true");
        break;
      case LaneResult::Kind::number:
        if (constant) {
          char number[kMostDecimalText];
          part.texts.emplace_back(std::string_view(
              number, static_cast<std::size_t>(put_decimal(result.x, result.decimals, false, number) - number)));
        }
        break;
      case LaneResult::Kind::input: {  // what a record without it has
        const Slot& slot = from.slots[result.slot];
        if (slot.presence == Presence::defaulted && !slot.fallback.missing()) quoted(slot.fallback.text.view());
        else part.texts.emplace_back("null");
        break;
      }
      case LaneResult::Kind::missing: part.texts.emplace_back("null"); break;
    }
    std::size_t longest = kMostDecimalText;
    for (const Piece& text : part.texts) longest = std::max(longest, text.size);
    max_size_ += part.key.size + longest;
    parts_.push_back(std::move(part));
  }
  tail_ = Piece(fields.empty() ? head + '}' : "}");
  max_size_ += tail_.size + 2 * kBlock;  // whole blocks are written
}

template <bool kBare>
char* LaneWriter::write(const std::int64_t* lanes, const std::string_view* shown, char* out) const {
  for (const Part& part : parts_) {
    out = put(out, part.key);
    if (part.given != kNoLane && lanes[part.given] == 0) {
      std::memcpy(out, "null", 4);
      out += 4;
      continue;
    }
    if (part.kind == LaneResult::Kind::input) {
      const std::string_view text = shown[part.slot];
      if (text.empty()) {  // what a record without it has
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
    } else if (part.lane == kNoLane) {
      out = put(out, part.texts[0]);
    } else if (part.kind == LaneResult::Kind::number) {
      out = put_decimal(lanes[part.lane], part.decimals, false, out);
    } else {
      out = put(out, part.texts[static_cast<std::size_t>(lanes[part.lane])]);
    }
  }
  return put(out, tail_);
}

template char* LaneWriter::write<false>(const std::int64_t*, const std::string_view*, char*) const;
template char* LaneWriter::write<true>(const std::int64_t*, const std::string_view*, char*) const;

}  // namespace assay
