-- What tools in a turn and clients were shown: ids and versions, never text.
CREATE TABLE reads (
  workspace_id TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  id           TEXT    NOT NULL CHECK (length(id) = 36),
  at           INTEGER NOT NULL,
  client_id    TEXT    CHECK (length(client_id) = 36),  -- none: the World Agent
  through      TEXT    NOT NULL CHECK (length(through) BETWEEN 1 AND 40),
  conversation_id TEXT,
  channel_id   TEXT,
  message_id   TEXT,
  count        INTEGER NOT NULL CHECK (count >= 0),
  items        TEXT    NOT NULL CHECK (json_valid(items) AND json_type(items) = 'array' AND octet_length(items) <= 32768),
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, conversation_id) REFERENCES conversations (workspace_id, id) ON DELETE CASCADE
) STRICT;

CREATE INDEX reads_by_conversation ON reads (conversation_id, at, id) WHERE conversation_id IS NOT NULL;
CREATE INDEX reads_by_client ON reads (client_id, at, id) WHERE client_id IS NOT NULL;
CREATE INDEX reads_by_message ON reads (message_id) WHERE message_id IS NOT NULL;
CREATE INDEX reads_by_time ON reads (at, id);

CREATE TRIGGER reads_insert BEFORE INSERT ON reads BEGIN
  SELECT RAISE(ABORT, 'refused: its conversation is gone')
  WHERE EXISTS (SELECT 1 FROM conversations
                WHERE workspace_id = NEW.workspace_id AND id = NEW.conversation_id AND deleted_at IS NOT NULL);
  SELECT RAISE(ABORT, 'taken: read')
  WHERE EXISTS (SELECT 1 FROM reads WHERE workspace_id = NEW.workspace_id AND id = NEW.id)
     OR EXISTS (SELECT 1 FROM reads WHERE rowid = NEW.rowid);
END;

CREATE TRIGGER reads_update BEFORE UPDATE ON reads BEGIN
  SELECT RAISE(ABORT, 'refused: the ledger is not rewritten');
END;

-- As with orientations: what was shown in a conversation goes with it, and what a tool was shown with its answer.
CREATE TRIGGER conversations_deleted_reads AFTER UPDATE OF deleted_at ON conversations
WHEN NEW.deleted_at IS NOT NULL
BEGIN
  DELETE FROM reads WHERE workspace_id = NEW.workspace_id AND conversation_id = NEW.id;
END;

CREATE TRIGGER messages_deleted_reads AFTER DELETE ON messages BEGIN
  DELETE FROM reads WHERE message_id = OLD.id AND workspace_id = OLD.workspace_id;
END;
