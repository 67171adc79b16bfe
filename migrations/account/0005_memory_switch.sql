-- The switch of memory lies in a workspace's own file; this file learns with each write of an agent or a task how it stands
-- in the workspace that the write comes from. Conventions as in 0001.

-- Set in the transaction of the write, before anything else of it.
CREATE TABLE memory_switch (
  one     INTEGER PRIMARY KEY CHECK (one = 1),
  enabled INTEGER NOT NULL CHECK (enabled IN (0, 1))
) STRICT;
INSERT INTO memory_switch (one, enabled) VALUES (1, 1);

CREATE TRIGGER journal_memory_off BEFORE INSERT ON journal
WHEN NEW.hand IN ('agent', 'system') AND NEW.action <> 'forget'
  AND EXISTS (SELECT 1 FROM memory_switch WHERE enabled = 0)
BEGIN
  SELECT RAISE(ABORT, 'off: memory is switched off');
END;

CREATE TRIGGER memories_memory_off BEFORE INSERT ON memories
WHEN NEW.written_by IN ('agent', 'system')
  AND EXISTS (SELECT 1 FROM memory_switch WHERE enabled = 0)
  AND EXISTS (SELECT 1 FROM journal
              WHERE sequence = (SELECT max(sequence) FROM journal) AND hand IN ('agent', 'system'))
BEGIN
  SELECT RAISE(ABORT, 'off: memory is switched off');
END;

CREATE TRIGGER memories_text_memory_off BEFORE UPDATE OF content ON memories
WHEN NEW.content IS NOT OLD.content AND NEW.written_by IN ('agent', 'system')
  AND EXISTS (SELECT 1 FROM memory_switch WHERE enabled = 0)
  AND EXISTS (SELECT 1 FROM journal
              WHERE sequence = (SELECT max(sequence) FROM journal) AND hand IN ('agent', 'system'))
BEGIN
  SELECT RAISE(ABORT, 'off: memory is switched off');
END;

CREATE TRIGGER proposals_memory_off BEFORE INSERT ON proposals
WHEN NEW.hand IN ('agent', 'system') AND EXISTS (SELECT 1 FROM memory_switch WHERE enabled = 0)
BEGIN
  SELECT RAISE(ABORT, 'off: memory is switched off');
END;
