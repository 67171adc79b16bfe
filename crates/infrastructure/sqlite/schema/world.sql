table meta
CREATE TABLE meta (
  one          INTEGER PRIMARY KEY CHECK (one = 1),
  workspace_id TEXT    NOT NULL CHECK (length(workspace_id) = 36),
  created_at   INTEGER NOT NULL
) STRICT
