-- A text that the worldbuilder attached is a message of its own, directly before the one that it was sent with (ADR 57). The
-- name is that of the file. NULL: no attachment.
ALTER TABLE messages ADD COLUMN attached_name TEXT
  CHECK (attached_name IS NULL
         OR (length(attached_name) BETWEEN 1 AND 255 AND role = 'user' AND delivery = 'complete'
             AND archive_id IS NULL AND tool_call_id IS NULL AND tool_calls IS NULL AND octet_length(content) <= 262144));

CREATE TRIGGER messages_attachment BEFORE UPDATE OF attached_name ON messages
WHEN NEW.attached_name IS NOT OLD.attached_name
BEGIN
  SELECT RAISE(ABORT, 'refused: what was said is not rewritten');
END;
