((comment) @injection.content (#set! injection.language "comment"))
(hook source: (raw_text (raw_characters) @injection.content) (#set! injection.language "lua"))
