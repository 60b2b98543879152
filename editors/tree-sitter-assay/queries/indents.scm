[(block) (rows) (record_kind) (record) (list) (arguments) (parenthesized) (one_of) (context) (example)] @indent.begin
["}" "]" ")"] @indent.branch @indent.end
[(comment) (raw_text)] @indent.ignore
(ERROR) @indent.auto
