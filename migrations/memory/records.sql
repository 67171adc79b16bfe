-- What is kept beside the entries: the audit log, what was scrubbed, fields of other programs, proposals.

-- Acts that cannot be taken back, and restored backups: append-only, each row sealed with the hash of the one before
-- (SHA-256 over the bytes that domain `audit` writes down). Holds no memory text.
CREATE TABLE audit (
  sequence     INTEGER PRIMARY KEY CHECK (sequence >= 1),
  workspace_id TEXT    NOT NULL CHECK (workspace_id {owner} '00000000-0000-0000-0000-000000000000'),
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

-- Where the log ends, kept apart from its rows: a missing end is noticed. Kept by trigger.
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

-- Keyed hashes of texts that were scrubbed, so that no agent learns them again. The key lies outside this file.
CREATE TABLE scrubbed (
  workspace_id TEXT    NOT NULL CHECK (workspace_id {owner} '00000000-0000-0000-0000-000000000000'),
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

-- Fields of other programs' entries that have no place here, so that a round trip loses nothing.
CREATE TABLE foreign_fields (
  workspace_id TEXT    NOT NULL CHECK (workspace_id {owner} '00000000-0000-0000-0000-000000000000'),
  memory_id    TEXT    NOT NULL,
  format       TEXT    NOT NULL CHECK (length(format) BETWEEN 1 AND 40),
  fields       TEXT    NOT NULL CHECK (json_valid(fields) AND octet_length(fields) <= 1048576),
  PRIMARY KEY (workspace_id, memory_id, format),
  FOREIGN KEY (workspace_id, memory_id) REFERENCES memories (workspace_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- What a file says that this release does not know, kept for the way back: fields of rows, of items of their lists (`part`
-- says which: 'history/2'), and of the file itself (`row_id` is the name then, and `fields` the value). Entries keep their
-- own in `foreign_fields`.
CREATE TABLE beside (
  workspace_id TEXT NOT NULL CHECK (workspace_id {owner} '00000000-0000-0000-0000-000000000000'),
  belongs_to   TEXT NOT NULL CHECK (belongs_to IN ({carried})),
  row_id       TEXT NOT NULL CHECK (octet_length(row_id) <= 800),
  part         TEXT NOT NULL DEFAULT '' CHECK (octet_length(part) <= 1000),
  fields       TEXT NOT NULL CHECK (json_valid(fields) AND octet_length(fields) <= 1048576),
  PRIMARY KEY (workspace_id, belongs_to, row_id, part)
) STRICT, WITHOUT ROWID;

-- What belongs to a row goes with it.
CREATE TRIGGER beside_memories AFTER DELETE ON memories BEGIN
  DELETE FROM beside WHERE workspace_id = OLD.workspace_id AND belongs_to = 'memories' AND row_id = OLD.id;
END;

CREATE TRIGGER beside_memory_vectors AFTER DELETE ON memory_vectors BEGIN
  DELETE FROM beside WHERE workspace_id = OLD.workspace_id AND belongs_to = 'memories' AND row_id = OLD.memory_id
                       AND part = 'embeddings/' || OLD.model;
END;

-- What an agent or a task would do and may not; the worldbuilder decides. Its entries are all of this file.
CREATE TABLE proposals (
  workspace_id TEXT    NOT NULL CHECK (workspace_id {owner} '00000000-0000-0000-0000-000000000000'),
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
  scope        TEXT    CHECK (scope = {proposed}),
  lifetime     TEXT    CHECK (lifetime IN ('short_term', 'long_term', 'conversation')),
  source       TEXT    CHECK (length(source) BETWEEN 1 AND 120),
  importance   REAL    CHECK (importance BETWEEN 0.0 AND 1.0),
  tags         TEXT    CHECK (tags IS NULL OR (json_valid(tags) AND json_type(tags) = 'array')),
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
  workspace_id TEXT    NOT NULL CHECK (workspace_id {owner} '00000000-0000-0000-0000-000000000000'),
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

-- INSERT OR REPLACE deletes without asking the delete triggers, so conflicts are looked for here.
CREATE TRIGGER proposals_insert BEFORE INSERT ON proposals BEGIN
  SELECT RAISE(ABORT, 'refused: a proposal begins open') WHERE NEW.state <> 'open';
  SELECT RAISE(ABORT, 'taken: proposal')
  WHERE EXISTS (SELECT 1 FROM proposals WHERE workspace_id = NEW.workspace_id
                                          AND (id = NEW.id OR fingerprint = NEW.fingerprint OR makes = NEW.makes))
     OR EXISTS (SELECT 1 FROM proposals WHERE rowid = NEW.rowid);
END;

-- What was proposed stays as it was, and what the new entry would be. An entry that is made of a proposal names who worded
-- it, and is the author's only if they wrote another text.
CREATE TRIGGER proposals_update BEFORE UPDATE ON proposals BEGIN
  SELECT RAISE(ABORT, 'refused: a proposal is decided once') WHERE OLD.state <> 'open';
  SELECT RAISE(ABORT, 'refused: what was proposed stays as it was')
  WHERE NEW.workspace_id IS NOT OLD.workspace_id OR NEW.id IS NOT OLD.id OR NEW.kind IS NOT OLD.kind
     OR NEW.reason IS NOT OLD.reason OR NEW.fingerprint IS NOT OLD.fingerprint OR NEW.hand IS NOT OLD.hand
     OR NEW.door IS NOT OLD.door OR NEW.run_id IS NOT OLD.run_id OR NEW.created_at IS NOT OLD.created_at
     OR NEW.conversation_id IS NOT OLD.conversation_id OR NEW.content IS NOT OLD.content
     OR NEW.makes IS NOT OLD.makes OR NEW.scope IS NOT OLD.scope OR NEW.lifetime IS NOT OLD.lifetime
     OR NEW.source IS NOT OLD.source OR NEW.importance IS NOT OLD.importance OR NEW.tags IS NOT OLD.tags
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

-- A proposal goes with an entry that a scrub destroys, because its text may hold that of the entry; also one that made it.
CREATE TRIGGER proposals_scrubbed BEFORE DELETE ON memories BEGIN
  DELETE FROM proposals
  WHERE (workspace_id, id) IN (SELECT workspace_id, proposal_id FROM proposal_subjects
                               WHERE workspace_id = OLD.workspace_id AND memory_id = OLD.id)
     OR (workspace_id = OLD.workspace_id AND makes = OLD.id);
END;

-- One of a new entry goes under a permit for that entry, whether it was made or not.
CREATE TRIGGER proposals_delete BEFORE DELETE ON proposals
WHEN NOT EXISTS (SELECT 1 FROM proposal_subjects AS s JOIN deletion_permits AS p
                 ON p.workspace_id = s.workspace_id AND p.memory_id = s.memory_id
                 WHERE s.workspace_id = OLD.workspace_id AND s.proposal_id = OLD.id)
 AND NOT EXISTS (SELECT 1 FROM deletion_permits WHERE workspace_id = OLD.workspace_id AND memory_id = OLD.makes)
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

CREATE TRIGGER proposals_memory_off BEFORE INSERT ON proposals
WHEN NEW.hand IN ('agent', 'system') AND EXISTS (SELECT 1 FROM {memory_off})
BEGIN
  SELECT RAISE(ABORT, 'off: memory is switched off');
END;
