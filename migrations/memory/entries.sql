-- The memory of one file: entries with their journal, versions, names and vectors. The account's file and a workspace's
-- file both begin with it. What a word in braces stands for in each of them is in `migrate.rs`.
-- Times are microseconds since 1970 in UTC. Ids are hyphenated UUIDs. Migrations are append-only: never edit
-- this file once a release carries it. What each table is for: docs/data-model.md.

-- Who changed what, when, through which door. Holds no memory text. Append-only.
CREATE TABLE journal (
  sequence     INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace_id TEXT    NOT NULL CHECK (workspace_id {owner} '00000000-0000-0000-0000-000000000000'),
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

-- The entries. Small columns first: a scan for counts and facets must not have to step over the text.
CREATE TABLE memories (
  seq               INTEGER PRIMARY KEY AUTOINCREMENT CHECK (seq > 0),
  workspace_id      TEXT    NOT NULL CHECK (workspace_id {owner} '00000000-0000-0000-0000-000000000000'),
  id                TEXT    NOT NULL CHECK (length(id) = 36),
  scope             TEXT    NOT NULL CHECK (scope {tiers}),
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
  forgotten_code    TEXT    CHECK (length(forgotten_code) BETWEEN 1 AND 40), -- why it is out of use
  UNIQUE (workspace_id, id),
  {places},
  CHECK ((name IS NULL) = (name_folded IS NULL)),
  CHECK (name IS NOT NULL OR (aliases = '[]' AND content <> '')), -- only a named entry may be empty
  CHECK (json_array_length(aliases) = json_array_length(aliases_folded)),
  CHECK ((forgotten_at IS NULL) = (forgotten_reason IS NULL)),
  CHECK (forgotten_at IS NOT NULL OR forgotten_run IS NULL){channel_keys}
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
  workspace_id      TEXT    NOT NULL CHECK (workspace_id {owner} '00000000-0000-0000-0000-000000000000'),
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
  forgotten_code    TEXT,
  PRIMARY KEY (workspace_id, memory_id, version),
  FOREIGN KEY (workspace_id, memory_id) REFERENCES memories (workspace_id, id) ON DELETE CASCADE
) STRICT;
CREATE INDEX memory_versions_replaced_by ON memory_versions (replaced_by);
CREATE INDEX memory_versions_created_by ON memory_versions (change_id) WHERE version = 1;

-- Vectors, apart from the entries: writing never waits for a model. Little-endian f32, unit length.
CREATE TABLE memory_vectors (
  workspace_id TEXT    NOT NULL CHECK (workspace_id {owner} '00000000-0000-0000-0000-000000000000'),
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
  workspace_id TEXT    NOT NULL CHECK (workspace_id {owner} '00000000-0000-0000-0000-000000000000'),
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
  workspace_id TEXT    NOT NULL CHECK (workspace_id {owner} '00000000-0000-0000-0000-000000000000'),
  memory_id    TEXT    NOT NULL,
  manifest     TEXT    NOT NULL CHECK (length(manifest) > 0),
  granted_at   INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, memory_id)
) STRICT, WITHOUT ROWID;

-- Days (UTC, YYYY-MM-DD) on which the database was in use; the decay clock runs on these.
CREATE TABLE open_days (
  workspace_id TEXT NOT NULL CHECK (workspace_id {owner} '00000000-0000-0000-0000-000000000000'),
  day          TEXT NOT NULL CHECK (day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  PRIMARY KEY (workspace_id, day)
) STRICT, WITHOUT ROWID;

-- News for readers in other processes: a counter per topic, raised by triggers.
CREATE TABLE topics (
  topic   TEXT    PRIMARY KEY,
  counter INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO topics (topic, counter) VALUES ('memories', 0), ('models', 0), ('proposals', 0), ('settings', 0);

-- Ticks with every change, whatever the wall clock says. `epoch` rises when rows were destroyed: in-memory
-- indexes cannot catch up from ticks alone then, and load afresh.
CREATE TABLE change_clock (
  one   INTEGER PRIMARY KEY CHECK (one = 1),
  tick  INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  change_order INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO change_clock (one, tick, epoch) VALUES (1, 0, 0);

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
