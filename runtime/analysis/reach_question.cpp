// The question itself, Analysis::reach, and its answer as JSON. The search is in runtime/reach.
#include "runtime/analysis/analysis_impl.hpp"
#include "runtime/json/json_out.hpp"
#include "runtime/reach/search.hpp"

namespace assay {

namespace {

void fill(const Levers& levers, Search& search, Probe& probe, const Found& found, bool proved, ReachAnswer& answer) {
  answer.proved = proved;
  answer.found = found.any && search.verified(found.settings);  // the probe now holds this record
  if (!answer.found) return;
  answer.changes = levers.changes(found.settings);
  answer.fields = answer.changes.size();
  Number points = whole(0);
  NumberPool& pool = search.numbers();
  for (std::size_t i = 0; i < levers.size(); ++i)
    points = add(points, div(levers.cost(i, found.settings[i], pool), levers[i].cost, pool), pool);
  answer.points = exact_or_short(points);
  answer.cost = exact_or_short(levers.cost(found.settings, pool));
  answer.verdict = probe.verdict();
  const int score = raw_score(probe.rubric()).item;
  answer.score = exact_or_short(probe.number(score));
}

}  // namespace

std::optional<InputError> Analysis::reach(std::string_view record, const ReachQuestion& question, Reach& answer) {
  answer = Reach();
  Probe& probe = impl_->first;
  if (!probe.take(record)) return probe.error();
  Goal goal;
  Arena arena{1024};
  if (auto error = find_goal(probe, impl_->second, arena, question, goal)) return error;
  answer.id = probe.id();
  answer.target = goal.text;
  const int score = raw_score(probe.rubric()).item;
  answer.score = exact_or_short(probe.number(score));
  if (goal.ladder.band >= 0) answer.band = probe.shown_item(goal.ladder.band);
  if (goal.reached(probe)) {
    answer.already = true;
    return std::nullopt;
  }
  Levers levers;
  if (auto error = levers.find(probe, record, question, goal.items)) return error;
  if (!impl_->second.take(record)) return impl_->second.error();
  Search search(probe, impl_->second, goal, levers, question.nodes);
  search.gains(answer.gains);
  Found fewest, least;
  bool fewest_proved = false, least_proved = false;
  std::size_t size = 0;
  search.fewest(fewest, fewest_proved, size);
  if (!fewest.any && fewest_proved) {
    answer.fewest.proved = answer.least.proved = true;
  } else {
    search.least(fewest, least, least_proved);
    fill(levers, search, probe, fewest.any ? fewest : least, fewest_proved && fewest.any, answer.fewest);
    fill(levers, search, probe, least, least_proved, answer.least);
  }
  answer.boxes = search.boxes();
  answer.fields = levers.size();
  answer.measured = search.measured();
  answer.limited = search.used_up();
  if (search.stopped()) return probe.error();
  return std::nullopt;
}

namespace {

void write_answer(JsonOut& out, const ReachAnswer& answer) {
  out.object().key("found").truth(answer.found).key("proved").truth(answer.proved).key("changes").list();
  for (const FieldChange& change : answer.changes) {
    out.object().key("path").text(change.path).key("before").raw(change.before);
    if (change.after.empty()) {
      out.key("removed").truth(true);
    } else {
      out.key("after").raw(change.after);
    }
    out.end_object();
  }
  out.end_list().key("fields").count(answer.fields).key("points").exact(answer.points).key("cost").exact(answer.cost);
  out.key("score").exact(answer.score).key("verdict").raw(answer.verdict).end_object();
}

}  // namespace

std::string Reach::json() const {
  JsonOut out;
  out.object().key("id").text_or_null(id).key("target").text(target).key("score").exact(score).key("band").raw(band);
  out.key("already").truth(already).key("fewest");
  write_answer(out, fewest);
  out.key("least");
  write_answer(out, least);
  out.key("gains").list();
  for (const FieldGain& gain : gains) {
    out.object().key("path").text(gain.path).key("best").raw(gain.best).key("gain").exact(gain.gain);
    out.key("points").exact(gain.points).key("each").exact(gain.each).end_object();
  }
  out.end_list().key("boxes").count(boxes).key("fields").count(fields).key("measured").count(measured);
  out.key("limited").truth(limited).end_object();
  return out.take();
}

}  // namespace assay
