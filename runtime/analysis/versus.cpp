// Why one record ranks before another.
#include "runtime/analysis/analysis_impl.hpp"
#include "runtime/cohort/rank_order.hpp"
#include "runtime/json/json_out.hpp"

#include <algorithm>

namespace assay {

namespace {

struct Part {
  Number size;  // of the difference
  VersusPart told;
};

void add_part(std::vector<Part>& parts, std::string stage, std::string name, Number p, Number q, bool subtracted,
              NumberPool& pool) {
  const Number zero = whole(0);
  Number by = sub(p.missing() ? zero : p, q.missing() ? zero : q, pool);
  if (sign(by) == 0) return;
  if (subtracted) by = neg(by, pool);
  const auto text = [](Number n) { return n.missing() ? std::string("null") : short_text(n); };
  parts.push_back({assay::abs(by, pool), {std::move(stage), std::move(name), text(p), text(q), exact_or_short(by)}});
}

// Amounts of deductions and bonuses, by name.
void add_amounts(std::vector<Part>& parts, const Probe& p, const Probe& q, const char* list, const char* stage,
                 bool subtracted, NumberPool& pool) {
  const int item = p.find_step(list);
  if (item < 0) return;
  std::vector<std::string> names;
  const auto amounts = [&](const Probe& probe, std::string_view name) {
    Number sum = kMissing;
    if (probe.item(item).missing()) return sum;
    const ListValue entries = probe.item(item).list;
    for (std::uint32_t i = 0; i < entries.size; ++i) {
      const Value* fields = entries.items[i].record.fields;
      if (name.empty()) {
        const std::string one(fields[0].text.view());
        if (std::find(names.begin(), names.end(), one) == names.end()) names.push_back(one);
      } else if (fields[0].text.view() == name) {
        sum = fields[1].number;
      }
    }
    return sum;
  };
  amounts(p, {});
  amounts(q, {});
  for (const std::string& name : names)
    add_part(parts, stage, name, amounts(p, name), amounts(q, name), subtracted, pool);
}

}  // namespace

std::optional<InputError> Analysis::versus(std::string_view p_record, std::string_view q_record, Versus& answer) {
  answer = Versus();
  Probe &p = impl_->first, &q = impl_->second;
  if (!p.take(p_record)) return p.error();
  if (!q.take(q_record)) return q.error();
  const RubricModel& rubric = p.rubric();
  answer.p = p.id();
  answer.q = q.id();
  answer.p_verdict = p.verdict();
  answer.q_verdict = q.verdict();
  if (p.ranked() != q.ranked()) {
    answer.key = "eligible";
    answer.p_key = p.ranked() ? "true" : "false";
    answer.q_key = q.ranked() ? "true" : "false";
    answer.before = p.ranked() ? answer.p : answer.q;
  }
  for (const RankModel& key : rubric.rank) {
    if (!answer.key.empty()) break;
    const Item& item = rubric.items[static_cast<std::size_t>(key.item)];
    const int order = compare_keys(p.model().types, item.type, p.item(key.item), q.item(key.item), key.higher);
    if (order == 0) continue;
    const std::string_view name = item.name;
    answer.key = (key.higher ? "higher " : "lower ") + std::string(name.starts_with("rank ") ? name.substr(5) : name);
    answer.p_key = p.shown_item(key.item);
    answer.q_key = q.shown_item(key.item);
    answer.before = order < 0 ? answer.p : answer.q;
  }
  NumberPool pool;
  std::vector<Part> parts;
  for (const DimensionModel& d : rubric.dimensions) {
    if (d.contribution >= 0 && d.weight >= 0)
      add_part(parts, "dimension", d.name, p.number(d.contribution), q.number(d.contribution), false, pool);
  }
  add_amounts(parts, p, q, "deductions", "deduction", true, pool);
  add_amounts(parts, p, q, "bonuses", "bonus", false, pool);
  const int caps = p.find_step("caps");
  for (const Probe* probe : {&p, &q}) {
    if (caps < 0 || probe->item(caps).missing()) continue;
    const ListValue bound = probe->item(caps).list;
    for (std::uint32_t i = 0; i < bound.size; ++i) {
      const std::string name(bound.items[i].record.fields[0].text.view());
      const bool of_p = probe == &p;
      parts.push_back({whole(0), {"cap", name, of_p ? "true" : "false", of_p ? "false" : "true", ""}});
    }
  }
  std::stable_sort(parts.begin(), parts.end(),
                   [](const Part& a, const Part& b) { return assay::compare(a.size, b.size) > 0; });
  for (Part& part : parts) answer.parts.push_back(std::move(part.told));
  return std::nullopt;
}

std::string Versus::json() const {
  JsonOut out;
  out.object().key("p").text(p).key("q").text(q).key("before").text_or_null(before).key("key").text_or_null(key);
  out.key("p_key").raw(p_key).key("q_key").raw(q_key).key("parts").list();
  for (const VersusPart& part : parts) {
    out.object().key("stage").text(part.stage).key("name").text(part.name).key("p").raw(part.p).key("q").raw(part.q);
    out.key("difference").exact(part.difference).end_object();
  }
  out.end_list().key("p_verdict").raw(p_verdict).key("q_verdict").raw(q_verdict).end_object();
  return out.take();
}

}  // namespace assay
