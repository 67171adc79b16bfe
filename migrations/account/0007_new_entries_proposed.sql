-- Proposals of entries that are not there yet. Conventions as in 0001. SQLite changes no CHECK, so the table is made anew; its
-- triggers are those of before, but for what is said at each.

-- What an agent or a task would do and may not; the worldbuilder decides. Its entries are all of this file.
CREATE TABLE new_proposals (
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

INSERT INTO new_proposals (workspace_id, id, kind, state, reason, fingerprint, hand, door, run_id, conversation_id, created_at,
                       decided_at, change_id, content)
SELECT workspace_id, id, kind, state, reason, fingerprint, hand, door, run_id, conversation_id, created_at, decided_at,
       change_id, content
FROM proposals;

CREATE TABLE new_proposal_subjects (
  workspace_id TEXT    NOT NULL CHECK (workspace_id = '00000000-0000-0000-0000-000000000000'),
  proposal_id  TEXT    NOT NULL,
  memory_id    TEXT    NOT NULL,
  version      INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, proposal_id, memory_id),
  FOREIGN KEY (workspace_id, proposal_id) REFERENCES new_proposals (workspace_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, memory_id) REFERENCES memories (workspace_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

INSERT INTO new_proposal_subjects (workspace_id, proposal_id, memory_id, version)
SELECT workspace_id, proposal_id, memory_id, version FROM proposal_subjects;

DROP TRIGGER proposals_scrubbed;
DROP TABLE proposal_subjects;
DROP TABLE proposals;
ALTER TABLE new_proposals RENAME TO proposals;
ALTER TABLE new_proposal_subjects RENAME TO proposal_subjects;

CREATE INDEX proposals_by_time ON proposals (created_at, id);
CREATE INDEX proposals_by_state ON proposals (state, created_at, id);
CREATE UNIQUE INDEX proposals_change ON proposals (workspace_id, change_id) WHERE change_id IS NOT NULL;
CREATE UNIQUE INDEX proposals_makes ON proposals (workspace_id, makes) WHERE makes IS NOT NULL;

CREATE INDEX proposal_subjects_by_memory ON proposal_subjects (workspace_id, memory_id);

-- As before.
CREATE TRIGGER proposals_insert BEFORE INSERT ON proposals BEGIN
  SELECT RAISE(ABORT, 'refused: a proposal begins open') WHERE NEW.state <> 'open';
  SELECT RAISE(ABORT, 'taken: proposal')
  WHERE EXISTS (SELECT 1 FROM proposals WHERE workspace_id = NEW.workspace_id
                                          AND (id = NEW.id OR fingerprint = NEW.fingerprint OR makes = NEW.makes))
     OR EXISTS (SELECT 1 FROM proposals WHERE rowid = NEW.rowid);
END;

-- Also what the new entry would be stays. An entry that is made of a proposal names who worded it, and is the author's only if
-- they wrote another text.
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

-- As before.
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
