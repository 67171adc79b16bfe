-- The telemetry of agents: what the World Agent and clients did. It never leaves this file. Every text column holds an id or a
-- word of a closed list, so that no text of the world, no argument and no message can stand here.
INSERT INTO topics (topic, counter) VALUES ('agent_telemetry', 0);

-- A turn of the World Agent, or a client at work until it pauses.
CREATE TABLE agent_sequences (
  workspace_id    TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  id              TEXT    NOT NULL CHECK (length(id) = 36),
  client_id       TEXT    CHECK (length(client_id) = 36),       -- none: the World Agent
  conversation_id TEXT    CHECK (length(conversation_id) = 36), -- of the turn
  turn_id         TEXT    CHECK (length(turn_id) = 36),
  started_at      INTEGER NOT NULL,
  ended_at        INTEGER NOT NULL,
  actions         INTEGER NOT NULL CHECK (actions >= 0),
  summary         TEXT    NOT NULL CHECK (octet_length(summary) <= 4000 AND summary NOT GLOB '*[^a-z0-9_., ]*'),
  PRIMARY KEY (workspace_id, id),
  CHECK (ended_at >= started_at)
) STRICT;
CREATE INDEX agent_sequences_by_time ON agent_sequences (workspace_id, ended_at, id);
CREATE INDEX agent_sequences_by_client ON agent_sequences (workspace_id, client_id, ended_at) WHERE client_id IS NOT NULL;
CREATE INDEX agent_sequences_by_conversation ON agent_sequences (workspace_id, conversation_id)
  WHERE conversation_id IS NOT NULL;

CREATE TABLE agent_actions (
  workspace_id    TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  id              TEXT    NOT NULL CHECK (length(id) = 36),
  sequence_id     TEXT    NOT NULL CHECK (length(sequence_id) = 36),
  at              INTEGER NOT NULL,
  action_type     TEXT    NOT NULL CHECK (length(action_type) BETWEEN 1 AND 40 AND action_type NOT GLOB '*[^a-z_.]*'),
  target_type     TEXT    NOT NULL CHECK (length(target_type) BETWEEN 1 AND 40 AND target_type NOT GLOB '*[^a-z_]*'),
  target_id       TEXT    CHECK (length(target_id) = 36 AND target_id NOT GLOB '*[^0-9a-f-]*'),
  outcome         TEXT    NOT NULL CHECK (outcome IN ('done', 'empty', 'proposed', 'refused', 'failed')),
  error_code      TEXT    CHECK (length(error_code) BETWEEN 1 AND 40 AND error_code NOT GLOB '*[^a-z_]*'),
  latency_ms      INTEGER NOT NULL CHECK (latency_ms >= 0),
  client_id       TEXT    CHECK (length(client_id) = 36),
  conversation_id TEXT    CHECK (length(conversation_id) = 36),
  turn_id         TEXT    CHECK (length(turn_id) = 36),
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, sequence_id) REFERENCES agent_sequences (workspace_id, id) ON DELETE CASCADE,
  CHECK ((outcome IN ('empty', 'refused', 'failed')) = (error_code IS NOT NULL))
) STRICT;
CREATE INDEX agent_actions_by_time ON agent_actions (workspace_id, at, id);
CREATE INDEX agent_actions_by_client ON agent_actions (workspace_id, client_id, at, id) WHERE client_id IS NOT NULL;
CREATE INDEX agent_actions_by_target ON agent_actions (workspace_id, target_id, at, id) WHERE target_id IS NOT NULL;
CREATE INDEX agent_actions_by_conversation ON agent_actions (workspace_id, conversation_id, at, id)
  WHERE conversation_id IS NOT NULL;
CREATE INDEX agent_actions_by_sequence ON agent_actions (workspace_id, sequence_id, at, id);
CREATE INDEX agent_actions_by_pattern ON agent_actions (workspace_id, action_type, target_type, sequence_id, at, id);

-- The vectors of summaries. Equal summaries share one.
CREATE TABLE agent_summary_vectors (
  workspace_id TEXT NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  model        TEXT NOT NULL CHECK (length(model) BETWEEN 1 AND 200),
  summary      TEXT NOT NULL CHECK (octet_length(summary) <= 4000 AND summary NOT GLOB '*[^a-z0-9_., ]*'),
  vector       BLOB NOT NULL,
  PRIMARY KEY (workspace_id, model, summary)
) STRICT, WITHOUT ROWID;

-- Outcomes that recur. They stay when the actions behind them are removed.
CREATE TABLE agent_patterns (
  workspace_id  TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  id            TEXT    NOT NULL CHECK (length(id) = 36),
  action_type   TEXT    NOT NULL CHECK (length(action_type) BETWEEN 1 AND 40 AND action_type NOT GLOB '*[^a-z_.]*'),
  target_type   TEXT    NOT NULL CHECK (length(target_type) BETWEEN 1 AND 40 AND target_type NOT GLOB '*[^a-z_]*'),
  error_code    TEXT    NOT NULL CHECK (length(error_code) BETWEEN 1 AND 40 AND error_code NOT GLOB '*[^a-z_]*'),
  sequences     INTEGER NOT NULL CHECK (sequences >= 0),
  of_sequences  INTEGER NOT NULL CHECK (of_sequences >= sequences),
  holds         INTEGER NOT NULL CHECK (holds IN (0, 1)),
  promoted_at   INTEGER NOT NULL,
  updated_at    INTEGER NOT NULL,
  annotation    TEXT    CHECK (annotation IN ('useful', 'expected', 'misleading', 'resolved')),
  suppressed_by TEXT    CHECK (suppressed_by IN ('author', 'agent')),
  judged_by     TEXT    CHECK (judged_by IN ('author', 'agent')),   -- who wrote the last two
  PRIMARY KEY (workspace_id, id),
  UNIQUE (workspace_id, action_type, target_type, error_code),
  CHECK (holds = 0 OR (sequences >= 5 AND sequences * 100 >= of_sequences * 60))
) STRICT;

-- Metrics that the worldbuilder or a client defined.
CREATE TABLE agent_metrics (
  workspace_id TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  id           TEXT    NOT NULL CHECK (length(id) = 36),
  measure      TEXT    NOT NULL CHECK (measure IN ('count', 'percent', 'mean_latency')),
  action_type  TEXT    CHECK (length(action_type) BETWEEN 1 AND 40 AND action_type NOT GLOB '*[^a-z_.]*'),
  target_type  TEXT    CHECK (length(target_type) BETWEEN 1 AND 40 AND target_type NOT GLOB '*[^a-z_]*'),
  outcome      TEXT    CHECK (outcome IN ('done', 'empty', 'proposed', 'refused', 'failed')),
  error_code   TEXT    CHECK (length(error_code) BETWEEN 1 AND 40 AND error_code NOT GLOB '*[^a-z_]*'),
  created_at   INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, id)
) STRICT;

-- The value of each metric on each day. They stay when the actions behind them are removed.
CREATE TABLE agent_benchmarks (
  workspace_id TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  metric       TEXT    NOT NULL CHECK (length(metric) BETWEEN 1 AND 40 AND metric NOT GLOB '*[^a-z0-9_-]*'),
  day          INTEGER NOT NULL,                                     -- days since 1970 in UTC
  value        REAL    NOT NULL,
  PRIMARY KEY (workspace_id, metric, day)
) STRICT, WITHOUT ROWID;

-- Nothing is captured while memory is off, nor for a conversation that is gone. Telemetry never fails an act, so such a row is
-- left out in silence.
CREATE TRIGGER agent_actions_insert BEFORE INSERT ON agent_actions
WHEN EXISTS (SELECT 1 FROM memory_off)
  OR EXISTS (SELECT 1 FROM conversations
             WHERE workspace_id = NEW.workspace_id AND id = NEW.conversation_id AND deleted_at IS NOT NULL)
  OR EXISTS (SELECT 1 FROM agent_actions WHERE workspace_id = NEW.workspace_id AND id = NEW.id)
BEGIN
  SELECT RAISE(IGNORE);
END;

-- The only change: the target is gone for good.
CREATE TRIGGER agent_actions_update BEFORE UPDATE ON agent_actions
WHEN NEW.workspace_id IS NOT OLD.workspace_id OR NEW.id IS NOT OLD.id OR NEW.sequence_id IS NOT OLD.sequence_id
  OR NEW.at IS NOT OLD.at OR NEW.action_type IS NOT OLD.action_type OR NEW.target_type IS NOT OLD.target_type
  OR (NEW.target_id IS NOT OLD.target_id AND NEW.target_id IS NOT NULL) OR NEW.outcome IS NOT OLD.outcome
  OR NEW.error_code IS NOT OLD.error_code OR NEW.latency_ms IS NOT OLD.latency_ms
  OR NEW.client_id IS NOT OLD.client_id OR NEW.conversation_id IS NOT OLD.conversation_id
  OR NEW.turn_id IS NOT OLD.turn_id OR NEW.rowid IS NOT OLD.rowid
BEGIN
  SELECT RAISE(ABORT, 'refused: what an agent did is not rewritten');
END;

CREATE TRIGGER agent_patterns_update BEFORE UPDATE ON agent_patterns BEGIN
  SELECT RAISE(ABORT, 'locked: the worldbuilder suppressed this pattern')
  WHERE OLD.suppressed_by IS 'author' AND NEW.suppressed_by IS NOT 'author' AND NEW.judged_by IS NOT 'author';
  SELECT RAISE(ABORT, 'refused: what an agent did is not rewritten')
  WHERE NEW.workspace_id IS NOT OLD.workspace_id OR NEW.id IS NOT OLD.id OR NEW.action_type IS NOT OLD.action_type
     OR NEW.target_type IS NOT OLD.target_type OR NEW.error_code IS NOT OLD.error_code
     OR NEW.promoted_at IS NOT OLD.promoted_at;
END;

-- A conversation that is deleted takes what was done in it and to it.
CREATE TRIGGER conversations_deleted_agent_telemetry AFTER UPDATE OF deleted_at ON conversations
WHEN NEW.deleted_at IS NOT NULL
BEGIN
  DELETE FROM agent_actions
  WHERE workspace_id = NEW.workspace_id AND (conversation_id = NEW.id OR target_id = NEW.id);
  DELETE FROM agent_sequences WHERE workspace_id = NEW.workspace_id AND conversation_id = NEW.id;
  DELETE FROM agent_sequences
  WHERE workspace_id = NEW.workspace_id AND client_id IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM agent_actions AS a
                    WHERE a.workspace_id = agent_sequences.workspace_id AND a.sequence_id = agent_sequences.id);
  UPDATE topics SET counter = counter + 1 WHERE topic = 'agent_telemetry';
END;

-- What a scrub destroys is no target any more.
CREATE TRIGGER agent_targets_of_memory AFTER DELETE ON memories BEGIN
  UPDATE agent_actions SET target_id = NULL WHERE workspace_id = OLD.workspace_id AND target_id = OLD.id;
END;

CREATE TRIGGER agent_targets_of_fact AFTER DELETE ON facts BEGIN
  UPDATE agent_actions SET target_id = NULL WHERE workspace_id = OLD.workspace_id AND target_id = OLD.id;
END;

-- The ledger tells which patterns an agent was shown.
CREATE TABLE orientation_items_anew (
  workspace_id TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  orientation_id TEXT  NOT NULL,
  ordinal      INTEGER NOT NULL CHECK (ordinal >= 0),
  layer        TEXT    NOT NULL
    CHECK (layer IN ('named', 'patterns', 'subjects', 'facts', 'episodes', 'earlier', 'conversation', 'channel', 'workspace',
                     'account')),
  kind         TEXT    NOT NULL CHECK (kind IN ('memory', 'fact', 'episode', 'message', 'pattern')),
  item_id      TEXT    NOT NULL,
  version      INTEGER NOT NULL CHECK (version >= 0),
  tokens       INTEGER NOT NULL CHECK (tokens >= 0),
  taken        INTEGER NOT NULL CHECK (taken IN (0, 1)),
  shortened    INTEGER NOT NULL CHECK (shortened IN (0, 1)),
  rule         TEXT    CHECK (rule IN ('budget', 'limit', 'repeats', 'refined', 'unknown', 'not_then')),
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
INSERT INTO orientation_items_anew SELECT * FROM orientation_items;
DROP TABLE orientation_items;
ALTER TABLE orientation_items_anew RENAME TO orientation_items;

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
