-- A workspace's file, behind the memory of `migrations/memory`: channels, conversations, settings.
INSERT INTO topics (topic, counter)
VALUES ('channels', 0), ('transcript', 0), ('runs', 0), ('orientations', 0);

-- Rooms. A channel groups conversations by topic.
CREATE TABLE channels (
  workspace_id TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  id           TEXT    NOT NULL CHECK (length(id) = 36),
  name         TEXT    NOT NULL CHECK (length(name) BETWEEN 1 AND 120),
  name_folded  TEXT    NOT NULL,
  description  TEXT    NOT NULL DEFAULT '',
  is_default   INTEGER NOT NULL DEFAULT 0 CHECK (is_default IN (0, 1)),
  created_at   INTEGER NOT NULL,
  archived_at  INTEGER,
  dissolved_into TEXT,             -- set within the transaction that moves everything out and deletes the channel
  CHECK (is_default = 0 OR (archived_at IS NULL AND dissolved_into IS NULL)),
  PRIMARY KEY (workspace_id, id),
  UNIQUE (workspace_id, name_folded)
) STRICT;
CREATE UNIQUE INDEX channels_one_default ON channels (workspace_id) WHERE is_default = 1;

CREATE TABLE conversations (
  workspace_id TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  id           TEXT    NOT NULL CHECK (length(id) = 36),
  channel_id   TEXT    NOT NULL,
  ref_code     TEXT    NOT NULL CHECK (length(ref_code) = 11),
  title        TEXT    NOT NULL DEFAULT '',
  status       TEXT    NOT NULL CHECK (status IN ('active', 'idle', 'archived')),
  started_at   INTEGER NOT NULL,
  ended_at     INTEGER,
  continues_id TEXT,
  active_at    INTEGER NOT NULL,           -- last message, or the start; lists are in this order
  message_tick INTEGER NOT NULL DEFAULT 0, -- counts changes of its messages, for copies in memory
  deleted_at   INTEGER,                    -- emptied; the row stays for what was remembered from it
  last_position INTEGER NOT NULL DEFAULT 0,
  external_id  TEXT    CHECK (length(external_id) BETWEEN 1 AND 300),
  PRIMARY KEY (workspace_id, id),
  UNIQUE (workspace_id, ref_code),
  UNIQUE (workspace_id, channel_id, id), -- so that an entry's conversation is one of its channel
  FOREIGN KEY (workspace_id, channel_id) REFERENCES channels (workspace_id, id),
  FOREIGN KEY (workspace_id, continues_id) REFERENCES conversations (workspace_id, id)
) STRICT;
CREATE INDEX conversations_by_start ON conversations (workspace_id, channel_id, status, started_at);
CREATE INDEX conversations_by_activity ON conversations (active_at, id) WHERE deleted_at IS NULL;
CREATE INDEX memories_by_channel ON memories (channel_id, forgotten_at, scope, updated_at, id)
  WHERE channel_id IS NOT NULL;

-- Whose file this is: the workspace folder is self-contained.
CREATE TABLE meta (
  one          INTEGER PRIMARY KEY CHECK (one = 1),
  workspace_id TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  name         TEXT    NOT NULL CHECK (length(name) BETWEEN 1 AND 120),
  created_at   INTEGER NOT NULL
) STRICT;

CREATE TRIGGER channels_insert_news AFTER INSERT ON channels BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'channels';
END;

CREATE TRIGGER channels_update_news AFTER UPDATE ON channels BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'channels';
END;

CREATE TRIGGER channels_delete_news AFTER DELETE ON channels BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'channels';
END;

CREATE TRIGGER conversations_insert_news AFTER INSERT ON conversations BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'channels';
END;

CREATE TRIGGER conversations_update_news
AFTER UPDATE OF title, channel_id, status, ended_at, active_at, deleted_at ON conversations BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'channels';
END;

CREATE TRIGGER conversations_delete_news AFTER DELETE ON conversations BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'channels';
END;

CREATE TRIGGER channels_default BEFORE DELETE ON channels WHEN OLD.is_default = 1 BEGIN
  SELECT RAISE(ABORT, 'refused: the default channel stays');
END;

-- The workspace's own settings.
CREATE TABLE settings (
  workspace_id TEXT NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  key          TEXT NOT NULL CHECK (length(key) BETWEEN 1 AND 120),
  value        TEXT NOT NULL CHECK (json_valid(value)),
  PRIMARY KEY (workspace_id, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX memories_by_conversation ON memories (conversation_id, forgotten_at) WHERE conversation_id IS NOT NULL;
CREATE UNIQUE INDEX conversations_external ON conversations (workspace_id, external_id)
  WHERE external_id IS NOT NULL AND deleted_at IS NULL;

-- What is gone stays gone, and what was counted stays counted.
CREATE TRIGGER conversations_kept BEFORE UPDATE ON conversations
WHEN (OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL)
  OR NEW.last_position < OLD.last_position OR NEW.message_tick < OLD.message_tick
  OR NEW.external_id IS NOT OLD.external_id
BEGIN
  SELECT RAISE(ABORT, 'refused: a conversation does not go back');
END;

-- Entries of a conversation that moved to another channel are found there at once.
CREATE TRIGGER conversations_moved AFTER UPDATE OF channel_id ON conversations
WHEN NEW.channel_id IS NOT OLD.channel_id
BEGIN
  UPDATE change_clock SET tick = tick + 1;
  UPDATE memories SET change_seq = (SELECT tick FROM change_clock)
  WHERE workspace_id = NEW.workspace_id AND conversation_id = NEW.id;
  UPDATE topics SET counter = counter + 1 WHERE topic = 'memories';
END;

CREATE TRIGGER channels_dissolved AFTER UPDATE OF dissolved_into ON channels BEGIN
  UPDATE change_clock SET tick = tick + 1;
  UPDATE topics SET counter = counter + 1 WHERE topic = 'memories';
END;

CREATE TRIGGER conversations_deleted AFTER UPDATE OF deleted_at ON conversations BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'transcript';
END;

CREATE TRIGGER settings_insert_news AFTER INSERT ON settings BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'settings';
END;

CREATE TRIGGER settings_update_news AFTER UPDATE ON settings BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'settings';
END;
