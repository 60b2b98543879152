; For Helix: the patterns of ../queries/highlights.scm with the captures of its themes. Earlier patterns win.

; ---- signs
["==" "!=" "<" "<=" ">" ">=" "+" "-" "*" "/" "^" ".." "="] @operator
["," ":" "." "|"] @punctuation.delimiter
(rule) @punctuation.delimiter
(interpolation ["{" "}"] @punctuation.special)
["(" ")" "[" "]" "{" "}"] @punctuation.bracket

; ---- names
(rubric name: (identifier) @type)
(rubric extends: (identifier) @type)
(type name: (identifier) @type)
(fn name: (identifier) @function)
(table name: (identifier) @function)
(hook name: (identifier) @function)
(bands name: (identifier) @function)
(call function: (identifier) @function)
(parameter name: (identifier) @variable.parameter)
(for name: (identifier) @variable.parameter)
(input name: (identifier) @variable.other.member)
(field name: (field_name) @variable.other.member)
(entry key: (identifier) @variable.other.member)
(entry key: (text) @variable.other.member)
(dimension name: (identifier) @constant)
(gate name: (identifier) @constant)
(cap target: (identifier) @constant)
(context name: (identifier) @label)
(context_weight (identifier) @constant)
(output name: (identifier) @variable.other.member)
(flag name: (identifier) @label)
(adjustment name: (identifier) @label)
(header (cell (identifier) @variable.other.member))

; ---- values
(number) @constant.numeric
(boolean) @constant.builtin.boolean
(missing) @constant.builtin
"missing" @constant.builtin
(escape) @constant.character.escape
(raw_text ["\"\"\""] @string)
(text) @string
(comment) @comment

; ---- words
"fn" @keyword.function
["when" "else"] @keyword.control.conditional
"for" @keyword.control.repeat
"import" @keyword.control.import
["and" "or" "xor" "not" "in" "is" "as" "default"] @keyword.operator
["number" "whole" "bool" "text" "any" "list" "set" "map" "record"] @type.builtin
[
  "rubric" "extends" "version" "scale" "weights" "history" "type" "input" "check" "let" "table" "gate"
  "dimension" "criterion" "level" "composite" "cap" "incomplete" "deduction" "bonus" "bands" "output" "each" "flag" "advice"
  "rank" "cohort" "context" "example" "hook" "from" "lua" "at" "by" "with" "then" "where" "while" "weight" "points"
  "advisory" "decimals" "digits" "within" "open" "exact" "rescaled" "higher" "lower" "required" "optional" "skip"
  "given" "expect" "error" "otherwise" "of" "one" "judged" "measured"
] @keyword

(type_identifier) @type
(property) @variable.other.member
(identifier) @variable
