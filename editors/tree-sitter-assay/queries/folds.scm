[(block) (rows) (record_kind) (record) (list) (context) (example) (raw_text)] @fold
