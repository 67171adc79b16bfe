-- Whose words a text holds beyond those of its curator: 'agent', or 'client:' and the id of an MCP client. Conventions as in
-- 0001.

ALTER TABLE memories ADD COLUMN derived_from TEXT NOT NULL DEFAULT '[]'
  CHECK (json_valid(derived_from) AND json_type(derived_from) = 'array');
ALTER TABLE memory_versions ADD COLUMN derived_from TEXT NOT NULL DEFAULT '[]';

-- What clients wrote before this migration, and what consolidation made of it.
UPDATE memories SET derived_from = (
  SELECT json_group_array('client:' || run_id) FROM (
    SELECT DISTINCT j.run_id FROM journal AS j
    WHERE j.workspace_id = memories.workspace_id AND j.door = 'mcp' AND j.run_id IS NOT NULL
      AND j.action IN ('create', 'edit')
      AND j.id IN (SELECT memories.change_id
                   UNION ALL SELECT v.change_id FROM memory_versions AS v
                   WHERE v.workspace_id = memories.workspace_id AND v.memory_id = memories.id)
    ORDER BY j.run_id))
WHERE curator = 'agent' AND EXISTS (SELECT 1 FROM journal WHERE door = 'mcp');

UPDATE memories SET derived_from = (
  SELECT json_group_array(source) FROM (
    SELECT DISTINCT s.value AS source
    FROM memories AS original, json_each(original.derived_from) AS s
    WHERE original.workspace_id = memories.workspace_id AND original.consolidated_into = memories.id
    ORDER BY 1))
WHERE derived_from = '[]' AND source = 'consolidation'
  AND id IN (SELECT consolidated_into FROM memories WHERE derived_from <> '[]' AND consolidated_into IS NOT NULL);

DROP TRIGGER memory_versions_update;
UPDATE memory_versions SET derived_from = (
  SELECT m.derived_from FROM memories AS m
  WHERE m.workspace_id = memory_versions.workspace_id AND m.id = memory_versions.memory_id)
WHERE curator = 'agent' AND memory_id IN (SELECT id FROM memories WHERE derived_from <> '[]');
CREATE TRIGGER memory_versions_update BEFORE UPDATE ON memory_versions BEGIN
  SELECT RAISE(ABORT, 'refused: history is append-only');
END;

-- As in 0001, with the new column.
DROP TRIGGER memories_keep_version;
CREATE TRIGGER memories_keep_version AFTER UPDATE ON memories WHEN NEW.version IS NOT OLD.version BEGIN
  INSERT INTO memory_versions (
    workspace_id, memory_id, version, change_id, replaced_by,
    scope, channel_id, conversation_id, lifetime, curator, kind, importance, pinned, forgotten_at, source,
    speaker, written_by, access_count, created_at, accessed_at, updated_at, tags, name, aliases, external_id, session,
    said_at, source_conversation_id, forgotten_reason, forgotten_run, consolidated_into, derived_from, content)
  VALUES (
    OLD.workspace_id, OLD.id, OLD.version, OLD.change_id, NEW.change_id,
    OLD.scope, OLD.channel_id, OLD.conversation_id, OLD.lifetime, OLD.curator, OLD.kind, OLD.importance,
    OLD.pinned, OLD.forgotten_at, OLD.source, OLD.speaker, OLD.written_by, OLD.access_count, OLD.created_at,
    OLD.accessed_at, OLD.updated_at, OLD.tags, OLD.name, OLD.aliases, OLD.external_id, OLD.session, OLD.said_at,
    OLD.source_conversation_id, OLD.forgotten_reason, OLD.forgotten_run, OLD.consolidated_into, OLD.derived_from,
    OLD.content);
END;

-- What a client writes says so.
CREATE TRIGGER memories_sources_insert BEFORE INSERT ON memories BEGIN
  SELECT RAISE(ABORT, 'locked: a client''s text names the client')
  WHERE NEW.written_by = 'agent'
    AND EXISTS (SELECT 1 FROM journal AS j
                WHERE j.sequence = (SELECT max(sequence) FROM journal) AND j.door = 'mcp' AND j.run_id IS NOT NULL
                  AND 'client:' || j.run_id NOT IN (SELECT value FROM json_each(NEW.derived_from)));
END;

-- Sources change with a declared write alone. They are lost only with the text: the worldbuilder or a file of theirs
-- writes another one, or an earlier version is made current again. A text that stays never rises to the worldbuilder's own.
CREATE TRIGGER memories_sources_update BEFORE UPDATE ON memories
WHEN NEW.derived_from IS NOT OLD.derived_from OR NEW.content IS NOT OLD.content OR NEW.curator IS NOT OLD.curator
BEGIN
  SELECT RAISE(ABORT, 'refused: undeclared write') WHERE NEW.version <> OLD.version + 1;
  SELECT RAISE(ABORT, 'locked: a client''s text names the client')
  WHERE NEW.content IS NOT OLD.content AND NEW.written_by = 'agent'
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
                      AND v.content = NEW.content AND v.derived_from = NEW.derived_from);
  SELECT RAISE(ABORT, 'locked: a text does not become the author''s')
  WHERE OLD.curator = 'agent' AND NEW.curator <> 'agent' AND NEW.content = OLD.content;
END;

-- A text that stands for others names what they name. Entries are merged in one change, the new text first.
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
