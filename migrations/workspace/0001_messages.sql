-- Ticks with every change of messages; `epoch` rises when vectors of messages go. For copies in memory.
CREATE TABLE message_clock (
  one   INTEGER PRIMARY KEY CHECK (one = 1),
  tick  INTEGER NOT NULL,
  epoch INTEGER NOT NULL
) STRICT;
INSERT INTO message_clock (one, tick, epoch) VALUES (1, 0, 0);

-- Messages, small columns first. A compact marker is a message with an archive.
CREATE TABLE messages (
  seq             INTEGER PRIMARY KEY AUTOINCREMENT CHECK (seq > 0),
  workspace_id    TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  id              TEXT    NOT NULL CHECK (length(id) = 36),
  conversation_id TEXT    NOT NULL,
  position        INTEGER NOT NULL CHECK (position >= 1),
  role            TEXT    NOT NULL CHECK (role IN ('user', 'assistant', 'tool', 'system')),
  delivery        TEXT    NOT NULL CHECK (delivery IN ('complete', 'streaming', 'cancelled', 'failed')),
  importance      REAL    NOT NULL CHECK (importance >= 0.0 AND importance <= 1.0),
  at              INTEGER NOT NULL,
  updated_at      INTEGER NOT NULL,
  consolidated_at INTEGER,
  change_seq      INTEGER NOT NULL, -- tick of message_clock when its text or its state last changed
  tool_call_id    TEXT,
  tool_name       TEXT,
  archive_id      TEXT,
  archive_name    TEXT,
  archived_at     INTEGER,
  through         INTEGER,
  external_id     TEXT,
  session         TEXT,
  speaker         TEXT,
  said_at         TEXT,
  tool_calls      TEXT    CHECK (json_valid(tool_calls) AND json_type(tool_calls) = 'array'),
  content         TEXT    NOT NULL CHECK (octet_length(content) <= 1048576),
  -- Words by which the full-text index narrows down to a conversation, and leaves out what is no finished speech.
  reach           TEXT    GENERATED ALWAYS AS (
      CASE WHEN archive_id IS NULL AND delivery <> 'streaming' THEN 'said' ELSE 'unsaid' END
      || ' v' || replace(conversation_id, '-', '') || '0') VIRTUAL,
  UNIQUE (workspace_id, id),
  UNIQUE (workspace_id, conversation_id, position),
  CHECK ((tool_call_id IS NULL) = (tool_name IS NULL)),
  CHECK ((archive_id IS NULL) = (archive_name IS NULL)),
  CHECK ((archive_id IS NULL) = (archived_at IS NULL)),
  CHECK ((archive_id IS NULL) = (through IS NULL)),
  FOREIGN KEY (workspace_id, conversation_id) REFERENCES conversations (workspace_id, id),
  FOREIGN KEY (workspace_id, archive_id) REFERENCES memories (workspace_id, id)
) STRICT;
CREATE UNIQUE INDEX messages_external ON messages (workspace_id, conversation_id, external_id)
  WHERE external_id IS NOT NULL;
CREATE INDEX messages_salient ON messages (conversation_id, importance, position) WHERE archive_id IS NULL;
CREATE INDEX messages_streaming ON messages (updated_at) WHERE delivery = 'streaming';
CREATE INDEX messages_by_change_seq ON messages (change_seq);
CREATE INDEX messages_by_archive ON messages (workspace_id, archive_id) WHERE archive_id IS NOT NULL;

-- What gets a vector; counted for the progress of embedding.
CREATE INDEX messages_embeddable ON messages (seq)
  WHERE archive_id IS NULL AND delivery <> 'streaming' AND role <> 'system' AND content <> '';

-- Numbers rise and are never used twice, so that a copy in memory asks for what is new behind the last one.
CREATE TABLE message_vectors (
  seq          INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace_id TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  message_id   TEXT    NOT NULL,
  model        TEXT    NOT NULL CHECK (length(model) BETWEEN 1 AND 200),
  dimension    INTEGER NOT NULL CHECK (dimension BETWEEN 1 AND 8192),
  vector       BLOB    NOT NULL CHECK (length(vector) = 4 * dimension),
  UNIQUE (workspace_id, message_id, model),
  FOREIGN KEY (workspace_id, message_id) REFERENCES messages (workspace_id, id) ON DELETE CASCADE
) STRICT;

CREATE TABLE message_vector_failures (
  workspace_id TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  message_id   TEXT    NOT NULL,
  model        TEXT    NOT NULL CHECK (length(model) BETWEEN 1 AND 200),
  error        TEXT    NOT NULL,
  PRIMARY KEY (workspace_id, message_id, model),
  FOREIGN KEY (workspace_id, message_id) REFERENCES messages (workspace_id, id) ON DELETE CASCADE
) STRICT;

CREATE TABLE episodes (
  workspace_id    TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  id              TEXT    NOT NULL CHECK (length(id) = 36),
  conversation_id TEXT    NOT NULL,
  maker           TEXT    NOT NULL CHECK (maker IN ('extract', 'model')),
  turn_count      INTEGER NOT NULL CHECK (turn_count >= 1),
  source_ids      TEXT    NOT NULL CHECK (json_valid(source_ids) AND json_type(source_ids) = 'array'),
  from_at         INTEGER NOT NULL,
  until_at        INTEGER NOT NULL CHECK (until_at >= from_at),
  created_at      INTEGER NOT NULL,
  removed_at      INTEGER,
  summary         TEXT    NOT NULL CHECK (octet_length(summary) BETWEEN 1 AND 65536),
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, conversation_id) REFERENCES conversations (workspace_id, id)
) STRICT;
CREATE INDEX episodes_by_conversation ON episodes (conversation_id, until_at, id);

CREATE TABLE facts (
  workspace_id    TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  id              TEXT    NOT NULL CHECK (length(id) = 36),
  category        TEXT    NOT NULL CHECK (length(category) BETWEEN 1 AND 120),
  category_folded TEXT    NOT NULL,
  key             TEXT    NOT NULL CHECK (length(key) BETWEEN 1 AND 120),
  key_folded      TEXT    NOT NULL,
  source          TEXT    NOT NULL CHECK (source IN ('agent', 'user')),
  written_by      TEXT    NOT NULL CHECK (written_by IN ('agent', 'user')),
  version         INTEGER NOT NULL CHECK (version >= 1),
  conversation_id TEXT,
  created_at      INTEGER NOT NULL,
  updated_at      INTEGER NOT NULL,
  removed_at      INTEGER,
  value           TEXT    NOT NULL CHECK (octet_length(value) <= 8192),
  PRIMARY KEY (workspace_id, id),
  UNIQUE (workspace_id, category_folded, key_folded),
  CHECK ((removed_at IS NULL) = (value <> ''))
) STRICT;

-- Each value that a fact had before its present one, filled by trigger.
CREATE TABLE fact_values (
  workspace_id    TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  fact_id         TEXT    NOT NULL,
  version         INTEGER NOT NULL CHECK (version >= 1),
  source          TEXT    NOT NULL,
  conversation_id TEXT,
  from_at         INTEGER NOT NULL,
  until_at        INTEGER NOT NULL,
  removed         INTEGER NOT NULL CHECK (removed IN (0, 1)),
  value           TEXT    NOT NULL,
  PRIMARY KEY (workspace_id, fact_id, version),
  FOREIGN KEY (workspace_id, fact_id) REFERENCES facts (workspace_id, id) ON DELETE CASCADE
) STRICT;

-- What an agent said against the author's word, until the author settles it.
CREATE TABLE fact_claims (
  workspace_id    TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  id              TEXT    NOT NULL CHECK (length(id) = 36),
  fact_id         TEXT    NOT NULL,
  conversation_id TEXT,
  at              INTEGER NOT NULL,
  state           TEXT    NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'accepted', 'rejected')),
  settled_at      INTEGER,
  value           TEXT    NOT NULL CHECK (octet_length(value) BETWEEN 1 AND 8192),
  PRIMARY KEY (workspace_id, id),
  CHECK ((state = 'open') = (settled_at IS NULL)),
  FOREIGN KEY (workspace_id, fact_id) REFERENCES facts (workspace_id, id) ON DELETE CASCADE
) STRICT;
CREATE UNIQUE INDEX fact_claims_once ON fact_claims (workspace_id, fact_id, value) WHERE state = 'open';

CREATE TABLE scratchpads (
  workspace_id    TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  conversation_id TEXT    NOT NULL,
  key             TEXT    NOT NULL CHECK (length(key) BETWEEN 1 AND 120),
  created_at      INTEGER NOT NULL,
  updated_at      INTEGER NOT NULL,
  ttl_seconds     INTEGER CHECK (ttl_seconds BETWEEN 1 AND 2592000),
  expires_at      INTEGER,
  value           TEXT    NOT NULL CHECK (json_valid(value) AND octet_length(value) <= 262144),
  PRIMARY KEY (workspace_id, conversation_id, key),
  CHECK ((ttl_seconds IS NULL) = (expires_at IS NULL)),
  FOREIGN KEY (workspace_id, conversation_id) REFERENCES conversations (workspace_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX scratchpads_by_end ON scratchpads (expires_at) WHERE expires_at IS NOT NULL;

-- Full-text index of messages -----------------------------------------------------------------------------
CREATE VIRTUAL TABLE messages_fts USING fts5 (
  content, reach,
  content = 'messages', content_rowid = 'seq',
  tokenize = 'porter unicode61 remove_diacritics 2'
);

CREATE TRIGGER messages_fts_insert AFTER INSERT ON messages BEGIN
  INSERT INTO messages_fts (rowid, content, reach) VALUES (NEW.seq, NEW.content, NEW.reach);
END;

CREATE TRIGGER messages_fts_delete AFTER DELETE ON messages BEGIN
  INSERT INTO messages_fts (messages_fts, rowid, content, reach)
  VALUES ('delete', OLD.seq, OLD.content, OLD.reach);
END;

CREATE TRIGGER messages_fts_update AFTER UPDATE ON messages
WHEN OLD.content IS NOT NEW.content OR OLD.reach IS NOT NEW.reach
BEGIN
  INSERT INTO messages_fts (messages_fts, rowid, content, reach)
  VALUES ('delete', OLD.seq, OLD.content, OLD.reach);
  INSERT INTO messages_fts (rowid, content, reach) VALUES (NEW.seq, NEW.content, NEW.reach);
END;

-- What was said stays as it was said. Free to change: a message that is still arriving, how much one matters, that
-- an episode took it up; and the text of an imported one, by importing it again.
CREATE TRIGGER messages_update BEFORE UPDATE ON messages
WHEN NEW.seq IS NOT OLD.seq OR NEW.workspace_id IS NOT OLD.workspace_id OR NEW.id IS NOT OLD.id
  OR NEW.conversation_id IS NOT OLD.conversation_id OR NEW.position IS NOT OLD.position
  OR NEW.role IS NOT OLD.role OR NEW.external_id IS NOT OLD.external_id
  OR NEW.archive_id IS NOT OLD.archive_id OR NEW.archive_name IS NOT OLD.archive_name
  OR NEW.archived_at IS NOT OLD.archived_at OR NEW.through IS NOT OLD.through
  OR NEW.at IS NOT OLD.at OR NEW.tool_call_id IS NOT OLD.tool_call_id OR NEW.tool_name IS NOT OLD.tool_name
  OR NEW.session IS NOT OLD.session OR NEW.speaker IS NOT OLD.speaker OR NEW.said_at IS NOT OLD.said_at
  OR NEW.change_seq < OLD.change_seq
  OR (OLD.delivery <> 'streaming' AND NEW.delivery IS NOT OLD.delivery)
  OR (OLD.delivery <> 'streaming' AND OLD.external_id IS NULL
      AND (NEW.content IS NOT OLD.content OR NEW.tool_calls IS NOT OLD.tool_calls))
BEGIN
  SELECT RAISE(ABORT, 'refused: what was said is not rewritten');
END;

-- The author's word yields to the author alone.
CREATE TRIGGER facts_insert BEFORE INSERT ON facts BEGIN
  SELECT RAISE(ABORT, 'taken: fact')
  WHERE EXISTS (SELECT 1 FROM facts
                WHERE workspace_id = NEW.workspace_id
                  AND (id = NEW.id OR (category_folded = NEW.category_folded AND key_folded = NEW.key_folded)));
  SELECT RAISE(ABORT, 'refused: a fact begins with its first value') WHERE NEW.version <> 1;
  SELECT RAISE(ABORT, 'locked: an agent speaks for itself alone')
  WHERE NEW.written_by = 'agent' AND NEW.source <> 'agent';
END;

CREATE TRIGGER facts_update BEFORE UPDATE ON facts BEGIN
  SELECT RAISE(ABORT, 'locked: this fact is the author''s word')
  WHERE NEW.written_by = 'agent' AND (OLD.source = 'user' OR NEW.source <> 'agent')
    AND (NEW.value IS NOT OLD.value OR NEW.source IS NOT OLD.source OR NEW.version IS NOT OLD.version
         OR NEW.removed_at IS NOT OLD.removed_at);
  SELECT RAISE(ABORT, 'refused: identity and creation are fixed')
  WHERE NEW.workspace_id IS NOT OLD.workspace_id OR NEW.id IS NOT OLD.id OR NEW.created_at IS NOT OLD.created_at
     OR NEW.category_folded IS NOT OLD.category_folded OR NEW.key_folded IS NOT OLD.key_folded;
  SELECT RAISE(ABORT, 'refused: a new value is a new version')
  WHERE (NEW.value IS NOT OLD.value OR NEW.source IS NOT OLD.source OR NEW.removed_at IS NOT OLD.removed_at)
    AND NEW.version <> OLD.version + 1;
END;

CREATE TRIGGER facts_keep_value AFTER UPDATE ON facts WHEN NEW.version IS NOT OLD.version BEGIN
  INSERT INTO fact_values (
    workspace_id, fact_id, version, source, conversation_id, from_at, until_at, removed, value)
  VALUES (
    OLD.workspace_id, OLD.id, OLD.version, OLD.source, OLD.conversation_id, OLD.updated_at, NEW.updated_at,
    OLD.removed_at IS NOT NULL, OLD.value);
END;

-- The checks for what is there already close the way round by INSERT OR REPLACE.
CREATE TRIGGER fact_values_insert BEFORE INSERT ON fact_values
WHEN EXISTS (SELECT 1 FROM fact_values
             WHERE workspace_id = NEW.workspace_id AND fact_id = NEW.fact_id AND version = NEW.version)
  OR NOT EXISTS (SELECT 1 FROM facts
                 WHERE workspace_id = NEW.workspace_id AND id = NEW.fact_id AND version = NEW.version + 1)
BEGIN
  SELECT RAISE(ABORT, 'refused: history is append-only');
END;

-- A conversation's own bookkeeping and news ---------------------------------------------------------------
CREATE TRIGGER messages_insert_tick AFTER INSERT ON messages BEGIN
  UPDATE message_clock SET tick = tick + 1;
  UPDATE conversations
  SET message_tick = message_tick + 1, last_position = max(last_position, NEW.position),
      active_at = CASE WHEN NEW.archive_id IS NULL THEN max(active_at, NEW.at) ELSE active_at END
  WHERE workspace_id = NEW.workspace_id AND id = NEW.conversation_id;
  UPDATE topics SET counter = counter + 1 WHERE topic = 'transcript';
END;

CREATE TRIGGER messages_update_tick AFTER UPDATE ON messages BEGIN
  UPDATE message_clock SET tick = tick + 1;
  UPDATE conversations SET message_tick = message_tick + 1
  WHERE workspace_id = NEW.workspace_id AND id = NEW.conversation_id;
  UPDATE topics SET counter = counter + 1 WHERE topic = 'transcript';
END;

CREATE TRIGGER messages_delete_tick AFTER DELETE ON messages BEGIN
  UPDATE message_clock SET tick = tick + 1;
  UPDATE conversations SET message_tick = message_tick + 1
  WHERE workspace_id = OLD.workspace_id AND id = OLD.conversation_id;
  UPDATE topics SET counter = counter + 1 WHERE topic = 'transcript';
END;

CREATE TRIGGER messages_text_changed AFTER UPDATE ON messages WHEN NEW.content IS NOT OLD.content BEGIN
  DELETE FROM message_vectors WHERE workspace_id = NEW.workspace_id AND message_id = NEW.id;
  DELETE FROM message_vector_failures WHERE workspace_id = NEW.workspace_id AND message_id = NEW.id;
END;

CREATE TRIGGER message_vectors_insert_news AFTER INSERT ON message_vectors BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'models';
END;

CREATE TRIGGER message_vectors_delete_news AFTER DELETE ON message_vectors BEGIN
  UPDATE message_clock SET epoch = epoch + 1;
  UPDATE topics SET counter = counter + 1 WHERE topic = 'models';
END;

CREATE TRIGGER message_vector_failures_insert_news AFTER INSERT ON message_vector_failures BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'models';
END;

CREATE TRIGGER episodes_insert_news AFTER INSERT ON episodes BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'transcript';
END;

CREATE TRIGGER episodes_update_news AFTER UPDATE ON episodes BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'transcript';
END;

CREATE TRIGGER facts_insert_news AFTER INSERT ON facts BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'transcript';
END;

CREATE TRIGGER facts_update_news AFTER UPDATE ON facts BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'transcript';
END;

CREATE TRIGGER fact_claims_insert_news AFTER INSERT ON fact_claims BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'transcript';
END;

CREATE TRIGGER fact_claims_update_news AFTER UPDATE ON fact_claims BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'transcript';
END;

CREATE TRIGGER scratchpads_insert_news AFTER INSERT ON scratchpads BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'transcript';
END;

CREATE TRIGGER scratchpads_update_news AFTER UPDATE OF value ON scratchpads BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'transcript';
END;

CREATE TRIGGER scratchpads_delete_news AFTER DELETE ON scratchpads BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'transcript';
END;

-- Messages go only with their conversation, or where the worldbuilder chose to keep summaries alone.
CREATE TRIGGER messages_delete BEFORE DELETE ON messages
WHEN NOT EXISTS (SELECT 1 FROM conversations
                 WHERE workspace_id = OLD.workspace_id AND id = OLD.conversation_id AND deleted_at IS NOT NULL)
  AND NOT EXISTS (SELECT 1 FROM settings
                  WHERE workspace_id = OLD.workspace_id AND key = 'episodes.keep_only_summaries' AND value = 'true')
  AND NOT EXISTS (SELECT 1 FROM deletion_permits WHERE workspace_id = OLD.workspace_id AND memory_id = OLD.id)
BEGIN
  SELECT RAISE(ABORT, 'refused: this workspace keeps what was said');
END;

CREATE TRIGGER facts_delete BEFORE DELETE ON facts
WHEN NOT EXISTS (SELECT 1 FROM deletion_permits WHERE workspace_id = OLD.workspace_id AND memory_id = OLD.id)
BEGIN
  SELECT RAISE(ABORT, 'refused: a fact is taken out of use, never deleted');
END;

CREATE TRIGGER fact_values_delete BEFORE DELETE ON fact_values
WHEN NOT EXISTS (SELECT 1 FROM deletion_permits WHERE workspace_id = OLD.workspace_id AND memory_id = OLD.fact_id)
BEGIN
  SELECT RAISE(ABORT, 'refused: history is append-only');
END;

CREATE TRIGGER fact_values_update BEFORE UPDATE ON fact_values
WHEN (NEW.value IS NOT OLD.value
      AND NOT (NEW.value = '' AND EXISTS (SELECT 1 FROM deletion_permits
                                          WHERE workspace_id = OLD.workspace_id AND memory_id = OLD.fact_id)))
  OR NEW.version IS NOT OLD.version OR NEW.fact_id IS NOT OLD.fact_id
  OR NEW.source IS NOT OLD.source OR NEW.from_at IS NOT OLD.from_at OR NEW.until_at IS NOT OLD.until_at
BEGIN
  SELECT RAISE(ABORT, 'refused: history is append-only');
END;

CREATE UNIQUE INDEX messages_one_marker ON messages (workspace_id, conversation_id, through, archive_id)
  WHERE through IS NOT NULL;

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
