-- The time of facts in the story and who knows of them, as entries have it: the first and the last moment at which a fact holds,
-- both included; NULL is an open end. One key may have several facts, of which no two hold at one time. SQLite cannot drop the UNIQUE of the
-- key, so the three tables are made anew: dropping the table of facts alone would delete its values and claims with it.
CREATE TABLE facts_anew (
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
INSERT INTO facts_anew (
  workspace_id, id, category, category_folded, key, key_folded, source, written_by, version, conversation_id, created_at,
  updated_at, removed_at, checksum, value)
SELECT workspace_id, id, category, category_folded, key, key_folded, source, written_by, version, conversation_id, created_at,
  updated_at, removed_at, checksum, value FROM facts ORDER BY rowid;

CREATE TABLE fact_values_anew (
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
  FOREIGN KEY (workspace_id, fact_id) REFERENCES facts_anew (workspace_id, id) ON DELETE CASCADE
) STRICT;
INSERT INTO fact_values_anew (
  workspace_id, fact_id, version, source, conversation_id, from_at, until_at, removed, checksum, value)
SELECT workspace_id, fact_id, version, source, conversation_id, from_at, until_at, removed, checksum, value
FROM fact_values ORDER BY rowid;

CREATE TABLE fact_claims_anew (
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
  FOREIGN KEY (workspace_id, fact_id) REFERENCES facts_anew (workspace_id, id) ON DELETE CASCADE
) STRICT;
INSERT INTO fact_claims_anew (
  workspace_id, id, fact_id, conversation_id, at, state, settled_at, checksum, value)
SELECT workspace_id, id, fact_id, conversation_id, at, state, settled_at, checksum, value FROM fact_claims ORDER BY rowid;

DROP TABLE fact_claims;
DROP TABLE fact_values;
DROP TABLE facts;
-- The references follow the names.
ALTER TABLE facts_anew RENAME TO facts;
ALTER TABLE fact_values_anew RENAME TO fact_values;
ALTER TABLE fact_claims_anew RENAME TO fact_claims;

CREATE INDEX facts_by_key ON facts (workspace_id, category_folded, key_folded, holds_from, id);
CREATE UNIQUE INDEX fact_claims_once ON fact_claims (workspace_id, fact_id, value) WHERE state = 'open';

-- Guards ----------------------------------------------------------------------------------------------------

-- The author's word yields to the author alone, and so does what only some know. A removed fact holds at no time.
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

-- An import writes the versions of a fact one after the other. Where an earlier one held, another fact may hold by now, so the
-- fact has a key that is no other's until its last version is written.
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

-- News and what goes with a fact ---------------------------------------------------------------------------

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
