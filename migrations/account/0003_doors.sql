-- Doors: what destroys memory keeps an account of it, and what comes from other programs keeps the fields that have no
-- place here. Conventions as in 0001.

-- Acts that cannot be taken back, and restored backups: append-only, each row sealed with the hash of the one before (SHA-256 over the
-- bytes that domain `audit` writes down). Holds no memory text.
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

-- Fields of other programs' entries that have no place here, so that a round trip loses nothing.
CREATE TABLE foreign_fields (
  workspace_id TEXT    NOT NULL CHECK (workspace_id = '00000000-0000-0000-0000-000000000000'),
  memory_id    TEXT    NOT NULL,
  format       TEXT    NOT NULL CHECK (length(format) BETWEEN 1 AND 40),
  fields       TEXT    NOT NULL CHECK (json_valid(fields) AND octet_length(fields) <= 1048576),
  PRIMARY KEY (workspace_id, memory_id, format),
  FOREIGN KEY (workspace_id, memory_id) REFERENCES memories (workspace_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- Programs of the worldbuilder that may reach memory over MCP. A token is kept as its hash alone.
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

INSERT INTO topics (topic, counter) VALUES ('clients', 0);

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

-- As in 0001, and one thing more: an import that is declared as one, and as a run, says of what it brings whose hand
-- wrote it there. What an agent must not write stays refused to it: these two ask for the hand before they look.

DROP TRIGGER memories_insert;
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

DROP TRIGGER memories_update;
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
