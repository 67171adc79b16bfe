-- The world's own content (pages, links, derivations come with later migrations). For now the file only says
-- whose it is, so that a folder can be copied and recognised.
CREATE TABLE meta (
  one          INTEGER PRIMARY KEY CHECK (one = 1),
  workspace_id TEXT    NOT NULL CHECK (length(workspace_id) = 36),
  created_at   INTEGER NOT NULL
) STRICT;
