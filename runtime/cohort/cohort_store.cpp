// Keeping, merging, ordering and saving.
#include "runtime/cohort/cohort_store.hpp"

#include "lang/value/equality.hpp"
#include "lang/value/limit_message.hpp"
#include "runtime/cohort/value_codec.hpp"
#include "runtime/input/inputs.hpp"
#include "runtime/json/json_tree.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <tuple>

namespace assay {

namespace {

constexpr std::string_view kMagic = "assay-cohort";
constexpr char kFormat = '2';

std::uint64_t fnv(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

// The layout of saved values: the kept fields, in order, with their types.
std::string layout(const Rubric::Impl& impl) {
  const TypeTable& types = impl.model->types;
  const RubricModel& rubric = impl.rubric();
  std::string text = types.str(rubric.slots[0].type);
  for (const Field& field : types[rubric.verdict.type].fields)
    (text += '\n') += field.name + ": " + types.str(field.type);
  if (rubric.cohort.places) {
    for (const RankModel& key : rubric.rank)
      (text += "\nby ") += types.str(rubric.items[static_cast<std::size_t>(key.item)].type);
  }
  if (rubric.cohort.each >= 0) {
    const RubricModel& each = impl.model->rubrics[static_cast<std::size_t>(rubric.cohort.each)];
    for (const Slot& slot : each.slots) (text += "\nfor each ") += slot.name + ": " + types.str(slot.type);
  }
  return text;
}

int compare_ids(const TypeTable& types, TypeId type, const Value& a, const Value& b) {
  if (a.missing() || b.missing()) return static_cast<int>(b.missing()) - static_cast<int>(a.missing());
  if (types.kind(type) == TypeKind::number) return compare(a.number, b.number);
  return compare_text(a.text.view(), b.text.view());
}

auto parts(const InputFault& fault) { return std::tie(fault.path.str(), fault.code, fault.message.str()); }

}  // namespace

std::string hash_digits(std::string_view bytes) {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(fnv(bytes)));
  return digits;
}

std::string saved_head(SavedKind kind, const Rubric::Impl& rubric) {
  std::string head(kMagic);
  head += kFormat;
  head += static_cast<char>(kind);
  return head + rubric.rubric().scoring_hash + hash_digits(layout(rubric));
}

void seal(std::string& bytes) { bytes += hash_digits(bytes); }

std::optional<std::string_view> unseal(std::string_view bytes, SavedKind kind, const Rubric::Impl& rubric,
                                       std::string& problem) {
  constexpr std::size_t kHash = 16;
  const std::string head = saved_head(kind, rubric);
  const std::size_t format = kMagic.size();
  if (bytes.size() < head.size() + kHash || bytes.substr(0, format) != kMagic) {
    problem = "this is not a saved cohort, or only the beginning of one";
  } else if (bytes[format] != kFormat) {
    problem = "this cohort was saved by another version of Assay: make it again";
  } else if (bytes[format + 1] != static_cast<char>(kind)) {
    problem = kind == SavedKind::frozen ? "this is a cohort that was saved before it was frozen"
                                        : "this is a frozen cohort, to which nothing can be added";
  } else if (hash_digits(bytes.substr(0, bytes.size() - kHash)) != bytes.substr(bytes.size() - kHash)) {
    problem = "the saved cohort is damaged: its hash does not fit its bytes";
  } else if (bytes.substr(0, head.size()) != head) {
    problem = "this cohort belongs to another rubric than '" + rubric.rubric().name + "', or to another state of it";
  } else {
    return bytes.substr(head.size(), bytes.size() - head.size() - kHash);
  }
  return std::nullopt;
}

CohortStore::CohortStore(const Rubric& rubric, const Limits& limits)
    : owner_(rubric), model_(*owner_.impl().model), rubric_(owner_.impl().rubric()), limits_(limits) {}

// A rubric that does not read `rejected` has no slot for it.
bool CohortStore::reads_rejected() const {
  return rubric_.cohort.rubric >= 0 && model_.rubrics[static_cast<std::size_t>(rubric_.cohort.rubric)].slots.size() > 1;
}

bool CohortStore::room() {
  if (full_) return false;
  const std::size_t bytes = (arena_ ? arena_->used() + arena_->numbers().bytes() : 0) +
                            verdicts_.size() * sizeof(KeptVerdict) + rejections_.size() * sizeof(KeptRejection) +
                            fault_bytes_;
  if (bytes <= limits_.memory_bytes) return true;
  const std::string what = "what the cohort keeps of " + std::to_string(verdicts_.size()) + " verdicts takes";
  full_ = InputError{"", "limit", limit_message(what, limits_.memory_bytes, "bytes", "memory_bytes")};
  return false;
}

bool CohortStore::add(std::uint64_t position, const Value& id, const Value* fields, const Value* keys, bool eligible,
                      InputError& error) {
  const std::size_t most = limits_.memory_bytes;
  const auto& kept = rubric_.verdict.items;
  const auto too_large = [&](TypeId type, const Value& value) {  // values share parts, a copy does not
    if (deep_size(model_.types, type, value, most) <= most) return false;
    error = {"", "limit", limit_message("what the cohort keeps of the verdict takes", most, "bytes", "memory_bytes")};
    return true;
  };
  const auto type_of = [this](int item) { return rubric_.items[static_cast<std::size_t>(item)].type; };
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (too_large(type_of(kept[i]), fields[i])) return false;
  }
  const std::size_t ranked = places() ? rubric_.rank.size() : 0;
  for (std::size_t i = 0; i < ranked; ++i) {
    if (too_large(type_of(rubric_.rank[i].item), keys[i])) return false;
  }
  if (!room()) return true;
  if (!arena_) arena_ = std::make_shared<Arena>();
  KeptVerdict one;
  one.position = position;
  one.eligible = eligible;
  one.id = deep_copy(model_.types, id_type(), id, *arena_);
  Value* const values = arena_->array<Value>(kept.size());
  for (std::size_t i = 0; i < kept.size(); ++i)
    values[i] = deep_copy(model_.types, type_of(kept[i]), fields[i], *arena_);
  one.fields = make_record(values, static_cast<std::uint32_t>(kept.size()));
  if (ranked > 0) one.keys = arena_->array<Value>(ranked);
  for (std::size_t i = 0; i < ranked; ++i)
    one.keys[i] = deep_copy(model_.types, type_of(rubric_.rank[i].item), keys[i], *arena_);
  sorted_ = sorted_ && (verdicts_.empty() || (position != Cohort::kUnordered && verdicts_.back().position < position));
  verdicts_.push_back(one);
  return true;
}

void CohortStore::reject(std::uint64_t position, const InputError& error) {
  if (!room()) return;
  KeptRejection one;
  one.position = position;
  one.faults.push_back({error.path, error.code, error.message});
  if (reads_rejected()) one.faults.insert(one.faults.end(), error.others.begin(), error.others.end());
  for (const InputFault& fault : one.faults)
    fault_bytes_ += sizeof fault + fault.path.size() + fault.code.size() + fault.message.size();
  if (!arena_) arena_ = std::make_shared<Arena>();
  JsonNode id;
  JsonProblem problem;
  if (!error.id.empty() && parse_json(error.id, id, problem)) {
    const bool number = model_.types.kind(id_type()) == TypeKind::number;
    Number value;
    if (number && id.is(JsonNode::Kind::number) && parse_decimal(id.raw, value, arena_->numbers()))
      one.id = make_number(value);
    if (!number && id.is(JsonNode::Kind::text)) one.id = make_text(arena_->copy(id.text));
  }
  sorted_ =
      sorted_ && (rejections_.empty() || (position != Cohort::kUnordered && rejections_.back().position < position));
  rejections_.push_back(std::move(one));
}

void CohortStore::append(const CohortStore& other) {
  // Both stores keep adding to their own arenas: existing values do not move.
  const std::vector<std::shared_ptr<const Arena>> arenas = other.arenas();
  others_.insert(others_.end(), arenas.begin(), arenas.end());
  sorted_ = false;
  if (!full_) full_ = other.full_;
  const std::size_t verdicts = other.verdicts_.size(),
                    rejections = other.rejections_.size();  // `other` may be this store
  verdicts_.reserve(verdicts_.size() + verdicts);
  for (std::size_t i = 0; i < verdicts; ++i) verdicts_.push_back(other.verdicts_[i]);
  rejections_.reserve(rejections_.size() + rejections);
  for (std::size_t i = 0; i < rejections; ++i) rejections_.push_back(other.rejections_[i]);
}

std::vector<std::shared_ptr<const Arena>> CohortStore::arenas() const {
  std::vector<std::shared_ptr<const Arena>> all = others_;
  if (arena_) all.push_back(arena_);
  return all;
}

void CohortStore::sort() {
  if (sorted_) return;
  const TypeTable& types = model_.types;
  const auto bytes = [&](const KeptVerdict& one) {
    std::string out(1, static_cast<char>(one.eligible));
    encode(types, rubric_.verdict.type, one.fields, out);
    for (std::size_t k = 0; one.keys != nullptr && k < rubric_.rank.size(); ++k)
      encode(types, rubric_.items[static_cast<std::size_t>(rubric_.rank[k].item)].type, one.keys[k], out);
    return out;
  };
  const auto front = [&](const auto& a, const auto& b) {  // compares by position and id
    if (a.position != b.position) return a.position < b.position ? -1 : 1;
    return compare_ids(types, id_type(), a.id, b.id);
  };
  std::sort(verdicts_.begin(), verdicts_.end(),
            [&](const KeptVerdict& a, const KeptVerdict& b) { return front(a, b) < 0; });
  // Verdicts with equal position and id are ordered by their kept data.
  for (std::size_t i = 0; i < verdicts_.size();) {
    std::size_t end = i + 1;
    while (end < verdicts_.size() && front(verdicts_[i], verdicts_[end]) == 0) ++end;
    if (end - i > 1) {
      std::vector<std::pair<std::string, KeptVerdict>> equal;
      for (std::size_t k = i; k < end; ++k) equal.emplace_back(bytes(verdicts_[k]), verdicts_[k]);
      std::sort(equal.begin(), equal.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
      for (std::size_t k = i; k < end; ++k) verdicts_[k] = equal[k - i].second;
    }
    i = end;
  }
  std::sort(rejections_.begin(), rejections_.end(), [&](const KeptRejection& a, const KeptRejection& b) {
    if (const int order = front(a, b); order != 0) return order < 0;
    return std::lexicographical_compare(a.faults.begin(), a.faults.end(), b.faults.begin(), b.faults.end(),
                                        [&](const InputFault& x, const InputFault& y) { return parts(x) < parts(y); });
  });
  sorted_ = true;
}

std::vector<RepeatedId> CohortStore::repeated(std::size_t most) const {
  if (rubric_.history.by == "id") return {};  // the records of a series share an id on purpose
  std::vector<const Value*> ids;
  for (const KeptVerdict& one : verdicts_) {
    if (!one.id.missing()) ids.push_back(&one.id);
  }
  for (const KeptRejection& one : rejections_) {
    if (!one.id.missing()) ids.push_back(&one.id);
  }
  const auto order = [&](const Value* a, const Value* b) { return compare_ids(model_.types, id_type(), *a, *b); };
  std::sort(ids.begin(), ids.end(), [&](const Value* a, const Value* b) { return order(a, b) < 0; });
  std::vector<RepeatedId> result;
  for (std::size_t i = 0; i < ids.size() && result.size() < most;) {
    std::size_t end = i + 1;
    while (end < ids.size() && order(ids[i], ids[end]) == 0) ++end;
    if (end - i > 1) {
      std::string id;
      if (model_.types.kind(id_type()) == TypeKind::number) write_exact(ids[i]->number, id);
      else id = ids[i]->text.view();
      result.push_back({std::move(id), end - i});
    }
    i = end;
  }
  return result;
}

void CohortStore::save(std::string& out) {
  sort();
  const TypeTable& types = model_.types;
  out = saved_head(SavedKind::cohort, owner_.impl());
  encode_count(verdicts_.size(), out);
  for (const KeptVerdict& one : verdicts_) {
    encode_count(one.position + 1, out);
    encode(types, id_type(), one.id, out);
    out += static_cast<char>(one.eligible);
    encode(types, rubric_.verdict.type, one.fields, out);
    for (std::size_t k = 0; one.keys != nullptr && k < rubric_.rank.size(); ++k)
      encode(types, rubric_.items[static_cast<std::size_t>(rubric_.rank[k].item)].type, one.keys[k], out);
  }
  encode_count(rejections_.size(), out);
  for (const KeptRejection& one : rejections_) {
    encode_count(one.position + 1, out);
    encode(types, id_type(), one.id, out);
    encode_count(one.faults.size(), out);
    for (const InputFault& fault : one.faults)
      std::apply([&](const auto&... text) { (encode_text(text, out), ...); }, parts(fault));
  }
  encode_text(full_ ? std::string_view(full_->message.str()) : std::string_view(), out);
  seal(out);
}

bool CohortStore::load(std::string_view bytes, std::string& problem) {
  const std::optional<std::string_view> inside = unseal(bytes, SavedKind::cohort, owner_.impl(), problem);
  if (!inside) return false;
  problem = "the saved cohort is damaged";
  arena_ = std::make_shared<Arena>();
  const TypeTable& types = model_.types;
  Decoder in(*inside);
  std::uint64_t count = 0;
  if (!in.count(count)) return false;
  for (std::uint64_t i = 0; i < count; ++i) {
    KeptVerdict one;
    std::uint8_t eligible = 0;
    if (!in.count(one.position) || !in.value(types, id_type(), *arena_, one.id) || !in.byte(eligible) || eligible > 1 ||
        !in.value(types, rubric_.verdict.type, *arena_, one.fields) || one.fields.missing())
      return false;
    --one.position;
    one.eligible = eligible != 0;
    if (places()) one.keys = arena_->array<Value>(rubric_.rank.size());
    for (std::size_t k = 0; places() && k < rubric_.rank.size(); ++k) {
      const TypeId type = rubric_.items[static_cast<std::size_t>(rubric_.rank[k].item)].type;
      if (!in.value(types, type, *arena_, one.keys[k])) return false;
    }
    verdicts_.push_back(one);
  }
  if (!in.count(count)) return false;
  for (std::uint64_t i = 0; i < count; ++i) {
    KeptRejection one;
    if (!in.count(one.position) || !in.value(types, id_type(), *arena_, one.id)) return false;
    --one.position;
    std::uint64_t faults = 0;
    if (!in.count(faults) || faults == 0) return false;
    for (std::uint64_t k = 0; k < faults; ++k) {
      std::string_view path, code, message;
      if (!in.text(path) || !in.text(code) || !in.text(message)) return false;
      one.faults.push_back({path, std::string(code), message});
    }
    rejections_.push_back(std::move(one));
  }
  std::string_view full;
  if (!in.text(full) || !in.done()) return false;
  if (!full.empty()) full_ = InputError{"", "limit", std::string(full)};
  problem.clear();
  sorted_ = false;
  return true;
}

}  // namespace assay
