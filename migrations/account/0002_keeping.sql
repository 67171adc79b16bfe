-- What keeps the account's memory in order: proposals. Conventions as in 0001.

INSERT INTO topics (topic, counter) VALUES ('proposals', 0);

-- What an agent or a task would do and may not; the worldbuilder decides. Its entries are all of this file.
CREATE TABLE proposals (
  workspace_id TEXT    NOT NULL CHECK (workspace_id = '00000000-0000-0000-0000-000000000000'),
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
  workspace_id TEXT    NOT NULL CHECK (workspace_id = '00000000-0000-0000-0000-000000000000'),
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
