-- What keeps a workspace's memory in order: proposals, runs, tasks, ended conversations, the orientation ledger.
-- Conventions as in 0001.

INSERT INTO topics (topic, counter) VALUES ('proposals', 0), ('runs', 0), ('orientations', 0);

-- What an agent or a task would do and may not; the worldbuilder decides. Its entries are all of this file.
CREATE TABLE proposals (
  workspace_id TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  id           TEXT    NOT NULL CHECK (length(id) = 36),
  kind         TEXT    NOT NULL CHECK (kind IN ('edit', 'merge', 'retire', 'conflict')),
  state        TEXT    NOT NULL CHECK (state IN ('open', 'accepted', 'rejected', 'superseded')),
  reason       TEXT    NOT NULL CHECK (length(reason) BETWEEN 1 AND 120),
  fingerprint  TEXT    NOT NULL,           -- what is proposed; holds no text
  hand         TEXT    NOT NULL CHECK (hand IN ('author', 'agent', 'import', 'system')),
  door         TEXT    NOT NULL CHECK (length(door) BETWEEN 1 AND 40),
  run_id       TEXT,
  conversation_id TEXT,
  created_at   INTEGER NOT NULL,
  decided_at   INTEGER,
  change_id    TEXT,
  content      TEXT    CHECK (octet_length(content) BETWEEN 1 AND 65536),
  PRIMARY KEY (workspace_id, id),
  UNIQUE (workspace_id, fingerprint),
  CHECK ((kind IN ('edit', 'merge')) = (content IS NOT NULL)),
  CHECK ((state = 'open') = (decided_at IS NULL)),
  CHECK (change_id IS NULL OR state = 'accepted')
) STRICT;

CREATE INDEX proposals_by_time ON proposals (created_at, id);
CREATE INDEX proposals_by_state ON proposals (state, created_at, id);
CREATE UNIQUE INDEX proposals_change ON proposals (workspace_id, change_id) WHERE change_id IS NOT NULL;

CREATE TABLE proposal_subjects (
  workspace_id TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  proposal_id  TEXT    NOT NULL,
  memory_id    TEXT    NOT NULL,
  version      INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, proposal_id, memory_id),
  FOREIGN KEY (workspace_id, proposal_id) REFERENCES proposals (workspace_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, memory_id) REFERENCES memories (workspace_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX proposal_subjects_by_memory ON proposal_subjects (workspace_id, memory_id);

-- INSERT OR REPLACE deletes without asking the delete triggers, so conflicts are looked for here.
CREATE TRIGGER proposals_insert BEFORE INSERT ON proposals BEGIN
  SELECT RAISE(ABORT, 'refused: a proposal begins open') WHERE NEW.state <> 'open';
  SELECT RAISE(ABORT, 'taken: proposal')
  WHERE EXISTS (SELECT 1 FROM proposals WHERE workspace_id = NEW.workspace_id
                                          AND (id = NEW.id OR fingerprint = NEW.fingerprint))
     OR EXISTS (SELECT 1 FROM proposals WHERE rowid = NEW.rowid);
END;

-- A decision is made once. Acceptance is the author's: it carries the change that did it, and is made with it.
CREATE TRIGGER proposals_update BEFORE UPDATE ON proposals BEGIN
  SELECT RAISE(ABORT, 'refused: a proposal is decided once') WHERE OLD.state <> 'open';
  SELECT RAISE(ABORT, 'refused: what was proposed stays as it was')
  WHERE NEW.workspace_id IS NOT OLD.workspace_id OR NEW.id IS NOT OLD.id OR NEW.kind IS NOT OLD.kind
     OR NEW.reason IS NOT OLD.reason OR NEW.fingerprint IS NOT OLD.fingerprint OR NEW.hand IS NOT OLD.hand
     OR NEW.door IS NOT OLD.door OR NEW.run_id IS NOT OLD.run_id OR NEW.created_at IS NOT OLD.created_at
     OR NEW.conversation_id IS NOT OLD.conversation_id OR NEW.content IS NOT OLD.content
     OR NEW.rowid IS NOT OLD.rowid;
  SELECT RAISE(ABORT, 'locked: the worldbuilder decides')
  WHERE NEW.state = 'accepted'
    AND (NOT EXISTS (SELECT 1 FROM journal
                     WHERE sequence = (SELECT max(sequence) FROM journal) AND workspace_id = NEW.workspace_id
                       AND id = NEW.change_id AND hand = 'author' AND action = 'accept')
         OR EXISTS (SELECT 1 FROM proposals
                    WHERE workspace_id = NEW.workspace_id AND change_id = NEW.change_id));
END;

-- A proposal goes with an entry that a scrub destroys, because its text may hold that of the entry.
CREATE TRIGGER proposals_scrubbed BEFORE DELETE ON memories BEGIN
  DELETE FROM proposals
  WHERE (workspace_id, id) IN (SELECT workspace_id, proposal_id FROM proposal_subjects
                               WHERE workspace_id = OLD.workspace_id AND memory_id = OLD.id);
END;

CREATE TRIGGER proposals_delete BEFORE DELETE ON proposals
WHEN NOT EXISTS (SELECT 1 FROM proposal_subjects AS s JOIN deletion_permits AS p
                 ON p.workspace_id = s.workspace_id AND p.memory_id = s.memory_id
                 WHERE s.workspace_id = OLD.workspace_id AND s.proposal_id = OLD.id)
BEGIN
  SELECT RAISE(ABORT, 'refused: only a scrub destroys a proposal');
END;

-- What a proposal is about stands in its fingerprint.
CREATE TRIGGER proposal_subjects_insert BEFORE INSERT ON proposal_subjects BEGIN
  SELECT RAISE(ABORT, 'refused: what was proposed stays as it was')
  WHERE NOT EXISTS (SELECT 1 FROM proposals
                    WHERE workspace_id = NEW.workspace_id AND id = NEW.proposal_id
                      AND instr(fingerprint || ' ', ' ' || NEW.memory_id || '@' || NEW.version || ' ') > 0);
END;

CREATE TRIGGER proposal_subjects_update BEFORE UPDATE ON proposal_subjects BEGIN
  SELECT RAISE(ABORT, 'refused: what was proposed stays as it was');
END;

CREATE TRIGGER proposal_subjects_delete BEFORE DELETE ON proposal_subjects
WHEN EXISTS (SELECT 1 FROM proposals WHERE workspace_id = OLD.workspace_id AND id = OLD.proposal_id)
BEGIN
  SELECT RAISE(ABORT, 'refused: what was proposed stays as it was');
END;

CREATE TRIGGER proposals_insert_news AFTER INSERT ON proposals BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'proposals';
END;

CREATE TRIGGER proposals_update_news AFTER UPDATE ON proposals BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'proposals';
END;

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

CREATE TRIGGER conversations_ended AFTER UPDATE OF status ON conversations
WHEN OLD.status = 'active' AND NEW.status <> 'active' AND NEW.deleted_at IS NULL
BEGIN
  INSERT INTO persists (workspace_id, conversation_id, state, since)
  VALUES (NEW.workspace_id, NEW.id, 'pending', coalesce(NEW.ended_at, NEW.active_at))
  ON CONFLICT (workspace_id, conversation_id) DO NOTHING;
END;

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
