-- What MCP clients wrote besides memory, which the journal tells of: each write with what takes it back. Conventions as in
-- 0001. Written in the transaction of the write itself.

CREATE TABLE client_writes (
  sequence     INTEGER PRIMARY KEY AUTOINCREMENT CHECK (sequence > 0),
  workspace_id TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  client_id    TEXT    NOT NULL CHECK (length(client_id) = 36),
  at           INTEGER NOT NULL,
  kind         TEXT    NOT NULL CHECK (kind IN ('fact', 'claim', 'message', 'note', 'setting')),
  row_id       TEXT    NOT NULL,          -- of the fact, claim or message; the key of the note or setting
  fact_id      TEXT    CHECK ((kind IN ('fact', 'claim')) = (fact_id IS NOT NULL)),
  conversation_id TEXT CHECK ((kind IN ('message', 'note')) = (conversation_id IS NOT NULL)),
  made         TEXT,                      -- version of the fact, mark of the note (none: removed), value of the setting
  undone_at    INTEGER,
  -- What stood there before: of a setting its value; of a note everything, until it is taken back or its time is over.
  before_created_at INTEGER,
  before_updated_at INTEGER,
  before_ttl_seconds INTEGER,
  before_expires_at INTEGER,
  before       TEXT
) STRICT;

CREATE INDEX client_writes_by_client ON client_writes (client_id, sequence);
CREATE INDEX client_writes_by_conversation ON client_writes (conversation_id) WHERE conversation_id IS NOT NULL;
CREATE INDEX client_writes_by_fact ON client_writes (fact_id) WHERE fact_id IS NOT NULL;
CREATE INDEX client_writes_by_end ON client_writes (before_expires_at) WHERE before_expires_at IS NOT NULL;

-- Free to change: that it was taken back, once; and that what stood there before is let go of.
CREATE TRIGGER client_writes_update BEFORE UPDATE ON client_writes
WHEN NEW.sequence IS NOT OLD.sequence OR NEW.workspace_id IS NOT OLD.workspace_id
  OR NEW.client_id IS NOT OLD.client_id OR NEW.at IS NOT OLD.at OR NEW.kind IS NOT OLD.kind
  OR NEW.row_id IS NOT OLD.row_id OR NEW.fact_id IS NOT OLD.fact_id
  OR NEW.conversation_id IS NOT OLD.conversation_id OR NEW.made IS NOT OLD.made
  OR (OLD.undone_at IS NOT NULL AND NEW.undone_at IS NOT OLD.undone_at)
  OR (NEW.before IS NOT OLD.before AND NEW.before IS NOT NULL)
BEGIN
  SELECT RAISE(ABORT, 'refused: what a client wrote stays on record');
END;

-- Goes only with its conversation, or under the permit of a scrub for what it tells of.
CREATE TRIGGER client_writes_delete BEFORE DELETE ON client_writes
WHEN NOT EXISTS (SELECT 1 FROM conversations
                 WHERE workspace_id = OLD.workspace_id AND id = OLD.conversation_id AND deleted_at IS NOT NULL)
  AND NOT EXISTS (SELECT 1 FROM deletion_permits
                  WHERE workspace_id = OLD.workspace_id AND memory_id IN (OLD.fact_id, OLD.conversation_id))
BEGIN
  SELECT RAISE(ABORT, 'refused: what a client wrote stays on record');
END;

CREATE TRIGGER client_writes_of_conversation AFTER UPDATE OF deleted_at ON conversations
WHEN NEW.deleted_at IS NOT NULL
BEGIN
  DELETE FROM client_writes WHERE workspace_id = NEW.workspace_id AND conversation_id = NEW.id;
END;

CREATE TRIGGER client_writes_of_fact AFTER DELETE ON facts BEGIN
  DELETE FROM client_writes WHERE workspace_id = OLD.workspace_id AND fact_id = OLD.id;
END;

CREATE TRIGGER client_writes_insert_news AFTER INSERT ON client_writes BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'transcript';
END;

CREATE TRIGGER client_writes_update_news AFTER UPDATE OF undone_at ON client_writes BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'transcript';
END;
