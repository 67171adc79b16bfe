-- The worldbuilder moves a memory to another tier, channel or conversation of its world. It stays the same memory: the
-- version at its old place is kept, as with every change.

DROP TRIGGER memories_fixed;
CREATE TRIGGER memories_fixed BEFORE UPDATE ON memories
WHEN NEW.seq IS NOT OLD.seq OR NEW.workspace_id IS NOT OLD.workspace_id OR NEW.id IS NOT OLD.id
  OR NEW.created_at IS NOT OLD.created_at
  OR NEW.access_count < OLD.access_count OR NEW.change_seq < OLD.change_seq
  OR (NEW.version IS OLD.version
      AND (NEW.scope IS NOT OLD.scope OR NEW.conversation_id IS NOT OLD.conversation_id OR {moved}))
BEGIN
  SELECT RAISE(ABORT, 'refused: identity, place and creation are fixed');
END;

-- An undo takes a memory back to where it was.
CREATE TRIGGER memories_moved BEFORE UPDATE ON memories
WHEN NEW.version IS NOT OLD.version
  AND (NEW.scope IS NOT OLD.scope OR NEW.channel_id IS NOT OLD.channel_id
       OR NEW.conversation_id IS NOT OLD.conversation_id)
BEGIN
  SELECT RAISE(ABORT, 'locked: the place of a memory is for the worldbuilder to change')
  WHERE NEW.written_by <> 'author'
     OR (SELECT action FROM journal ORDER BY sequence DESC LIMIT 1) NOT IN ('move', 'undo');
  SELECT RAISE(ABORT, 'refused: a name stays in its tier')
  WHERE NEW.name IS NOT NULL OR OLD.name IS NOT NULL OR NEW.kind <> 'note';
  SELECT RAISE(ABORT, 'refused: this conversation was deleted')
  WHERE EXISTS (SELECT 1 FROM conversations
                WHERE workspace_id = NEW.workspace_id AND id = NEW.conversation_id AND deleted_at IS NOT NULL);
  SELECT RAISE(ABORT, 'taken: external id')
  WHERE NEW.external_id IS NOT NULL
    AND EXISTS (SELECT 1 FROM memories
                WHERE workspace_id = NEW.workspace_id AND external_id = NEW.external_id AND scope = NEW.scope
                  AND coalesce(channel_id, '') = coalesce(NEW.channel_id, '')
                  AND coalesce(conversation_id, '') = coalesce(NEW.conversation_id, '') AND seq <> NEW.seq);
END;
