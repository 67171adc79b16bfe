-- Who knows of an entry: links with the role `known_by`, each with the time since when in `links`. The index of links is built anew,
-- because its roles are part of the table.

DROP TRIGGER memories_links_insert;
DROP TRIGGER memories_links_update;
DROP TRIGGER entry_links_insert;
DROP TRIGGER entry_links_update;
DROP TRIGGER entry_links_delete;

CREATE TABLE entry_links_anew (
  workspace_id TEXT NOT NULL CHECK (workspace_id {owner} '00000000-0000-0000-0000-000000000000'),
  entry_id     TEXT NOT NULL,
  role         TEXT NOT NULL CHECK (role IN ('from', 'to', 'about', 'known_by')),
  target_id    TEXT NOT NULL CHECK (length(target_id) = 36 AND target_id <> entry_id),
  PRIMARY KEY (workspace_id, entry_id, role, target_id),
  FOREIGN KEY (workspace_id, entry_id) REFERENCES memories (workspace_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO entry_links_anew SELECT workspace_id, entry_id, role, target_id FROM entry_links;
DROP TABLE entry_links;
ALTER TABLE entry_links_anew RENAME TO entry_links;
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

-- A link that stays is left where it is: the guards below let none in use be taken away.
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
