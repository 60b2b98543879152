// A verdict for people. See record_view.hpp.
#include "repl/pages/record_view.hpp"

#include "repl/analysis/document.hpp"
#include "repl/pages/page.hpp"
#include "repl/terminal/json_text.hpp"

#include <algorithm>
#include <cstdlib>

namespace assay::cli {

namespace {

std::string member(std::string_view object, std::string_view name) {
  for (const auto& [key, value] : members(object)) {
    if (key == name) return std::string(value);
  }
  return "null";
}

std::string list_of(const char* heading, const std::vector<std::string>& texts) {
  if (texts.empty()) return {};
  std::string out = std::string("<h3>") + heading + "</h3><ul>";
  for (const std::string& text : texts) out += "<li>" + escaped(text);
  return out + "</ul>";
}

}  // namespace

double number_of(std::string_view text) { return std::strtod(std::string(text).c_str(), nullptr); }

ViewFrame::ViewFrame(const Rubric& rubric) {
  for (const FieldInfo& field : rubric.fields()) {
    if (field.role == FieldInfo::Role::band && band.empty()) band = field.name;
    if (field.role == FieldInfo::Role::output && field.name != "score") outputs.push_back(field.name);
    if (field.name != "score") continue;
    // "number 1..10", "whole 0..100"
    const std::size_t dots = field.type.find("..");
    const std::size_t space = field.type.find(' ');
    if (dots == std::string::npos || space == std::string::npos || space > dots) continue;
    low_text = field.type.substr(space + 1, dots - space - 1);
    high_text = field.type.substr(dots + 2);
    high_text.resize(std::min(high_text.size(), high_text.find(' ')));
    low = number_of(low_text);
    high = number_of(high_text);
    open = !(high > low);
  }
  for (const FieldInfo& field : rubric.each_fields()) outputs.push_back(field.name);
  if (open) low = 0, high = 1;
}

void ViewFrame::see(std::string_view verdict) {
  for (const auto& [name, json] : members(verdict)) {
    if (open && (name == "score" || name == "composite") && json != "null") {
      low = std::min(low, number_of(json));
      high = std::max(high, number_of(json));
    }
    if (name != "dimensions") continue;
    for (const auto& [dimension, parts] : members(json)) {
      const std::string weight = member(parts, "weight"), value = member(parts, "score");
      if (weight != "null") widest = std::max(widest, number_of(weight));
      if (open && value != "null") high = std::max(high, number_of(value));
    }
  }
}

RecordView::RecordView(const ViewFrame& frame, std::string_view verdict) : frame_(frame) {
  for (const auto& [name, json] : members(verdict)) parts_[name] = json;
}

std::string_view RecordView::json(const std::string& key) const {
  const auto found = parts_.find(key);
  return found == parts_.end() ? std::string_view("null") : found->second;
}
std::string RecordView::text(const std::string& key) const { return bare(json(key)); }

std::vector<Bar> RecordView::fix() const {
  std::vector<Bar> bars;
  const bool composed = json("composite") != "null";
  if (!composed && json("score") == "null") return bars;
  const double span = frame_.high - frame_.low;
  const auto at = [&](double v) { return span > 0 ? (v - frame_.low) / span : 0.0; };
  const auto bar = [&](const std::string& name, const std::string& label, double from, double to, Bar::Kind kind) {
    Bar one;
    one.name = name;
    one.label = label;
    one.from = at(from);
    one.to = at(to);
    one.kind = kind;
    bars.push_back(std::move(one));
  };
  double now = composed ? number_of(json("composite")) : 0;
  if (composed) bar("composite", text("composite"), frame_.low, now, Bar::Kind::total);
  for (const char* list : {"deductions", "bonuses"}) {
    const bool minus = *list == 'd';
    for (const std::string_view item : items(json(list))) {
      const std::string amount = member(item, "amount");
      const double next = minus ? now - number_of(amount) : now + number_of(amount);
      bar(bare(member(item, "name")), (minus ? "−" : "+") + amount, now, next,
          minus ? Bar::Kind::minus : Bar::Kind::plus);
      now = next;
    }
  }
  // Deductions and bonuses may lead beyond the scale: what brings the score back is a step as well.
  if (const double end = std::clamp(now, frame_.low, frame_.high); !frame_.open && composed && end != now) {
    bar("end of the scale", "at " + (end < now ? frame_.high_text : frame_.low_text), now, end,
        end < now ? Bar::Kind::minus : Bar::Kind::plus);
  }
  for (const std::string_view item : items(json("caps"))) {
    const std::string name = bare(member(item, "name"));
    if (name != "score" && name != "composite") continue;
    const std::string at_most = bare(member(item, "at"));
    bar("cap on " + name, "at " + at_most, number_of(bare(member(item, "from"))), number_of(at_most), Bar::Kind::minus);
  }
  if (json("score") != "null") bar("score", text("score"), frame_.low, number_of(json("score")), Bar::Kind::total);
  return bars;
}

std::vector<Bar> RecordView::dimensions() const {
  std::vector<Bar> bars;
  for (const auto& [name, all] : members(json("dimensions"))) {
    const std::string value = member(all, "score"), weight = member(all, "weight");
    Bar one;
    one.name = name;
    one.label = value == "null" ? "missing" : value + (weight == "null" ? " (advisory)" : " × " + weight);
    one.track = weight == "null" ? 0 : frame_.widest > 0 ? number_of(weight) / frame_.widest : 1;
    const double span = frame_.high - frame_.low;
    if (value != "null" && span > 0) one.to = one.track * std::clamp((number_of(value) - frame_.low) / span, 0.0, 1.0);
    bars.push_back(std::move(one));
  }
  return bars;
}

std::vector<Part> RecordView::parts() const {
  std::vector<Part> parts;
  if (std::vector<Bar> bars = fix(); !bars.empty()) parts.push_back({"From composite to score", std::move(bars)});
  if (std::vector<Bar> bars = dimensions(); !bars.empty())
    parts.push_back({"Dimensions: score against weight", std::move(bars)});
  return parts;
}

std::string RecordView::html(bool drawn) const {
  std::string out;
  if (text("status") != "eligible" && json("status") != "null") {
    out += "<p>Status: " + escaped(text("status"));
    if (json("reason") != "null") out += ": " + escaped(text("reason"));
    out += "</p>";
  }
  std::string drawings;
  for (const Part& part : parts()) {
    if (drawn) {
      drawings += bar_table(part.title, part.bars);
      continue;
    }
    out += "<p>";
    for (std::size_t i = 0; i < part.bars.size(); ++i)
      out += (i > 0 ? ", " : "") + escaped(part.bars[i].name) + " " + escaped(part.bars[i].label);
    out += "</p>";
  }
  if (!drawings.empty()) out += "<div class=c>" + drawings + "</div>";
  std::vector<std::string> failed, reasons, caps, others;
  for (const auto& [name, value] : members(json("gates"))) {
    if (value != "true") failed.push_back(name + (value == "null" ? ": unknown" : ""));
  }
  for (const char* list : {"deductions", "bonuses"}) {
    for (const std::string_view item : items(json(list))) {
      const std::string reason = bare(member(item, "reason"));
      if (!reason.empty() && reason != "–") reasons.push_back(bare(member(item, "name")) + ": " + reason);
    }
  }
  for (const std::string_view item : items(json("caps"))) {
    const std::string reason = bare(member(item, "reason"));
    caps.push_back(bare(member(item, "name")) + ": " + bare(member(item, "from")) + " → " + bare(member(item, "at")) +
                   (reason.empty() ? "" : ", " + reason));
  }
  for (const std::string& name : frame_.outputs) {
    const std::string_view value = json(name);
    if (value != "null" && value != "[]") others.push_back(name + ": " + bare(value));
  }
  out += list_of("Gates that fail", failed) + list_of("Reasons", reasons) + list_of("Caps", caps);
  for (const char* const list : {"flags", "advice", "degraded"}) {
    std::vector<std::string> texts;
    for (const std::string_view item : items(json(list))) texts.push_back(bare(item));
    const char* const heading = *list == 'f' ? "Flags" : *list == 'a' ? "Advice" : "Degraded";
    out += list_of(heading, texts);
  }
  return out + list_of("Outputs", others);
}

}  // namespace assay::cli
