-- The author's recall tests: what an orientation for a question must hold, and what it must not.
INSERT INTO topics (topic, counter) VALUES ('recall_tests', 0);

CREATE TABLE recall_tests (
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
  turned_by    TEXT    CHECK (turned_by IN ('asked', 'consolidation', 'revert', 'import', 'model', 'decay')),
  turned_run   TEXT    CHECK (length(turned_run) = 36),
  PRIMARY KEY (workspace_id, id),
  CHECK ((run_at IS NULL) = (failures IS NULL)),
  CHECK ((turned_at IS NULL) = (turned_by IS NULL)),
  CHECK (turned_run IS NULL OR turned_by IN ('consolidation', 'import'))
) STRICT;
CREATE INDEX recall_tests_by_time ON recall_tests (workspace_id, created_at, id);

-- A dissolved channel hands its tests on, as its memories.
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
