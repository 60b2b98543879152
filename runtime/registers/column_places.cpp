// Columns → places and bits.
#include "runtime/registers/column_places.hpp"

#include <assay/text.hpp>

#include <algorithm>

namespace assay {

namespace {

std::string padded(std::string_view text) { return std::string(text) + std::string(kBlock, '\0'); }

}  // namespace

ColumnPlaces::ColumnPlaces(RegisterReader& reader, const std::vector<std::vector<std::string>>& of) : reader_(&reader) {
  unknown_.kind = reader.strict_ ? FieldPlace::Kind::unknown : FieldPlace::Kind::text;
  refused_.kind = FieldPlace::Kind::unknown;
  if (!reader.usable()) return;
  const int nesting = reader_->limits_.nesting;
  std::vector<std::vector<std::string>> paths{{}};  // of the groups
  groups_.push_back({&reader_->layouts_.top(), nullptr, 0, 0, 0, 0});
  struct Spot {
    std::size_t group, word;
    std::uint64_t bit;
  };
  std::vector<Spot> spots;
  std::vector<std::size_t> strangers(1);  // per group: columns that the rubric does not know
  for (const std::vector<std::string>& path : of) {
    std::size_t group = 0;
    const ExpectedField* field = nullptr;
    const FieldPlace* place = nullptr;
    for (std::size_t step = 0; step < path.size(); ++step) {
      field = groups_[group].layout->find(padded(path[step]).data(), path[step].size());
      if (field == nullptr) {
        place = &unknown_;
        break;
      }
      if (step + 1 == path.size()) break;
      if (field->place.kind != FieldPlace::Kind::record) {
        place = &refused_;
        break;
      }
      const std::vector<std::string> inner(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(step) + 1);
      const auto known = std::find(paths.begin(), paths.end(), inner);
      if (known == paths.end()) {
        groups_.push_back({field->place.layout, field, group, 0, 0, static_cast<int>(step) + 1});
        paths.push_back(inner);
        strangers.push_back(0);
        group = groups_.size() - 1;
      } else {
        group = static_cast<std::size_t>(known - paths.begin());
      }
    }
    const auto depth = static_cast<int>(path.size()) - 1;  // depth of the object that contains the cell
    if (place == nullptr) {
      place = &field->place;
      const bool list = place->kind == FieldPlace::Kind::texts || place->kind == FieldPlace::Kind::list;
      if (list && depth + 1 >= nesting) place = &refused_;
      spots.push_back({group, field->word, field->bit});
    } else {
      const std::size_t stranger = strangers[group]++;
      spots.push_back({group, groups_[group].layout->all.size() + stranger / 64, std::uint64_t{1} << (stranger % 64)});
    }
    bool possible = depth < nesting && std::all_of(path.begin(), path.end(), is_utf8);  // the key is possible in JSON
    for (const std::vector<std::string>& longer : of) {
      if (longer.size() <= path.size() || !std::equal(path.begin(), path.end(), longer.begin())) continue;
      possible = false;  // "a" and "a.b" give the same key twice, unless one of them is empty
      spots.back().bit = 0;
    }
    columns_.push_back({possible ? place : &refused_, 0, 0, depth});
  }
  std::size_t words = 0;
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    groups_[i].first = words;
    groups_[i].words = groups_[i].layout->all.size() + (strangers[i] + 63) / 64;
    words += groups_[i].words;
  }
  full_.assign(words, 0);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    columns_[i].word = static_cast<std::uint32_t>(groups_[spots[i].group].first + spots[i].word);
    columns_[i].bit = spots[i].bit;
    full_[columns_[i].word] |= columns_[i].bit;
  }
  for (const Group& group : groups_) {
    if (group.field != nullptr) full_[groups_[group.around].first + group.field->word] |= group.field->bit;
  }
  for (const Group& group : groups_) {
    if (group.field != nullptr) {
      for (const RegisterWrite& given : group.field->place.more_given) writes_.push_back(&given);
    }
    for (const ExpectedField& field : group.layout->fields) {
      if ((full_[group.first + field.word] & field.bit) != 0) continue;
      whole_ = whole_ && !field.required;
      for (const RegisterWrite& write : field.absent) writes_.push_back(&write);
    }
  }
}

// Fills in the fields that no column supplied.
bool ColumnPlaces::complete_slowly(bool objects_given) {
  if (whole_row_) seen_ = full_;
  for (std::size_t i = groups_.size(); i-- > 0;) {  // inner objects first
    const Group& group = groups_[i];
    const std::uint64_t* const seen = seen_.data() + group.first;
    if (group.field != nullptr) {
      if (!objects_given && std::all_of(seen, seen + group.words, [](std::uint64_t word) { return word == 0; })) {
        seen_[groups_[group.around].first + group.field->word] &= ~group.field->bit;
        continue;
      }
      for (const RegisterWrite& given : group.field->place.more_given) given.apply(reader_->registers_);
    }
    for (std::size_t word = 0; word < group.layout->all.size(); ++word) {
      if (!reader_->complete(*group.layout, word, seen[word])) return false;
    }
  }
  return true;
}

}  // namespace assay
