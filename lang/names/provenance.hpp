// What the declaration of an input says of who fills it in: a judge, or whatever measures it. It decides nothing about
// verdicts, so neither the syntax tree nor the model keeps it: it is read off the words behind the type and the policy.
#pragma once

#include "lang/syntax/ast.hpp"
#include "lang/text/source.hpp"

#include <cstdint>

namespace assay {

enum class Provenance : std::uint8_t { unsaid, judged, measured };

// Of a declaration in one of `sources`.
Provenance provenance(const Sources& sources, const ast::Input& input);

}  // namespace assay
