-- The account's memory: entries of the account tier alone.
-- Times are microseconds since 1970 in UTC. Ids are hyphenated UUIDs. Migrations are append-only: never edit
-- this file once a release carries it. What each table is for: docs/data-model.md.

-- Who changed what, when, through which door. Holds no memory text. Append-only.
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
  UNIQUE (workspace_id, id)
) STRICT;

CREATE INDEX journal_by_run ON journal (run_id) WHERE run_id IS NOT NULL;
CREATE INDEX journal_by_hand ON journal (hand, sequence);

-- The entries. Small columns first: a scan for counts and facets must not have to step over the text.
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
  forgotten_reason  TEXT,
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
  UNIQUE (workspace_id, id),
  CHECK (channel_id IS NULL AND conversation_id IS NULL),
  CHECK ((name IS NULL) = (name_folded IS NULL)),
  CHECK (name IS NOT NULL OR (aliases = '[]' AND content <> '')), -- only a named entry may be empty
  CHECK (json_array_length(aliases) = json_array_length(aliases_folded)),
  CHECK ((forgotten_at IS NULL) = (forgotten_reason IS NULL)),
  CHECK (forgotten_at IS NOT NULL OR forgotten_run IS NULL)
) STRICT;

-- A file holds one workspace, so the indexes that only speed things up leave the workspace out: 37 bytes a row
-- that would never differ.
CREATE INDEX memories_by_update ON memories (updated_at, id);
CREATE INDEX memories_by_scope ON memories (scope, forgotten_at, updated_at, id);
CREATE INDEX memories_by_creation ON memories (created_at, id);
CREATE INDEX memories_by_importance ON memories (importance, id);
CREATE INDEX memories_by_change_seq ON memories (change_seq);
CREATE INDEX memories_created_by ON memories (change_id) WHERE version = 1;
CREATE INDEX memories_named ON memories (scope, name_folded)
  WHERE name_folded IS NOT NULL AND kind = 'note' AND forgotten_at IS NULL;
-- Named entries that nothing was written into yet: lists, counts and searches leave them out.
CREATE INDEX memories_blank ON memories (seq) WHERE content = '';
CREATE UNIQUE INDEX memories_external ON memories
  (workspace_id, external_id, scope, coalesce(channel_id, ''), coalesce(conversation_id, ''))
  WHERE external_id IS NOT NULL;

-- Names and aliases in use: one space a tier, regardless of case. Kept by triggers.
CREATE TABLE names (
  workspace_id TEXT    NOT NULL,
  scope        TEXT    NOT NULL,
  folded       TEXT    NOT NULL CHECK (length(folded) > 0),
  memory_id    TEXT    NOT NULL,
  PRIMARY KEY (workspace_id, scope, folded),
  FOREIGN KEY (workspace_id, memory_id) REFERENCES memories (workspace_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX names_by_memory ON names (workspace_id, memory_id);

-- Each version that a change replaced, filled by trigger: no statement overwrites a version without keeping it.
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
  PRIMARY KEY (workspace_id, memory_id, version),
  FOREIGN KEY (workspace_id, memory_id) REFERENCES memories (workspace_id, id) ON DELETE CASCADE
) STRICT;

CREATE INDEX memory_versions_replaced_by ON memory_versions (replaced_by);
CREATE INDEX memory_versions_created_by ON memory_versions (change_id) WHERE version = 1;

-- Vectors, apart from the entries: writing never waits for a model. Little-endian f32, unit length.
CREATE TABLE memory_vectors (
  workspace_id TEXT    NOT NULL CHECK (workspace_id = '00000000-0000-0000-0000-000000000000'),
  memory_id    TEXT    NOT NULL,
  model        TEXT    NOT NULL CHECK (length(model) BETWEEN 1 AND 200),
  dimension    INTEGER NOT NULL CHECK (dimension BETWEEN 1 AND 8192),
  version      INTEGER NOT NULL CHECK (version >= 1), -- the entry's version whose text was embedded
  vector       BLOB    NOT NULL CHECK (length(vector) = 4 * dimension),
  PRIMARY KEY (workspace_id, memory_id, model),
  FOREIGN KEY (workspace_id, memory_id) REFERENCES memories (workspace_id, id) ON DELETE CASCADE
) STRICT;

-- Texts that a model could not embed, so that they are not tried for ever.
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

-- Permits to destroy, written by a scrub that a person started. Without one no entry and no version is deleted.
CREATE TABLE deletion_permits (
  workspace_id TEXT    NOT NULL CHECK (workspace_id = '00000000-0000-0000-0000-000000000000'),
  memory_id    TEXT    NOT NULL,
  manifest     TEXT    NOT NULL CHECK (length(manifest) > 0),
  granted_at   INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, memory_id)
) STRICT, WITHOUT ROWID;

-- Days (UTC, YYYY-MM-DD) on which the database was in use; the decay clock runs on these.
CREATE TABLE open_days (
  workspace_id TEXT NOT NULL CHECK (workspace_id = '00000000-0000-0000-0000-000000000000'),
  day          TEXT NOT NULL CHECK (day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  PRIMARY KEY (workspace_id, day)
) STRICT, WITHOUT ROWID;

-- News for readers in other processes: a counter per topic, raised by triggers.
CREATE TABLE topics (
  topic   TEXT    PRIMARY KEY,
  counter INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO topics (topic, counter) VALUES ('memories', 0), ('models', 0), ('settings', 0), ('workspaces', 0);

-- Ticks with every change, whatever the wall clock says. `epoch` rises when rows were destroyed: in-memory
-- indexes cannot catch up from ticks alone then, and load afresh.
CREATE TABLE change_clock (
  one   INTEGER PRIMARY KEY CHECK (one = 1),
  tick  INTEGER NOT NULL,
  epoch INTEGER NOT NULL
) STRICT;
INSERT INTO change_clock (one, tick, epoch) VALUES (1, 0, 0);

-- The account's settings, JSON texts under stable keys.
CREATE TABLE settings (
  key        TEXT    PRIMARY KEY CHECK (length(key) BETWEEN 1 AND 200),
  value      TEXT    NOT NULL CHECK (json_valid(value)),
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Which workspaces there are. Each workspace's own file says the same in `meta`, so that a lost registry can be
-- rebuilt from the folders.
CREATE TABLE workspaces (
  id          TEXT    PRIMARY KEY CHECK (length(id) = 36),
  name        TEXT    NOT NULL CHECK (length(name) BETWEEN 1 AND 120),
  name_folded TEXT    NOT NULL UNIQUE,
  created_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Full-text index -----------------------------------------------------------------------------------------

CREATE VIRTUAL TABLE memories_fts USING fts5 (
  content, name, reach,
  content = 'memories', content_rowid = 'seq',
  tokenize = 'porter unicode61 remove_diacritics 2'
);

CREATE TRIGGER memories_fts_insert AFTER INSERT ON memories BEGIN
  INSERT INTO memories_fts (rowid, content, name, reach) VALUES (NEW.seq, NEW.content, NEW.name, NEW.reach);
END;

CREATE TRIGGER memories_fts_delete AFTER DELETE ON memories BEGIN
  INSERT INTO memories_fts (memories_fts, rowid, content, name, reach)
  VALUES ('delete', OLD.seq, OLD.content, OLD.name, OLD.reach);
END;

CREATE TRIGGER memories_fts_update AFTER UPDATE ON memories
WHEN OLD.content IS NOT NEW.content OR OLD.name IS NOT NEW.name OR OLD.reach IS NOT NEW.reach
BEGIN
  INSERT INTO memories_fts (memories_fts, rowid, content, name, reach)
  VALUES ('delete', OLD.seq, OLD.content, OLD.name, OLD.reach);
  INSERT INTO memories_fts (rowid, content, name, reach) VALUES (NEW.seq, NEW.content, NEW.name, NEW.reach);
END;

-- Guards of the journal and of history --------------------------------------------------------------------

-- The existence checks in these BEFORE INSERT guards close the way round them: INSERT OR REPLACE removes rows
-- without asking the delete triggers.
CREATE TRIGGER journal_insert BEFORE INSERT ON journal BEGIN
  SELECT RAISE(ABORT, 'refused: the journal is append-only')
  WHERE EXISTS (SELECT 1 FROM journal WHERE sequence = NEW.sequence)
     OR EXISTS (SELECT 1 FROM journal WHERE workspace_id = NEW.workspace_id AND id = NEW.id)
     OR NEW.undone_by IS NOT NULL;
END;

CREATE TRIGGER journal_update BEFORE UPDATE ON journal
WHEN OLD.undone_by IS NOT NULL OR NEW.undone_by IS NULL
  OR NEW.sequence IS NOT OLD.sequence OR NEW.workspace_id IS NOT OLD.workspace_id OR NEW.id IS NOT OLD.id
  OR NEW.action IS NOT OLD.action OR NEW.hand IS NOT OLD.hand OR NEW.door IS NOT OLD.door
  OR NEW.run_id IS NOT OLD.run_id OR NEW.at IS NOT OLD.at OR NEW.entries IS NOT OLD.entries
  OR NEW.undoes IS NOT OLD.undoes
BEGIN
  SELECT RAISE(ABORT, 'refused: the journal is append-only');
END;

CREATE TRIGGER journal_delete BEFORE DELETE ON journal BEGIN
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

CREATE TRIGGER memory_versions_update BEFORE UPDATE ON memory_versions BEGIN
  SELECT RAISE(ABORT, 'refused: history is append-only');
END;

CREATE TRIGGER memory_versions_delete BEFORE DELETE ON memory_versions
WHEN NOT EXISTS (SELECT 1 FROM deletion_permits
                 WHERE workspace_id = OLD.workspace_id AND memory_id = OLD.memory_id)
BEGIN
  SELECT RAISE(ABORT, 'refused: only a scrub destroys history');
END;

-- Guards of the entries -----------------------------------------------------------------------------------

-- Every write declares whose hand it is, through the newest journal row.
CREATE TRIGGER memories_insert BEFORE INSERT ON memories BEGIN
  SELECT RAISE(ABORT, 'refused: undeclared write')
  WHERE NEW.version <> 1 OR NEW.embedded_by IS NOT NULL
     OR NEW.change_seq <> (SELECT tick FROM change_clock)
     OR NOT EXISTS (SELECT 1 FROM journal
                    WHERE sequence = (SELECT max(sequence) FROM journal) AND workspace_id = NEW.workspace_id
                      AND id = NEW.change_id AND hand = NEW.written_by);
  SELECT RAISE(ABORT, 'locked: this hand makes no entries of the author')
  WHERE NEW.written_by IN ('agent', 'system')
    AND (NEW.curator <> 'agent' OR NEW.name IS NOT NULL OR NEW.pinned = 1);
  SELECT RAISE(ABORT, 'taken: id')
  WHERE EXISTS (SELECT 1 FROM memories WHERE workspace_id = NEW.workspace_id AND id = NEW.id)
     OR EXISTS (SELECT 1 FROM memories WHERE seq = NEW.seq);
END;

-- A name that is in use, as a name or as an alias, is not given again.
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

-- What an entry still goes by stays where it is: the guards below let no name in use be taken away.
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

CREATE TRIGGER memories_insert_external BEFORE INSERT ON memories WHEN NEW.external_id IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'taken: external id')
  WHERE EXISTS (SELECT 1 FROM memories
                WHERE workspace_id = NEW.workspace_id AND external_id = NEW.external_id AND scope = NEW.scope
                  AND coalesce(channel_id, '') = coalesce(NEW.channel_id, '')
                  AND coalesce(conversation_id, '') = coalesce(NEW.conversation_id, ''));
END;

CREATE TRIGGER memories_fixed BEFORE UPDATE ON memories
WHEN NEW.seq IS NOT OLD.seq OR NEW.workspace_id IS NOT OLD.workspace_id OR NEW.id IS NOT OLD.id
  OR NEW.scope IS NOT OLD.scope OR NEW.channel_id IS NOT OLD.channel_id
  OR NEW.conversation_id IS NOT OLD.conversation_id OR NEW.created_at IS NOT OLD.created_at
  OR NEW.access_count < OLD.access_count OR NEW.change_seq < OLD.change_seq
BEGIN
  SELECT RAISE(ABORT, 'refused: identity, place and creation are fixed');
END;

-- Use (access_count, accessed_at) and bookkeeping (change_seq, embedded_by) may change without a declaration;
-- every other column may not. No column list here: it would not see `SET rowid = ...`.
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
  OR NEW.forgotten_run IS NOT OLD.forgotten_run OR NEW.consolidated_into IS NOT OLD.consolidated_into
  OR NEW.content IS NOT OLD.content
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
                      AND id = NEW.change_id AND hand = NEW.written_by);
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
    said_at, source_conversation_id, forgotten_reason, forgotten_run, consolidated_into, content)
  VALUES (
    OLD.workspace_id, OLD.id, OLD.version, OLD.change_id, NEW.change_id,
    OLD.scope, OLD.channel_id, OLD.conversation_id, OLD.lifetime, OLD.curator, OLD.kind, OLD.importance,
    OLD.pinned, OLD.forgotten_at, OLD.source, OLD.speaker, OLD.written_by, OLD.access_count, OLD.created_at,
    OLD.accessed_at, OLD.updated_at, OLD.tags, OLD.name, OLD.aliases, OLD.external_id, OLD.session, OLD.said_at,
    OLD.source_conversation_id, OLD.forgotten_reason, OLD.forgotten_run, OLD.consolidated_into, OLD.content);
END;

CREATE TRIGGER memories_delete BEFORE DELETE ON memories
WHEN NOT EXISTS (SELECT 1 FROM deletion_permits WHERE workspace_id = OLD.workspace_id AND memory_id = OLD.id)
BEGIN
  SELECT RAISE(ABORT, 'refused: only a scrub destroys an entry');
END;

-- Vectors follow the text ---------------------------------------------------------------------------------

CREATE TRIGGER memories_content_changed AFTER UPDATE ON memories WHEN NEW.content IS NOT OLD.content BEGIN
  DELETE FROM memory_vectors WHERE workspace_id = NEW.workspace_id AND memory_id = NEW.id;
  DELETE FROM embedding_failures WHERE workspace_id = NEW.workspace_id AND memory_id = NEW.id;
END;

CREATE TRIGGER memory_vectors_insert AFTER INSERT ON memory_vectors BEGIN
  UPDATE change_clock SET tick = tick + 1;
  UPDATE memories SET embedded_by = NEW.model, change_seq = (SELECT tick FROM change_clock)
  WHERE workspace_id = NEW.workspace_id AND id = NEW.memory_id;
  UPDATE topics SET counter = counter + 1 WHERE topic = 'models';
END;

CREATE TRIGGER memory_vectors_update AFTER UPDATE ON memory_vectors BEGIN
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

-- News ----------------------------------------------------------------------------------------------------

-- Every write of entries has a journal row, so one tick a change set is enough.
CREATE TRIGGER journal_news AFTER INSERT ON journal BEGIN
  UPDATE change_clock SET tick = tick + 1;
  UPDATE topics SET counter = counter + 1 WHERE topic = 'memories';
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
