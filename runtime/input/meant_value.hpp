// What somebody probably meant who wrote a value in another notation: "12,50" for 12.50, "yes" for true, 12 where a text
// belongs. It is only said; the value is rejected all the same.
#pragma once

#include "lang/value/type.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace assay {

// To stand behind the message of the error, such as "; write 12.50". `token`: the value as JSON; `path`: where it stands.
// Empty: nobody can tell.
// `required`: the value cannot be left out.
std::string meant_value(const TypeTable& types, TypeId expected, std::string_view token, const std::string& path,
                        bool required);
// The same for a text that is none of a type's choices: the one that differs in blanks around it alone, nearly the same
// word, or the only one with its first letter where all are that short.
std::string meant_choice(std::string_view text, const std::vector<std::string_view>& choices);
// The same for a text that names several of a type's choices: "a, b".
std::string meant_list(const Type& type, std::string_view text);

}  // namespace assay
