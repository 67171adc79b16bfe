-- The switch of the workspace's memory (setting `memory.enabled`). While it is off, agents and tasks add nothing durable,
-- and what is said or ends meanwhile is never learnt from later.

-- One row while an import of the worldbuilder is written, in the transaction of that import; nobody else ever sees it.
-- What the import brings is the worldbuilder's own file, whoever wrote it there.
CREATE TABLE open_import (
  one INTEGER PRIMARY KEY CHECK (one = 1)
) STRICT;

-- A row while memory is off, whoever asks: a file holds one workspace.
CREATE VIEW memory_off AS
SELECT workspace_id FROM settings
WHERE key = 'memory.enabled' AND value = 'false' AND NOT EXISTS (SELECT 1 FROM open_import);

-- Messages that were said while memory was off. No summary, archive or memory is made of them.
CREATE TABLE off_record (
  workspace_id TEXT NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  message_id   TEXT NOT NULL,
  PRIMARY KEY (workspace_id, message_id),
  FOREIGN KEY (workspace_id, message_id) REFERENCES messages (workspace_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TRIGGER off_record_insert AFTER INSERT ON messages
WHEN EXISTS (SELECT 1 FROM memory_off)
BEGIN
  INSERT INTO off_record (workspace_id, message_id) VALUES (NEW.workspace_id, NEW.id);
END;

-- An answer that began while memory was on and goes on while it is off.
CREATE TRIGGER off_record_update AFTER UPDATE OF content ON messages
WHEN NEW.content IS NOT OLD.content
  AND EXISTS (SELECT 1 FROM memory_off)
BEGIN
  INSERT INTO off_record (workspace_id, message_id) VALUES (NEW.workspace_id, NEW.id) ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER off_record_change BEFORE UPDATE ON off_record BEGIN
  SELECT RAISE(ABORT, 'refused: what was said off the record stays so');
END;

CREATE TRIGGER off_record_delete BEFORE DELETE ON off_record
WHEN EXISTS (SELECT 1 FROM messages WHERE workspace_id = OLD.workspace_id AND id = OLD.message_id)
BEGIN
  SELECT RAISE(ABORT, 'refused: what was said off the record stays so');
END;

CREATE TRIGGER facts_insert_memory_off BEFORE INSERT ON facts
WHEN NEW.written_by = 'agent'
  AND EXISTS (SELECT 1 FROM memory_off)
BEGIN
  SELECT RAISE(ABORT, 'off: memory is switched off');
END;

CREATE TRIGGER facts_update_memory_off BEFORE UPDATE OF value ON facts
WHEN NEW.written_by = 'agent' AND NEW.value IS NOT OLD.value AND NEW.removed_at IS NULL
  AND EXISTS (SELECT 1 FROM memory_off)
BEGIN
  SELECT RAISE(ABORT, 'off: memory is switched off');
END;

CREATE TRIGGER fact_claims_memory_off BEFORE INSERT ON fact_claims
WHEN EXISTS (SELECT 1 FROM memory_off)
BEGIN
  SELECT RAISE(ABORT, 'off: memory is switched off');
END;

-- Summaries and archives are what the app makes of a talk, whoever asks for one.
CREATE TRIGGER episodes_memory_off BEFORE INSERT ON episodes
WHEN EXISTS (SELECT 1 FROM memory_off)
BEGIN
  SELECT RAISE(ABORT, 'off: memory is switched off');
END;

CREATE TRIGGER markers_memory_off BEFORE INSERT ON messages
WHEN NEW.archive_id IS NOT NULL
  AND EXISTS (SELECT 1 FROM memory_off)
BEGIN
  SELECT RAISE(ABORT, 'off: memory is switched off');
END;

-- A message off the record is in no summary, whenever the summary is made.
CREATE TRIGGER episodes_off_record BEFORE INSERT ON episodes
WHEN NOT EXISTS (SELECT 1 FROM open_import)
  AND EXISTS (SELECT 1 FROM json_each(NEW.source_ids) AS source JOIN off_record AS o
              ON o.workspace_id = NEW.workspace_id AND o.message_id = source.value)
BEGIN
  SELECT RAISE(ABORT, 'refused: this was said while memory was off');
END;
