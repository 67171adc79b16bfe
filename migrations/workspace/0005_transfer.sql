-- Out and in again: what a file says that this release does not know, kept for the way back. Conventions as in 0001.

-- Fields of rows, of items of their lists (`part` says which: 'history/2'), and of the file itself (`row_id` is the name
-- then, and `fields` the value). A working note is told by its conversation and key. Entries keep their own in
-- `foreign_fields`.
CREATE TABLE beside (
  workspace_id TEXT NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  belongs_to   TEXT NOT NULL CHECK (belongs_to IN ('file', 'channels', 'conversations', 'memories', 'messages',
                                                    'episodes', 'facts', 'scratchpads')),
  row_id       TEXT NOT NULL CHECK (octet_length(row_id) <= 800),
  part         TEXT NOT NULL DEFAULT '' CHECK (octet_length(part) <= 1000),
  fields       TEXT NOT NULL CHECK (json_valid(fields) AND octet_length(fields) <= 1048576),
  PRIMARY KEY (workspace_id, belongs_to, row_id, part)
) STRICT, WITHOUT ROWID;

-- What belongs to a row goes with it.
CREATE TRIGGER beside_memories AFTER DELETE ON memories BEGIN
  DELETE FROM beside WHERE workspace_id = OLD.workspace_id AND belongs_to = 'memories' AND row_id = OLD.id;
END;

CREATE TRIGGER beside_memory_vectors AFTER DELETE ON memory_vectors BEGIN
  DELETE FROM beside WHERE workspace_id = OLD.workspace_id AND belongs_to = 'memories' AND row_id = OLD.memory_id
                       AND part = 'embeddings/' || OLD.model;
END;

CREATE TRIGGER beside_channels AFTER DELETE ON channels BEGIN
  DELETE FROM beside WHERE workspace_id = OLD.workspace_id AND belongs_to = 'channels' AND row_id = OLD.id;
END;

CREATE TRIGGER beside_messages AFTER DELETE ON messages BEGIN
  DELETE FROM beside WHERE workspace_id = OLD.workspace_id AND belongs_to = 'messages' AND row_id = OLD.id;
END;

CREATE TRIGGER beside_episodes AFTER DELETE ON episodes BEGIN
  DELETE FROM beside WHERE workspace_id = OLD.workspace_id AND belongs_to = 'episodes' AND row_id = OLD.id;
END;

CREATE TRIGGER beside_facts AFTER DELETE ON facts BEGIN
  DELETE FROM beside WHERE workspace_id = OLD.workspace_id AND belongs_to = 'facts' AND row_id = OLD.id;
END;

CREATE TRIGGER beside_scratchpads AFTER DELETE ON scratchpads BEGIN
  DELETE FROM beside WHERE workspace_id = OLD.workspace_id AND belongs_to = 'scratchpads'
                       AND row_id = OLD.conversation_id || ' ' || OLD.key;
END;

CREATE TRIGGER beside_message_vectors AFTER DELETE ON message_vectors BEGIN
  DELETE FROM beside WHERE workspace_id = OLD.workspace_id AND belongs_to = 'messages' AND row_id = OLD.message_id
                       AND part = 'embeddings/' || OLD.model;
END;

CREATE TRIGGER beside_fact_claims AFTER DELETE ON fact_claims BEGIN
  DELETE FROM beside WHERE workspace_id = OLD.workspace_id AND belongs_to = 'facts' AND row_id = OLD.fact_id
                       AND part = 'claims/' || OLD.id;
END;

-- A value that a purge empties, and a conversation that is emptied: their rows stay.
CREATE TRIGGER beside_fact_values AFTER UPDATE OF value ON fact_values BEGIN
  DELETE FROM beside WHERE workspace_id = OLD.workspace_id AND belongs_to = 'facts' AND row_id = OLD.fact_id
                       AND part = 'values/' || OLD.version;
END;

CREATE TRIGGER beside_conversations AFTER UPDATE OF deleted_at ON conversations WHEN NEW.deleted_at IS NOT NULL BEGIN
  DELETE FROM beside WHERE workspace_id = OLD.workspace_id AND belongs_to = 'conversations' AND row_id = OLD.id;
END;

-- As in 0001, and one thing more: how many entries an import brings is known at its end, and filled in once, while its
-- row is the last.
DROP TRIGGER journal_update;
CREATE TRIGGER journal_update BEFORE UPDATE ON journal
WHEN (OLD.undone_by IS NOT NULL OR NEW.undone_by IS NULL
      OR NEW.sequence IS NOT OLD.sequence OR NEW.workspace_id IS NOT OLD.workspace_id OR NEW.id IS NOT OLD.id
      OR NEW.action IS NOT OLD.action OR NEW.hand IS NOT OLD.hand OR NEW.door IS NOT OLD.door
      OR NEW.run_id IS NOT OLD.run_id OR NEW.at IS NOT OLD.at OR NEW.entries IS NOT OLD.entries
      OR NEW.undoes IS NOT OLD.undoes)
  AND NOT (OLD.action = 'import' AND OLD.hand = 'import' AND OLD.run_id IS NOT NULL AND OLD.entries = 0
      AND OLD.undone_by IS NULL AND NEW.undone_by IS NULL
      AND OLD.sequence = (SELECT max(sequence) FROM journal)
      AND NEW.sequence IS OLD.sequence AND NEW.workspace_id IS OLD.workspace_id AND NEW.id IS OLD.id
      AND NEW.action IS OLD.action AND NEW.hand IS OLD.hand AND NEW.door IS OLD.door
      AND NEW.run_id IS OLD.run_id AND NEW.at IS OLD.at AND NEW.undoes IS OLD.undoes)
BEGIN
  SELECT RAISE(ABORT, 'refused: the journal is append-only');
END;

-- As in 0002, said apart: asked with OR, the database would go through the whole conversation for every message that is
-- added to it.
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
                  AND through = NEW.through);
  SELECT RAISE(ABORT, 'refused: this conversation was deleted')
  WHERE EXISTS (SELECT 1 FROM conversations
                WHERE workspace_id = NEW.workspace_id AND id = NEW.conversation_id AND deleted_at IS NOT NULL);
  SELECT RAISE(ABORT, 'refused: positions only rise')
  WHERE NEW.position <= (SELECT last_position FROM conversations
                         WHERE workspace_id = NEW.workspace_id AND id = NEW.conversation_id);
  SELECT RAISE(ABORT, 'refused: this file belongs to another workspace')
  WHERE NEW.workspace_id IS NOT (SELECT workspace_id FROM meta);
END;
