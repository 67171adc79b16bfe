-- A block of a page that has changed since a memory was made of it is canon against the memory.
DROP TRIGGER drift_queue_text;
DROP TRIGGER drifts_of_memory;
DROP TRIGGER drifts_of_fact;
DROP TRIGGER drifts_of_message;

CREATE TABLE drifts_anew (
  workspace_id      TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  id                TEXT    NOT NULL CHECK (length(id) = 36),
  canon_kind        TEXT    NOT NULL CHECK (canon_kind IN ('memory', 'fact', 'page')),
  canon_id          TEXT    NOT NULL CHECK (length(canon_id) = 36),
  -- Of a page, a number made of the digest of the block that was read.
  canon_version     INTEGER NOT NULL CHECK (canon_version >= 1),
  statement_kind    TEXT    NOT NULL CHECK (statement_kind IN ('memory', 'fact', 'message')),
  statement_id      TEXT    NOT NULL CHECK (length(statement_id) = 36),
  statement_version INTEGER NOT NULL CHECK (statement_version >= 1),
  state             TEXT    NOT NULL CHECK (state IN ('open', 'settled', 'superseded')),
  decision          TEXT    CHECK (decision IN ('canon_stands', 'canon_changes', 'both', 'belief', 'dismiss', 'derive_again')),
  fingerprint       TEXT    NOT NULL,          -- both sides with their versions
  change_id         TEXT    CHECK (length(change_id) = 36),
  created_at        INTEGER NOT NULL,
  settled_at        INTEGER,
  PRIMARY KEY (workspace_id, id),
  UNIQUE (workspace_id, fingerprint),
  CHECK (canon_id <> statement_id),
  CHECK ((state = 'open') = (settled_at IS NULL)),
  CHECK ((state = 'settled') = (decision IS NOT NULL)),
  CHECK (change_id IS NULL OR state = 'settled')
) STRICT;
INSERT INTO drifts_anew SELECT * FROM drifts;
DROP TABLE drifts;
ALTER TABLE drifts_anew RENAME TO drifts;
CREATE INDEX drifts_by_time ON drifts (created_at, id);
CREATE INDEX drifts_by_state ON drifts (state, created_at, id);
CREATE INDEX drifts_by_canon ON drifts (workspace_id, canon_id);
CREATE INDEX drifts_by_statement ON drifts (workspace_id, statement_id);

-- INSERT OR REPLACE deletes without asking the other triggers.
CREATE TRIGGER drifts_insert BEFORE INSERT ON drifts BEGIN
  SELECT RAISE(ABORT, 'refused: a contradiction begins open') WHERE NEW.state <> 'open';
  SELECT RAISE(ABORT, 'taken: drift')
  WHERE EXISTS (SELECT 1 FROM drifts WHERE workspace_id = NEW.workspace_id
                                       AND (id = NEW.id OR fingerprint = NEW.fingerprint))
     OR EXISTS (SELECT 1 FROM drifts WHERE rowid = NEW.rowid);
END;

CREATE TRIGGER drifts_update BEFORE UPDATE ON drifts BEGIN
  SELECT RAISE(ABORT, 'refused: a contradiction is settled once') WHERE OLD.state <> 'open';
  SELECT RAISE(ABORT, 'refused: what was found stays as it was')
  WHERE NEW.workspace_id IS NOT OLD.workspace_id OR NEW.id IS NOT OLD.id OR NEW.canon_kind IS NOT OLD.canon_kind
     OR NEW.canon_id IS NOT OLD.canon_id OR NEW.canon_version IS NOT OLD.canon_version
     OR NEW.statement_kind IS NOT OLD.statement_kind OR NEW.statement_id IS NOT OLD.statement_id
     OR NEW.statement_version IS NOT OLD.statement_version OR NEW.fingerprint IS NOT OLD.fingerprint
     OR NEW.created_at IS NOT OLD.created_at OR NEW.rowid IS NOT OLD.rowid;
END;

CREATE TRIGGER drifts_of_memory AFTER DELETE ON memories BEGIN
  DELETE FROM drifts WHERE workspace_id = OLD.workspace_id AND (canon_id = OLD.id OR statement_id = OLD.id);
  DELETE FROM drift_looks WHERE workspace_id = OLD.workspace_id AND item_id = OLD.id;
END;

CREATE TRIGGER drifts_of_fact AFTER DELETE ON facts BEGIN
  DELETE FROM drifts WHERE workspace_id = OLD.workspace_id AND (canon_id = OLD.id OR statement_id = OLD.id);
  DELETE FROM drift_looks WHERE workspace_id = OLD.workspace_id AND item_id = OLD.id;
END;

CREATE TRIGGER drifts_of_message AFTER DELETE ON messages BEGIN
  DELETE FROM drifts WHERE workspace_id = OLD.workspace_id AND statement_id = OLD.id;
END;

CREATE TRIGGER drifts_insert_news AFTER INSERT ON drifts BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'proposals';
END;

CREATE TRIGGER drifts_update_news AFTER UPDATE ON drifts BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'proposals';
END;

-- An answer that has arrived, and an imported message that came again with another text: what was found in the old one is void.
CREATE TRIGGER drift_queue_text AFTER UPDATE OF content, delivery ON messages
WHEN NEW.role IN ('user', 'assistant') AND NEW.archive_id IS NULL AND NEW.delivery <> 'streaming'
  AND (OLD.delivery = 'streaming' OR NEW.content IS NOT OLD.content)
BEGIN
  DELETE FROM drifts WHERE workspace_id = NEW.workspace_id AND statement_id = NEW.id;
  INSERT INTO drift_queue (workspace_id, message_id)
  SELECT NEW.workspace_id, NEW.id
  WHERE NOT EXISTS (SELECT 1 FROM memory_off)
    AND NOT EXISTS (SELECT 1 FROM off_record WHERE workspace_id = NEW.workspace_id AND message_id = NEW.id)
  ON CONFLICT DO NOTHING;
END;
