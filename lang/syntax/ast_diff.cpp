// Compares two files. ast_diff.hpp defines what counts as equal.
#include "lang/syntax/ast_diff.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string_view>

namespace assay::ast {
namespace {

// Parts on which no number depends, in any declaration: texts for people, and who supplies an input.
constexpr std::string_view kProse[] = {"prose", "reason", "import", "provenance"};

Decides decides_of(std::string_view kind) {
  const DeclarationWord* row = find_declaration(kind);
  return row ? row->decides : Decides::scores;
}

// Whether the order among declarations of this kind matters as much as their contents.
bool is_ordered(std::string_view kind) {
  const DeclarationWord* row = find_declaration(kind);
  return row ? row->order == DeclarationOrder::ordered : kind == "row";
}

struct Part {
  std::string role;
  std::string key;    // used for comparing
  std::string shown;  // as it is written
  Span span;
  bool of_key = false;  // a cell of a key column
};

struct Node {
  const Line* line = nullptr;
  std::string name;
  std::string all;  // the keys of all parts and contents: equal if nothing differs
  std::vector<Part> parts;
  std::vector<Node> children;

  const Part* part(std::string_view role) const {
    for (const Part& p : parts) {
      if (p.role == role) return &p;
    }
    return nullptr;
  }
};

bool there(Span span) { return span.end > span.begin; }

// The source text at a place, on one line and without comments.
std::string one_line(std::string_view source) {
  std::string out;
  bool quoted = false;
  for (std::size_t i = 0; i < source.size(); ++i) {
    char c = source[i];
    if (quoted && c == '\\' && i + 1 < source.size()) {
      out += c;
      out += source[++i];
      continue;
    }
    if (c == '"') quoted = !quoted;
    if (c == '#' && !quoted) {
      while (i + 1 < source.size() && source[i] != '\n') ++i;
      c = ' ';
    }
    const bool space = c == ' ' || c == '\n' || c == '\r' || c == '\t';
    if (!space) {
      out += c;
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

// The lines of a file as a tree of declarations and their parts.
class Tree {
 public:
  Tree(const Compared& of, Budget& budget) : sources_(of.sources), lines_(lines(of.file, budget)), budget_(budget) {
    root_.line = lines_.data();
    std::size_t at = 1;
    fill(root_, at, 1);
  }
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;
  const Node& root() const { return root_; }
  std::string shown(Span span) const { return there(span) ? one_line(sources_.text(span)) : std::string(); }

 private:
  void fill(Node& node, std::size_t& at, int level) {
    const Line& head = *node.line;
    node.name = head.name;
    if (!head.extra.empty()) {
      const bool placed = there(head.extra_span);
      node.parts.push_back({head.extra_role, head.extra + '\n', placed ? shown(head.extra_span) : head.extra,
                            placed ? head.extra_span : head.span});
    }
    while (at < lines_.size() && lines_[at].level >= level) {
      const Line& line = lines_[at];
      if (line.level > level || line.kind.empty()) {
        part(node, at, level);
        continue;
      }
      Node& child = node.children.emplace_back();
      child.line = &line;
      fill(child, ++at, level + 1);
      if (line.kind == "row") child.name = row_name(child, head.kind == "bands");
    }
    budget_.step(kStepsANode);
    for (const Part& p : node.parts) node.all += p.role + '\n' + p.key;
    for (const Node& child : node.children) node.all += child.line->kind + ' ' + child.name + '\n' + child.all;
  }

  // Consecutive lines of one role are one part.
  void part(Node& node, std::size_t& at, int level) {
    const Line& first = lines_[at];
    std::string key;
    do {
      // What is within a part has its role as well: '> 5' and '>= 5' are the same number in two of them.
      const Line& line = lines_[at];
      const std::string role = &line == &first || line.role.empty() ? "" : line.role + ": ";
      key += std::to_string(line.level - level) + role + line.text + '\n';
      ++at;
    } while (at < lines_.size() && lines_[at].level > level);
    if (first.role.empty()) return;  // the name contains it
    for (Part& p : node.parts) {
      if (p.role != first.role) continue;
      p.key += key;
      if (first.span.begin != p.span.begin) p.shown += ", " + shown(first.span);
      return;
    }
    node.parts.push_back({first.role, std::move(key), there(first.span) ? shown(first.span) : first.text, first.span,
                          first.extra == "key"});
  }

  // A row of bands is named after its band, another by its keys or else by its first cell.
  static std::string row_name(const Node& row, bool bands) {
    std::string keys;
    for (const Part& cell : row.parts) {
      if (cell.of_key) keys += (keys.empty() ? "" : " | ") + cell.shown;
      else if (bands || keys.empty()) return cell.shown;
    }
    return keys;
  }

  static constexpr std::uint64_t kStepsANode = 16;
  const Sources& sources_;
  std::vector<Line> lines_;
  Budget& budget_;
  Node root_;
};

// The positions in `order` that need not move: a longest increasing subsequence.
std::set<std::size_t> in_order(const std::vector<std::size_t>& order) {
  std::vector<std::size_t> last;  // for each length, the subsequence with the lowest end
  std::vector<std::size_t> before(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto at = std::lower_bound(last.begin(), last.end(), i,
                                     [&](std::size_t a, std::size_t b) { return order[a] < order[b]; });
    before[i] = at == last.begin() ? i : *(at - 1);
    if (at == last.end()) last.push_back(i);
    else *at = i;
  }
  std::set<std::size_t> kept;
  if (last.empty()) return kept;
  for (std::size_t i = last.back(); kept.insert(i).second;) i = before[i];
  return kept;
}

class Comparison {
 public:
  Comparison(const Tree& before, const Tree& after, Budget& budget) : before_(before), after_(after), budget_(budget) {
    for (const Tree* tree : {&before_, &after_}) find_bands(tree->root());
  }

  std::vector<Difference> take() {
    compare(before_.root(), after_.root(), "", "", Decides::scores);
    return std::move(found_);
  }

 private:
  void find_bands(const Node& node) {
    if (node.line->kind == "bands") bands_.insert(node.name);
    for (const Node& child : node.children) find_bands(child);
  }

  static std::string called(const Node& node, const std::string& within) {
    return (within.empty() ? "" : within + ", ") + node.line->kind + (node.name.empty() ? "" : " " + node.name);
  }

  Decides decides(const Node& node, Decides within) const {
    const std::string& kind = node.line->kind;
    if (kind == "row") return within;
    if (kind == "cap" && bands_.count(node.name) > 0) return Decides::bands;
    return decides_of(kind);
  }

  void add(Difference::Kind kind, Decides what_decides, const std::string& what, const Node* was, const Node* is) {
    Difference d;
    d.kind = kind;
    d.decides = what_decides;
    d.what = what;
    const auto whole = [](const Node& node) { return there(node.line->whole) ? node.line->whole : node.line->span; };
    if (was) d.was = whole(*was);
    if (is) d.is = whole(*is);
    if (kind == Difference::Kind::added) d.after = after_.shown(d.is);
    if (kind == Difference::Kind::removed) d.before = before_.shown(d.was);
    if (kind == Difference::Kind::renamed) d.before = was->name, d.after = is->name;
    found_.push_back(std::move(d));
  }

  // The effect of a changed part: none for texts; for bands, the keys and the column with their name, or else the
  // first, have more effect than the others.
  Decides part_decides(const Node& node, const Part& part, const Part* other, Decides of_all,
                       const std::string& parent) const {
    const bool row = node.line->kind == "row";  // its parts are named after the columns
    if (!row && std::find(std::begin(kProse), std::end(kProse), part.role) != std::end(kProse)) return Decides::nothing;
    if (!row || of_all != Decides::bands || part.of_key || part.role == parent) return of_all;
    const auto first = std::find_if(node.parts.begin(), node.parts.end(), [](const Part& p) { return !p.of_key; });
    if (!node.part(parent) && first != node.parts.end() && first->role == part.role) return of_all;
    const auto text = [](const std::string& key) {
      return key.find("\n1text \"") != std::string::npos || key.find("\n1missing") != std::string::npos;
    };
    return text(part.key) && (!other || text(other->key)) ? Decides::nothing : of_all;
  }

  // `within`: a prefix for the names of its declarations.
  void compare(const Node& was, const Node& is, const std::string& what, const std::string& within, Decides of_all,
               const std::string& parent = {}) {
    if (was.all == is.all && was.name == is.name) return;
    const auto differ = [&](const Part* a, const Part* b) {
      const Part& one = a ? *a : *b;
      Difference d;
      d.decides = part_decides(a ? was : is, one, a ? b : nullptr, of_all, parent);
      d.what = what.empty() ? one.role : what;  // an import belongs to the file itself
      if (!what.empty()) d.part = one.role;
      d.before = a ? a->shown : "";
      d.after = b ? b->shown : "";
      d.was = a ? a->span : was.line->span;
      d.is = b ? b->span : is.line->span;
      found_.push_back(std::move(d));
    };
    for (const Part& a : was.parts) {
      const Part* b = is.part(a.role);
      if (!b || a.key != b->key) differ(&a, b);
    }
    for (const Part& b : is.parts) {
      if (!was.part(b.role)) differ(nullptr, &b);
    }
    children(was, is, within, of_all);
  }

  using Pairs = std::vector<std::pair<const Node*, const Node*>>;

  // The similarity of two declarations of one kind.
  std::size_t alike(const Node& a, const Node& b) {
    budget_.step(1 + a.parts.size() * b.parts.size() + a.children.size() * b.children.size());
    std::size_t same = 0;
    for (const Part& p : a.parts) {
      const Part* other = b.part(p.role);
      same += other && other->key == p.key;
    }
    for (const Node& child : a.children) {
      same += std::any_of(b.children.begin(), b.children.end(), [&](const Node& other) {
        return other.line->kind == child.line->kind && other.name == child.name && other.all == child.all;
      });
    }
    return same;
  }

  // Matches declarations of one kind, in order: first those with the same name, then equal ones, then the most similar
  // ones among those without a name.
  Pairs match(std::vector<const Node*>& was, std::vector<const Node*>& is) {
    Pairs pairs;
    const auto take = [&](const auto& key) {
      std::map<std::string, std::deque<const Node*>> known;
      for (const Node* b : is) {
        budget_.step(kStepsAKey);
        known[key(*b)].push_back(b);
      }
      std::set<const Node*> taken;
      std::erase_if(was, [&](const Node* a) {
        budget_.step(kStepsAKey);
        const auto found = known.find(key(*a));
        if (found == known.end() || found->second.empty()) return false;
        pairs.emplace_back(a, found->second.front());
        taken.insert(found->second.front());
        found->second.pop_front();
        return true;
      });
      std::erase_if(is, [&](const Node* b) { return taken.count(b) > 0; });
    };
    take([](const Node& n) { return n.name + '\n' + n.all; });
    std::map<std::string, std::pair<int, int>> count;
    for (const Node* a : was) ++count[a->name].first;
    for (const Node* b : is) ++count[b->name].second;
    take([&](const Node& n) {
      return !n.name.empty() && count[n.name] == std::pair(1, 1) ? n.name : n.name + '\n' + n.all;
    });
    take([](const Node& n) { return n.all; });
    constexpr std::size_t kMost = 200;  // declarations to compare with each other
    const bool few = was.size() <= kMost && is.size() <= kMost;
    while (few) {
      std::size_t best = 0;
      std::pair<const Node*, const Node*> pair;
      for (const Node* a : was) {
        for (const Node* b : is) {
          const bool free = a->line->kind == "row" || a->name == b->name;
          const std::size_t same = free ? 1 + 2 * alike(*a, *b) + (a->name == b->name) : 0;
          if (same > best && (same > 1 || a->line->kind != "row")) best = same, pair = {a, b};
        }
      }
      if (best == 0) break;
      pairs.push_back(pair);
      std::erase(was, pair.first);
      std::erase(is, pair.second);
    }
    return pairs;
  }

  void children(const Node& was, const Node& is, const std::string& within, Decides of_all) {
    std::vector<std::string_view> kinds;
    for (const Node* node : {&was, &is}) {
      for (const Node& child : node->children) {
        if (std::find(kinds.begin(), kinds.end(), child.line->kind) == kinds.end()) kinds.push_back(child.line->kind);
      }
    }
    for (const std::string_view kind : kinds) {
      const auto of = [&](const Node& node) {
        std::vector<const Node*> list;
        for (const Node& child : node.children) {
          if (child.line->kind == kind) list.push_back(&child);
        }
        return list;
      };
      std::vector<const Node*> gone = of(was), come = of(is);
      Pairs pairs;
      // The last rubric of a file is the one that runs, whatever its name.
      if (kind == "rubric" && !gone.empty() && !come.empty()) {
        main_ = gone.back();
        pairs.emplace_back(gone.back(), come.back());
        gone.pop_back();
        come.pop_back();
      }
      for (const auto& pair : match(gone, come)) pairs.push_back(pair);
      compare_pairs(pairs, within, of_all, was.name);
      for (const Node* node : gone)
        add(Difference::Kind::removed, decides(*node, of_all), called(*node, within), node, nullptr);
      for (const Node* node : come)
        add(Difference::Kind::added, decides(*node, of_all), called(*node, within), nullptr, node);
    }
  }

  void compare_pairs(Pairs& pairs, const std::string& within, Decides of_all, const std::string& parent) {
    std::sort(pairs.begin(), pairs.end());  // by place: they are in one list
    std::vector<std::size_t> order;
    std::vector<const Node*> places;
    for (const auto& pair : pairs) places.push_back(pair.second);
    std::sort(places.begin(), places.end());
    for (const auto& pair : pairs) {
      const auto place = std::lower_bound(places.begin(), places.end(), pair.second);
      order.push_back(static_cast<std::size_t>(place - places.begin()));
    }
    const std::set<std::size_t> stay = in_order(order);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const auto& [a, b] = pairs[i];
      const std::string& kind = a->line->kind;
      const Decides decided = decides(*a, of_all);
      const std::string name = called(*a, within);
      // A row is named after its contents, whose change is reported for its parts.
      if (a->name != b->name && kind != "row")
        add(Difference::Kind::renamed, kind == "rubric" ? Decides::nothing : decided, name, a, b);
      if (stay.count(i) == 0)
        add(Difference::Kind::moved, is_ordered(kind) ? decided : std::min(decided, Decides::labels), name, a, b);
      compare(*a, *b, name, a == main_ ? std::string() : name, decided, parent);
    }
  }

  static constexpr std::uint64_t kStepsAKey = 16;
  const Tree& before_;
  const Tree& after_;
  Budget& budget_;
  std::set<std::string> bands_;
  const Node* main_ = nullptr;  // the old version of the rubric that runs
  std::vector<Difference> found_;
};

// A label as written, including "{flag}".
std::string written(const Text& label) {
  std::string s;
  for (const TextPart& part : label.parts) {
    s += part.literal;
    if (part.expr)
      s += "{" + (part.expr->kind == ExprKind::name ? part.expr->text : std::to_string(part.span.begin)) + "}";
  }
  return s;
}

// The name by which a declaration is replaced; none: it is added.
std::optional<std::string> replaced_name(const Item& item) {
  return std::visit(
      [](const auto& n) -> std::optional<std::string> {
        using T = std::decay_t<decltype(n)>;
        if constexpr (std::is_same_v<T, Cap>) {
          if (n.when) return std::nullopt;
          return n.target.text;
        } else if constexpr (std::is_same_v<T, Adjustment>) {
          return std::string(row_of(n.kind).word) + " " + written(n.label);
        } else if constexpr (requires { n.label; }) {
          return written(n.label);
        } else if constexpr (requires { n.name.text; }) {
          if constexpr (std::is_same_v<T, Output>) {
            if (!n.body.expr) return std::nullopt;  // it shows another declaration's value
          }
          return n.name.text;
        }
        return std::nullopt;  // no test: whatever is replaced by name has a name or a label
      },
      item.node);
}

}  // namespace

std::string merge_key(const Item& item) {
  const ItemRow& row = row_of(item);
  if (row.replaces == "once") return std::string(row.word);
  if (row.replaces.empty()) return {};
  const std::optional<std::string> name = replaced_name(item);
  return name ? std::string(row.replaces) + " " + *name : std::string();
}

std::vector<Difference> differences(const Compared& before, const Compared& after, Budget& budget) {
  const Tree was(before, budget), is(after, budget);
  return Comparison(was, is, budget).take();
}

}  // namespace assay::ast
