CREATE TABLE journal (
  sequence     INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace_id TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  id           TEXT    NOT NULL CHECK (length(id) = 36),
  action       TEXT    NOT NULL CHECK (length(action) BETWEEN 1 AND 40),
  hand         TEXT    NOT NULL CHECK (hand IN ('author', 'agent', 'import', 'system')),
  door         TEXT    NOT NULL CHECK (length(door) BETWEEN 1 AND 40),
  run_id       TEXT,
  at           INTEGER NOT NULL,
  entries      INTEGER NOT NULL CHECK (entries >= 0),
  undoes       TEXT,
  undone_by    TEXT,
  change_order INTEGER NOT NULL DEFAULT 0, -- 0 only until the trigger sets it
  UNIQUE (workspace_id, id)
) STRICT;

CREATE INDEX journal_by_run ON journal (run_id) WHERE run_id IS NOT NULL;

CREATE INDEX journal_by_hand ON journal (hand, sequence);

CREATE TABLE memories (
  seq               INTEGER PRIMARY KEY AUTOINCREMENT CHECK (seq > 0),
  workspace_id      TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  id                TEXT    NOT NULL CHECK (length(id) = 36),
  scope             TEXT    NOT NULL CHECK (scope IN ('workspace', 'channel', 'conversation')),
  channel_id        TEXT,
  conversation_id   TEXT,
  lifetime          TEXT    NOT NULL CHECK (lifetime IN ('long_term', 'short_term', 'conversation')),
  curator           TEXT    NOT NULL CHECK (curator IN ('agent', 'author', 'import')),
  kind              TEXT    NOT NULL CHECK (kind IN ('note', 'archive')),
  importance        REAL    NOT NULL CHECK (importance >= 0.0 AND importance <= 1.0),
  pinned            INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
  forgotten_at      INTEGER,
  source            TEXT    NOT NULL CHECK (length(source) BETWEEN 1 AND 120),
  speaker           TEXT,
  embedded_by       TEXT,             -- model of the newest vector; kept by triggers
  change_seq        INTEGER NOT NULL, -- tick of change_clock at the last write, for in-memory indexes
  version           INTEGER NOT NULL CHECK (version >= 1),
  written_by        TEXT    NOT NULL CHECK (written_by IN ('author', 'agent', 'import', 'system')),
  change_id         TEXT    NOT NULL,
  access_count      INTEGER NOT NULL DEFAULT 0 CHECK (access_count >= 0),
  created_at        INTEGER NOT NULL,
  accessed_at       INTEGER NOT NULL,
  updated_at        INTEGER NOT NULL,
  tags              TEXT    NOT NULL DEFAULT '[]' CHECK (json_valid(tags) AND json_type(tags) = 'array'),
  name              TEXT    CHECK (length(name) BETWEEN 1 AND 120),
  name_folded       TEXT,             -- the form in which names are compared
  aliases           TEXT    NOT NULL DEFAULT '[]' CHECK (json_valid(aliases) AND json_type(aliases) = 'array'),
  aliases_folded    TEXT    NOT NULL DEFAULT '[]'
    CHECK (json_valid(aliases_folded) AND json_type(aliases_folded) = 'array'),
  external_id       TEXT,
  session           TEXT,
  said_at           TEXT,
  source_conversation_id TEXT,        -- the conversation that produced it
  forgotten_reason  TEXT,             -- what whoever forgot it said of it, or nothing
  forgotten_run     TEXT,
  consolidated_into TEXT,
  content           TEXT    NOT NULL CHECK (octet_length(content) <= 65536),
  -- Words by which the full-text index itself narrows down tier, room and activity. Ids end in a digit so that
  -- the stemmer leaves them alone.
  reach             TEXT    GENERATED ALWAYS AS (
      CASE WHEN content = '' THEN 'blank' WHEN forgotten_at IS NULL THEN 'active' ELSE 'forgotten' END
      || ' s' || scope
      || coalesce(' c' || replace(channel_id, '-', '') || '0', '')
      || coalesce(' v' || replace(conversation_id, '-', '') || '0', '')) VIRTUAL,
  derived_from      TEXT    NOT NULL DEFAULT '[]'  -- whose words the text holds beyond those of its curator
    CHECK (json_valid(derived_from) AND json_type(derived_from) = 'array'),
  checksum          INTEGER,
  forgotten_code    TEXT    CHECK (length(forgotten_code) BETWEEN 1 AND 40), title TEXT CHECK (length(title) BETWEEN 1 AND 300), keys TEXT
  CHECK (json_valid(keys) AND json_type(keys) = 'array' AND json_array_length(keys) BETWEEN 1 AND 1000), subject TEXT
  CHECK (subject IS NULL OR (length(subject) BETWEEN 1 AND 60 AND name IS NOT NULL AND kind = 'note'
                             AND scope = 'workspace')), links TEXT
  CHECK (links IS NULL OR (scope <> 'account' AND json_valid(links) AND json_type(links) = 'array'
                           AND json_array_length(links) BETWEEN 1 AND 64)), relation TEXT
  CHECK (relation IS NULL OR (length(relation) BETWEEN 1 AND 60 AND name IS NULL AND links IS NOT NULL)), holds_from INTEGER
  CHECK (holds_from IS NULL OR (holds_from BETWEEN -9000000000000000 AND 9000000000008640
                                AND ((holds_from % 10000) + 10000) % 10000 <= 8640
                                AND scope <> 'account' AND kind = 'note')), holds_until INTEGER
  CHECK (holds_until IS NULL OR (holds_until BETWEEN -9000000000000000 AND 9000000000008640
                                 AND ((holds_until % 10000) + 10000) % 10000 <= 8640
                                 AND scope <> 'account' AND kind = 'note'
                                 AND (holds_from IS NULL
                                      OR iif(holds_from % 10000 = 0, holds_from + 1, holds_from)
                                         <= iif(holds_until % 10000 = 0, holds_until + 8640, holds_until)))), reading_number INTEGER
  CHECK (reading_number IS NULL OR (reading_number BETWEEN 1 AND 4294967295 AND subject IS NOT NULL)), calendar TEXT
  CHECK (calendar IS NULL OR (subject IS NOT NULL AND json_valid(calendar) AND json_type(calendar) = 'object')), derivations TEXT
  CHECK (derivations IS NULL OR (json_valid(derivations) AND json_type(derivations) = 'array'
                                 AND json_array_length(derivations) BETWEEN 1 AND 256)), -- why it is out of use
  UNIQUE (workspace_id, id),
  CHECK ((scope = 'workspace') = (channel_id IS NULL)),
  CHECK ((scope = 'conversation') = (conversation_id IS NOT NULL)),
  CHECK ((name IS NULL) = (name_folded IS NULL)),
  CHECK (name IS NOT NULL OR (aliases = '[]' AND content <> '')), -- only a named entry may be empty
  CHECK (json_array_length(aliases) = json_array_length(aliases_folded)),
  CHECK ((forgotten_at IS NULL) = (forgotten_reason IS NULL)),
  CHECK (forgotten_at IS NOT NULL OR forgotten_run IS NULL),
  FOREIGN KEY (workspace_id, channel_id) REFERENCES channels (workspace_id, id),
  FOREIGN KEY (workspace_id, channel_id, conversation_id)
    REFERENCES conversations (workspace_id, channel_id, id) ON UPDATE CASCADE
) STRICT;

CREATE INDEX memories_by_update ON memories (updated_at, id);

CREATE INDEX memories_by_scope ON memories (scope, forgotten_at, updated_at, id);

CREATE INDEX memories_by_creation ON memories (created_at, id);

CREATE INDEX memories_by_importance ON memories (importance, id);

CREATE INDEX memories_by_change_seq ON memories (change_seq);

CREATE INDEX memories_created_by ON memories (change_id) WHERE version = 1;

CREATE INDEX memories_named ON memories (scope, name_folded)
  WHERE name_folded IS NOT NULL AND kind = 'note' AND forgotten_at IS NULL;

CREATE INDEX memories_blank ON memories (seq) WHERE content = '';

CREATE UNIQUE INDEX memories_external ON memories
  (workspace_id, external_id, scope, coalesce(channel_id, ''), coalesce(conversation_id, ''))
  WHERE external_id IS NOT NULL;

CREATE TABLE names (
  workspace_id TEXT    NOT NULL,
  scope        TEXT    NOT NULL,
  folded       TEXT    NOT NULL CHECK (length(folded) > 0),
  memory_id    TEXT    NOT NULL,
  PRIMARY KEY (workspace_id, scope, folded),
  FOREIGN KEY (workspace_id, memory_id) REFERENCES memories (workspace_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX names_by_memory ON names (workspace_id, memory_id);

CREATE TABLE memory_versions (
  workspace_id      TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  memory_id         TEXT    NOT NULL,
  version           INTEGER NOT NULL CHECK (version >= 1),
  change_id         TEXT    NOT NULL, -- the change that made this version
  replaced_by       TEXT    NOT NULL, -- the change that replaced it
  scope             TEXT    NOT NULL,
  channel_id        TEXT,
  conversation_id   TEXT,
  lifetime          TEXT    NOT NULL,
  curator           TEXT    NOT NULL,
  kind              TEXT    NOT NULL,
  importance        REAL    NOT NULL,
  pinned            INTEGER NOT NULL,
  forgotten_at      INTEGER,
  source            TEXT    NOT NULL,
  speaker           TEXT,
  written_by        TEXT    NOT NULL,
  access_count      INTEGER NOT NULL,
  created_at        INTEGER NOT NULL,
  accessed_at       INTEGER NOT NULL,
  updated_at        INTEGER NOT NULL,
  tags              TEXT    NOT NULL,
  name              TEXT,
  aliases           TEXT    NOT NULL,
  external_id       TEXT,
  session           TEXT,
  said_at           TEXT,
  source_conversation_id TEXT,
  forgotten_reason  TEXT,
  forgotten_run     TEXT,
  consolidated_into TEXT,
  content           TEXT    NOT NULL,
  derived_from      TEXT    NOT NULL DEFAULT '[]',
  checksum          INTEGER,
  forgotten_code    TEXT, title TEXT, keys TEXT, subject TEXT, relation TEXT, links TEXT, holds_from INTEGER, holds_until INTEGER, reading_number INTEGER, calendar TEXT, derivations TEXT,
  PRIMARY KEY (workspace_id, memory_id, version),
  FOREIGN KEY (workspace_id, memory_id) REFERENCES memories (workspace_id, id) ON DELETE CASCADE
) STRICT;

CREATE INDEX memory_versions_replaced_by ON memory_versions (replaced_by);

CREATE INDEX memory_versions_created_by ON memory_versions (change_id) WHERE version = 1;

CREATE TABLE memory_vectors (
  workspace_id TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  memory_id    TEXT    NOT NULL,
  model        TEXT    NOT NULL CHECK (length(model) BETWEEN 1 AND 200),
  dimension    INTEGER NOT NULL CHECK (dimension BETWEEN 1 AND 8192),
  version      INTEGER NOT NULL CHECK (version >= 1), -- the entry's version whose text was embedded
  vector       BLOB    NOT NULL CHECK (length(vector) = 4 * dimension), first_end INTEGER CHECK (first_end >= 0), word_codes INTEGER CHECK (word_codes >= 0),
  PRIMARY KEY (workspace_id, memory_id, model),
  FOREIGN KEY (workspace_id, memory_id) REFERENCES memories (workspace_id, id) ON DELETE CASCADE
) STRICT;

CREATE TABLE embedding_failures (
  workspace_id TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  memory_id    TEXT    NOT NULL,
  model        TEXT    NOT NULL CHECK (length(model) BETWEEN 1 AND 200),
  version      INTEGER NOT NULL CHECK (version >= 1),
  error        TEXT    NOT NULL,
  at           INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, memory_id, model),
  FOREIGN KEY (workspace_id, memory_id) REFERENCES memories (workspace_id, id) ON DELETE CASCADE
) STRICT;

CREATE TABLE deletion_permits (
  workspace_id TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  memory_id    TEXT    NOT NULL,
  manifest     TEXT    NOT NULL CHECK (length(manifest) > 0),
  granted_at   INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, memory_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE open_days (
  workspace_id TEXT NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  day          TEXT NOT NULL CHECK (day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  PRIMARY KEY (workspace_id, day)
) STRICT, WITHOUT ROWID;

CREATE TABLE topics (
  topic   TEXT    PRIMARY KEY,
  counter INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO topics VALUES ('agent_telemetry', 0);

INSERT INTO topics VALUES ('channels', 0);

INSERT INTO topics VALUES ('memories', 0);

INSERT INTO topics VALUES ('models', 0);

INSERT INTO topics VALUES ('orientations', 0);

INSERT INTO topics VALUES ('proposals', 0);

INSERT INTO topics VALUES ('recall_tests', 0);

INSERT INTO topics VALUES ('runs', 0);

INSERT INTO topics VALUES ('settings', 0);

INSERT INTO topics VALUES ('transcript', 0);

CREATE TABLE change_clock (
  one   INTEGER PRIMARY KEY CHECK (one = 1),
  tick  INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  change_order INTEGER NOT NULL DEFAULT 0
) STRICT;

INSERT INTO change_clock VALUES (1, 0, 0, 0);

CREATE TRIGGER journal_insert BEFORE INSERT ON journal BEGIN
  SELECT RAISE(ABORT, 'refused: the journal is append-only')
  WHERE EXISTS (SELECT 1 FROM journal WHERE sequence = NEW.sequence)
     OR EXISTS (SELECT 1 FROM journal WHERE workspace_id = NEW.workspace_id AND id = NEW.id)
     OR NEW.undone_by IS NOT NULL;
  SELECT RAISE(ABORT, 'refused: this file belongs to another workspace')
  WHERE NEW.workspace_id IS NOT (SELECT workspace_id FROM meta);
END;

CREATE TRIGGER journal_delete BEFORE DELETE ON journal BEGIN
  SELECT RAISE(ABORT, 'refused: the journal is append-only');
END;

CREATE TRIGGER journal_news AFTER INSERT ON journal BEGIN
  UPDATE change_clock SET tick = tick + 1;
  UPDATE topics SET counter = counter + 1 WHERE topic = 'memories';
END;

CREATE TRIGGER journal_memory_off BEFORE INSERT ON journal
WHEN NEW.hand IN ('agent', 'system') AND NEW.action <> 'forget'
  AND EXISTS (SELECT 1 FROM memory_off)
BEGIN
  SELECT RAISE(ABORT, 'off: memory is switched off');
END;

CREATE TRIGGER journal_order AFTER INSERT ON journal BEGIN
  UPDATE change_clock SET change_order = max(change_order + 1, NEW.at);
  UPDATE journal SET change_order = (SELECT change_order FROM change_clock) WHERE sequence = NEW.sequence;
END;

CREATE TRIGGER journal_update BEFORE UPDATE ON journal
WHEN (OLD.undone_by IS NOT NULL OR NEW.undone_by IS NULL
      OR NEW.sequence IS NOT OLD.sequence OR NEW.workspace_id IS NOT OLD.workspace_id OR NEW.id IS NOT OLD.id
      OR NEW.action IS NOT OLD.action OR NEW.hand IS NOT OLD.hand OR NEW.door IS NOT OLD.door
      OR NEW.run_id IS NOT OLD.run_id OR NEW.at IS NOT OLD.at OR NEW.entries IS NOT OLD.entries
      OR NEW.undoes IS NOT OLD.undoes OR NEW.change_order IS NOT OLD.change_order)
  AND NOT (OLD.action = 'import' AND OLD.hand = 'import' AND OLD.run_id IS NOT NULL AND OLD.entries = 0
      AND OLD.undone_by IS NULL AND NEW.undone_by IS NULL
      AND OLD.sequence = (SELECT max(sequence) FROM journal)
      AND NEW.sequence IS OLD.sequence AND NEW.workspace_id IS OLD.workspace_id AND NEW.id IS OLD.id
      AND NEW.action IS OLD.action AND NEW.hand IS OLD.hand AND NEW.door IS OLD.door
      AND NEW.run_id IS OLD.run_id AND NEW.at IS OLD.at AND NEW.undoes IS OLD.undoes
      AND NEW.change_order IS OLD.change_order)
  AND NOT (OLD.change_order = 0 AND NEW.change_order > 0
      AND NEW.undone_by IS OLD.undone_by
      AND NEW.sequence IS OLD.sequence AND NEW.workspace_id IS OLD.workspace_id AND NEW.id IS OLD.id
      AND NEW.action IS OLD.action AND NEW.hand IS OLD.hand AND NEW.door IS OLD.door
      AND NEW.run_id IS OLD.run_id AND NEW.at IS OLD.at AND NEW.entries IS OLD.entries
      AND NEW.undoes IS OLD.undoes)
BEGIN
  SELECT RAISE(ABORT, 'refused: the journal is append-only');
END;

CREATE TRIGGER memory_versions_insert BEFORE INSERT ON memory_versions
WHEN EXISTS (SELECT 1 FROM memory_versions
             WHERE workspace_id = NEW.workspace_id AND memory_id = NEW.memory_id AND version = NEW.version)
  OR NOT EXISTS (SELECT 1 FROM memories
                 WHERE workspace_id = NEW.workspace_id AND id = NEW.memory_id
                   AND version = NEW.version + 1 AND change_id = NEW.replaced_by)
BEGIN
  SELECT RAISE(ABORT, 'refused: history is append-only');
END;

CREATE TRIGGER memory_versions_delete BEFORE DELETE ON memory_versions
WHEN NOT EXISTS (SELECT 1 FROM deletion_permits
                 WHERE workspace_id = OLD.workspace_id AND memory_id = OLD.memory_id)
BEGIN
  SELECT RAISE(ABORT, 'refused: only a scrub destroys history');
END;

CREATE TRIGGER memory_versions_update BEFORE UPDATE ON memory_versions BEGIN
  SELECT RAISE(ABORT, 'refused: history is append-only');
END;

CREATE TRIGGER memories_insert_name BEFORE INSERT ON memories
WHEN NEW.name_folded IS NOT NULL AND NEW.forgotten_at IS NULL
BEGIN
  SELECT RAISE(ABORT, 'taken: name')
  WHERE EXISTS (SELECT 1 FROM names
                WHERE workspace_id = NEW.workspace_id AND scope = NEW.scope
                  AND folded IN (SELECT NEW.name_folded UNION ALL SELECT value FROM json_each(NEW.aliases_folded)))
     OR (SELECT count(*) <> count(DISTINCT folded)
         FROM (SELECT NEW.name_folded AS folded UNION ALL SELECT value FROM json_each(NEW.aliases_folded)));
END;

CREATE TRIGGER memories_named_insert AFTER INSERT ON memories
WHEN NEW.name_folded IS NOT NULL AND NEW.forgotten_at IS NULL
BEGIN
  INSERT INTO names (workspace_id, scope, folded, memory_id)
  SELECT NEW.workspace_id, NEW.scope, NEW.name_folded, NEW.id
  UNION ALL SELECT NEW.workspace_id, NEW.scope, value, NEW.id FROM json_each(NEW.aliases_folded);
END;

CREATE TRIGGER memories_named_update AFTER UPDATE ON memories
WHEN (NEW.name_folded IS NOT NULL OR OLD.name_folded IS NOT NULL)
  AND (NEW.name_folded IS NOT OLD.name_folded OR NEW.aliases_folded IS NOT OLD.aliases_folded
       OR (NEW.forgotten_at IS NULL) <> (OLD.forgotten_at IS NULL))
BEGIN
  DELETE FROM names
  WHERE workspace_id = NEW.workspace_id AND memory_id = NEW.id
    AND (NEW.name_folded IS NULL OR NEW.forgotten_at IS NOT NULL
         OR folded NOT IN (SELECT NEW.name_folded UNION ALL SELECT value FROM json_each(NEW.aliases_folded)));
  INSERT INTO names (workspace_id, scope, folded, memory_id)
  SELECT NEW.workspace_id, NEW.scope, own.folded, NEW.id
  FROM (SELECT NEW.name_folded AS folded UNION ALL SELECT value FROM json_each(NEW.aliases_folded)) AS own
  WHERE NEW.name_folded IS NOT NULL AND NEW.forgotten_at IS NULL
    AND own.folded NOT IN (SELECT folded FROM names WHERE workspace_id = NEW.workspace_id AND memory_id = NEW.id);
END;

CREATE TRIGGER memories_insert_external BEFORE INSERT ON memories WHEN NEW.external_id IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'taken: external id')
  WHERE EXISTS (SELECT 1 FROM memories
                WHERE workspace_id = NEW.workspace_id AND external_id = NEW.external_id AND scope = NEW.scope
                  AND coalesce(channel_id, '') = coalesce(NEW.channel_id, '')
                  AND coalesce(conversation_id, '') = coalesce(NEW.conversation_id, ''));
END;

CREATE TRIGGER memories_delete BEFORE DELETE ON memories
WHEN NOT EXISTS (SELECT 1 FROM deletion_permits WHERE workspace_id = OLD.workspace_id AND memory_id = OLD.id)
BEGIN
  SELECT RAISE(ABORT, 'refused: only a scrub destroys an entry');
END;

CREATE TRIGGER memories_used AFTER UPDATE OF access_count, accessed_at ON memories
WHEN NEW.version = OLD.version
BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'memories';
END;

CREATE TRIGGER memories_destroyed AFTER DELETE ON memories BEGIN
  UPDATE change_clock SET tick = tick + 1, epoch = epoch + 1;
  UPDATE topics SET counter = counter + 1 WHERE topic = 'memories';
END;

CREATE TRIGGER memories_insert BEFORE INSERT ON memories BEGIN
  SELECT RAISE(ABORT, 'refused: undeclared write')
  WHERE NEW.version <> 1 OR NEW.embedded_by IS NOT NULL
     OR NEW.change_seq <> (SELECT tick FROM change_clock)
     OR NOT EXISTS (SELECT 1 FROM journal
                    WHERE sequence = (SELECT max(sequence) FROM journal) AND workspace_id = NEW.workspace_id
                      AND id = NEW.change_id
                      AND (hand = NEW.written_by
                           OR (hand = 'import' AND action = 'import' AND run_id IS NOT NULL)));
  SELECT RAISE(ABORT, 'locked: this hand makes no entries of the author')
  WHERE NEW.written_by IN ('agent', 'system')
    AND (NEW.curator <> 'agent' OR NEW.pinned = 1 OR (NEW.name IS NOT NULL AND NEW.kind <> 'archive'));
  SELECT RAISE(ABORT, 'taken: id')
  WHERE EXISTS (SELECT 1 FROM memories WHERE workspace_id = NEW.workspace_id AND id = NEW.id)
     OR EXISTS (SELECT 1 FROM memories WHERE seq = NEW.seq);
END;

CREATE TRIGGER memories_memory_off BEFORE INSERT ON memories
WHEN NEW.written_by IN ('agent', 'system')
  AND EXISTS (SELECT 1 FROM memory_off)
BEGIN
  SELECT RAISE(ABORT, 'off: memory is switched off');
END;

CREATE TRIGGER memories_sources_insert BEFORE INSERT ON memories BEGIN
  SELECT RAISE(ABORT, 'locked: a client''s text names the client')
  WHERE NEW.written_by = 'agent'
    AND EXISTS (SELECT 1 FROM journal AS j
                WHERE j.sequence = (SELECT max(sequence) FROM journal) AND j.door = 'mcp' AND j.run_id IS NOT NULL
                  AND 'client:' || j.run_id NOT IN (SELECT value FROM json_each(NEW.derived_from)));
END;

CREATE TRIGGER memories_sources_merge BEFORE UPDATE ON memories
WHEN NEW.consolidated_into IS NOT NULL AND NEW.consolidated_into IS NOT OLD.consolidated_into
BEGIN
  SELECT RAISE(ABORT, 'locked: a merged text keeps its sources')
  WHERE EXISTS (SELECT 1 FROM memories AS m
                WHERE m.workspace_id = NEW.workspace_id AND m.id = NEW.consolidated_into
                  AND m.change_id = NEW.change_id AND m.version = 1
                  AND (EXISTS (SELECT 1 FROM json_each(NEW.derived_from)
                               WHERE value NOT IN (SELECT value FROM json_each(m.derived_from)))
                       OR (NEW.curator = 'agent' AND m.curator <> 'agent' AND m.derived_from = '[]')));
END;

CREATE TRIGGER memories_checksum BEFORE UPDATE ON memories
WHEN OLD.checksum IS NOT NULL
 AND (NEW.version IS OLD.version) <> (NEW.checksum IS OLD.checksum)
BEGIN
  SELECT RAISE(ABORT, 'refused: undeclared write');
END;

CREATE TRIGGER names_insert BEFORE INSERT ON names BEGIN
  SELECT RAISE(ABORT, 'refused: a name belongs to an entry in use')
  WHERE NOT EXISTS (SELECT 1 FROM memories AS m
                    WHERE m.workspace_id = NEW.workspace_id AND m.id = NEW.memory_id AND m.scope = NEW.scope
                      AND m.name_folded IS NOT NULL AND m.forgotten_at IS NULL
                      AND (m.name_folded = NEW.folded
                           OR NEW.folded IN (SELECT value FROM json_each(m.aliases_folded))));
  SELECT RAISE(ABORT, 'taken: name')
  WHERE EXISTS (SELECT 1 FROM names
                WHERE workspace_id = NEW.workspace_id AND scope = NEW.scope AND folded = NEW.folded);
END;

CREATE TRIGGER names_update BEFORE UPDATE ON names BEGIN
  SELECT RAISE(ABORT, 'refused: names are kept by the entries');
END;

CREATE TRIGGER names_delete BEFORE DELETE ON names
WHEN EXISTS (SELECT 1 FROM memories AS m
             WHERE m.workspace_id = OLD.workspace_id AND m.id = OLD.memory_id
               AND m.name_folded IS NOT NULL AND m.forgotten_at IS NULL
               AND (m.name_folded = OLD.folded
                    OR OLD.folded IN (SELECT value FROM json_each(m.aliases_folded))))
BEGIN
  SELECT RAISE(ABORT, 'refused: names are kept by the entries');
END;

CREATE TRIGGER memory_vectors_insert AFTER INSERT ON memory_vectors BEGIN
  UPDATE change_clock SET tick = tick + 1;
  UPDATE memories SET embedded_by = NEW.model, change_seq = (SELECT tick FROM change_clock)
  WHERE workspace_id = NEW.workspace_id AND id = NEW.memory_id;
  UPDATE topics SET counter = counter + 1 WHERE topic = 'models';
END;

CREATE TRIGGER memory_vectors_delete AFTER DELETE ON memory_vectors BEGIN
  UPDATE change_clock SET tick = tick + 1;
  UPDATE memories
  SET embedded_by = (SELECT model FROM memory_vectors
                     WHERE workspace_id = OLD.workspace_id AND memory_id = OLD.memory_id
                     ORDER BY rowid DESC LIMIT 1),
      change_seq = (SELECT tick FROM change_clock)
  WHERE workspace_id = OLD.workspace_id AND id = OLD.memory_id;
  UPDATE topics SET counter = counter + 1 WHERE topic = 'models';
END;

CREATE TRIGGER embedding_failures_insert AFTER INSERT ON embedding_failures BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'models';
END;

CREATE TABLE audit (
  sequence     INTEGER PRIMARY KEY CHECK (sequence >= 1),
  workspace_id TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  act          TEXT    NOT NULL CHECK (act IN ('scrub', 'purge', 'restore', 'purge_backup')),
  scope        TEXT    NOT NULL CHECK (length(scope) BETWEEN 1 AND 120),
  mode         TEXT    CHECK (mode IN ('full', 'keep_named')),
  manifest     TEXT    NOT NULL CHECK (json_valid(manifest)), -- counts and the hash of the rows
  operator     TEXT    NOT NULL CHECK (length(operator) BETWEEN 1 AND 120),
  door         TEXT    NOT NULL CHECK (length(door) BETWEEN 1 AND 40),
  at           INTEGER NOT NULL,
  previous     TEXT    NOT NULL CHECK (length(previous) = 64),
  hash         TEXT    NOT NULL CHECK (length(hash) = 64)
) STRICT;

CREATE TABLE audit_head (
  one          INTEGER PRIMARY KEY CHECK (one = 1),
  sequence     INTEGER NOT NULL CHECK (sequence >= 1),
  hash         TEXT    NOT NULL CHECK (length(hash) = 64)
) STRICT;

CREATE TRIGGER audit_insert BEFORE INSERT ON audit BEGIN
  SELECT RAISE(ABORT, 'refused: the audit log goes on where it ended')
  WHERE NEW.sequence IS NOT (SELECT coalesce(max(sequence), 0) + 1 FROM audit)
     OR NEW.previous IS NOT coalesce((SELECT hash FROM audit ORDER BY sequence DESC LIMIT 1),
                                     '0000000000000000000000000000000000000000000000000000000000000000');
END;

CREATE TRIGGER audit_update BEFORE UPDATE ON audit BEGIN
  SELECT RAISE(ABORT, 'refused: the audit log is not rewritten');
END;

CREATE TRIGGER audit_delete BEFORE DELETE ON audit BEGIN
  SELECT RAISE(ABORT, 'refused: the audit log is not rewritten');
END;

CREATE TRIGGER audit_goes_on AFTER INSERT ON audit BEGIN
  INSERT INTO audit_head (one, sequence, hash) VALUES (1, NEW.sequence, NEW.hash)
  ON CONFLICT (one) DO UPDATE SET sequence = excluded.sequence, hash = excluded.hash;
END;

CREATE TRIGGER audit_head_insert BEFORE INSERT ON audit_head
WHEN NOT EXISTS (SELECT 1 FROM audit WHERE sequence = NEW.sequence AND hash = NEW.hash
                                       AND sequence = (SELECT max(sequence) FROM audit))
BEGIN
  SELECT RAISE(ABORT, 'refused: the audit log is not rewritten');
END;

CREATE TRIGGER audit_head_update BEFORE UPDATE ON audit_head
WHEN NOT EXISTS (SELECT 1 FROM audit WHERE sequence = NEW.sequence AND hash = NEW.hash
                                       AND sequence = (SELECT max(sequence) FROM audit))
BEGIN
  SELECT RAISE(ABORT, 'refused: the audit log is not rewritten');
END;

CREATE TRIGGER audit_head_delete BEFORE DELETE ON audit_head BEGIN
  SELECT RAISE(ABORT, 'refused: the audit log is not rewritten');
END;

CREATE TABLE scrubbed (
  workspace_id TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  fingerprint  TEXT    NOT NULL CHECK (length(fingerprint) = 64),
  at           INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, fingerprint)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER scrubbed_update BEFORE UPDATE ON scrubbed BEGIN
  SELECT RAISE(ABORT, 'refused: what was scrubbed stays known');
END;

CREATE TRIGGER scrubbed_delete BEFORE DELETE ON scrubbed BEGIN
  SELECT RAISE(ABORT, 'refused: what was scrubbed stays known');
END;

CREATE TABLE foreign_fields (
  workspace_id TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  memory_id    TEXT    NOT NULL,
  format       TEXT    NOT NULL CHECK (length(format) BETWEEN 1 AND 40),
  fields       TEXT    NOT NULL CHECK (json_valid(fields) AND octet_length(fields) <= 1048576),
  PRIMARY KEY (workspace_id, memory_id, format),
  FOREIGN KEY (workspace_id, memory_id) REFERENCES memories (workspace_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE beside (
  workspace_id TEXT NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  belongs_to   TEXT NOT NULL CHECK (belongs_to IN ('file', 'channels', 'conversations', 'memories', 'messages', 'episodes', 'facts', 'scratchpads')),
  row_id       TEXT NOT NULL CHECK (octet_length(row_id) <= 800),
  part         TEXT NOT NULL DEFAULT '' CHECK (octet_length(part) <= 1000),
  fields       TEXT NOT NULL CHECK (json_valid(fields) AND octet_length(fields) <= 1048576),
  PRIMARY KEY (workspace_id, belongs_to, row_id, part)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER beside_memories AFTER DELETE ON memories BEGIN
  DELETE FROM beside WHERE workspace_id = OLD.workspace_id AND belongs_to = 'memories' AND row_id = OLD.id;
END;

CREATE TRIGGER beside_memory_vectors AFTER DELETE ON memory_vectors BEGIN
  DELETE FROM beside WHERE workspace_id = OLD.workspace_id AND belongs_to = 'memories' AND row_id = OLD.memory_id
                       AND part = 'embeddings/' || OLD.model;
END;

CREATE TABLE proposals (
  workspace_id TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  id           TEXT    NOT NULL CHECK (length(id) = 36),
  kind         TEXT    NOT NULL CHECK (kind IN ('edit', 'merge', 'retire', 'conflict', 'new')),
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
  makes        TEXT    CHECK (length(makes) = 36),  -- the id of the entry that would be made
  scope        TEXT    CHECK (scope = 'workspace'),
  lifetime     TEXT    CHECK (lifetime IN ('short_term', 'long_term', 'conversation')),
  source       TEXT    CHECK (length(source) BETWEEN 1 AND 120),
  importance   REAL    CHECK (importance BETWEEN 0.0 AND 1.0),
  tags         TEXT    CHECK (tags IS NULL OR (json_valid(tags) AND json_type(tags) = 'array')), title TEXT CHECK (length(title) BETWEEN 1 AND 300), keys TEXT CHECK (json_valid(keys) AND json_type(keys) = 'array'), derivations TEXT
  CHECK (derivations IS NULL OR (json_valid(derivations) AND json_type(derivations) = 'array' AND content IS NOT NULL
                                 AND json_array_length(derivations) BETWEEN 1 AND 256)),
  PRIMARY KEY (workspace_id, id),
  UNIQUE (workspace_id, fingerprint),
  CHECK ((kind IN ('edit', 'merge', 'new')) = (content IS NOT NULL)),
  CHECK ((kind = 'new') = (makes IS NOT NULL)),
  CHECK ((makes IS NULL) = (scope IS NULL) AND (makes IS NULL) = (lifetime IS NULL) AND (makes IS NULL) = (source IS NULL)
         AND (makes IS NULL) = (importance IS NULL) AND (makes IS NULL) = (tags IS NULL)),
  CHECK ((state = 'open') = (decided_at IS NULL)),
  CHECK (change_id IS NULL OR state = 'accepted')
) STRICT;

CREATE TABLE proposal_subjects (
  workspace_id TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  proposal_id  TEXT    NOT NULL,
  memory_id    TEXT    NOT NULL,
  version      INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, proposal_id, memory_id),
  FOREIGN KEY (workspace_id, proposal_id) REFERENCES proposals (workspace_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, memory_id) REFERENCES memories (workspace_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX proposals_by_time ON proposals (created_at, id);

CREATE INDEX proposals_by_state ON proposals (state, created_at, id);

CREATE UNIQUE INDEX proposals_change ON proposals (workspace_id, change_id) WHERE change_id IS NOT NULL;

CREATE UNIQUE INDEX proposals_makes ON proposals (workspace_id, makes) WHERE makes IS NOT NULL;

CREATE INDEX proposal_subjects_by_memory ON proposal_subjects (workspace_id, memory_id);

CREATE TRIGGER proposals_insert BEFORE INSERT ON proposals BEGIN
  SELECT RAISE(ABORT, 'refused: a proposal begins open') WHERE NEW.state <> 'open';
  SELECT RAISE(ABORT, 'taken: proposal')
  WHERE EXISTS (SELECT 1 FROM proposals WHERE workspace_id = NEW.workspace_id
                                          AND (id = NEW.id OR fingerprint = NEW.fingerprint OR makes = NEW.makes))
     OR EXISTS (SELECT 1 FROM proposals WHERE rowid = NEW.rowid);
END;

CREATE TRIGGER proposals_scrubbed BEFORE DELETE ON memories BEGIN
  DELETE FROM proposals
  WHERE (workspace_id, id) IN (SELECT workspace_id, proposal_id FROM proposal_subjects
                               WHERE workspace_id = OLD.workspace_id AND memory_id = OLD.id)
     OR (workspace_id = OLD.workspace_id AND makes = OLD.id);
END;

CREATE TRIGGER proposals_delete BEFORE DELETE ON proposals
WHEN NOT EXISTS (SELECT 1 FROM proposal_subjects AS s JOIN deletion_permits AS p
                 ON p.workspace_id = s.workspace_id AND p.memory_id = s.memory_id
                 WHERE s.workspace_id = OLD.workspace_id AND s.proposal_id = OLD.id)
 AND NOT EXISTS (SELECT 1 FROM deletion_permits WHERE workspace_id = OLD.workspace_id AND memory_id = OLD.makes)
BEGIN
  SELECT RAISE(ABORT, 'refused: only a scrub destroys a proposal');
END;

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

CREATE TRIGGER proposals_memory_off BEFORE INSERT ON proposals
WHEN NEW.hand IN ('agent', 'system') AND EXISTS (SELECT 1 FROM memory_off)
BEGIN
  SELECT RAISE(ABORT, 'off: memory is switched off');
END;

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
  external_id  TEXT    CHECK (length(external_id) BETWEEN 1 AND 300), knower_id TEXT CHECK (length(knower_id) = 36), as_of INTEGER
  CHECK (as_of BETWEEN -9000000000000000 AND 9000000000008640 AND ((as_of % 10000) + 10000) % 10000 <= 8640), as_of_chapter TEXT
  CHECK (as_of_chapter IS NULL OR (length(as_of_chapter) = 36 AND as_of IS NULL)), title_by TEXT CHECK (title_by IN ('person', 'message', 'model')), title_of TEXT
  CHECK ((title_of IS NOT NULL) = coalesce(title_by IN ('message', 'model'), 0)), shares_through INTEGER
  CHECK (shares_through IS NULL OR (shares_through >= 0 AND continues_id IS NOT NULL)), chat_model TEXT CHECK (length(chat_model) BETWEEN 1 AND 200), chat_address TEXT
  CHECK ((chat_address IS NULL) = (chat_model IS NULL) AND (chat_address IS NULL OR length(chat_address) BETWEEN 1 AND 2000)),
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

CREATE TABLE settings (
  workspace_id TEXT NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  key          TEXT NOT NULL CHECK (length(key) BETWEEN 1 AND 120),
  value        TEXT NOT NULL CHECK (json_valid(value)),
  PRIMARY KEY (workspace_id, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX memories_by_conversation ON memories (conversation_id, forgotten_at) WHERE conversation_id IS NOT NULL;

CREATE UNIQUE INDEX conversations_external ON conversations (workspace_id, external_id)
  WHERE external_id IS NOT NULL AND deleted_at IS NULL;

CREATE TRIGGER conversations_kept BEFORE UPDATE ON conversations
WHEN (OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL)
  OR NEW.last_position < OLD.last_position OR NEW.message_tick < OLD.message_tick
  OR NEW.external_id IS NOT OLD.external_id
BEGIN
  SELECT RAISE(ABORT, 'refused: a conversation does not go back');
END;

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

CREATE TABLE message_clock (
  one   INTEGER PRIMARY KEY CHECK (one = 1),
  tick  INTEGER NOT NULL,
  epoch INTEGER NOT NULL
) STRICT;

INSERT INTO message_clock VALUES (1, 0, 0);

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
      || ' v' || replace(conversation_id, '-', '') || '0') VIRTUAL, checksum INTEGER, attached_name TEXT
  CHECK (attached_name IS NULL
         OR (length(attached_name) BETWEEN 1 AND 255 AND role = 'user' AND delivery = 'complete'
             AND archive_id IS NULL AND tool_call_id IS NULL AND tool_calls IS NULL AND octet_length(content) <= 262144)),
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

CREATE INDEX messages_embeddable ON messages (seq)
  WHERE archive_id IS NULL AND delivery <> 'streaming' AND role <> 'system' AND content <> '';

CREATE TABLE message_vectors (
  seq          INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace_id TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  message_id   TEXT    NOT NULL,
  model        TEXT    NOT NULL CHECK (length(model) BETWEEN 1 AND 200),
  dimension    INTEGER NOT NULL CHECK (dimension BETWEEN 1 AND 8192),
  vector       BLOB    NOT NULL CHECK (length(vector) = 4 * dimension), first_end INTEGER CHECK (first_end >= 0), word_codes INTEGER CHECK (word_codes >= 0),
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
  summary         TEXT    NOT NULL CHECK (octet_length(summary) BETWEEN 1 AND 65536), checksum INTEGER,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, conversation_id) REFERENCES conversations (workspace_id, id)
) STRICT;

CREATE INDEX episodes_by_conversation ON episodes (conversation_id, until_at, id);

CREATE TABLE scratchpads (
  workspace_id    TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  conversation_id TEXT    NOT NULL,
  key             TEXT    NOT NULL CHECK (length(key) BETWEEN 1 AND 120),
  created_at      INTEGER NOT NULL,
  updated_at      INTEGER NOT NULL,
  ttl_seconds     INTEGER CHECK (ttl_seconds BETWEEN 1 AND 2592000),
  expires_at      INTEGER,
  value           TEXT    NOT NULL CHECK (json_valid(value) AND octet_length(value) <= 262144), checksum INTEGER,
  PRIMARY KEY (workspace_id, conversation_id, key),
  CHECK ((ttl_seconds IS NULL) = (expires_at IS NULL)),
  FOREIGN KEY (workspace_id, conversation_id) REFERENCES conversations (workspace_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX scratchpads_by_end ON scratchpads (expires_at) WHERE expires_at IS NOT NULL;

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

CREATE TRIGGER messages_insert_tick AFTER INSERT ON messages BEGIN
  UPDATE message_clock SET tick = tick + 1;
  UPDATE conversations
  SET message_tick = message_tick + 1, last_position = max(last_position, NEW.position),
      active_at = CASE WHEN NEW.archive_id IS NULL THEN max(active_at, NEW.at) ELSE active_at END
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

CREATE TRIGGER scratchpads_insert_news AFTER INSERT ON scratchpads BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'transcript';
END;

CREATE TRIGGER scratchpads_update_news AFTER UPDATE OF value ON scratchpads BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'transcript';
END;

CREATE TRIGGER scratchpads_delete_news AFTER DELETE ON scratchpads BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'transcript';
END;

CREATE TRIGGER messages_delete BEFORE DELETE ON messages
WHEN NOT EXISTS (SELECT 1 FROM conversations
                 WHERE workspace_id = OLD.workspace_id AND id = OLD.conversation_id AND deleted_at IS NOT NULL)
  AND NOT EXISTS (SELECT 1 FROM settings
                  WHERE workspace_id = OLD.workspace_id AND key = 'episodes.keep_only_summaries' AND value = 'true')
  AND NOT EXISTS (SELECT 1 FROM deletion_permits WHERE workspace_id = OLD.workspace_id AND memory_id = OLD.id)
BEGIN
  SELECT RAISE(ABORT, 'refused: this workspace keeps what was said');
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
  query        TEXT    NOT NULL CHECK (octet_length(query) <= 65536), knower_id TEXT, as_of INTEGER, as_of_chapter TEXT,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, conversation_id) REFERENCES conversations (workspace_id, id) ON DELETE CASCADE
) STRICT;

CREATE INDEX orientations_by_conversation ON orientations (conversation_id, at, id);

CREATE INDEX orientations_by_message ON orientations (message_id) WHERE message_id IS NOT NULL;

CREATE INDEX orientations_by_time ON orientations (at);

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

CREATE TRIGGER conversations_deleted_keeping AFTER UPDATE OF deleted_at ON conversations
WHEN NEW.deleted_at IS NOT NULL
BEGIN
  DELETE FROM orientations WHERE workspace_id = NEW.workspace_id AND conversation_id = NEW.id;
  DELETE FROM persists WHERE workspace_id = NEW.workspace_id AND conversation_id = NEW.id;
END;

CREATE TRIGGER messages_deleted_keeping AFTER DELETE ON messages BEGIN
  DELETE FROM orientations WHERE message_id = OLD.id AND workspace_id = OLD.workspace_id;
END;

CREATE TRIGGER tasks_insert_news AFTER INSERT ON tasks BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'runs';
END;

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

CREATE TRIGGER beside_scratchpads AFTER DELETE ON scratchpads BEGIN
  DELETE FROM beside WHERE workspace_id = OLD.workspace_id AND belongs_to = 'scratchpads'
                       AND row_id = OLD.conversation_id || ' ' || OLD.key;
END;

CREATE TRIGGER beside_message_vectors AFTER DELETE ON message_vectors BEGIN
  DELETE FROM beside WHERE workspace_id = OLD.workspace_id AND belongs_to = 'messages' AND row_id = OLD.message_id
                       AND part = 'embeddings/' || OLD.model;
END;

CREATE TRIGGER beside_conversations AFTER UPDATE OF deleted_at ON conversations WHEN NEW.deleted_at IS NOT NULL BEGIN
  DELETE FROM beside WHERE workspace_id = OLD.workspace_id AND belongs_to = 'conversations' AND row_id = OLD.id;
END;

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

CREATE TABLE task_cursors (
  workspace_id TEXT NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  task         TEXT NOT NULL CHECK (length(task) BETWEEN 1 AND 40),
  cursor       TEXT NOT NULL CHECK (octet_length(cursor) BETWEEN 1 AND 1000),
  PRIMARY KEY (workspace_id, task)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER scratchpads_end AFTER UPDATE OF status ON conversations
WHEN OLD.status = 'active' AND NEW.status <> 'active'
BEGIN
  DELETE FROM scratchpads
  WHERE workspace_id = NEW.workspace_id AND conversation_id = NEW.id AND ttl_seconds IS NOT NULL;
END;

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

CREATE TRIGGER conversations_deleted_reads AFTER UPDATE OF deleted_at ON conversations
WHEN NEW.deleted_at IS NOT NULL
BEGIN
  DELETE FROM reads WHERE workspace_id = NEW.workspace_id AND conversation_id = NEW.id;
END;

CREATE TRIGGER messages_deleted_reads AFTER DELETE ON messages BEGIN
  DELETE FROM reads WHERE message_id = OLD.id AND workspace_id = OLD.workspace_id;
END;

CREATE TRIGGER client_writes_order AFTER INSERT ON client_writes BEGIN
  UPDATE change_clock SET change_order = max(change_order + 1, NEW.at);
  UPDATE client_writes SET change_order = (SELECT change_order FROM change_clock) WHERE sequence = NEW.sequence;
END;

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

CREATE TABLE open_import (
  one INTEGER PRIMARY KEY CHECK (one = 1)
) STRICT;

CREATE VIEW memory_off AS
SELECT workspace_id FROM settings
WHERE key = 'memory.enabled' AND value = 'false' AND NOT EXISTS (SELECT 1 FROM open_import);

CREATE TABLE off_record (
  workspace_id TEXT NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  message_id   TEXT NOT NULL,
  PRIMARY KEY (workspace_id, message_id),
  FOREIGN KEY (workspace_id, message_id) REFERENCES messages (workspace_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TRIGGER off_record_insert AFTER INSERT ON messages
WHEN EXISTS (SELECT 1 FROM memory_off)
BEGIN
  INSERT INTO off_record (workspace_id, message_id) VALUES (NEW.workspace_id, NEW.id);
END;

CREATE TRIGGER off_record_update AFTER UPDATE OF content ON messages
WHEN NEW.content IS NOT OLD.content
  AND EXISTS (SELECT 1 FROM memory_off)
BEGIN
  INSERT INTO off_record (workspace_id, message_id) VALUES (NEW.workspace_id, NEW.id) ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER off_record_change BEFORE UPDATE ON off_record BEGIN
  SELECT RAISE(ABORT, 'refused: what was said off the record stays so');
END;

CREATE TRIGGER off_record_delete BEFORE DELETE ON off_record
WHEN EXISTS (SELECT 1 FROM messages WHERE workspace_id = OLD.workspace_id AND id = OLD.message_id)
BEGIN
  SELECT RAISE(ABORT, 'refused: what was said off the record stays so');
END;

CREATE TRIGGER episodes_memory_off BEFORE INSERT ON episodes
WHEN EXISTS (SELECT 1 FROM memory_off)
BEGIN
  SELECT RAISE(ABORT, 'off: memory is switched off');
END;

CREATE TRIGGER markers_memory_off BEFORE INSERT ON messages
WHEN NEW.archive_id IS NOT NULL
  AND EXISTS (SELECT 1 FROM memory_off)
BEGIN
  SELECT RAISE(ABORT, 'off: memory is switched off');
END;

CREATE TRIGGER episodes_off_record BEFORE INSERT ON episodes
WHEN NOT EXISTS (SELECT 1 FROM open_import)
  AND EXISTS (SELECT 1 FROM json_each(NEW.source_ids) AS source JOIN off_record AS o
              ON o.workspace_id = NEW.workspace_id AND o.message_id = source.value)
BEGIN
  SELECT RAISE(ABORT, 'refused: this was said while memory was off');
END;

CREATE TRIGGER memories_fts_insert AFTER INSERT ON memories BEGIN
  INSERT INTO memories_fts (rowid, content, name, title, keys, reach)
  VALUES (NEW.seq, NEW.content, NEW.name, NEW.title, NEW.keys, NEW.reach);
END;

CREATE TRIGGER memories_fts_delete AFTER DELETE ON memories BEGIN
  INSERT INTO memories_fts (memories_fts, rowid, content, name, title, keys, reach)
  VALUES ('delete', OLD.seq, OLD.content, OLD.name, OLD.title, OLD.keys, OLD.reach);
END;

CREATE TRIGGER memories_fts_update AFTER UPDATE ON memories
WHEN OLD.content IS NOT NEW.content OR OLD.name IS NOT NEW.name OR OLD.title IS NOT NEW.title
  OR OLD.keys IS NOT NEW.keys OR OLD.reach IS NOT NEW.reach
BEGIN
  INSERT INTO memories_fts (memories_fts, rowid, content, name, title, keys, reach)
  VALUES ('delete', OLD.seq, OLD.content, OLD.name, OLD.title, OLD.keys, OLD.reach);
  INSERT INTO memories_fts (rowid, content, name, title, keys, reach)
  VALUES (NEW.seq, NEW.content, NEW.name, NEW.title, NEW.keys, NEW.reach);
END;

CREATE TRIGGER memories_content_changed AFTER UPDATE ON memories
WHEN NEW.content IS NOT OLD.content OR NEW.title IS NOT OLD.title
BEGIN
  DELETE FROM memory_vectors WHERE workspace_id = NEW.workspace_id AND memory_id = NEW.id;
  DELETE FROM embedding_failures WHERE workspace_id = NEW.workspace_id AND memory_id = NEW.id;
END;

CREATE TRIGGER messages_checksum BEFORE UPDATE ON messages
WHEN OLD.checksum IS NOT NULL AND NEW.checksum IS OLD.checksum
 AND (OLD.delivery = 'streaming' OR OLD.external_id IS NOT NULL)
 AND (NEW.content IS NOT OLD.content OR NEW.tool_calls IS NOT OLD.tool_calls)
BEGIN
  SELECT RAISE(ABORT, 'refused: undeclared write');
END;

CREATE TRIGGER scratchpads_checksum BEFORE UPDATE ON scratchpads
WHEN OLD.checksum IS NOT NULL AND NEW.checksum IS OLD.checksum AND NEW.value IS NOT OLD.value
BEGIN
  SELECT RAISE(ABORT, 'refused: undeclared write');
END;

CREATE TRIGGER messages_update_tick
AFTER UPDATE OF content, tool_calls, delivery, importance, updated_at, consolidated_at, change_seq ON messages BEGIN
  UPDATE message_clock SET tick = tick + 1;
  UPDATE conversations SET message_tick = message_tick + 1
  WHERE workspace_id = NEW.workspace_id AND id = NEW.conversation_id;
  UPDATE topics SET counter = counter + 1 WHERE topic = 'transcript';
END;

CREATE TABLE memory_passages (
  workspace_id TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  memory_id    TEXT    NOT NULL,
  model        TEXT    NOT NULL,
  ordinal      INTEGER NOT NULL CHECK (ordinal >= 2),
  starts       INTEGER NOT NULL CHECK (starts >= 0),   -- bytes in the content
  ends         INTEGER NOT NULL CHECK (ends > starts),
  dimension    INTEGER NOT NULL CHECK (dimension BETWEEN 1 AND 8192),
  vector       BLOB    NOT NULL CHECK (length(vector) = 4 * dimension),
  PRIMARY KEY (workspace_id, memory_id, model, ordinal),
  FOREIGN KEY (workspace_id, memory_id, model) REFERENCES memory_vectors (workspace_id, memory_id, model)
    ON DELETE CASCADE
) STRICT;

CREATE TRIGGER memory_vectors_update AFTER UPDATE OF model, dimension, version, vector ON memory_vectors BEGIN
  UPDATE change_clock SET tick = tick + 1;
  UPDATE memories SET embedded_by = NEW.model, change_seq = (SELECT tick FROM change_clock)
  WHERE workspace_id = NEW.workspace_id AND id = NEW.memory_id;
  UPDATE topics SET counter = counter + 1 WHERE topic = 'models';
END;

CREATE TRIGGER beside_memory_passages AFTER DELETE ON memory_passages BEGIN
  DELETE FROM beside WHERE workspace_id = OLD.workspace_id AND belongs_to = 'memories' AND row_id = OLD.memory_id
                       AND part = 'passages/' || OLD.model || '/' || OLD.ordinal;
END;

CREATE TABLE message_passages (
  workspace_id TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  message_id   TEXT    NOT NULL,
  model        TEXT    NOT NULL,
  ordinal      INTEGER NOT NULL CHECK (ordinal >= 2),
  starts       INTEGER NOT NULL CHECK (starts >= 0),
  ends         INTEGER NOT NULL CHECK (ends > starts),
  dimension    INTEGER NOT NULL CHECK (dimension BETWEEN 1 AND 8192),
  vector       BLOB    NOT NULL CHECK (length(vector) = 4 * dimension),
  PRIMARY KEY (workspace_id, message_id, model, ordinal),
  FOREIGN KEY (workspace_id, message_id, model) REFERENCES message_vectors (workspace_id, message_id, model)
    ON DELETE CASCADE
) STRICT;

CREATE TRIGGER beside_message_passages AFTER DELETE ON message_passages BEGIN
  DELETE FROM beside WHERE workspace_id = OLD.workspace_id AND belongs_to = 'messages' AND row_id = OLD.message_id
                       AND part = 'passages/' || OLD.model || '/' || OLD.ordinal;
END;

CREATE VIRTUAL TABLE memories_fts USING fts5 (
  content, name, title, keys, reach,
  content = 'memories', content_rowid = 'seq',
  tokenize = 'inklings'
);

CREATE VIRTUAL TABLE messages_fts USING fts5 (
  content, reach,
  content = 'messages', content_rowid = 'seq',
  tokenize = 'inklings'
);

CREATE INDEX memories_of_subjects ON memories (workspace_id, subject) WHERE subject IS NOT NULL;

CREATE TRIGGER memories_sources_update BEFORE UPDATE ON memories
WHEN NEW.derived_from IS NOT OLD.derived_from OR NEW.content IS NOT OLD.content OR NEW.curator IS NOT OLD.curator
  OR NEW.title IS NOT OLD.title OR NEW.keys IS NOT OLD.keys
  OR NEW.relation IS NOT OLD.relation OR NEW.links IS NOT OLD.links
BEGIN
  SELECT RAISE(ABORT, 'refused: undeclared write') WHERE NEW.version <> OLD.version + 1;
  SELECT RAISE(ABORT, 'locked: a client''s text names the client')
  WHERE (NEW.content IS NOT OLD.content OR NEW.title IS NOT OLD.title OR NEW.keys IS NOT OLD.keys
         OR NEW.relation IS NOT OLD.relation OR NEW.links IS NOT OLD.links)
    AND NEW.written_by = 'agent'
    AND EXISTS (SELECT 1 FROM journal AS j
                WHERE j.sequence = (SELECT max(sequence) FROM journal) AND j.door = 'mcp' AND j.run_id IS NOT NULL
                  AND 'client:' || j.run_id NOT IN (SELECT value FROM json_each(NEW.derived_from)));
  SELECT RAISE(ABORT, 'locked: a text keeps its sources')
  WHERE EXISTS (SELECT 1 FROM json_each(OLD.derived_from)
                WHERE value NOT IN (SELECT value FROM json_each(NEW.derived_from)))
    AND NOT (NEW.content IS NOT OLD.content AND NEW.written_by IN ('author', 'import')
             AND (SELECT action FROM journal ORDER BY sequence DESC LIMIT 1) <> 'accept')
    AND NOT EXISTS (SELECT 1 FROM memory_versions AS v
                    WHERE v.workspace_id = OLD.workspace_id AND v.memory_id = OLD.id
                      AND v.content = NEW.content AND v.title IS NEW.title AND v.keys IS NEW.keys
                      AND v.relation IS NEW.relation AND v.links IS NEW.links
                      AND v.derived_from = NEW.derived_from);
  SELECT RAISE(ABORT, 'locked: a text does not become the author''s')
  WHERE OLD.curator = 'agent' AND NEW.curator <> 'agent' AND NEW.content = OLD.content;
END;

CREATE INDEX memories_by_speaker ON memories (speaker) WHERE speaker IS NOT NULL;

CREATE INDEX messages_by_speaker ON messages (speaker) WHERE speaker IS NOT NULL;

CREATE INDEX memories_in_story_time ON memories (workspace_id, holds_from, holds_until)
  WHERE holds_from IS NOT NULL OR holds_until IS NOT NULL;

CREATE INDEX memories_of_calendars ON memories (workspace_id, id) WHERE calendar IS NOT NULL;

CREATE INDEX memories_by_reading ON memories (workspace_id, reading_number) WHERE reading_number IS NOT NULL;

CREATE TRIGGER memories_text_memory_off BEFORE UPDATE OF content, title, keys, relation, links, holds_from, holds_until ON memories
WHEN (NEW.content IS NOT OLD.content OR NEW.title IS NOT OLD.title OR NEW.keys IS NOT OLD.keys
      OR NEW.relation IS NOT OLD.relation OR NEW.links IS NOT OLD.links
      OR NEW.holds_from IS NOT OLD.holds_from OR NEW.holds_until IS NOT OLD.holds_until)
  AND NEW.written_by IN ('agent', 'system')
  AND EXISTS (SELECT 1 FROM memory_off)
BEGIN
  SELECT RAISE(ABORT, 'off: memory is switched off');
END;

CREATE TABLE "facts" (
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
  holds_from      INTEGER
    CHECK (holds_from IS NULL OR (holds_from BETWEEN -9000000000000000 AND 9000000000008640
                                  AND ((holds_from % 10000) + 10000) % 10000 <= 8640)),
  holds_until     INTEGER
    CHECK (holds_until IS NULL OR (holds_until BETWEEN -9000000000000000 AND 9000000000008640
                                   AND ((holds_until % 10000) + 10000) % 10000 <= 8640
                                   AND (holds_from IS NULL
                                        OR iif(holds_from % 10000 = 0, holds_from + 1, holds_from)
                                           <= iif(holds_until % 10000 = 0, holds_until + 8640, holds_until)))),
  -- Who knows of it, with the time since when: as the links of an entry. NULL: everybody.
  known_by        TEXT
    CHECK (known_by IS NULL OR (json_valid(known_by) AND json_type(known_by) = 'array'
                                AND json_array_length(known_by) BETWEEN 1 AND 64)),
  checksum        INTEGER,
  value           TEXT    NOT NULL CHECK (octet_length(value) <= 8192),
  PRIMARY KEY (workspace_id, id),
  CHECK ((removed_at IS NULL) = (value <> ''))
) STRICT;

CREATE TABLE "fact_values" (
  workspace_id    TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  fact_id         TEXT    NOT NULL,
  version         INTEGER NOT NULL CHECK (version >= 1),
  source          TEXT    NOT NULL,
  conversation_id TEXT,
  from_at         INTEGER NOT NULL,
  until_at        INTEGER NOT NULL,
  removed         INTEGER NOT NULL CHECK (removed IN (0, 1)),
  holds_from      INTEGER,
  holds_until     INTEGER,
  known_by        TEXT,
  checksum        INTEGER,
  value           TEXT    NOT NULL,
  PRIMARY KEY (workspace_id, fact_id, version),
  FOREIGN KEY (workspace_id, fact_id) REFERENCES "facts" (workspace_id, id) ON DELETE CASCADE
) STRICT;

CREATE TABLE "fact_claims" (
  workspace_id    TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  id              TEXT    NOT NULL CHECK (length(id) = 36),
  fact_id         TEXT    NOT NULL,
  conversation_id TEXT,
  at              INTEGER NOT NULL,
  state           TEXT    NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'accepted', 'rejected')),
  settled_at      INTEGER,
  checksum        INTEGER,
  value           TEXT    NOT NULL CHECK (octet_length(value) BETWEEN 1 AND 8192),
  PRIMARY KEY (workspace_id, id),
  CHECK ((state = 'open') = (settled_at IS NULL)),
  FOREIGN KEY (workspace_id, fact_id) REFERENCES "facts" (workspace_id, id) ON DELETE CASCADE
) STRICT;

CREATE INDEX facts_by_key ON facts (workspace_id, category_folded, key_folded, holds_from, id);

CREATE UNIQUE INDEX fact_claims_once ON fact_claims (workspace_id, fact_id, value) WHERE state = 'open';

CREATE TRIGGER facts_insert BEFORE INSERT ON facts BEGIN
  SELECT RAISE(ABORT, 'taken: fact')
  WHERE EXISTS (SELECT 1 FROM facts WHERE workspace_id = NEW.workspace_id AND id = NEW.id);
  SELECT RAISE(ABORT, 'taken: fact')
  WHERE NEW.removed_at IS NULL AND EXISTS (
    SELECT 1 FROM facts AS other
    WHERE other.workspace_id = NEW.workspace_id AND other.category_folded = NEW.category_folded
      AND other.key_folded = NEW.key_folded AND other.id <> NEW.id AND other.removed_at IS NULL
      AND (other.holds_from IS NULL OR NEW.holds_until IS NULL
           OR iif(other.holds_from % 10000 = 0, other.holds_from + 1, other.holds_from)
              <= iif(NEW.holds_until % 10000 = 0, NEW.holds_until + 8640, NEW.holds_until))
      AND (NEW.holds_from IS NULL OR other.holds_until IS NULL
           OR iif(NEW.holds_from % 10000 = 0, NEW.holds_from + 1, NEW.holds_from)
              <= iif(other.holds_until % 10000 = 0, other.holds_until + 8640, other.holds_until)));
  SELECT RAISE(ABORT, 'refused: a fact begins with its first value') WHERE NEW.version <> 1;
  SELECT RAISE(ABORT, 'locked: an agent speaks for itself alone')
  WHERE NEW.written_by = 'agent' AND NEW.source <> 'agent';
  SELECT RAISE(ABORT, 'locked: who knows of a fact is for the worldbuilder to say')
  WHERE NEW.written_by = 'agent' AND NEW.known_by IS NOT NULL;
  SELECT RAISE(ABORT, 'refused: only those who know of a fact are named, each once')
  WHERE EXISTS (SELECT 1 FROM json_each(NEW.known_by)
                WHERE type <> 'object' OR value ->> 'role' IS NOT 'known_by' OR length(value ->> 'id') IS NOT 36)
     OR (SELECT count(DISTINCT value ->> 'id') FROM json_each(NEW.known_by))
        <> coalesce(json_array_length(NEW.known_by), 0);
END;

CREATE TRIGGER facts_update BEFORE UPDATE ON facts BEGIN
  SELECT RAISE(ABORT, 'locked: this fact is the author''s word')
  WHERE NEW.written_by = 'agent' AND (OLD.source = 'user' OR OLD.known_by IS NOT NULL OR NEW.source <> 'agent')
    AND (NEW.value IS NOT OLD.value OR NEW.source IS NOT OLD.source OR NEW.version IS NOT OLD.version
         OR NEW.removed_at IS NOT OLD.removed_at OR NEW.holds_from IS NOT OLD.holds_from
         OR NEW.holds_until IS NOT OLD.holds_until OR NEW.known_by IS NOT OLD.known_by);
  SELECT RAISE(ABORT, 'locked: who knows of a fact is for the worldbuilder to say')
  WHERE NEW.written_by = 'agent' AND NEW.known_by IS NOT OLD.known_by;
  SELECT RAISE(ABORT, 'refused: only those who know of a fact are named, each once')
  WHERE EXISTS (SELECT 1 FROM json_each(NEW.known_by)
                WHERE type <> 'object' OR value ->> 'role' IS NOT 'known_by' OR length(value ->> 'id') IS NOT 36)
     OR (SELECT count(DISTINCT value ->> 'id') FROM json_each(NEW.known_by))
        <> coalesce(json_array_length(NEW.known_by), 0);
  SELECT RAISE(ABORT, 'refused: identity and creation are fixed')
  WHERE NEW.workspace_id IS NOT OLD.workspace_id OR NEW.id IS NOT OLD.id OR NEW.created_at IS NOT OLD.created_at
     OR NEW.category_folded IS NOT OLD.category_folded
     OR (NEW.key_folded IS NOT OLD.key_folded AND OLD.key_folded IS NOT char(1) || OLD.id);
  SELECT RAISE(ABORT, 'refused: a new value is a new version')
  WHERE (NEW.value IS NOT OLD.value OR NEW.source IS NOT OLD.source OR NEW.removed_at IS NOT OLD.removed_at
         OR NEW.holds_from IS NOT OLD.holds_from OR NEW.holds_until IS NOT OLD.holds_until
         OR NEW.known_by IS NOT OLD.known_by)
    AND NEW.version <> OLD.version + 1;
  SELECT RAISE(ABORT, 'taken: fact')
  WHERE NEW.removed_at IS NULL
    AND (OLD.removed_at IS NOT NULL OR NEW.key_folded IS NOT OLD.key_folded OR NEW.holds_from IS NOT OLD.holds_from
         OR NEW.holds_until IS NOT OLD.holds_until)
    AND EXISTS (
    SELECT 1 FROM facts AS other
    WHERE other.workspace_id = NEW.workspace_id AND other.category_folded = NEW.category_folded
      AND other.key_folded = NEW.key_folded AND other.id <> NEW.id AND other.removed_at IS NULL
      AND (other.holds_from IS NULL OR NEW.holds_until IS NULL
           OR iif(other.holds_from % 10000 = 0, other.holds_from + 1, other.holds_from)
              <= iif(NEW.holds_until % 10000 = 0, NEW.holds_until + 8640, NEW.holds_until))
      AND (NEW.holds_from IS NULL OR other.holds_until IS NULL
           OR iif(NEW.holds_from % 10000 = 0, NEW.holds_from + 1, NEW.holds_from)
              <= iif(other.holds_until % 10000 = 0, other.holds_until + 8640, other.holds_until)));
END;

CREATE TRIGGER facts_keep_value AFTER UPDATE ON facts WHEN NEW.version IS NOT OLD.version BEGIN
  INSERT INTO fact_values (
    workspace_id, fact_id, version, source, conversation_id, from_at, until_at, removed, holds_from, holds_until,
    known_by, value)
  VALUES (
    OLD.workspace_id, OLD.id, OLD.version, OLD.source, OLD.conversation_id, OLD.updated_at, NEW.updated_at,
    OLD.removed_at IS NOT NULL, OLD.holds_from, OLD.holds_until, OLD.known_by, OLD.value);
END;

CREATE TRIGGER fact_values_insert BEFORE INSERT ON fact_values
WHEN EXISTS (SELECT 1 FROM fact_values
             WHERE workspace_id = NEW.workspace_id AND fact_id = NEW.fact_id AND version = NEW.version)
  OR NOT EXISTS (SELECT 1 FROM facts
                 WHERE workspace_id = NEW.workspace_id AND id = NEW.fact_id AND version = NEW.version + 1)
BEGIN
  SELECT RAISE(ABORT, 'refused: history is append-only');
END;

CREATE TRIGGER fact_values_update BEFORE UPDATE ON fact_values
WHEN (NEW.value IS NOT OLD.value
      AND NOT (NEW.value = '' AND EXISTS (SELECT 1 FROM deletion_permits
                                          WHERE workspace_id = OLD.workspace_id AND memory_id = OLD.fact_id)))
  OR NEW.version IS NOT OLD.version OR NEW.fact_id IS NOT OLD.fact_id
  OR NEW.source IS NOT OLD.source OR NEW.from_at IS NOT OLD.from_at OR NEW.until_at IS NOT OLD.until_at
  OR NEW.holds_from IS NOT OLD.holds_from OR NEW.holds_until IS NOT OLD.holds_until
  OR NEW.known_by IS NOT OLD.known_by
BEGIN
  SELECT RAISE(ABORT, 'refused: history is append-only');
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

CREATE TRIGGER facts_insert_memory_off BEFORE INSERT ON facts
WHEN NEW.written_by = 'agent'
  AND EXISTS (SELECT 1 FROM memory_off)
BEGIN
  SELECT RAISE(ABORT, 'off: memory is switched off');
END;

CREATE TRIGGER facts_update_memory_off BEFORE UPDATE OF value, holds_from, holds_until ON facts
WHEN NEW.written_by = 'agent' AND NEW.removed_at IS NULL
  AND (NEW.value IS NOT OLD.value OR NEW.holds_from IS NOT OLD.holds_from OR NEW.holds_until IS NOT OLD.holds_until)
  AND EXISTS (SELECT 1 FROM memory_off)
BEGIN
  SELECT RAISE(ABORT, 'off: memory is switched off');
END;

CREATE TRIGGER fact_claims_memory_off BEFORE INSERT ON fact_claims
WHEN EXISTS (SELECT 1 FROM memory_off)
BEGIN
  SELECT RAISE(ABORT, 'off: memory is switched off');
END;

CREATE TRIGGER facts_checksum BEFORE UPDATE ON facts
WHEN OLD.checksum IS NOT NULL AND NEW.checksum IS OLD.checksum AND NEW.version = OLD.version + 1
 AND NOT (NEW.written_by = 'agent' AND (OLD.source = 'user' OR OLD.known_by IS NOT NULL OR NEW.source <> 'agent'))
BEGIN
  SELECT RAISE(ABORT, 'refused: undeclared write');
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

CREATE TRIGGER beside_facts AFTER DELETE ON facts BEGIN
  DELETE FROM beside WHERE workspace_id = OLD.workspace_id AND belongs_to = 'facts' AND row_id = OLD.id;
END;

CREATE TRIGGER beside_fact_claims AFTER DELETE ON fact_claims BEGIN
  DELETE FROM beside WHERE workspace_id = OLD.workspace_id AND belongs_to = 'facts' AND row_id = OLD.fact_id
                       AND part = 'claims/' || OLD.id;
END;

CREATE TRIGGER beside_fact_values AFTER UPDATE OF value ON fact_values BEGIN
  DELETE FROM beside WHERE workspace_id = OLD.workspace_id AND belongs_to = 'facts' AND row_id = OLD.fact_id
                       AND part = 'values/' || OLD.version;
END;

CREATE TRIGGER client_writes_of_fact AFTER DELETE ON facts BEGIN
  DELETE FROM client_writes WHERE workspace_id = OLD.workspace_id AND fact_id = OLD.id;
END;

CREATE TABLE "entry_links" (
  workspace_id TEXT NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  entry_id     TEXT NOT NULL,
  role         TEXT NOT NULL CHECK (role IN ('from', 'to', 'about', 'known_by')),
  target_id    TEXT NOT NULL CHECK (length(target_id) = 36 AND target_id <> entry_id),
  PRIMARY KEY (workspace_id, entry_id, role, target_id),
  FOREIGN KEY (workspace_id, entry_id) REFERENCES memories (workspace_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX entry_links_by_target ON entry_links (workspace_id, target_id, role);

CREATE TRIGGER memories_links_insert AFTER INSERT ON memories WHEN NEW.links IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'refused: a relation has one end on each side')
  WHERE (SELECT count(*) FROM json_each(NEW.links) WHERE value ->> 'role' = 'from') <> (NEW.relation IS NOT NULL)
     OR (SELECT count(*) FROM json_each(NEW.links) WHERE value ->> 'role' = 'to') <> (NEW.relation IS NOT NULL);
  SELECT RAISE(ABORT, 'refused: only a knower has a time since when')
  WHERE EXISTS (SELECT 1 FROM json_each(NEW.links)
                WHERE value ->> 'role' <> 'known_by'
                  AND (value ->> 'since' IS NOT NULL OR value ->> 'since_chapter' IS NOT NULL));
  INSERT INTO entry_links (workspace_id, entry_id, role, target_id)
  SELECT NEW.workspace_id, NEW.id, value ->> 'role', value ->> 'id' FROM json_each(NEW.links);
END;

CREATE TRIGGER memories_links_update AFTER UPDATE ON memories
WHEN NEW.links IS NOT OLD.links OR NEW.relation IS NOT OLD.relation
BEGIN
  SELECT RAISE(ABORT, 'refused: a relation has one end on each side')
  WHERE (SELECT count(*) FROM json_each(NEW.links) WHERE value ->> 'role' = 'from') <> (NEW.relation IS NOT NULL)
     OR (SELECT count(*) FROM json_each(NEW.links) WHERE value ->> 'role' = 'to') <> (NEW.relation IS NOT NULL);
  SELECT RAISE(ABORT, 'refused: only a knower has a time since when')
  WHERE EXISTS (SELECT 1 FROM json_each(NEW.links)
                WHERE value ->> 'role' <> 'known_by'
                  AND (value ->> 'since' IS NOT NULL OR value ->> 'since_chapter' IS NOT NULL));
  -- An agent or a task says who knows of an entry when it makes it, and never afterwards.
  SELECT RAISE(ABORT, 'locked: who knows of an entry is for the worldbuilder to change')
  WHERE NEW.written_by IN ('agent', 'system')
    AND (SELECT json_group_array(value) FROM json_each(NEW.links) WHERE value ->> 'role' = 'known_by')
        IS NOT (SELECT json_group_array(value) FROM json_each(OLD.links) WHERE value ->> 'role' = 'known_by');
  DELETE FROM entry_links
  WHERE workspace_id = NEW.workspace_id AND entry_id = NEW.id
    AND NOT EXISTS (SELECT 1 FROM json_each(NEW.links)
                    WHERE value ->> 'role' = entry_links.role AND value ->> 'id' = entry_links.target_id);
  INSERT INTO entry_links (workspace_id, entry_id, role, target_id)
  SELECT NEW.workspace_id, NEW.id, value ->> 'role', value ->> 'id' FROM json_each(NEW.links)
  WHERE NOT EXISTS (SELECT 1 FROM entry_links AS l
                    WHERE l.workspace_id = NEW.workspace_id AND l.entry_id = NEW.id
                      AND l.role = value ->> 'role' AND l.target_id = value ->> 'id');
END;

CREATE TRIGGER entry_links_insert BEFORE INSERT ON entry_links BEGIN
  SELECT RAISE(ABORT, 'refused: links are kept by the entries')
  WHERE NOT EXISTS (SELECT 1 FROM memories AS m, json_each(m.links) AS l
                    WHERE m.workspace_id = NEW.workspace_id AND m.id = NEW.entry_id
                      AND l.value ->> 'role' = NEW.role AND l.value ->> 'id' = NEW.target_id);
END;

CREATE TRIGGER entry_links_update BEFORE UPDATE ON entry_links BEGIN
  SELECT RAISE(ABORT, 'refused: links are kept by the entries');
END;

CREATE TRIGGER entry_links_delete BEFORE DELETE ON entry_links
WHEN EXISTS (SELECT 1 FROM memories AS m, json_each(m.links) AS l
             WHERE m.workspace_id = OLD.workspace_id AND m.id = OLD.entry_id
               AND l.value ->> 'role' = OLD.role AND l.value ->> 'id' = OLD.target_id)
BEGIN
  SELECT RAISE(ABORT, 'refused: links are kept by the entries');
END;

CREATE INDEX conversations_by_knower ON conversations (workspace_id, id)
  WHERE knower_id IS NOT NULL OR as_of IS NOT NULL OR as_of_chapter IS NOT NULL;

CREATE TRIGGER conversations_lens BEFORE UPDATE ON conversations
WHEN (NEW.knower_id IS NOT OLD.knower_id OR NEW.as_of IS NOT OLD.as_of OR NEW.as_of_chapter IS NOT OLD.as_of_chapter)
  AND OLD.last_position > 0
BEGIN
  SELECT RAISE(ABORT, 'refused: a conversation keeps its lens once something was said in it');
END;

CREATE TRIGGER conversations_lens_news AFTER UPDATE OF knower_id, as_of, as_of_chapter ON conversations BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'channels';
END;

CREATE TABLE drift_looks (
  workspace_id TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  item_id      TEXT    NOT NULL CHECK (length(item_id) = 36),
  kind         TEXT    NOT NULL CHECK (kind IN ('memory', 'fact')),
  version      INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, item_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE drift_queue (
  workspace_id TEXT NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  message_id   TEXT NOT NULL,
  PRIMARY KEY (workspace_id, message_id),
  FOREIGN KEY (workspace_id, message_id) REFERENCES messages (workspace_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TRIGGER drift_queue_message AFTER INSERT ON messages
WHEN NEW.role IN ('user', 'assistant') AND NEW.archive_id IS NULL AND NEW.delivery <> 'streaming'
  AND NOT EXISTS (SELECT 1 FROM memory_off)
BEGIN
  INSERT INTO drift_queue (workspace_id, message_id) VALUES (NEW.workspace_id, NEW.id);
END;

CREATE TABLE "recall_tests" (
  workspace_id TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  id           TEXT    NOT NULL CHECK (length(id) = 36),
  question     TEXT    NOT NULL CHECK (length(question) BETWEEN 1 AND 500),
  channel_id   TEXT,
  knower_id    TEXT    CHECK (length(knower_id) = 36),
  as_of        INTEGER
    CHECK (as_of BETWEEN -9000000000000000 AND 9000000000008640 AND ((as_of % 10000) + 10000) % 10000 <= 8640),
  as_of_chapter TEXT   CHECK (as_of_chapter IS NULL OR (length(as_of_chapter) = 36 AND as_of IS NULL)),
  budget       INTEGER CHECK (budget > 0),
  expects      TEXT    NOT NULL CHECK (json_valid(expects) AND json_type(expects) = 'array'), -- kind, id, must
  created_at   INTEGER NOT NULL,
  -- The last run; all NULL before the first.
  run_at       INTEGER,
  model        TEXT,                                                                -- embedding model, NULL: words only
  failures     TEXT    CHECK (json_valid(failures) AND json_type(failures) = 'array'), -- kind, id, must, rule, rank, of
  -- What turned a passing test into a failing one, until it passes again.
  turned_at    INTEGER,
  turned_by    TEXT    CHECK (turned_by IN ('asked', 'consolidation', 'revert', 'import', 'model', 'decay', 'change')),
  turned_run   TEXT    CHECK (length(turned_run) = 36),
  PRIMARY KEY (workspace_id, id),
  CHECK ((run_at IS NULL) = (failures IS NULL)),
  CHECK ((turned_at IS NULL) = (turned_by IS NULL)),
  CHECK (turned_run IS NULL OR turned_by IN ('consolidation', 'import'))
) STRICT;

CREATE INDEX recall_tests_by_time ON recall_tests (workspace_id, created_at, id);

CREATE TRIGGER recall_tests_of_channel AFTER DELETE ON channels BEGIN
  UPDATE recall_tests SET channel_id = OLD.dissolved_into
  WHERE workspace_id = OLD.workspace_id AND channel_id = OLD.id AND OLD.dissolved_into IS NOT NULL;
END;

CREATE TRIGGER recall_tests_insert_news AFTER INSERT ON recall_tests BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'recall_tests';
END;

CREATE TRIGGER recall_tests_update_news AFTER UPDATE ON recall_tests BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'recall_tests';
END;

CREATE TRIGGER recall_tests_delete_news AFTER DELETE ON recall_tests BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'recall_tests';
END;

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

CREATE TABLE agent_summary_vectors (
  workspace_id TEXT NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  model        TEXT NOT NULL CHECK (length(model) BETWEEN 1 AND 200),
  summary      TEXT NOT NULL CHECK (octet_length(summary) <= 4000 AND summary NOT GLOB '*[^a-z0-9_., ]*'),
  vector       BLOB NOT NULL,
  PRIMARY KEY (workspace_id, model, summary)
) STRICT, WITHOUT ROWID;

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

CREATE TABLE agent_benchmarks (
  workspace_id TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  metric       TEXT    NOT NULL CHECK (length(metric) BETWEEN 1 AND 40 AND metric NOT GLOB '*[^a-z0-9_-]*'),
  day          INTEGER NOT NULL,                                     -- days since 1970 in UTC
  value        REAL    NOT NULL,
  PRIMARY KEY (workspace_id, metric, day)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER agent_actions_insert BEFORE INSERT ON agent_actions
WHEN EXISTS (SELECT 1 FROM memory_off)
  OR EXISTS (SELECT 1 FROM conversations
             WHERE workspace_id = NEW.workspace_id AND id = NEW.conversation_id AND deleted_at IS NOT NULL)
  OR EXISTS (SELECT 1 FROM agent_actions WHERE workspace_id = NEW.workspace_id AND id = NEW.id)
BEGIN
  SELECT RAISE(IGNORE);
END;

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

CREATE TRIGGER agent_targets_of_memory AFTER DELETE ON memories BEGIN
  UPDATE agent_actions SET target_id = NULL WHERE workspace_id = OLD.workspace_id AND target_id = OLD.id;
END;

CREATE TRIGGER agent_targets_of_fact AFTER DELETE ON facts BEGIN
  UPDATE agent_actions SET target_id = NULL WHERE workspace_id = OLD.workspace_id AND target_id = OLD.id;
END;

CREATE TABLE "orientation_items" (
  workspace_id TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  orientation_id TEXT  NOT NULL,
  ordinal      INTEGER NOT NULL CHECK (ordinal >= 0),
  layer        TEXT    NOT NULL
    CHECK (layer IN ('named', 'patterns', 'subjects', 'facts', 'episodes', 'earlier', 'conversation', 'channel', 'workspace',
                     'account', 'pages')),
  kind         TEXT    NOT NULL CHECK (kind IN ('memory', 'fact', 'episode', 'message', 'pattern', 'page')),
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

CREATE TRIGGER memories_update BEFORE UPDATE ON memories
WHEN NEW.lifetime IS NOT OLD.lifetime OR NEW.curator IS NOT OLD.curator OR NEW.kind IS NOT OLD.kind
  OR NEW.importance IS NOT OLD.importance OR NEW.pinned IS NOT OLD.pinned
  OR NEW.forgotten_at IS NOT OLD.forgotten_at OR NEW.source IS NOT OLD.source
  OR NEW.speaker IS NOT OLD.speaker OR NEW.version IS NOT OLD.version OR NEW.written_by IS NOT OLD.written_by
  OR NEW.change_id IS NOT OLD.change_id OR NEW.updated_at IS NOT OLD.updated_at OR NEW.tags IS NOT OLD.tags
  OR NEW.name IS NOT OLD.name OR NEW.name_folded IS NOT OLD.name_folded
  OR NEW.aliases IS NOT OLD.aliases OR NEW.aliases_folded IS NOT OLD.aliases_folded
  OR NEW.external_id IS NOT OLD.external_id OR NEW.session IS NOT OLD.session
  OR NEW.said_at IS NOT OLD.said_at
  OR NEW.source_conversation_id IS NOT OLD.source_conversation_id OR NEW.forgotten_reason IS NOT OLD.forgotten_reason
  OR NEW.forgotten_code IS NOT OLD.forgotten_code
  OR NEW.forgotten_run IS NOT OLD.forgotten_run OR NEW.consolidated_into IS NOT OLD.consolidated_into
  OR NEW.content IS NOT OLD.content OR NEW.title IS NOT OLD.title OR NEW.keys IS NOT OLD.keys
  OR NEW.subject IS NOT OLD.subject OR NEW.relation IS NOT OLD.relation OR NEW.links IS NOT OLD.links
  OR NEW.holds_from IS NOT OLD.holds_from OR NEW.holds_until IS NOT OLD.holds_until
  OR NEW.reading_number IS NOT OLD.reading_number OR NEW.calendar IS NOT OLD.calendar
  OR NEW.derivations IS NOT OLD.derivations
BEGIN
  SELECT RAISE(ABORT, 'locked: this entry belongs to the author')
  WHERE NEW.written_by IN ('agent', 'system')
    AND (OLD.curator <> 'agent' OR OLD.name IS NOT NULL OR OLD.pinned = 1);
  SELECT RAISE(ABORT, 'locked: this hand makes no entries of the author')
  WHERE NEW.written_by IN ('agent', 'system')
    AND (NEW.curator <> 'agent' OR NEW.name IS NOT NULL OR NEW.pinned = 1);
  SELECT RAISE(ABORT, 'refused: undeclared write')
  WHERE NEW.version <> OLD.version + 1 OR NEW.change_id = OLD.change_id
     OR NEW.change_seq <> (SELECT tick FROM change_clock)
     OR NOT EXISTS (SELECT 1 FROM journal
                    WHERE sequence = (SELECT max(sequence) FROM journal) AND workspace_id = NEW.workspace_id
                      AND id = NEW.change_id
                      AND (hand = NEW.written_by
                           OR (hand = 'import' AND action = 'import' AND run_id IS NOT NULL)));
  SELECT RAISE(ABORT, 'taken: name')
  WHERE NEW.name_folded IS NOT NULL AND NEW.forgotten_at IS NULL
    AND (EXISTS (SELECT 1 FROM names
                 WHERE workspace_id = NEW.workspace_id AND scope = NEW.scope AND memory_id <> NEW.id
                   AND folded IN (SELECT NEW.name_folded UNION ALL SELECT value FROM json_each(NEW.aliases_folded)))
         OR (SELECT count(*) <> count(DISTINCT folded)
             FROM (SELECT NEW.name_folded AS folded UNION ALL SELECT value FROM json_each(NEW.aliases_folded))));
  SELECT RAISE(ABORT, 'taken: external id')
  WHERE NEW.external_id IS NOT NULL AND NEW.external_id IS NOT OLD.external_id
    AND EXISTS (SELECT 1 FROM memories
                WHERE workspace_id = NEW.workspace_id AND external_id = NEW.external_id AND scope = NEW.scope
                  AND coalesce(channel_id, '') = coalesce(NEW.channel_id, '')
                  AND coalesce(conversation_id, '') = coalesce(NEW.conversation_id, '') AND seq <> NEW.seq);
END;

CREATE TRIGGER memories_keep_version AFTER UPDATE ON memories WHEN NEW.version IS NOT OLD.version BEGIN
  INSERT INTO memory_versions (
    workspace_id, memory_id, version, change_id, replaced_by,
    scope, channel_id, conversation_id, lifetime, curator, kind, importance, pinned, forgotten_at, source,
    speaker, written_by, access_count, created_at, accessed_at, updated_at, tags, name, aliases, external_id, session,
    said_at, source_conversation_id, forgotten_reason, forgotten_run, consolidated_into, derived_from, content, checksum,
    forgotten_code, title, keys, subject, relation, links, holds_from, holds_until, reading_number, calendar, derivations)
  VALUES (
    OLD.workspace_id, OLD.id, OLD.version, OLD.change_id, NEW.change_id,
    OLD.scope, OLD.channel_id, OLD.conversation_id, OLD.lifetime, OLD.curator, OLD.kind, OLD.importance,
    OLD.pinned, OLD.forgotten_at, OLD.source, OLD.speaker, OLD.written_by, OLD.access_count, OLD.created_at,
    OLD.accessed_at, OLD.updated_at, OLD.tags, OLD.name, OLD.aliases, OLD.external_id, OLD.session, OLD.said_at,
    OLD.source_conversation_id, OLD.forgotten_reason, OLD.forgotten_run, OLD.consolidated_into, OLD.derived_from,
    OLD.content, OLD.checksum, OLD.forgotten_code, OLD.title, OLD.keys,
    OLD.subject, OLD.relation, OLD.links,
    OLD.holds_from, OLD.holds_until, OLD.reading_number, OLD.calendar, OLD.derivations);
END;

CREATE TRIGGER proposals_update BEFORE UPDATE ON proposals BEGIN
  SELECT RAISE(ABORT, 'refused: a proposal is decided once') WHERE OLD.state <> 'open';
  SELECT RAISE(ABORT, 'refused: what was proposed stays as it was')
  WHERE NEW.workspace_id IS NOT OLD.workspace_id OR NEW.id IS NOT OLD.id OR NEW.kind IS NOT OLD.kind
     OR NEW.reason IS NOT OLD.reason OR NEW.fingerprint IS NOT OLD.fingerprint OR NEW.hand IS NOT OLD.hand
     OR NEW.door IS NOT OLD.door OR NEW.run_id IS NOT OLD.run_id OR NEW.created_at IS NOT OLD.created_at
     OR NEW.conversation_id IS NOT OLD.conversation_id OR NEW.content IS NOT OLD.content
     OR NEW.makes IS NOT OLD.makes OR NEW.scope IS NOT OLD.scope OR NEW.lifetime IS NOT OLD.lifetime
     OR NEW.source IS NOT OLD.source OR NEW.importance IS NOT OLD.importance OR NEW.tags IS NOT OLD.tags
     OR NEW.title IS NOT OLD.title OR NEW.keys IS NOT OLD.keys OR NEW.derivations IS NOT OLD.derivations
     OR NEW.rowid IS NOT OLD.rowid;
  SELECT RAISE(ABORT, 'locked: the worldbuilder decides')
  WHERE NEW.state = 'accepted'
    AND (NOT EXISTS (SELECT 1 FROM journal
                     WHERE sequence = (SELECT max(sequence) FROM journal) AND workspace_id = NEW.workspace_id
                       AND id = NEW.change_id AND hand = 'author' AND action = 'accept')
         OR EXISTS (SELECT 1 FROM proposals
                    WHERE workspace_id = NEW.workspace_id AND change_id = NEW.change_id));
  SELECT RAISE(ABORT, 'locked: a text keeps its sources')
  WHERE NEW.state = 'accepted' AND NEW.kind = 'new'
    AND NOT EXISTS (SELECT 1 FROM memories AS m
                    WHERE m.workspace_id = NEW.workspace_id AND m.id = NEW.makes AND m.change_id = NEW.change_id
                      AND m.version = 1 AND m.scope = NEW.scope
                      AND (NEW.hand NOT IN ('agent', 'system') OR m.content IS NOT NEW.content OR m.curator = 'agent')
                      AND (NEW.hand NOT IN ('agent', 'system') OR m.curator = 'agent' OR m.derived_from <> '[]')
                      AND (NEW.hand <> 'agent' OR NEW.door <> 'mcp' OR NEW.run_id IS NULL
                           OR 'client:' || NEW.run_id IN (SELECT value FROM json_each(m.derived_from))));
END;

CREATE TABLE "drifts" (
  workspace_id      TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  id                TEXT    NOT NULL CHECK (length(id) = 36),
  canon_kind        TEXT    NOT NULL CHECK (canon_kind IN ('memory', 'fact', 'page')),
  canon_id          TEXT    NOT NULL CHECK (length(canon_id) = 36),
  -- Of a page, a number made of the digest of the block that was read.
  canon_version     INTEGER NOT NULL CHECK (canon_version >= 1),
  statement_kind    TEXT    NOT NULL CHECK (statement_kind IN ('memory', 'fact', 'message')),
  statement_id      TEXT    NOT NULL CHECK (length(statement_id) = 36),
  statement_version INTEGER NOT NULL CHECK (statement_version >= 1),
  state             TEXT    NOT NULL CHECK (state IN ('open', 'settled', 'superseded')),
  decision          TEXT    CHECK (decision IN ('canon_stands', 'canon_changes', 'both', 'belief', 'dismiss', 'derive_again')),
  fingerprint       TEXT    NOT NULL,          -- both sides with their versions
  change_id         TEXT    CHECK (length(change_id) = 36),
  created_at        INTEGER NOT NULL,
  settled_at        INTEGER,
  PRIMARY KEY (workspace_id, id),
  UNIQUE (workspace_id, fingerprint),
  CHECK (canon_id <> statement_id),
  CHECK ((state = 'open') = (settled_at IS NULL)),
  CHECK ((state = 'settled') = (decision IS NOT NULL)),
  CHECK (change_id IS NULL OR state = 'settled')
) STRICT;

CREATE INDEX drifts_by_time ON drifts (created_at, id);

CREATE INDEX drifts_by_state ON drifts (state, created_at, id);

CREATE INDEX drifts_by_canon ON drifts (workspace_id, canon_id);

CREATE INDEX drifts_by_statement ON drifts (workspace_id, statement_id);

CREATE TRIGGER drifts_insert BEFORE INSERT ON drifts BEGIN
  SELECT RAISE(ABORT, 'refused: a contradiction begins open') WHERE NEW.state <> 'open';
  SELECT RAISE(ABORT, 'taken: drift')
  WHERE EXISTS (SELECT 1 FROM drifts WHERE workspace_id = NEW.workspace_id
                                       AND (id = NEW.id OR fingerprint = NEW.fingerprint))
     OR EXISTS (SELECT 1 FROM drifts WHERE rowid = NEW.rowid);
END;

CREATE TRIGGER drifts_update BEFORE UPDATE ON drifts BEGIN
  SELECT RAISE(ABORT, 'refused: a contradiction is settled once') WHERE OLD.state <> 'open';
  SELECT RAISE(ABORT, 'refused: what was found stays as it was')
  WHERE NEW.workspace_id IS NOT OLD.workspace_id OR NEW.id IS NOT OLD.id OR NEW.canon_kind IS NOT OLD.canon_kind
     OR NEW.canon_id IS NOT OLD.canon_id OR NEW.canon_version IS NOT OLD.canon_version
     OR NEW.statement_kind IS NOT OLD.statement_kind OR NEW.statement_id IS NOT OLD.statement_id
     OR NEW.statement_version IS NOT OLD.statement_version OR NEW.fingerprint IS NOT OLD.fingerprint
     OR NEW.created_at IS NOT OLD.created_at OR NEW.rowid IS NOT OLD.rowid;
END;

CREATE TRIGGER drifts_of_memory AFTER DELETE ON memories BEGIN
  DELETE FROM drifts WHERE workspace_id = OLD.workspace_id AND (canon_id = OLD.id OR statement_id = OLD.id);
  DELETE FROM drift_looks WHERE workspace_id = OLD.workspace_id AND item_id = OLD.id;
END;

CREATE TRIGGER drifts_of_fact AFTER DELETE ON facts BEGIN
  DELETE FROM drifts WHERE workspace_id = OLD.workspace_id AND (canon_id = OLD.id OR statement_id = OLD.id);
  DELETE FROM drift_looks WHERE workspace_id = OLD.workspace_id AND item_id = OLD.id;
END;

CREATE TRIGGER drifts_of_message AFTER DELETE ON messages BEGIN
  DELETE FROM drifts WHERE workspace_id = OLD.workspace_id AND statement_id = OLD.id;
END;

CREATE TRIGGER drifts_insert_news AFTER INSERT ON drifts BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'proposals';
END;

CREATE TRIGGER drifts_update_news AFTER UPDATE ON drifts BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'proposals';
END;

CREATE TRIGGER drift_queue_text AFTER UPDATE OF content, delivery ON messages
WHEN NEW.role IN ('user', 'assistant') AND NEW.archive_id IS NULL AND NEW.delivery <> 'streaming'
  AND (OLD.delivery = 'streaming' OR NEW.content IS NOT OLD.content)
BEGIN
  DELETE FROM drifts WHERE workspace_id = NEW.workspace_id AND statement_id = NEW.id;
  INSERT INTO drift_queue (workspace_id, message_id)
  SELECT NEW.workspace_id, NEW.id
  WHERE NOT EXISTS (SELECT 1 FROM memory_off)
    AND NOT EXISTS (SELECT 1 FROM off_record WHERE workspace_id = NEW.workspace_id AND message_id = NEW.id)
  ON CONFLICT DO NOTHING;
END;

CREATE TABLE "runs" (
  workspace_id TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  id           TEXT    NOT NULL CHECK (length(id) = 36),
  task         TEXT    NOT NULL CHECK (length(task) BETWEEN 1 AND 40),
  state        TEXT    NOT NULL CHECK (state IN ('running', 'done', 'cancelled', 'failed', 'reverted')),
  set_off_by   TEXT    NOT NULL CHECK (set_off_by IN ('asked', 'idle', 'queue', 'closed', 'revision', 'startup')),
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

CREATE TRIGGER runs_insert_news AFTER INSERT ON runs BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'runs';
END;

CREATE TRIGGER runs_update_news AFTER UPDATE ON runs BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'runs';
END;

CREATE INDEX conversations_by_title ON conversations (workspace_id, title_of) WHERE title_of IS NOT NULL;

CREATE INDEX conversations_by_continued ON conversations (workspace_id, continues_id) WHERE continues_id IS NOT NULL;

CREATE TRIGGER conversations_branch BEFORE UPDATE OF continues_id, shares_through ON conversations
WHEN OLD.shares_through IS NOT NULL
  AND (NEW.shares_through IS NOT OLD.shares_through OR NEW.continues_id IS NOT OLD.continues_id)
BEGIN
  SELECT RAISE(ABORT, 'refused: a branch keeps its beginning');
END;

CREATE TRIGGER conversations_model_news AFTER UPDATE OF chat_model, chat_address ON conversations BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'channels';
END;

CREATE TRIGGER messages_deleted_titles AFTER DELETE ON messages
WHEN EXISTS (SELECT 1 FROM conversations
             WHERE workspace_id = OLD.workspace_id AND id = OLD.conversation_id AND deleted_at IS NOT NULL)
  OR EXISTS (SELECT 1 FROM deletion_permits WHERE workspace_id = OLD.workspace_id AND memory_id = OLD.id)
BEGIN
  UPDATE conversations SET title = '', title_by = NULL, title_of = NULL
  WHERE workspace_id = OLD.workspace_id AND title_of = OLD.id;
END;

CREATE TRIGGER memories_fixed BEFORE UPDATE ON memories
WHEN NEW.seq IS NOT OLD.seq OR NEW.workspace_id IS NOT OLD.workspace_id OR NEW.id IS NOT OLD.id
  OR NEW.created_at IS NOT OLD.created_at
  OR NEW.access_count < OLD.access_count OR NEW.change_seq < OLD.change_seq
  OR (NEW.version IS OLD.version
      AND (NEW.scope IS NOT OLD.scope OR NEW.conversation_id IS NOT OLD.conversation_id OR (NEW.channel_id IS NOT OLD.channel_id AND NOT EXISTS (
        SELECT 1 FROM conversations
        WHERE workspace_id = NEW.workspace_id AND channel_id = NEW.channel_id AND id = NEW.conversation_id)
      AND NOT EXISTS (
        SELECT 1 FROM channels
        WHERE workspace_id = OLD.workspace_id AND id = OLD.channel_id AND dissolved_into = NEW.channel_id))))
BEGIN
  SELECT RAISE(ABORT, 'refused: identity, place and creation are fixed');
END;

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

CREATE TABLE saved_searches (
  workspace_id TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  id           TEXT    NOT NULL CHECK (length(id) = 36),
  place        INTEGER NOT NULL CHECK (place >= 0),
  name         TEXT    NOT NULL CHECK (length(name) BETWEEN 1 AND 120),
  view         TEXT    NOT NULL CHECK (octet_length(view) <= 65536 AND json_valid(view) AND json_type(view) = 'object'),
  PRIMARY KEY (workspace_id, id)
) STRICT;

CREATE TRIGGER saved_searches_insert_news AFTER INSERT ON saved_searches BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'settings';
END;

CREATE TRIGGER saved_searches_update_news AFTER UPDATE ON saved_searches BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'settings';
END;

CREATE TRIGGER saved_searches_delete_news AFTER DELETE ON saved_searches BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'settings';
END;

CREATE TRIGGER messages_attachment BEFORE UPDATE OF attached_name ON messages
WHEN NEW.attached_name IS NOT OLD.attached_name
BEGIN
  SELECT RAISE(ABORT, 'refused: what was said is not rewritten');
END;

CREATE INDEX memory_vectors_in_part ON memory_vectors (model, memory_id)
  WHERE first_end = 0 OR (first_end IS NULL AND word_codes IS NULL);

CREATE TABLE memory_word_codes (
  seq   INTEGER NOT NULL, -- of the entry
  model TEXT    NOT NULL,
  codes BLOB    NOT NULL CHECK (length(codes) > 0 AND length(codes) % 8 = 0),
  PRIMARY KEY (seq, model),
  FOREIGN KEY (seq) REFERENCES memories (seq) ON DELETE CASCADE
) STRICT;

CREATE TRIGGER memory_word_codes_go AFTER DELETE ON memory_vectors BEGIN
  DELETE FROM memory_word_codes WHERE model = OLD.model AND seq =
    (SELECT seq FROM memories WHERE workspace_id = OLD.workspace_id AND id = OLD.memory_id);
END;

CREATE INDEX message_vectors_in_part ON message_vectors (model, message_id)
  WHERE first_end = 0 OR (first_end IS NULL AND word_codes IS NULL);

CREATE TABLE message_word_codes (
  seq   INTEGER NOT NULL, -- of the message
  model TEXT    NOT NULL,
  codes BLOB    NOT NULL CHECK (length(codes) > 0 AND length(codes) % 8 = 0),
  PRIMARY KEY (seq, model),
  FOREIGN KEY (seq) REFERENCES messages (seq) ON DELETE CASCADE
) STRICT;

CREATE TRIGGER message_word_codes_go AFTER DELETE ON message_vectors BEGIN
  DELETE FROM message_word_codes WHERE model = OLD.model AND seq =
    (SELECT seq FROM messages WHERE workspace_id = OLD.workspace_id AND id = OLD.message_id);
END;

CREATE INDEX messages_by_time ON messages (at) WHERE archive_id IS NULL;

CREATE TABLE "entry_derivations" (
  workspace_id TEXT NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  entry_id     TEXT NOT NULL,
  kind         TEXT NOT NULL
    CHECK (kind = 'message' OR kind = 'memory' OR kind = 'fact' OR kind = 'file' OR kind = 'page'),
  source_id    TEXT NOT NULL CHECK (length(source_id) = iif(kind = 'file', 64, 36)),
  mark         TEXT NOT NULL CHECK (length(mark) BETWEEN 0 AND 64), -- the version, or the digest of a block of a page
  PRIMARY KEY (workspace_id, entry_id, kind, source_id, mark),
  FOREIGN KEY (workspace_id, entry_id) REFERENCES memories (workspace_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX entry_derivations_by_source ON entry_derivations (workspace_id, kind, source_id);

CREATE TRIGGER memories_derivation_insert AFTER INSERT ON memories WHEN json_array_length(NEW.derivations) = 1 BEGIN
  INSERT INTO entry_derivations (workspace_id, entry_id, kind, source_id, mark)
  VALUES (NEW.workspace_id, NEW.id, NEW.derivations ->> '$[0].kind',
          iif(NEW.derivations ->> '$[0].kind' = 'file', NEW.derivations ->> '$[0].hash', NEW.derivations ->> '$[0].id'),
          iif(NEW.derivations ->> '$[0].kind' = 'page', NEW.derivations ->> '$[0].hash',
              coalesce(NEW.derivations ->> '$[0].version', '')));
END;

CREATE TRIGGER memories_derivations_insert AFTER INSERT ON memories WHEN json_array_length(NEW.derivations) > 1 BEGIN
  INSERT INTO entry_derivations (workspace_id, entry_id, kind, source_id, mark)
  SELECT DISTINCT NEW.workspace_id, NEW.id, value ->> 'kind', iif(value ->> 'kind' = 'file', value ->> 'hash', value ->> 'id'),
         iif(value ->> 'kind' = 'page', value ->> 'hash', coalesce(value ->> 'version', ''))
  FROM json_each(NEW.derivations);
END;

CREATE TRIGGER memories_derivations_update AFTER UPDATE ON memories WHEN NEW.derivations IS NOT OLD.derivations BEGIN
  -- It goes only with the text, or when an earlier version becomes current again.
  SELECT RAISE(ABORT, 'locked: a text keeps what it was made of')
  WHERE NEW.content = OLD.content
    AND EXISTS (SELECT 1 FROM json_each(OLD.derivations)
                WHERE value NOT IN (SELECT value FROM json_each(NEW.derivations)))
    AND NOT EXISTS (SELECT 1 FROM memory_versions AS v
                    WHERE v.workspace_id = OLD.workspace_id AND v.memory_id = OLD.id
                      AND v.content = NEW.content AND v.derivations IS NEW.derivations);
  DELETE FROM entry_derivations
  WHERE workspace_id = NEW.workspace_id AND entry_id = NEW.id
    AND NOT EXISTS (SELECT 1 FROM json_each(NEW.derivations)
                    WHERE value ->> 'kind' = entry_derivations.kind
                      AND iif(value ->> 'kind' = 'file', value ->> 'hash', value ->> 'id') = entry_derivations.source_id
                      AND iif(value ->> 'kind' = 'page', value ->> 'hash', coalesce(value ->> 'version', ''))
                          = entry_derivations.mark);
  INSERT INTO entry_derivations (workspace_id, entry_id, kind, source_id, mark)
  SELECT DISTINCT NEW.workspace_id, NEW.id, value ->> 'kind', iif(value ->> 'kind' = 'file', value ->> 'hash', value ->> 'id'),
         iif(value ->> 'kind' = 'page', value ->> 'hash', coalesce(value ->> 'version', ''))
  FROM json_each(NEW.derivations)
  WHERE NOT EXISTS (SELECT 1 FROM entry_derivations AS d
                    WHERE d.workspace_id = NEW.workspace_id AND d.entry_id = NEW.id AND d.kind = value ->> 'kind'
                      AND d.source_id = iif(value ->> 'kind' = 'file', value ->> 'hash', value ->> 'id')
                      AND d.mark = iif(value ->> 'kind' = 'page', value ->> 'hash', coalesce(value ->> 'version', '')));
END;

CREATE TRIGGER entry_derivations_insert BEFORE INSERT ON entry_derivations
WHEN NOT EXISTS (SELECT 1 FROM memories AS m
                 WHERE m.workspace_id = NEW.workspace_id AND m.id = NEW.entry_id
                   AND CASE WHEN m.derivations ->> '$[0].kind' = NEW.kind
                             AND iif(NEW.kind = 'file', m.derivations ->> '$[0].hash', m.derivations ->> '$[0].id') = NEW.source_id
                            THEN TRUE
                            ELSE EXISTS (SELECT 1 FROM json_each(m.derivations) AS d
                                         WHERE d.value ->> 'kind' = NEW.kind
                                           AND iif(NEW.kind = 'file', d.value ->> 'hash', d.value ->> 'id') = NEW.source_id) END)
BEGIN
  SELECT RAISE(ABORT, 'refused: derivations are kept by the entries');
END;

CREATE TRIGGER entry_derivations_update BEFORE UPDATE ON entry_derivations BEGIN
  SELECT RAISE(ABORT, 'refused: derivations are kept by the entries');
END;

CREATE TRIGGER entry_derivations_delete BEFORE DELETE ON entry_derivations
WHEN EXISTS (SELECT 1 FROM memories AS m, json_each(m.derivations) AS d
             WHERE m.workspace_id = OLD.workspace_id AND m.id = OLD.entry_id AND d.value ->> 'kind' = OLD.kind
               AND iif(OLD.kind = 'file', d.value ->> 'hash', d.value ->> 'id') = OLD.source_id
               AND iif(OLD.kind = 'page', d.value ->> 'hash', coalesce(d.value ->> 'version', '')) = OLD.mark)
BEGIN
  SELECT RAISE(ABORT, 'refused: derivations are kept by the entries');
END;

