-- The lens of a conversation: whose knowledge its turns show, and up to when the story has happened. All NULL: everything.
ALTER TABLE conversations ADD COLUMN knower_id TEXT CHECK (length(knower_id) = 36);
ALTER TABLE conversations ADD COLUMN as_of INTEGER
  CHECK (as_of BETWEEN -9000000000000000 AND 9000000000008640 AND ((as_of % 10000) + 10000) % 10000 <= 8640);
ALTER TABLE conversations ADD COLUMN as_of_chapter TEXT
  CHECK (as_of_chapter IS NULL OR (length(as_of_chapter) = 36 AND as_of IS NULL));
CREATE INDEX conversations_by_knower ON conversations (workspace_id, id)
  WHERE knower_id IS NOT NULL OR as_of IS NOT NULL OR as_of_chapter IS NOT NULL;

-- What was said was said with what the lens showed, so the lens stays.
CREATE TRIGGER conversations_lens BEFORE UPDATE ON conversations
WHEN (NEW.knower_id IS NOT OLD.knower_id OR NEW.as_of IS NOT OLD.as_of OR NEW.as_of_chapter IS NOT OLD.as_of_chapter)
  AND OLD.last_position > 0
BEGIN
  SELECT RAISE(ABORT, 'refused: a conversation keeps its lens once something was said in it');
END;

CREATE TRIGGER conversations_lens_news AFTER UPDATE OF knower_id, as_of, as_of_chapter ON conversations BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'channels';
END;

-- The ledger tells the lens of an orientation, and what the lens withheld.
ALTER TABLE orientations ADD COLUMN knower_id TEXT;
ALTER TABLE orientations ADD COLUMN as_of INTEGER;
ALTER TABLE orientations ADD COLUMN as_of_chapter TEXT;

CREATE TABLE orientation_items_anew (
  workspace_id TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  orientation_id TEXT  NOT NULL,
  ordinal      INTEGER NOT NULL CHECK (ordinal >= 0),
  layer        TEXT    NOT NULL
    CHECK (layer IN ('named', 'subjects', 'facts', 'episodes', 'earlier', 'conversation', 'channel', 'workspace',
                     'account')),
  kind         TEXT    NOT NULL CHECK (kind IN ('memory', 'fact', 'episode', 'message')),
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
