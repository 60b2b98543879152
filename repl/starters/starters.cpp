// The texts of the rubrics that `assay new` writes: each checks without a warning, is formatted and passes its
// examples, under any name. NAME and TITLE are replaced by the name and its words.
#include "repl/starters/starters.hpp"

#include <iterator>
#include <string>

namespace assay::cli {
namespace {

constexpr std::string_view kJudge =
    R"(# A judge, a person or a language model, gives a mark for each dimension; the rubric adds them up.
# Try it:   assay test NAME.rubric
# Score:    echo '{"correctness": 8, "completeness": 7, "clarity": 9}' | assay score NAME.rubric
rubric NAME "TITLE" {
  version "0.1"
  scale   1..10 decimals 1

  # A dimension without '=' is judged: each record holds a mark of its name, on the scale.
  # The weights have to add up to 100%. Say what is asked; levels say what a mark means.
  dimension correctness weight 50% "Is what it says right?" {
    level 10 "everything is right"
    level  5 "the main point is right, details are wrong"
    level  1 "the main point is wrong"
  }
  dimension completeness weight 30%  "Is anything missing?"
  dimension clarity      weight 20%  "Can it be understood at first reading?"

  # What costs points whatever the marks are, by name.
  input red_flags: set of text default []  "What must not happen, such as an invented source"
  deduction "{flag}" = 1 for flag in red_flags  "Red flag: {flag}"
  cap deductions at 3

  bands grade(score) {
    | score | grade | label        |
    | >= 8  | "A"   | "Good"       |
    | >= 5  | "B"   | "Acceptable" |
    | >= 1  | "C"   | "Not enough" |
  }
  rank by higher score, higher correctness

  # Examples are tests. 'assay test' compares what you expect with the verdict.
  example "good marks, one red flag" {
    given { correctness: 9, completeness: 8, clarity: 8, red_flags: ["invented source"] }
    expect { score: 7.5, grade: "B" }
  }
  example "a mark beyond the scale is an error" {
    given { correctness: 11, completeness: 8, clarity: 8 }
    error at correctness
  }
}
)";

constexpr std::string_view kChecklist = R"(# A checklist: each item is met or not. Some have to be, the others count.
# Try it:   assay test NAME.rubric
rubric NAME "TITLE" {
  version "0.1"
  scale   0..100% decimals 2

  # What a record answers with true or false. What it does not say is not met.
  input has_owner, is_documented, is_tested, is_monitored: bool default false

  # A gate decides whether the rest counts. It never changes the score: the status says what it found.
  gate owned = has_owner  "Somebody is responsible"

  # A share of 0 or 1 each; the weights add up to the upper end of the scale.
  dimension documented weight 40% "There is a page that says how it works" = 1 when is_documented else 0
  dimension tested     weight 40% "Its tests run on every change"          = 1 when is_tested else 0
  dimension monitored  weight 20% "Somebody is told when it breaks"        = 1 when is_monitored else 0

  bands result(score) {
    | score  | result      |
    | >= 80% | "ready"     |
    | >=  0% | "not ready" |
  }
  # What is still to be done, by name.
  advice "Write down how it works"       when not is_documented
  advice "Run its tests on every change" when not is_tested
  advice "Tell somebody when it breaks"  when not is_monitored
  rank by higher score

  example "all but monitoring" {
    given { has_owner: true, is_documented: true, is_tested: true, is_monitored: false }
    expect { status: "eligible", score: 0.8, result: "ready", advice: ["Tell somebody when it breaks"] }
  }
  example "nobody is responsible" {
    given { has_owner: false, is_documented: true, is_tested: true, is_monitored: true }
    expect { status: "ineligible", score: 1 }
  }
}
)";

constexpr std::string_view kPoints =
    R"(# Points for each criterion, as exams and essays are marked: 25 of 40 here, 10 of 20 there.
# Try it:   assay test NAME.rubric
rubric NAME "TITLE" {
  version "0.1"
  scale   0..100 decimals 1

  # 'points 40' is a mark from 0 to 40. All points together are the upper end of the scale.
  dimension content points 60 "What is said" {
    criterion argument points 40  "A thesis is stated and supported"
    criterion sources  points 20  "Sources are named and fit"
  }
  dimension form points 40 "How it is said" {
    criterion structure points 25  "One paragraph leads to the next"
    criterion language  points 15  "Grammar and spelling"
  }

  # Late work loses points, at most 30; nothing is lost below 0.
  input days_late: whole >= 0 default 0
  deduction late = 10 * days_late  "{days_late} days late"
  cap deductions at 30

  bands grade(score) {
    | score | grade |
    | >= 90 | "A"   |
    | >= 75 | "B"   |
    | >= 60 | "C"   |
    | >=  0 | "F"   |
  }
  rank by higher score

  example "a day late" {
    given { argument: 35, sources: 18, structure: 20, language: 12, days_late: 1 }
    expect { composite: 85, score: 75, grade: "B" }
  }
  example "more points than there are" {
    given { argument: 41, sources: 18, structure: 20, language: 12 }
    error at argument
  }
}
)";

constexpr std::string_view kScorecard =
    R"(# A scorecard: what was measured, turned into a score, with targets that can be changed in one place.
# Try it:   assay test NAME.rubric
import "std/normalise.rubric"
rubric NAME "TITLE" {
  version "0.1"
  scale   0..100 decimals 0

  input availability: number 0..100%        "Share of the month in which it answered"
  input response_ms:  number >= 0           "Milliseconds until an answer, 95th percentile"
  input incidents:    whole >= 0            "Incidents of the month"
  input satisfaction: number 1..5 optional  "Mean of the survey; nobody may have answered"

  # 'ramp(x, worst, best)' goes from 0 at the worst value to 1 at the best one: a share of the weight.
  dimension reliability weight 40 "It is there when it is needed" = ramp(availability, 99%, 99.9%)
  dimension speed       weight 30 "It answers quickly"            = ramp(response_ms, 2_000, 200)
  dimension calm        weight 20 "It seldom breaks"              = ramp(incidents, 10, 0)
  # Without a survey the other dimensions share its weight.
  dimension liking weight 10 missing skip "People like it" = ramp(satisfaction, 1, 5)

  bands light(score) {
    | score | light    |
    | >= 80 | "green"  |
    | >= 50 | "yellow" |
    | >=  0 | "red"    |
  }
  flag slow when speed < 50%  "It takes {response_ms} ms to answer"
  rank by higher score, lower incidents

  example "a month without incidents" {
    given { availability: 99.9%, response_ms: 200, incidents: 0, satisfaction: 5 }
    expect { score: 100, light: "green", flags: [] }
  }
  example "slow, and nobody answered the survey" {
    given { availability: 99.9%, response_ms: 2000, incidents: 0 }
    expect { score: 67, light: "yellow", flags: ["slow"] }
  }
}
)";

constexpr std::string_view kLeaderboard =
    R"(# A leaderboard: records compete, ties are broken by a stated order, and the whole run is summed up.
# Try it:   assay test NAME.rubric
# Rank:     assay rank NAME.rubric entries.ndjson      (each entry has an id)
rubric NAME "TITLE" {
  version "0.1"
  scale   0..100 decimals 2

  input id:      text
  input solved:  whole 0..50  "Tasks that were solved, of 50"
  input minutes: number > 0   "Time for all of them"
  input cost:    number >= 0 default 0

  # Who did not solve anything takes no part.
  gate takes_part = solved > 0  "At least one task is solved"

  dimension success weight 80 "Share of tasks that were solved" = solved / 50
  # Half of the points at an hour, fewer beyond.
  dimension speed weight 20 "Time for a task" = 60 / (60 + minutes)

  # Two records with the same score: the first key that differs decides.
  rank by higher score, higher solved, lower cost, lower minutes

  # What is said of all records of a run: assay score NAME.rubric entries.ndjson --cohort
  cohort {
    let scores = [r.score for r in records when r.score is given]
    output entries = count(records)
    output best    = max(scores)     decimals 2
    output typical = median(scores)  decimals 2
  }

  example "all tasks within an hour" {
    given { id: "a", solved: 50, minutes: 60 }
    expect { score: 90, status: "eligible" }
  }
  example "nothing solved" {
    given { id: "b", solved: 0, minutes: 5 }
    expect { status: "ineligible" }
  }
}
)";

constexpr Starter kStarters[] = {
    {"judge", "a judge gives a mark for each dimension", kJudge},
    {"checklist", "items that are met or not", kChecklist},
    {"points", "points for each criterion, as exams are marked", kPoints},
    {"scorecard", "measured values against targets", kScorecard},
    {"leaderboard", "records that compete", kLeaderboard},
};

// The text in quotes that follows the name of a rubric.
std::string_view meaning_of(std::string_view text, std::string_view header) {
  const std::size_t begin = text.find('"', text.rfind(header)) + 1;
  return text.substr(begin, text.find('"', begin) - begin);
}

}  // namespace

std::vector<std::string> starter_names() {
  std::vector<std::string> names;
  for (const Starter& starter : kStarters) names.emplace_back(starter.name);
  for (const ShippedRubric& shipped : shipped_evals()) names.emplace_back(shipped.name);
  return names;
}

std::vector<Starter> starters() {
  std::vector<Starter> all(std::begin(kStarters), std::end(kStarters));
  for (const ShippedRubric& shipped : shipped_evals()) {
    const std::string header = "rubric " + std::string(shipped.name) + " ";
    all.push_back({shipped.name, meaning_of(shipped.text, header), shipped.text, shipped.name});
  }
  return all;
}

}  // namespace assay::cli
