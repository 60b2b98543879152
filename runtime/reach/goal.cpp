// Goals. See goal.hpp.
#include "runtime/reach/goal.hpp"

#include "lang/text/nearest.hpp"
#include "runtime/cohort/rank_order.hpp"
#include "runtime/json/json_out.hpp"

#include <algorithm>

namespace assay {

namespace {

int row_of(const Probe& probe, const BandLadder& ladder) {
  const Value& row = probe.item(ladder.row_item);
  std::int64_t at = 0;
  return row.missing() || !to_int64(row.number, at) ? -1 : static_cast<int>(at);
}

std::vector<Value> keys_of(const Probe& probe) {
  std::vector<Value> keys;
  for (const RankModel& key : probe.rubric().rank) keys.push_back(probe.item(key.item));
  return keys;
}

InputError question_error(std::string message) { return {"to", "question", std::move(message)}; }

// Rows from best to worst, for a table that goes from one end to the other.
std::optional<InputError> band_goal(Probe& probe, const std::vector<BandLadder>& ladders, const std::string& target,
                                    Goal& goal) {
  goal.kind = Goal::Kind::band;
  std::size_t row = 0;
  bool found = false;
  if (!target.empty()) {
    for (const BandLadder& ladder : ladders) {
      const auto at = std::find(ladder.labels.begin(), ladder.labels.end(), target);
      if (at == ladder.labels.end()) continue;
      goal.ladder = ladder;
      row = static_cast<std::size_t>(at - ladder.labels.begin());
      found = true;
      break;
    }
    if (!found) {
      std::string known;
      std::vector<std::string_view> labels;
      for (const BandLadder& ladder : ladders) {
        for (const std::string& label : ladder.labels) {
          known += (known.empty() ? "" : ", ") + label;
          labels.push_back(label);
        }
      }
      const std::string_view near = nearest(target, labels);
      return question_error("'" + target + "' is not a band, a score, 'eligible' or 'place N'" +
                            (known.empty() ? "" : "; bands: " + known) +
                            (near.empty() ? "" : "; did you mean '" + std::string(near) + "'?"));
    }
  } else {
    for (const BandLadder& ladder : ladders) {
      if (!ladder.ordered) continue;
      goal.ladder = ladder;
      const int now = row_of(probe, ladder);
      const int size = static_cast<int>(ladder.labels.size());
      const int next = now < 0 ? (ladder.best_first ? size - 1 : 0) : ladder.best_first ? now - 1 : now + 1;
      if (next < 0 || next >= size) {  // it already has the best one
        row = static_cast<std::size_t>(now);
      } else {
        row = static_cast<std::size_t>(next);
      }
      found = true;
      break;
    }
    if (!found) return question_error("the rubric has no bands in an order: say what is to be reached");
  }
  goal.rows.assign(goal.ladder.labels.size(), false);
  goal.rows[row] = true;
  if (goal.ladder.ordered) {
    for (std::size_t i = 0; i < goal.rows.size(); ++i) goal.rows[i] = goal.ladder.best_first ? i <= row : i >= row;
  }
  for (std::size_t i = 0; i < goal.rows.size(); ++i)  // another row of the same name counts, too
    goal.rows[i] = goal.rows[i] || goal.ladder.labels[i] == goal.ladder.labels[row];
  goal.text = goal.ladder.name + " " + goal.ladder.labels[row];
  if (goal.ladder.ordered && std::count(goal.rows.begin(), goal.rows.end(), true) > 1) goal.text += " or better";
  goal.items.push_back(goal.ladder.row_item);
  return std::nullopt;
}

std::optional<InputError> place_goal(Probe& probe, Probe& other, const ReachQuestion& question, std::string_view text,
                                     Arena& arena, Goal& goal) {
  const RubricModel& rubric = probe.rubric();
  goal.kind = Goal::Kind::place;
  std::size_t place = 0;
  for (const char c : text)
    place = c >= '0' && c <= '9' && place < 1'000'000 ? place * 10 + static_cast<std::size_t>(c - '0') : 0;
  if (place == 0) return question_error("'place " + std::string(text) + "' is not a place: the first is 'place 1'");
  if (rubric.rank.empty()) return question_error("the rubric does not say how to rank, so there are no places");
  std::vector<std::vector<Value>> all;
  const std::string id = probe.id();
  for (const std::string_view record : question.others) {
    if (!other.take(record) || !other.ranked() || other.id() == id) continue;
    std::vector<Value> keys = keys_of(other);
    for (std::size_t k = 0; k < keys.size(); ++k) {
      const TypeId type = rubric.items[static_cast<std::size_t>(rubric.rank[k].item)].type;
      keys[k] = deep_copy(probe.model().types, type, keys[k], arena);
    }
    all.push_back(std::move(keys));
  }
  if (place > all.size() + 1)
    return question_error("'place " + std::string(text) + "' is not a place: the last is 'place " +
                          std::to_string(all.size() + 1) + "'");
  std::stable_sort(all.begin(), all.end(), [&](const auto& a, const auto& b) {
    return compare_places(probe.model().types, rubric, a.data(), b.data()) < 0;
  });
  goal.enough = all.size() < place;
  if (!goal.enough) goal.keys = all[place - 1];  // a tie with the record in that place suffices
  goal.text = "place " + std::to_string(place) + " of " + std::to_string(all.size() + 1);
  goal.eligible = true;
  goal.first_higher = rubric.rank.front().higher;
  for (const RankModel& key : rubric.rank) goal.items.push_back(key.item);
  return std::nullopt;
}

}  // namespace

std::optional<InputError> find_goal(Probe& probe, Probe& other, Arena& arena, const ReachQuestion& question,
                                    Goal& goal) {
  const RubricModel& rubric = probe.rubric();
  goal = Goal();
  goal.score_item = raw_score(rubric).item;
  goal.status_item = rubric.verdict.status;
  goal.eligible = probe.eligible();
  const std::string_view target = question.target;
  const std::vector<BandLadder> ladders = band_ladders(probe.model(), rubric);
  const bool label = std::any_of(ladders.begin(), ladders.end(), [&](const BandLadder& ladder) {
    return std::find(ladder.labels.begin(), ladder.labels.end(), target) != ladder.labels.end();
  });
  NumberPool& pool = arena.numbers();
  Number number;
  std::optional<InputError> error;
  if (target == "eligible" || (target.empty() && !probe.eligible() && ladders.empty())) {
    goal.kind = Goal::Kind::eligible;
    goal.text = "eligible";
    goal.eligible = true;
  } else if (target.starts_with("place ")) {
    error = place_goal(probe, other, question, target.substr(6), arena, goal);
  } else if (!label && !target.empty() && parse_decimal(target, number, pool)) {
    if (goal.score_item < 0 || !rubric.scale.declared) return question_error("the rubric has no score to be reached");
    goal.kind = Goal::Kind::score;
    goal.score = number;
    goal.text = "score " + std::string(target);
    goal.items.push_back(goal.score_item);
  } else {
    error = band_goal(probe, ladders, question.target, goal);
  }
  if (error) return error;
  if (goal.eligible && goal.status_item >= 0) goal.items.push_back(goal.status_item);
  return std::nullopt;
}

bool Goal::reached(const Probe& probe) const {
  if (eligible && !(kind == Kind::place ? probe.ranked() : probe.eligible())) return false;
  switch (kind) {
    case Kind::eligible: return probe.eligible();
    case Kind::band: {
      const int row = row_of(probe, ladder);
      return row >= 0 && static_cast<std::size_t>(row) < rows.size() && rows[static_cast<std::size_t>(row)];
    }
    case Kind::score: {
      const Number now = probe.number(score_item);
      return !now.missing() && compare(now, score) >= 0;
    }
    case Kind::place:
      return enough || compare_places(probe.model().types, probe.rubric(), keys_of(probe).data(), keys.data()) <= 0;
  }
  return false;
}

bool Goal::may(BoxEvaluator& boxes) const {
  if (eligible && status_item >= 0) {
    const BoxRef status = boxes.item(status_item);
    const auto may_be = [&](std::string_view word) {
      return std::find(status->texts.begin(), status->texts.end(), word) != status->texts.end();
    };
    if (!status->any_text && !may_be("eligible") && !(kind == Kind::place && may_be("indeterminate"))) return false;
  }
  if (kind == Kind::score) {
    const BoxRef score_box = boxes.item(score_item);
    return score_box->may_be && (score_box->number.high.missing() || compare(score_box->number.high, score) >= 0);
  }
  if (kind == Kind::band) {
    const BoxRef row = boxes.item(ladder.row_item);
    if (!row->may_be) return false;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i] && holds(row->number, whole(static_cast<std::int64_t>(i)))) return true;
    }
    return false;
  }
  if (kind == Kind::place && !enough) {
    const int first = items.front();
    const BoxRef key = boxes.item(first);
    if (keys.front().missing() || key->kind != TypeKind::number) return true;
    if (!key->may_be) return false;
    const Number bound = first_higher ? key->number.high : key->number.low;
    const int order = bound.missing() ? 0 : compare(bound, keys.front().number);
    return first_higher ? order >= 0 : order <= 0;
  }
  return true;
}

}  // namespace assay
