-- A checksum for each message, fact, earlier value, claim, summary and working note, as entries have (ADR 19). The program
-- computes it; the rows that stand get theirs in the transaction of this migration.
ALTER TABLE messages ADD COLUMN checksum INTEGER;
ALTER TABLE facts ADD COLUMN checksum INTEGER;
ALTER TABLE fact_values ADD COLUMN checksum INTEGER;
ALTER TABLE fact_claims ADD COLUMN checksum INTEGER;
ALTER TABLE episodes ADD COLUMN checksum INTEGER;
ALTER TABLE scratchpads ADD COLUMN checksum INTEGER;

-- A text that changes comes with a checksum of its own, or with none until it is filled in. Where another guard refuses the
-- change, that one says why.
CREATE TRIGGER messages_checksum BEFORE UPDATE ON messages
WHEN OLD.checksum IS NOT NULL AND NEW.checksum IS OLD.checksum
 AND (OLD.delivery = 'streaming' OR OLD.external_id IS NOT NULL)
 AND (NEW.content IS NOT OLD.content OR NEW.tool_calls IS NOT OLD.tool_calls)
BEGIN
  SELECT RAISE(ABORT, 'refused: undeclared write');
END;

CREATE TRIGGER facts_checksum BEFORE UPDATE ON facts
WHEN OLD.checksum IS NOT NULL AND NEW.checksum IS OLD.checksum AND NEW.version = OLD.version + 1
 AND NOT (NEW.written_by = 'agent' AND (OLD.source = 'user' OR NEW.source <> 'agent'))
BEGIN
  SELECT RAISE(ABORT, 'refused: undeclared write');
END;

CREATE TRIGGER scratchpads_checksum BEFORE UPDATE ON scratchpads
WHEN OLD.checksum IS NOT NULL AND NEW.checksum IS OLD.checksum AND NEW.value IS NOT OLD.value
BEGIN
  SELECT RAISE(ABORT, 'refused: undeclared write');
END;

-- A checksum that is filled in is no change of a message.
DROP TRIGGER messages_update_tick;
CREATE TRIGGER messages_update_tick
AFTER UPDATE OF content, tool_calls, delivery, importance, updated_at, consolidated_at, change_seq ON messages BEGIN
  UPDATE message_clock SET tick = tick + 1;
  UPDATE conversations SET message_tick = message_tick + 1
  WHERE workspace_id = NEW.workspace_id AND id = NEW.conversation_id;
  UPDATE topics SET counter = counter + 1 WHERE topic = 'transcript';
END;
