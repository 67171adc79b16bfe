-- How far a task has come that does a limited part of its work in each run. Holds positions, no text. Conventions as in 0001.
CREATE TABLE task_cursors (
  workspace_id TEXT NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  task         TEXT NOT NULL CHECK (length(task) BETWEEN 1 AND 40),
  cursor       TEXT NOT NULL CHECK (octet_length(cursor) BETWEEN 1 AND 1000),
  PRIMARY KEY (workspace_id, task)
) STRICT, WITHOUT ROWID;
