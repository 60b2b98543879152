// Reads earlier records, and keeps the cached facts about them within bounds.
#include "runtime/engine/history.hpp"

#include "lang/value/limit_message.hpp"
#include "runtime/engine/evaluator.hpp"

#include <algorithm>
#include <utility>

namespace assay {

Value History::value() {
  return records.empty() ? missing_value() : make_list(records.data(), static_cast<std::uint32_t>(records.size()));
}

void History::clear() {
  arena.reset();
  records.clear();
  error.reset();
  unread.clear();
  kept.forget();
}

// Forgets verdicts that were computed with other weights.
Earlier HistoryStore::seen(History& past) {
  if (past.weights != weights_) {
    kept_bytes_ -= past.kept.bytes;
    past.kept.forget();
    past.weights = weights_;
  }
  past.kept.most = past.kept.bytes + (limits_.memory_bytes - std::min(limits_.memory_bytes, kept_bytes_));
  return {past.value(), &past.kept};
}

// Keeps all cached facts about earlier records within the memory of one evaluation. When that is full, other series
// lose theirs in favour of the current one.
void HistoryStore::account(KeptVerdicts& kept, std::size_t before) {
  kept_bytes_ += kept.bytes - before;
  if (!kept.full) return;
  kept.full = false;
  if (kept_bytes_ == kept.bytes) return;
  for (auto& [key, past] : series_) {
    if (&past.kept != &kept) past.kept.forget();
  }
  if (&given_.kept != &kept) given_.kept.forget();
  kept_bytes_ = kept.bytes;
}

bool HistoryStore::read(const std::vector<std::string_view>& records, History& into) {
  if (&into == &given_) kept_bytes_ -= into.kept.bytes;
  into.clear();
  InputError error;
  for (std::size_t i = 0; i < records.size() && !into.error; ++i) {
    Value* fields = into.arena.array<Value>(rubric_.slots.size());
    if (i >= limits_.list_items) {
      into.error =
          InputError{"history", "limit", limit_message("history has", limits_.list_items, "records", "list_items")};
    } else if (const Interrupt::State now = interrupt_state(interrupt_); now != Interrupt::State::none) {
      into.error = interrupt_error(now);
    } else if (!reader_.read(records[i], fields, into.arena, true, error)) {
      if (error.path.empty() && interrupted(interrupt_)) into.error = interrupt_error(interrupt_state(interrupt_));
      if (into.error) break;
      put_before("history[" + std::to_string(i) + "]", error.path);
      into.error = std::move(error);
    } else {
      into.records.push_back(make_record(fields, static_cast<std::uint32_t>(rubric_.slots.size())));
    }
  }
  if (into.error) into.records.clear();
  return !into.error;
}

std::string HistoryStore::series_key(const Value* slots) const {
  for (std::size_t i = 0; i < rubric_.slots.size(); ++i) {
    if (rubric_.slots[i].name != rubric_.history.by || slots[i].missing()) continue;
    std::string key;
    ValueWriter(model_.types).write(rubric_.slots[i].type, slots[i], kAsGiven, key);
    return key;
  }
  return {};
}

Earlier HistoryStore::or_series(const Earlier& given, const Value* slots) {
  if (rubric_.history.by.empty() || !given.records.missing()) return given;
  const auto found = series_.find(series_key(slots));
  return found == series_.end() ? Earlier() : seen(found->second);
}

// Adds the record just scored to the history of later ones in its series.
void HistoryStore::add_to_series(Value* slots) {
  if (rubric_.history.by.empty()) return;
  const std::string key = series_key(slots);
  if (key.empty()) return;
  History& past = series_[key];
  Value record = make_record(slots, static_cast<std::uint32_t>(rubric_.slots.size()));
  past.records.push_back(deep_copy(model_.types, rubric_.input_type, record, past.arena));
  if (past.records.size() <= limits_.list_items) return;
  const std::size_t older = past.records.size() / 2;
  past.records.erase(past.records.begin(), past.records.begin() + static_cast<std::ptrdiff_t>(older));
  Arena room;  // forgets the older half and its memory
  for (Value& value : past.records) value = deep_copy(model_.types, rubric_.input_type, value, room);
  past.arena = std::move(room);
  KeptVerdicts kept;
  kept.checked = past.kept.checked - std::min(past.kept.checked, older);
  for (std::size_t i = older; i < past.kept.verdicts.size(); ++i) {
    const Value& one = past.kept.verdicts[i];
    kept.bytes += deep_size(model_.types, rubric_.verdict.type, one, SIZE_MAX) + sizeof(Value);
    kept.verdicts.push_back(deep_copy(model_.types, rubric_.verdict.type, one, kept.arena));
  }
  kept_bytes_ -= past.kept.bytes - kept.bytes;
  past.kept = std::move(kept);
}

void HistoryStore::set(std::vector<std::string> records) {
  if (!read({records.begin(), records.end()}, given_) && interrupted(interrupt_)) given_.unread = std::move(records);
}

void HistoryStore::resume() {
  if (given_.unread.empty() || interrupted(interrupt_)) return;
  std::vector<std::string> texts = std::move(given_.unread);
  set(std::move(texts));
}

}  // namespace assay
