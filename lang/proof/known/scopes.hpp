// What is put back at the end of a block. See known.hpp.
#pragma once

#include "lang/proof/known/known.hpp"

namespace assay {

struct Knowledge::OneQuestion {  // with looks of its own
  static constexpr int kMostLooks = 60;
  explicit OneQuestion(Knowledge& k, int looks = kMostLooks)
      : knowledge(k), outer(std::exchange(k.asking_.looks, looks)) {}
  ~OneQuestion() { knowledge.asking_.looks = outer; }
  OneQuestion(const OneQuestion&) = delete;
  OneQuestion& operator=(const OneQuestion&) = delete;
  Knowledge& knowledge;
  int outer;
};

struct Knowledge::Named {  // the local of a let_in, as an alias of its value
  Named(Knowledge& k, const Expr& let) : knowledge(k), local(let.index) {
    const auto at = k.locals_.bound.find(local);
    if (at != k.locals_.bound.end()) before = at->second;
    k.bind(local, *let.args[0]);
  }
  ~Named() {
    if (before) knowledge.locals_.bound[local] = *before;
    else knowledge.locals_.bound.erase(local);
    knowledge.locals_.same.clear();
  }
  Named(const Named&) = delete;
  Named& operator=(const Named&) = delete;
  Knowledge& knowledge;
  std::uint32_t local;
  std::optional<std::uint32_t> before;
};

// What is known of the items of a loop, which may stand in a body behind the one that is looked at: its locals are others
// than those of the same numbers there.
struct Knowledge::InLoop {
  InLoop(Knowledge& k, const Loop& loop) : knowledge(k), at(k.mark()) {
    if (k.asking_.closely) {
      outer = k.locals_;
      k.locals_.body = ++k.numbering_.bodies;
      k.locals_.same.clear();
    }
    k.assume_clauses(loop);
  }
  ~InLoop() {
    knowledge.back_to(at);
    if (outer) knowledge.locals_ = std::move(*outer);
  }
  InLoop(const InLoop&) = delete;
  InLoop& operator=(const InLoop&) = delete;
  Knowledge& knowledge;
  std::optional<Locals> outer;
  std::size_t at;
};

}  // namespace assay
