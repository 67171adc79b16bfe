-- Each entry of an import is made of the file. Written through an ephemeral table for the rows, one for DISTINCT and one for the list of
-- kinds, that took more than a quarter of the import. SQLite makes the first two for any SELECT, and the third for a list of more than two.
-- A CHECK cannot be altered, so the table is built again.
DROP TRIGGER memories_derivations_insert;
DROP TRIGGER memories_derivations_update;
CREATE TABLE entry_derivations_anew (
  workspace_id TEXT NOT NULL CHECK (workspace_id {owner} '00000000-0000-0000-0000-000000000000'),
  entry_id     TEXT NOT NULL,
  kind         TEXT NOT NULL
    CHECK (kind = 'message' OR kind = 'memory' OR kind = 'fact' OR kind = 'file' OR kind = 'page'),
  source_id    TEXT NOT NULL CHECK (length(source_id) = iif(kind = 'file', 64, 36)),
  mark         TEXT NOT NULL CHECK (length(mark) BETWEEN 0 AND 64), -- the version, or the digest of a block of a page
  PRIMARY KEY (workspace_id, entry_id, kind, source_id, mark),
  FOREIGN KEY (workspace_id, entry_id) REFERENCES memories (workspace_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO entry_derivations_anew SELECT * FROM entry_derivations;
DROP TABLE entry_derivations;
ALTER TABLE entry_derivations_anew RENAME TO entry_derivations;
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

-- A derivation that stays is left where it is: the guards below let none in use be taken away.
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

-- What the only derivation of an entry tells is compared first: it needs no table of its elements.
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
