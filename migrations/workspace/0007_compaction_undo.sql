-- A compaction that was undone may be done again: two markers of a conversation may cover the same messages, if they point
-- to different archives. That no stretch is covered by two archives in use is checked when a marker is written. Conventions
-- as in 0001.

DROP INDEX messages_one_marker;
CREATE UNIQUE INDEX messages_one_marker ON messages (workspace_id, conversation_id, through, archive_id)
  WHERE through IS NOT NULL;

-- As in 0005, but for what it says of markers.
DROP TRIGGER messages_insert;
CREATE TRIGGER messages_insert BEFORE INSERT ON messages BEGIN
  SELECT RAISE(ABORT, 'taken: message')
  WHERE EXISTS (SELECT 1 FROM messages WHERE workspace_id = NEW.workspace_id AND id = NEW.id)
     OR EXISTS (SELECT 1 FROM messages WHERE seq = NEW.seq)
     OR EXISTS (SELECT 1 FROM messages
                WHERE workspace_id = NEW.workspace_id AND conversation_id = NEW.conversation_id
                  AND position = NEW.position)
     OR EXISTS (SELECT 1 FROM messages
                WHERE workspace_id = NEW.workspace_id AND conversation_id = NEW.conversation_id
                  AND external_id = NEW.external_id)
     OR EXISTS (SELECT 1 FROM messages
                WHERE workspace_id = NEW.workspace_id AND conversation_id = NEW.conversation_id
                  AND through = NEW.through AND archive_id = NEW.archive_id);
  SELECT RAISE(ABORT, 'refused: this conversation was deleted')
  WHERE EXISTS (SELECT 1 FROM conversations
                WHERE workspace_id = NEW.workspace_id AND id = NEW.conversation_id AND deleted_at IS NOT NULL);
  SELECT RAISE(ABORT, 'refused: positions only rise')
  WHERE NEW.position <= (SELECT last_position FROM conversations
                         WHERE workspace_id = NEW.workspace_id AND id = NEW.conversation_id);
  SELECT RAISE(ABORT, 'refused: this file belongs to another workspace')
  WHERE NEW.workspace_id IS NOT (SELECT workspace_id FROM meta);
END;
