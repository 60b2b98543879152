// Documents, their analyses, and their findings.
#include "runtime/service/service_impl.hpp"

#include "lang/parse/syntax.hpp"
#include "lang/text/ascii.hpp"

#include <algorithm>
#include <chrono>

namespace assay {

namespace {

bool continues(std::string_view text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80;
}

TextRange cut(std::string_view text, TextRange range) {
  range.begin = std::min(range.begin, text.size());
  range.end = std::clamp(range.end, range.begin, text.size());
  while (range.begin > 0 && continues(text, range.begin)) --range.begin;
  while (range.end > range.begin && continues(text, range.end)) --range.end;
  return range;
}

}  // namespace

TextRange range_of(Span at) { return {at.begin, at.end}; }

// The range of a location in the text; an empty one is extended to the next character, so that it can be shown.
TextRange range_of(const Location& at, std::string_view text) {
  TextRange range = cut(text, {at.offset, at.offset + at.bytes});
  if (range.begin == range.end && range.end < text.size() && text[range.end] != '\n') {
    ++range.end;
    while (continues(text, range.end)) ++range.end;
  }
  return range;
}

std::size_t line_begin(std::string_view text, std::size_t at) {
  at = std::min(at, text.size());
  const std::size_t before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  return before == std::string_view::npos ? 0 : before + 1;
}

std::string_view line_at(std::string_view text, std::size_t at) {
  const std::size_t begin = line_begin(text, at);
  return text.substr(begin, std::min(text.find('\n', begin), text.size()) - begin);
}

std::size_t declaration_begin(std::string_view text, std::size_t at) {
  at = std::min(at, text.size());
  if (text.find("\"\"\"") == text.npos) {  // no token goes on for lines, so the lines can be read backwards
    for (std::size_t line = line_begin(text, at);; line = line_begin(text, line - 1)) {
      const std::size_t first = std::min(text.find_first_not_of(" \t", line), text.size());
      if (first < at && is_name_character(text[first])) {
        const RoughToken token = rough_token(text, static_cast<std::uint32_t>(first));
        if (begins_declaration(text, token)) return first;
      }
      if (line == 0) return 0;
    }
  }
  std::size_t found = 0;
  for (std::uint32_t place = 0; place < at;) {
    const RoughToken token = rough_token(text, place);
    if (token.tag == RoughToken::Tag::end || token.begin >= at) break;
    if (token.tag == RoughToken::Tag::word && first_in_line(text, token.begin) && begins_declaration(text, token))
      found = token.begin;
    place = token.end;
  }
  return found;
}

std::string indent_at(std::string_view text, std::size_t at) {
  const std::string_view line = line_at(text, at);
  return std::string(line.substr(0, std::min(line.find_first_not_of(" \t"), line.size())));
}

// ---- analyses

std::string TextAnalysis::type_text(Span at) const {
  const CheckNotes::Noted* noted = notes.find(at);
  if (noted == nullptr || noted->type == kUnknown || model() == nullptr) return {};
  return model()->types.str(noted->type) + (noted->optional ? ", may be missing" : "");
}

const Item* TextAnalysis::item_at(Span name) const {
  const Item* const* found = items.find(CheckNotes::key(name));
  return found == nullptr ? nullptr : *found;
}

const ast::Rubric* TextAnalysis::rubric_around(std::size_t at) const {
  for (const ast::Rubric& rubric : file().rubrics) {
    if (rubric.span.begin <= at && at <= rubric.span.end) return &rubric;
  }
  return nullptr;
}

const ast::Item* TextAnalysis::item_around(std::size_t at) const {
  const ast::Item* found = nullptr;
  const std::vector<ast::Item>* list = &file().items;
  if (const ast::Rubric* rubric = rubric_around(at)) list = &rubric->items;
  while (list != nullptr) {
    const std::vector<ast::Item>* inner = nullptr;
    for (const ast::Item& item : *list) {
      if (item.span.begin > at || at > item.span.end) continue;
      found = &item;
      if (const auto* cohort = std::get_if<ast::Cohort>(&item.node)) inner = &cohort->items;
    }
    list = inner;
  }
  return found;
}

void Service::Impl::retire(std::shared_ptr<TextAnalysis>& analysis) {
  constexpr std::size_t kMostRetired = 4;  // frees them even for a host that never calls tidy()
  if (!analysis) return;
  if (analysis.use_count() == 1) {
    if (retired.size() >= kMostRetired) retired.erase(retired.begin());  // one at a time: somebody waits
    retired.push_back(std::move(analysis));
  }
  analysis = nullptr;
}

Document* Service::Impl::find(const std::string& name) {
  const auto found = documents.find(name);
  return found == documents.end() ? nullptr : &found->second;
}

std::string Service::Impl::resolve(std::string_view path, std::string_view from) const {
  return options.resolve ? options.resolve(path, from) : std::string(path);
}

CompileOptions Service::Impl::compile_options(std::set<std::string>* read) const {
  CompileOptions compile;
  compile.limits = options.limits;
  compile.lua = options.lua;
  compile.importer = [this, read](std::string_view path, std::string_view from,
                                  std::string& name) -> std::optional<std::string> {
    name = resolve(path, from);
    if (read != nullptr) read->insert(name);
    const auto held = documents.find(name);
    if (held != documents.end() && held->second.held) return held->second.text;
    return options.read ? options.read(name) : std::nullopt;
  };
  return compile;
}

std::shared_ptr<TextAnalysis> Service::Impl::read(const std::string& name, const std::string& text,
                                                  const ParsedText* before, ParsedText* now) {
  auto made = std::make_shared<TextAnalysis>();
  made->staging = std::make_unique<Staging>(name, text, compile_options(&made->read), before, now);
  made->impl = made->staging->impl();
  if (made->impl->sources.size() == 0) made->impl->sources.add(name, "");  // longer than the limit
  return made;
}

void Service::Impl::check(TextAnalysis& analysis) {
  analysis.checked = true;
  analysis.staging->check(&analysis.notes);
  analysis.staging->prepare();
  analysis.good = !analysis.staging->has_errors();
  if (analysis.model() != nullptr) {
    for (const RubricModel& rubric : analysis.model()->rubrics) {
      for (const Item& item : rubric.items) {
        if (item.kind == ItemKind::hidden || item.body == nullptr) continue;
        bool added = false;
        const Item*& known = analysis.items.at(CheckNotes::key(item.span), added);
        if (added) known = &item;
      }
    }
  }
  // The importer refers to this service, which may be moved or destroyed before the compiled rubric.
  analysis.impl->options.importer = nullptr;
}

const Names& TextAnalysis::names() const {
  static const Names kNone;
  if (!checked) return kNone;
  if (!resolved) {
    const CheckNotes* noted = model() != nullptr ? &notes : nullptr;
    resolved = resolve_names(file(), impl->imported, sources(), noted, model());
  }
  return *resolved;
}

const std::vector<Diagnostic>& TextAnalysis::diagnostics() {
  if (staging) {
    told = staging->take();
    staging.reset();
  }
  return told;
}

std::shared_ptr<TextAnalysis> Service::Impl::analyse(const std::string& name, const std::string& text) {
  const Document* document = find(name);
  std::shared_ptr<TextAnalysis> made = read(name, text, document != nullptr ? &document->parsed : nullptr, nullptr);
  check(*made);
  return made;
}

TextAnalysis* Service::Impl::syntax(const std::string& name) {
  Document* document = find(name);
  if (document == nullptr) return nullptr;
  if (!document->current)
    document->current = read(name, document->text, &document->parsed, document->held ? &document->parsed : nullptr);
  return document->current.get();
}

TextAnalysis* Service::Impl::analysis(const std::string& name) {
  TextAnalysis* now = syntax(name);
  if (now == nullptr || now->checked) return now;
  check(*now);
  if (now->good) {
    Document& document = *find(name);
    retire(document.good);
    document.good = document.current;
  }
  return now;
}

TextAnalysis* Service::Impl::best(const std::string& name) {
  TextAnalysis* now = analysis(name);
  if (now == nullptr || now->good) return now;
  Document* document = find(name);
  return document->good ? document->good.get() : now;
}

std::vector<std::string> Service::Impl::known_files() const {
  std::set<std::string> all(project.begin(), project.end());
  for (const auto& [name, document] : documents) {
    if (document.held) all.insert(name);
  }
  return {all.begin(), all.end()};
}

// ---- texts

Service::Service(ServiceOptions options) : impl_(std::make_unique<Impl>()) { impl_->options = std::move(options); }
Service::~Service() = default;
Service::Service(Service&&) noexcept = default;
Service& Service::operator=(Service&&) noexcept = default;

void Service::open(const std::string& name, std::string text) {
  Document& document = impl_->documents[name];
  document.text = std::move(text);
  document.held = true;
  changed(name);
}

bool Service::edit(const std::string& name, TextRange range, std::string_view text) {
  Document* document = impl_->find(name);
  if (document == nullptr || !document->held) return false;
  range = cut(document->text, range);
  document->text.replace(range.begin, range.end - range.begin, text);
  changed(name);
  return true;
}

void Service::close(const std::string& name) {
  impl_->documents.erase(name);
  changed(name);
}

const std::string* Service::text(const std::string& name) const {
  const Document* document = impl_->find(name);
  return document != nullptr && document->held ? &document->text : nullptr;
}

std::vector<std::string> Service::opened() const {
  std::vector<std::string> names;
  for (const auto& [name, document] : impl_->documents) {
    if (document.held) names.push_back(name);
  }
  return names;
}

void Service::changed(const std::string& name) {
  std::vector<std::string> gone;
  for (auto& [other, document] : impl_->documents) {
    const bool reads = document.current && document.current->read.count(name) > 0;
    if (other != name && !reads) continue;
    impl_->retire(document.current);
    if (!document.held) gone.push_back(other);
  }
  for (const std::string& other : gone) impl_->documents.erase(other);
}

void Service::tidy() { impl_->retired.clear(); }

void Service::set_project(std::vector<std::string> files) { impl_->project = std::move(files); }

std::vector<std::string> Service::importers(const std::string& name) {
  std::vector<std::string> names;
  for (const std::string& other : opened()) {
    const TextAnalysis* analysis = other == name ? nullptr : impl_->analysis(other);
    if (analysis != nullptr && analysis->read.count(name) > 0) names.push_back(other);
  }
  return names;
}

void Service::choose_example(const std::string& name, std::string example) {
  if (Document* document = impl_->find(name)) document->example = std::move(example);
}

// ---- findings

const std::vector<ExampleResult>& run_examples(TextAnalysis& analysis) {
  if (analysis.examples) return *analysis.examples;
  analysis.examples.emplace();
  if (!analysis.good || analysis.main() == nullptr) return *analysis.examples;
  constexpr auto kLongest = std::chrono::seconds(2);  // a user is waiting
  Interrupt interrupt;
  interrupt.set_deadline(Interrupt::Clock::now() + kLongest);
  analysis.examples = Rubric(analysis.impl).test(&interrupt);
  return *analysis.examples;
}

namespace {

// The place where this file names another one, by the name under which that is held.
TextRange named_at(const Service::Impl& impl, const TextAnalysis& analysis, const std::string& name,
                   std::string_view shown) {
  const auto is = [&](const ast::Text& text) {
    if (!text.given && text.parts.empty()) return false;
    return Printable(impl.resolve(text.str(), name)) == shown;
  };
  TextRange first{};
  bool any = false;
  for (const ast::Import& import : analysis.file().imports) {
    if (is(import.path)) return range_of(import.path.span);
    if (!any) first = range_of(import.path.span);
    any = true;
  }
  const auto search = [&](const std::vector<ast::Item>& items) {
    for (const ast::Item& item : items) {
      const ast::Text* from = nullptr;
      if (const auto* table = std::get_if<ast::Table>(&item.node)) from = &table->from;
      if (const auto* hook = std::get_if<ast::Hook>(&item.node)) from = &hook->from;
      if (from == nullptr || !is(*from)) continue;
      first = range_of(from->span);
      return true;
    }
    return false;
  };
  if (search(analysis.file().items)) return first;
  for (const ast::Rubric& rubric : analysis.file().rubrics) {
    if (search(rubric.items)) return first;
  }
  return first;
}

}  // namespace

const std::vector<Finding>* problems(Service::Impl& impl, const std::string& name) {
  TextAnalysis* analysis = impl.analysis(name);
  if (analysis == nullptr) return nullptr;
  if (analysis->problems) return &*analysis->problems;
  std::vector<Finding>& found = analysis->problems.emplace();
  const Printable own(name);
  for (const Diagnostic& d : analysis->diagnostics()) {
    Finding finding;
    finding.severity = d.severity;
    finding.code = d.code;
    finding.message = d.message;
    if (!d.label.empty()) finding.message += " (" + d.label + ")";
    if (!d.help.empty()) finding.message += "\n" + d.help;
    finding.unused = d.code == "W0701";
    if (d.at.file == own) {
      finding.range = range_of(d.at, analysis->text());
    } else {
      finding.range = named_at(impl, *analysis, name, d.at.file);
      finding.message = d.at.file + ":" + std::to_string(d.at.line) + ": " + finding.message;
    }
    for (const Note& note : d.notes) {
      if (note.at.line == 0 || note.at.file != own) {
        finding.message += "\n" + note.message;
      } else {
        finding.related.push_back({{name, range_of(note.at, analysis->text())}, note.message});
      }
    }
    found.push_back(std::move(finding));
  }
  return &found;
}

Finding failure(const ExampleResult& result, std::string_view text) {
  Finding finding;
  finding.code = "example";
  finding.message = "this example does not hold";
  for (const Printable& difference : result.differences) finding.message += "\n" + difference;
  finding.range = range_of(result.at, text);
  return finding;
}

std::vector<Finding> Service::findings(const std::string& name) {
  const std::vector<Finding>* all = problems(*impl_, name);
  if (all == nullptr) return {};
  std::vector<Finding> found = *all;
  TextAnalysis& analysis = *impl_->analysis(name);
  for (const ExampleResult& result : run_examples(analysis)) {
    if (!result.passed) found.push_back(failure(result, analysis.text()));
  }
  return found;
}

std::optional<FileFindings> Service::findings_of_file(const std::string& name) {
  const bool open = text(name) != nullptr;
  if (!open) {
    std::optional<std::string> now = impl_->options.read ? impl_->options.read(name) : std::nullopt;
    if (!now) return std::nullopt;
    const Document* known = impl_->find(name);
    if (known != nullptr && known->text != *now) changed(name);  // read for a search, earlier
    Document& document = impl_->documents[name];
    document.text = std::move(*now);
    document.held = false;
  }
  FileFindings found{findings(name), impl_->analysis(name)->read};
  if (!open) {
    impl_->documents.erase(name);
    tidy();
  }
  return found;
}

}  // namespace assay
