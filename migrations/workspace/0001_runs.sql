-- Work that nobody did by hand. Every change of a run carries its id in the journal. Holds no memory text.
CREATE TABLE runs (
  workspace_id TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  id           TEXT    NOT NULL CHECK (length(id) = 36),
  task         TEXT    NOT NULL CHECK (length(task) BETWEEN 1 AND 40),
  state        TEXT    NOT NULL CHECK (state IN ('running', 'done', 'cancelled', 'failed', 'reverted')),
  set_off_by   TEXT    NOT NULL CHECK (set_off_by IN ('asked', 'idle', 'queue', 'closed', 'startup')),
  started_at   INTEGER NOT NULL,
  finished_at  INTEGER,
  reverted_at  INTEGER,
  done         INTEGER NOT NULL CHECK (done >= 0),
  total        INTEGER NOT NULL CHECK (total >= 0),
  counts       TEXT    NOT NULL CHECK (json_valid(counts) AND json_type(counts) = 'object'),
  error        TEXT,
  PRIMARY KEY (workspace_id, id),
  CHECK ((state = 'running') = (finished_at IS NULL)),
  CHECK ((state = 'reverted') = (reverted_at IS NOT NULL))
) STRICT;
CREATE INDEX runs_by_start ON runs (started_at, id);
CREATE INDEX runs_by_task ON runs (task, started_at, id);

CREATE TRIGGER runs_insert BEFORE INSERT ON runs BEGIN
  SELECT RAISE(ABORT, 'taken: run')
  WHERE EXISTS (SELECT 1 FROM runs WHERE workspace_id = NEW.workspace_id AND id = NEW.id)
     OR EXISTS (SELECT 1 FROM runs WHERE rowid = NEW.rowid);
END;

CREATE TRIGGER runs_update BEFORE UPDATE ON runs
WHEN NEW.workspace_id IS NOT OLD.workspace_id OR NEW.id IS NOT OLD.id OR NEW.task IS NOT OLD.task
  OR NEW.set_off_by IS NOT OLD.set_off_by OR NEW.started_at IS NOT OLD.started_at OR NEW.rowid IS NOT OLD.rowid
BEGIN
  SELECT RAISE(ABORT, 'refused: how a run began is fixed');
END;

-- When each task ran last, and the process that runs it.
CREATE TABLE tasks (
  workspace_id TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  task         TEXT    NOT NULL CHECK (length(task) BETWEEN 1 AND 40),
  lease_owner  TEXT,
  lease_until  INTEGER,
  last_started_at  INTEGER,
  last_finished_at INTEGER,
  outcome      TEXT    CHECK (outcome IN ('done', 'failed', 'panicked', 'cancelled')),
  message      TEXT,
  PRIMARY KEY (workspace_id, task),
  CHECK ((lease_owner IS NULL) = (lease_until IS NULL))
) STRICT, WITHOUT ROWID;

-- Conversations that ended and whose memories were not worked up yet. A crash cannot lose one: the trigger writes it with
-- the end of the conversation.
CREATE TABLE persists (
  workspace_id TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  conversation_id TEXT NOT NULL,
  state        TEXT    NOT NULL CHECK (state IN ('pending', 'done')),
  since        INTEGER NOT NULL,
  run_id       TEXT,
  attempts     INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  finished_at  INTEGER,
  PRIMARY KEY (workspace_id, conversation_id),
  FOREIGN KEY (workspace_id, conversation_id) REFERENCES conversations (workspace_id, id) ON DELETE CASCADE,
  CHECK ((state = 'done') = (finished_at IS NOT NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX persists_pending ON persists (since, conversation_id) WHERE state = 'pending';

-- What the World Agent was shown, and what was left out. Texts are looked up by id and version; only the query is kept.
CREATE TABLE orientations (
  workspace_id TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  id           TEXT    NOT NULL CHECK (length(id) = 36),
  conversation_id TEXT,
  message_id   TEXT,
  channel_id   TEXT,
  at           INTEGER NOT NULL,
  budget       INTEGER NOT NULL CHECK (budget >= 0),
  tokens       INTEGER NOT NULL CHECK (tokens >= 0),
  layers       TEXT    NOT NULL CHECK (json_valid(layers) AND json_type(layers) = 'object'),
  thinned      INTEGER NOT NULL DEFAULT 0 CHECK (thinned IN (0, 1)),
  query        TEXT    NOT NULL CHECK (octet_length(query) <= 65536),
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, conversation_id) REFERENCES conversations (workspace_id, id) ON DELETE CASCADE
) STRICT;
CREATE INDEX orientations_by_conversation ON orientations (conversation_id, at, id);
CREATE INDEX orientations_by_message ON orientations (message_id) WHERE message_id IS NOT NULL;
CREATE INDEX orientations_by_time ON orientations (at);

CREATE TABLE orientation_items (
  workspace_id TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  orientation_id TEXT  NOT NULL,
  ordinal      INTEGER NOT NULL CHECK (ordinal >= 0),
  layer        TEXT    NOT NULL
    CHECK (layer IN ('named', 'facts', 'episodes', 'earlier', 'conversation', 'channel', 'workspace', 'account')),
  kind         TEXT    NOT NULL CHECK (kind IN ('memory', 'fact', 'episode', 'message')),
  item_id      TEXT    NOT NULL,
  version      INTEGER NOT NULL CHECK (version >= 0),
  tokens       INTEGER NOT NULL CHECK (tokens >= 0),
  taken        INTEGER NOT NULL CHECK (taken IN (0, 1)),
  shortened    INTEGER NOT NULL CHECK (shortened IN (0, 1)),
  rule         TEXT    CHECK (rule IN ('budget', 'limit', 'repeats', 'refined')),
  repeats_kind TEXT,
  repeats_id   TEXT,
  score        REAL,
  framing      TEXT    NOT NULL CHECK (json_valid(framing)),  -- curator, importance, relevance, age in days
  parts        TEXT    NOT NULL CHECK (json_valid(parts) AND json_type(parts) = 'array'),
  PRIMARY KEY (workspace_id, orientation_id, ordinal),
  FOREIGN KEY (workspace_id, orientation_id) REFERENCES orientations (workspace_id, id) ON DELETE CASCADE,
  CHECK ((taken = 1) = (rule IS NULL)),
  CHECK ((rule IS 'repeats') = (repeats_kind IS NOT NULL) AND (rule IS 'repeats') = (repeats_id IS NOT NULL))
) STRICT, WITHOUT ROWID;

-- The ledger is an account of what was: nothing in it changes, but what was left out may be dropped.
CREATE TRIGGER orientations_insert BEFORE INSERT ON orientations BEGIN
  SELECT RAISE(ABORT, 'refused: its conversation is gone')
  WHERE EXISTS (SELECT 1 FROM conversations
                WHERE workspace_id = NEW.workspace_id AND id = NEW.conversation_id AND deleted_at IS NOT NULL);
  SELECT RAISE(ABORT, 'taken: orientation')
  WHERE EXISTS (SELECT 1 FROM orientations WHERE workspace_id = NEW.workspace_id AND id = NEW.id)
     OR EXISTS (SELECT 1 FROM orientations WHERE rowid = NEW.rowid);
END;

CREATE TRIGGER orientations_update BEFORE UPDATE ON orientations
WHEN NEW.thinned < OLD.thinned
  OR NEW.workspace_id IS NOT OLD.workspace_id OR NEW.id IS NOT OLD.id
  OR NEW.conversation_id IS NOT OLD.conversation_id OR NEW.message_id IS NOT OLD.message_id
  OR NEW.channel_id IS NOT OLD.channel_id OR NEW.at IS NOT OLD.at OR NEW.budget IS NOT OLD.budget
  OR NEW.tokens IS NOT OLD.tokens OR NEW.layers IS NOT OLD.layers OR NEW.query IS NOT OLD.query
  OR NEW.rowid IS NOT OLD.rowid
BEGIN
  SELECT RAISE(ABORT, 'refused: the ledger is not rewritten');
END;

CREATE TRIGGER orientation_items_insert BEFORE INSERT ON orientation_items
WHEN EXISTS (SELECT 1 FROM orientation_items
             WHERE workspace_id = NEW.workspace_id AND orientation_id = NEW.orientation_id
               AND ordinal = NEW.ordinal)
BEGIN
  SELECT RAISE(ABORT, 'refused: the ledger is not rewritten');
END;

CREATE TRIGGER orientation_items_update BEFORE UPDATE ON orientation_items BEGIN
  SELECT RAISE(ABORT, 'refused: the ledger is not rewritten');
END;

CREATE TRIGGER orientation_items_delete BEFORE DELETE ON orientation_items
WHEN OLD.taken = 1
  AND EXISTS (SELECT 1 FROM orientations WHERE workspace_id = OLD.workspace_id AND id = OLD.orientation_id)
BEGIN
  SELECT RAISE(ABORT, 'refused: the ledger is not rewritten');
END;

-- A conversation that is deleted leaves no account of what was shown in it, and nothing to work up.
CREATE TRIGGER conversations_deleted_keeping AFTER UPDATE OF deleted_at ON conversations
WHEN NEW.deleted_at IS NOT NULL
BEGIN
  DELETE FROM orientations WHERE workspace_id = NEW.workspace_id AND conversation_id = NEW.id;
  DELETE FROM persists WHERE workspace_id = NEW.workspace_id AND conversation_id = NEW.id;
END;

-- Nor does an answer that is deleted: the query may be what was said.
CREATE TRIGGER messages_deleted_keeping AFTER DELETE ON messages BEGIN
  DELETE FROM orientations WHERE message_id = OLD.id AND workspace_id = OLD.workspace_id;
END;

CREATE TRIGGER runs_insert_news AFTER INSERT ON runs BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'runs';
END;

CREATE TRIGGER runs_update_news AFTER UPDATE ON runs BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'runs';
END;

CREATE TRIGGER tasks_insert_news AFTER INSERT ON tasks BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'runs';
END;

-- A lease that is merely renewed is no news.
CREATE TRIGGER tasks_update_news
AFTER UPDATE OF lease_owner, last_started_at, last_finished_at, outcome, message ON tasks BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'runs';
END;

CREATE TRIGGER orientations_insert_news AFTER INSERT ON orientations BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'orientations';
END;

CREATE TRIGGER orientations_update_news AFTER UPDATE ON orientations BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'orientations';
END;

CREATE TRIGGER orientations_delete_news AFTER DELETE ON orientations BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'orientations';
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

-- What MCP clients wrote besides memory, which the journal tells of: each write with what takes it back. Written in the
-- transaction of the write itself.
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
  before       TEXT,
  change_order INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX client_writes_by_client ON client_writes (client_id, sequence);
CREATE INDEX client_writes_by_conversation ON client_writes (conversation_id) WHERE conversation_id IS NOT NULL;
CREATE INDEX client_writes_by_fact ON client_writes (fact_id) WHERE fact_id IS NOT NULL;
CREATE INDEX client_writes_by_end ON client_writes (before_expires_at) WHERE before_expires_at IS NOT NULL;

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

CREATE TRIGGER conversations_ended AFTER UPDATE OF status ON conversations
WHEN OLD.status = 'active' AND NEW.status <> 'active' AND NEW.deleted_at IS NULL
BEGIN
  INSERT INTO persists (workspace_id, conversation_id, state, since, finished_at)
  SELECT NEW.workspace_id, NEW.id, iif(kept.off, 'done', 'pending'), kept.since, iif(kept.off, kept.since, NULL)
  FROM (SELECT coalesce(NEW.ended_at, NEW.active_at) AS since,
               EXISTS (SELECT 1 FROM memory_off) AS off
       ) AS kept
  WHERE true
  ON CONFLICT (workspace_id, conversation_id) DO NOTHING;
END;

-- How far a task has come that does a limited part of its work in each run. Holds positions, no text.
CREATE TABLE task_cursors (
  workspace_id TEXT NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  task         TEXT NOT NULL CHECK (length(task) BETWEEN 1 AND 40),
  cursor       TEXT NOT NULL CHECK (octet_length(cursor) BETWEEN 1 AND 1000),
  PRIMARY KEY (workspace_id, task)
) STRICT, WITHOUT ROWID;

-- Working notes with a time to live end with their conversation at the latest.
CREATE TRIGGER scratchpads_end AFTER UPDATE OF status ON conversations
WHEN OLD.status = 'active' AND NEW.status <> 'active'
BEGIN
  DELETE FROM scratchpads
  WHERE workspace_id = NEW.workspace_id AND conversation_id = NEW.id AND ttl_seconds IS NOT NULL;
END;

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

-- What a client wrote besides memory stands in the same order.
CREATE TRIGGER client_writes_order AFTER INSERT ON client_writes BEGIN
  UPDATE change_clock SET change_order = max(change_order + 1, NEW.at);
  UPDATE client_writes SET change_order = (SELECT change_order FROM change_clock) WHERE sequence = NEW.sequence;
END;

-- Free to change: that it was taken back, once; and that what stood there before is let go of.
CREATE TRIGGER client_writes_update BEFORE UPDATE ON client_writes
WHEN NEW.sequence IS NOT OLD.sequence OR NEW.workspace_id IS NOT OLD.workspace_id
  OR NEW.client_id IS NOT OLD.client_id OR NEW.at IS NOT OLD.at OR NEW.kind IS NOT OLD.kind
  OR NEW.row_id IS NOT OLD.row_id OR NEW.fact_id IS NOT OLD.fact_id
  OR NEW.conversation_id IS NOT OLD.conversation_id OR NEW.made IS NOT OLD.made
  OR (OLD.undone_at IS NOT NULL AND NEW.undone_at IS NOT OLD.undone_at)
  OR (NEW.before IS NOT OLD.before AND NEW.before IS NOT NULL)
  OR (NEW.change_order IS NOT OLD.change_order AND OLD.change_order <> 0)
BEGIN
  SELECT RAISE(ABORT, 'refused: what a client wrote stays on record');
END;
