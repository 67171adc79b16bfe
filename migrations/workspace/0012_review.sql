-- What was written in a conversation may contradict canon too.
DROP TRIGGER drifts_of_memory;
DROP TRIGGER drifts_of_fact;

CREATE TABLE drifts_anew (
  workspace_id      TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  id                TEXT    NOT NULL CHECK (length(id) = 36),
  canon_kind        TEXT    NOT NULL CHECK (canon_kind IN ('memory', 'fact')),
  canon_id          TEXT    NOT NULL CHECK (length(canon_id) = 36),
  canon_version     INTEGER NOT NULL CHECK (canon_version >= 1),
  statement_kind    TEXT    NOT NULL CHECK (statement_kind IN ('memory', 'fact', 'message')),
  statement_id      TEXT    NOT NULL CHECK (length(statement_id) = 36),
  statement_version INTEGER NOT NULL CHECK (statement_version >= 1),
  state             TEXT    NOT NULL CHECK (state IN ('open', 'settled', 'superseded')),
  decision          TEXT    CHECK (decision IN ('canon_stands', 'canon_changes', 'both', 'belief', 'dismiss')),
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

-- Messages that wait to be compared with canon. A message is compared when it is new; what is written later about the canon does
-- not make an old one wrong.
CREATE TABLE drift_queue (
  workspace_id TEXT NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  message_id   TEXT NOT NULL,
  PRIMARY KEY (workspace_id, message_id),
  FOREIGN KEY (workspace_id, message_id) REFERENCES messages (workspace_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TRIGGER drift_queue_message AFTER INSERT ON messages
WHEN NEW.role IN ('user', 'assistant') AND NEW.archive_id IS NULL AND NEW.delivery <> 'streaming'
  AND NOT EXISTS (SELECT 1 FROM memory_off)
BEGIN
  INSERT INTO drift_queue (workspace_id, message_id) VALUES (NEW.workspace_id, NEW.id);
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

-- A recall test may be turned by a change of memory or of settings that runs no tests itself.
CREATE TABLE recall_tests_anew (
  workspace_id TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  id           TEXT    NOT NULL CHECK (length(id) = 36),
  question     TEXT    NOT NULL CHECK (length(question) BETWEEN 1 AND 500),
  channel_id   TEXT,
  knower_id    TEXT    CHECK (length(knower_id) = 36),
  as_of        INTEGER
    CHECK (as_of BETWEEN -9000000000000000 AND 9000000000008640 AND ((as_of % 10000) + 10000) % 10000 <= 8640),
  as_of_chapter TEXT   CHECK (as_of_chapter IS NULL OR (length(as_of_chapter) = 36 AND as_of IS NULL)),
  budget       INTEGER CHECK (budget > 0),
  expects      TEXT    NOT NULL CHECK (json_valid(expects) AND json_type(expects) = 'array'), -- kind, id, must
  created_at   INTEGER NOT NULL,
  -- The last run; all NULL before the first.
  run_at       INTEGER,
  model        TEXT,                                                                -- embedding model, NULL: words only
  failures     TEXT    CHECK (json_valid(failures) AND json_type(failures) = 'array'), -- kind, id, must, rule, rank, of
  -- What turned a passing test into a failing one, until it passes again.
  turned_at    INTEGER,
  turned_by    TEXT    CHECK (turned_by IN ('asked', 'consolidation', 'revert', 'import', 'model', 'decay', 'change')),
  turned_run   TEXT    CHECK (length(turned_run) = 36),
  PRIMARY KEY (workspace_id, id),
  CHECK ((run_at IS NULL) = (failures IS NULL)),
  CHECK ((turned_at IS NULL) = (turned_by IS NULL)),
  CHECK (turned_run IS NULL OR turned_by IN ('consolidation', 'import'))
) STRICT;
DROP TRIGGER recall_tests_of_channel;
INSERT INTO recall_tests_anew SELECT * FROM recall_tests;
DROP TABLE recall_tests;
ALTER TABLE recall_tests_anew RENAME TO recall_tests;
CREATE INDEX recall_tests_by_time ON recall_tests (workspace_id, created_at, id);

CREATE TRIGGER recall_tests_of_channel AFTER DELETE ON channels BEGIN
  UPDATE recall_tests SET channel_id = OLD.dissolved_into
  WHERE workspace_id = OLD.workspace_id AND channel_id = OLD.id AND OLD.dissolved_into IS NOT NULL;
END;

CREATE TRIGGER recall_tests_insert_news AFTER INSERT ON recall_tests BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'recall_tests';
END;

CREATE TRIGGER recall_tests_update_news AFTER UPDATE ON recall_tests BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'recall_tests';
END;

CREATE TRIGGER recall_tests_delete_news AFTER DELETE ON recall_tests BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'recall_tests';
END;
