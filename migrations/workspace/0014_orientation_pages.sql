-- The ledger has a layer of pages of linked vaults.
CREATE TABLE orientation_items_anew (
  workspace_id TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  orientation_id TEXT  NOT NULL,
  ordinal      INTEGER NOT NULL CHECK (ordinal >= 0),
  layer        TEXT    NOT NULL
    CHECK (layer IN ('named', 'patterns', 'subjects', 'facts', 'episodes', 'earlier', 'conversation', 'channel', 'workspace',
                     'account', 'pages')),
  kind         TEXT    NOT NULL CHECK (kind IN ('memory', 'fact', 'episode', 'message', 'pattern', 'page')),
  item_id      TEXT    NOT NULL,
  version      INTEGER NOT NULL CHECK (version >= 0),
  tokens       INTEGER NOT NULL CHECK (tokens >= 0),
  taken        INTEGER NOT NULL CHECK (taken IN (0, 1)),
  shortened    INTEGER NOT NULL CHECK (shortened IN (0, 1)),
  rule         TEXT    CHECK (rule IN ('budget', 'limit', 'repeats', 'refined', 'unknown', 'not_then')),
  repeats_kind TEXT,
  repeats_id   TEXT,
  score        REAL,
  framing      TEXT    NOT NULL CHECK (json_valid(framing)),  -- curator, importance, relevance, age in days
  parts        TEXT    NOT NULL CHECK (json_valid(parts) AND json_type(parts) = 'array'),
  PRIMARY KEY (workspace_id, orientation_id, ordinal),
  FOREIGN KEY (workspace_id, orientation_id) REFERENCES orientations (workspace_id, id) ON DELETE CASCADE,
  CHECK ((taken = 1) = (rule IS NULL)),
  CHECK ((rule IS 'repeats') = (repeats_kind IS NOT NULL) AND (rule IS 'repeats') = (repeats_id IS NOT NULL))
) STRICT, WITHOUT ROWID;
INSERT INTO orientation_items_anew SELECT * FROM orientation_items;
DROP TABLE orientation_items;
ALTER TABLE orientation_items_anew RENAME TO orientation_items;

CREATE TRIGGER orientation_items_insert BEFORE INSERT ON orientation_items
WHEN EXISTS (SELECT 1 FROM orientation_items
             WHERE workspace_id = NEW.workspace_id AND orientation_id = NEW.orientation_id
               AND ordinal = NEW.ordinal)
BEGIN
  SELECT RAISE(ABORT, 'refused: the ledger is not rewritten');
END;

CREATE TRIGGER orientation_items_update BEFORE UPDATE ON orientation_items BEGIN
  SELECT RAISE(ABORT, 'refused: the ledger is not rewritten');
END;

CREATE TRIGGER orientation_items_delete BEFORE DELETE ON orientation_items
WHEN OLD.taken = 1
  AND EXISTS (SELECT 1 FROM orientations WHERE workspace_id = OLD.workspace_id AND id = OLD.orientation_id)
BEGIN
  SELECT RAISE(ABORT, 'refused: the ledger is not rewritten');
END;
