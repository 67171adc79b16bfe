-- Working notes with a time to live end with their conversation at the latest. Conventions as in 0001.

CREATE TRIGGER scratchpads_end AFTER UPDATE OF status ON conversations
WHEN OLD.status = 'active' AND NEW.status <> 'active'
BEGIN
  DELETE FROM scratchpads
  WHERE workspace_id = NEW.workspace_id AND conversation_id = NEW.id AND ttl_seconds IS NOT NULL;
END;

-- Those of conversations that ended before.
DELETE FROM scratchpads
WHERE ttl_seconds IS NOT NULL
  AND EXISTS (SELECT 1 FROM conversations AS c
              WHERE c.workspace_id = scratchpads.workspace_id AND c.id = scratchpads.conversation_id
                AND c.status <> 'active');
