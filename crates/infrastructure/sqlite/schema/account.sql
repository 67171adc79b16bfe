CREATE TABLE journal (
  sequence     INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace_id TEXT    NOT NULL CHECK (workspace_id = '00000000-0000-0000-0000-000000000000'),
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
  workspace_id      TEXT    NOT NULL CHECK (workspace_id = '00000000-0000-0000-0000-000000000000'),
  id                TEXT    NOT NULL CHECK (length(id) = 36),
  scope             TEXT    NOT NULL CHECK (scope = 'account'),
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
  CHECK (channel_id IS NULL AND conversation_id IS NULL),
  CHECK ((name IS NULL) = (name_folded IS NULL)),
  CHECK (name IS NOT NULL OR (aliases = '[]' AND content <> '')), -- only a named entry may be empty
  CHECK (json_array_length(aliases) = json_array_length(aliases_folded)),
  CHECK ((forgotten_at IS NULL) = (forgotten_reason IS NULL)),
  CHECK (forgotten_at IS NOT NULL OR forgotten_run IS NULL)
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
  workspace_id      TEXT    NOT NULL CHECK (workspace_id = '00000000-0000-0000-0000-000000000000'),
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
  workspace_id TEXT    NOT NULL CHECK (workspace_id = '00000000-0000-0000-0000-000000000000'),
  memory_id    TEXT    NOT NULL,
  model        TEXT    NOT NULL CHECK (length(model) BETWEEN 1 AND 200),
  dimension    INTEGER NOT NULL CHECK (dimension BETWEEN 1 AND 8192),
  version      INTEGER NOT NULL CHECK (version >= 1), -- the entry's version whose text was embedded
  vector       BLOB    NOT NULL CHECK (length(vector) = 4 * dimension), first_end INTEGER CHECK (first_end >= 0), word_codes INTEGER CHECK (word_codes >= 0),
  PRIMARY KEY (workspace_id, memory_id, model),
  FOREIGN KEY (workspace_id, memory_id) REFERENCES memories (workspace_id, id) ON DELETE CASCADE
) STRICT;

CREATE TABLE embedding_failures (
  workspace_id TEXT    NOT NULL CHECK (workspace_id = '00000000-0000-0000-0000-000000000000'),
  memory_id    TEXT    NOT NULL,
  model        TEXT    NOT NULL CHECK (length(model) BETWEEN 1 AND 200),
  version      INTEGER NOT NULL CHECK (version >= 1),
  error        TEXT    NOT NULL,
  at           INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, memory_id, model),
  FOREIGN KEY (workspace_id, memory_id) REFERENCES memories (workspace_id, id) ON DELETE CASCADE
) STRICT;

CREATE TABLE deletion_permits (
  workspace_id TEXT    NOT NULL CHECK (workspace_id = '00000000-0000-0000-0000-000000000000'),
  memory_id    TEXT    NOT NULL,
  manifest     TEXT    NOT NULL CHECK (length(manifest) > 0),
  granted_at   INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, memory_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE open_days (
  workspace_id TEXT NOT NULL CHECK (workspace_id = '00000000-0000-0000-0000-000000000000'),
  day          TEXT NOT NULL CHECK (day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  PRIMARY KEY (workspace_id, day)
) STRICT, WITHOUT ROWID;

CREATE TABLE topics (
  topic   TEXT    PRIMARY KEY,
  counter INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO topics VALUES ('clients', 0);

INSERT INTO topics VALUES ('memories', 0);

INSERT INTO topics VALUES ('models', 0);

INSERT INTO topics VALUES ('proposals', 0);

INSERT INTO topics VALUES ('settings', 0);

INSERT INTO topics VALUES ('workspaces', 0);

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
  AND EXISTS (SELECT 1 FROM memory_switch WHERE enabled = 0)
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

CREATE TRIGGER memories_fixed BEFORE UPDATE ON memories
WHEN NEW.seq IS NOT OLD.seq OR NEW.workspace_id IS NOT OLD.workspace_id OR NEW.id IS NOT OLD.id
  OR NEW.scope IS NOT OLD.scope
  OR NEW.channel_id IS NOT OLD.channel_id
  OR NEW.conversation_id IS NOT OLD.conversation_id OR NEW.created_at IS NOT OLD.created_at
  OR NEW.access_count < OLD.access_count OR NEW.change_seq < OLD.change_seq
BEGIN
  SELECT RAISE(ABORT, 'refused: identity, place and creation are fixed');
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
    AND (NEW.curator <> 'agent' OR NEW.name IS NOT NULL OR NEW.pinned = 1);
  SELECT RAISE(ABORT, 'taken: id')
  WHERE EXISTS (SELECT 1 FROM memories WHERE workspace_id = NEW.workspace_id AND id = NEW.id)
     OR EXISTS (SELECT 1 FROM memories WHERE seq = NEW.seq);
END;

CREATE TRIGGER memories_memory_off BEFORE INSERT ON memories
WHEN NEW.written_by IN ('agent', 'system')
  AND EXISTS (SELECT 1 FROM memory_switch WHERE enabled = 0)
  AND EXISTS (SELECT 1 FROM journal
              WHERE sequence = (SELECT max(sequence) FROM journal) AND hand IN ('agent', 'system'))
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
  workspace_id TEXT    NOT NULL CHECK (workspace_id = '00000000-0000-0000-0000-000000000000'),
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
  workspace_id TEXT    NOT NULL CHECK (workspace_id = '00000000-0000-0000-0000-000000000000'),
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
  workspace_id TEXT    NOT NULL CHECK (workspace_id = '00000000-0000-0000-0000-000000000000'),
  memory_id    TEXT    NOT NULL,
  format       TEXT    NOT NULL CHECK (length(format) BETWEEN 1 AND 40),
  fields       TEXT    NOT NULL CHECK (json_valid(fields) AND octet_length(fields) <= 1048576),
  PRIMARY KEY (workspace_id, memory_id, format),
  FOREIGN KEY (workspace_id, memory_id) REFERENCES memories (workspace_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE beside (
  workspace_id TEXT NOT NULL CHECK (workspace_id = '00000000-0000-0000-0000-000000000000'),
  belongs_to   TEXT NOT NULL CHECK (belongs_to IN ('file', 'memories')),
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
  workspace_id TEXT    NOT NULL CHECK (workspace_id = '00000000-0000-0000-0000-000000000000'),
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
  scope        TEXT    CHECK (scope = 'account'),
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
  workspace_id TEXT    NOT NULL CHECK (workspace_id = '00000000-0000-0000-0000-000000000000'),
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
WHEN NEW.hand IN ('agent', 'system') AND EXISTS (SELECT 1 FROM memory_switch WHERE enabled = 0)
BEGIN
  SELECT RAISE(ABORT, 'off: memory is switched off');
END;

CREATE TABLE settings (
  key        TEXT    PRIMARY KEY CHECK (length(key) BETWEEN 1 AND 200),
  value      TEXT    NOT NULL CHECK (json_valid(value)),
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE workspaces (
  id          TEXT    PRIMARY KEY CHECK (length(id) = 36),
  name        TEXT    NOT NULL CHECK (length(name) BETWEEN 1 AND 120),
  name_folded TEXT    NOT NULL UNIQUE,
  created_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TRIGGER settings_insert_news AFTER INSERT ON settings BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'settings';
END;

CREATE TRIGGER settings_update_news AFTER UPDATE ON settings BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'settings';
END;

CREATE TRIGGER settings_delete_news AFTER DELETE ON settings BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'settings';
END;

CREATE TRIGGER workspaces_insert_news AFTER INSERT ON workspaces BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'workspaces';
END;

CREATE TRIGGER workspaces_update_news AFTER UPDATE ON workspaces BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'workspaces';
END;

CREATE TRIGGER workspaces_delete_news AFTER DELETE ON workspaces BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'workspaces';
END;

CREATE TABLE clients (
  id           TEXT    PRIMARY KEY CHECK (length(id) = 36),
  name         TEXT    NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
  name_folded  TEXT    NOT NULL UNIQUE,
  bound_to     TEXT    NOT NULL CHECK (length(bound_to) = 36), -- the one workspace
  token_hash   TEXT    UNIQUE CHECK (length(token_hash) = 64),
  grants       TEXT    NOT NULL CHECK (json_valid(grants) AND json_type(grants) = 'object'),
  created_at   INTEGER NOT NULL,
  seen_at      INTEGER,
  revoked_at   INTEGER
) STRICT, WITHOUT ROWID;

CREATE TRIGGER clients_insert_news AFTER INSERT ON clients BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'clients';
END;

CREATE TRIGGER clients_update_news AFTER UPDATE ON clients BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'clients';
END;

CREATE TRIGGER clients_update BEFORE UPDATE ON clients
WHEN NEW.id IS NOT OLD.id OR NEW.bound_to IS NOT OLD.bound_to OR NEW.created_at IS NOT OLD.created_at
  OR (OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS NULL AND NEW.token_hash IS OLD.token_hash)
BEGIN
  SELECT RAISE(ABORT, 'refused: a client stays who it is');
END;

CREATE TABLE memory_switch (
  one     INTEGER PRIMARY KEY CHECK (one = 1),
  enabled INTEGER NOT NULL CHECK (enabled IN (0, 1))
) STRICT;

INSERT INTO memory_switch VALUES (1, 1);

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

CREATE TABLE memory_passages (
  workspace_id TEXT    NOT NULL CHECK (workspace_id = '00000000-0000-0000-0000-000000000000'),
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

CREATE VIRTUAL TABLE memories_fts USING fts5 (
  content, name, title, keys, reach,
  content = 'memories', content_rowid = 'seq',
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

CREATE INDEX memories_in_story_time ON memories (workspace_id, holds_from, holds_until)
  WHERE holds_from IS NOT NULL OR holds_until IS NOT NULL;

CREATE INDEX memories_of_calendars ON memories (workspace_id, id) WHERE calendar IS NOT NULL;

CREATE INDEX memories_by_reading ON memories (workspace_id, reading_number) WHERE reading_number IS NOT NULL;

CREATE TRIGGER memories_text_memory_off BEFORE UPDATE OF content, title, keys, relation, links, holds_from, holds_until ON memories
WHEN (NEW.content IS NOT OLD.content OR NEW.title IS NOT OLD.title OR NEW.keys IS NOT OLD.keys
      OR NEW.relation IS NOT OLD.relation OR NEW.links IS NOT OLD.links
      OR NEW.holds_from IS NOT OLD.holds_from OR NEW.holds_until IS NOT OLD.holds_until)
  AND NEW.written_by IN ('agent', 'system')
  AND EXISTS (SELECT 1 FROM memory_switch WHERE enabled = 0)
  AND EXISTS (SELECT 1 FROM journal
              WHERE sequence = (SELECT max(sequence) FROM journal) AND hand IN ('agent', 'system'))
BEGIN
  SELECT RAISE(ABORT, 'off: memory is switched off');
END;

CREATE TABLE "entry_links" (
  workspace_id TEXT NOT NULL CHECK (workspace_id = '00000000-0000-0000-0000-000000000000'),
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

CREATE TABLE token_usage (
  day        TEXT    NOT NULL CHECK (day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  address    TEXT    NOT NULL CHECK (length(address) <= 2000),
  model      TEXT    NOT NULL CHECK (length(model) <= 2000),
  answers    INTEGER NOT NULL CHECK (answers >= 1),
  unreported INTEGER NOT NULL CHECK (unreported BETWEEN 0 AND answers), -- answers for which the endpoint gave no counts
  input      INTEGER NOT NULL CHECK (input >= 0),
  output     INTEGER NOT NULL CHECK (output >= 0),
  PRIMARY KEY (day, address, model)
) STRICT, WITHOUT ROWID;

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

CREATE TABLE "entry_derivations" (
  workspace_id TEXT NOT NULL CHECK (workspace_id = '00000000-0000-0000-0000-000000000000'),
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

