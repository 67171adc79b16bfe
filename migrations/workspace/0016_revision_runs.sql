-- A run can begin because canon changed. A CHECK cannot be altered, so the table is built again.
CREATE TABLE runs_anew (
  workspace_id TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  id           TEXT    NOT NULL CHECK (length(id) = 36),
  task         TEXT    NOT NULL CHECK (length(task) BETWEEN 1 AND 40),
  state        TEXT    NOT NULL CHECK (state IN ('running', 'done', 'cancelled', 'failed', 'reverted')),
  set_off_by   TEXT    NOT NULL CHECK (set_off_by IN ('asked', 'idle', 'queue', 'closed', 'revision', 'startup')),
  started_at   INTEGER NOT NULL,
  finished_at  INTEGER,
  reverted_at  INTEGER,
  done         INTEGER NOT NULL CHECK (done >= 0),
  total        INTEGER NOT NULL CHECK (total >= 0),
  counts       TEXT    NOT NULL CHECK (json_valid(counts) AND json_type(counts) = 'object'),
  error        TEXT,
  PRIMARY KEY (workspace_id, id),
  CHECK ((state = 'running') = (finished_at IS NULL)),
  CHECK ((state = 'reverted') = (reverted_at IS NOT NULL))
) STRICT;
INSERT INTO runs_anew SELECT * FROM runs;
DROP TABLE runs;
ALTER TABLE runs_anew RENAME TO runs;
CREATE INDEX runs_by_start ON runs (started_at, id);
CREATE INDEX runs_by_task ON runs (task, started_at, id);

CREATE TRIGGER runs_insert BEFORE INSERT ON runs BEGIN
  SELECT RAISE(ABORT, 'taken: run')
  WHERE EXISTS (SELECT 1 FROM runs WHERE workspace_id = NEW.workspace_id AND id = NEW.id)
     OR EXISTS (SELECT 1 FROM runs WHERE rowid = NEW.rowid);
END;

CREATE TRIGGER runs_update BEFORE UPDATE ON runs
WHEN NEW.workspace_id IS NOT OLD.workspace_id OR NEW.id IS NOT OLD.id OR NEW.task IS NOT OLD.task
  OR NEW.set_off_by IS NOT OLD.set_off_by OR NEW.started_at IS NOT OLD.started_at OR NEW.rowid IS NOT OLD.rowid
BEGIN
  SELECT RAISE(ABORT, 'refused: how a run began is fixed');
END;

CREATE TRIGGER runs_insert_news AFTER INSERT ON runs BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'runs';
END;

CREATE TRIGGER runs_update_news AFTER UPDATE ON runs BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'runs';
END;
