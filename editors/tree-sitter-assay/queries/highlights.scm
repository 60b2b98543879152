; Captures have the names that Neovim and most other editors know; helix/ has those of Helix.
; Later patterns win.

(identifier) @variable
(type_identifier) @type
(property) @property

; ---- words
[
  "import" "rubric" "extends" "version" "scale" "weights" "history" "type" "input" "check" "let" "table" "gate"
  "dimension" "criterion" "level" "composite" "cap" "incomplete" "deduction" "bonus" "bands" "output" "each" "flag" "advice"
  "rank" "cohort" "context" "example" "hook" "from" "lua" "at" "by" "with" "then" "where" "while" "weight" "points"
  "advisory" "decimals" "digits" "within" "open" "exact" "rescaled" "higher" "lower" "required" "optional" "skip"
  "given" "expect" "error" "otherwise" "of" "one" "judged" "measured"
] @keyword
"fn" @keyword.function
["when" "else"] @keyword.conditional
"for" @keyword.repeat
["and" "or" "xor" "not" "in" "is" "as" "default"] @keyword.operator
["number" "whole" "bool" "text" "any" "list" "set" "map" "record"] @type.builtin

; ---- values
(number) @number
(boolean) @boolean
(missing) @constant.builtin
"missing" @constant.builtin
(text) @string
(raw_text ["\"\"\""] @string)
(escape) @string.escape
(interpolation ["{" "}"] @punctuation.special)
(interpolation (_) @none)
(comment) @comment

; ---- names
(rubric name: (identifier) @type.definition)
(rubric extends: (identifier) @type)
(type name: (identifier) @type.definition)
(fn name: (identifier) @function)
(table name: (identifier) @function)
(hook name: (identifier) @function)
(bands name: (identifier) @function)
(call function: (identifier) @function.call)
(parameter name: (identifier) @variable.parameter)
(for name: (identifier) @variable.parameter)
(input name: (identifier) @variable.member)
(field name: (field_name) @property)
(entry key: (identifier) @property)
(entry key: (text) @property)
(dimension name: (identifier) @constant)
(gate name: (identifier) @constant)
(cap target: (identifier) @constant)
(context name: (identifier) @label)
(context_weight (identifier) @constant)
(output name: (identifier) @variable.member)
(flag name: (identifier) @label)
(adjustment name: (identifier) @label)
(header (cell (identifier) @property))

; ---- signs
["==" "!=" "<" "<=" ">" ">=" "+" "-" "*" "/" "^" ".." "="] @operator
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
["," ":" "." "|"] @punctuation.delimiter
(rule) @punctuation.delimiter
