-- Subjects of the world and the links of entries to them. All three are NULL where there are none, so that the checksums of
-- entries of earlier releases stay valid.

-- The kind of subject that a named note describes.
ALTER TABLE memories ADD COLUMN subject TEXT
  CHECK (subject IS NULL OR (length(subject) BETWEEN 1 AND 60 AND name IS NOT NULL AND kind = 'note'
                             AND scope = 'workspace'));
-- Objects of a role and the id of an entry of this file, sorted.
ALTER TABLE memories ADD COLUMN links TEXT
  CHECK (links IS NULL OR (scope <> 'account' AND json_valid(links) AND json_type(links) = 'array'
                           AND json_array_length(links) BETWEEN 1 AND 64));
-- What an entry says of its two ends.
ALTER TABLE memories ADD COLUMN relation TEXT
  CHECK (relation IS NULL OR (length(relation) BETWEEN 1 AND 60 AND name IS NULL AND links IS NOT NULL));
ALTER TABLE memory_versions ADD COLUMN subject TEXT;
ALTER TABLE memory_versions ADD COLUMN relation TEXT;
ALTER TABLE memory_versions ADD COLUMN links TEXT;

CREATE INDEX memories_of_subjects ON memories (workspace_id, subject) WHERE subject IS NOT NULL;

-- The links by their targets. Kept by the triggers of entries alone.
CREATE TABLE entry_links (
  workspace_id TEXT NOT NULL CHECK (workspace_id {owner} '00000000-0000-0000-0000-000000000000'),
  entry_id     TEXT NOT NULL,
  role         TEXT NOT NULL CHECK (role IN ('from', 'to', 'about')),
  target_id    TEXT NOT NULL CHECK (length(target_id) = 36 AND target_id <> entry_id),
  PRIMARY KEY (workspace_id, entry_id, role, target_id),
  FOREIGN KEY (workspace_id, entry_id) REFERENCES memories (workspace_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX entry_links_by_target ON entry_links (workspace_id, target_id, role);

CREATE TRIGGER memories_links_insert AFTER INSERT ON memories WHEN NEW.links IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'refused: a relation has one end on each side')
  WHERE (SELECT count(*) FROM json_each(NEW.links) WHERE value ->> 'role' = 'from') <> (NEW.relation IS NOT NULL)
     OR (SELECT count(*) FROM json_each(NEW.links) WHERE value ->> 'role' = 'to') <> (NEW.relation IS NOT NULL);
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

-- Guards: what a relation says is guarded as the text is ----------------------------------------------------

DROP TRIGGER memories_update;
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
  OR NEW.forgotten_code IS NOT OLD.forgotten_code
  OR NEW.forgotten_run IS NOT OLD.forgotten_run OR NEW.consolidated_into IS NOT OLD.consolidated_into
  OR NEW.content IS NOT OLD.content OR NEW.title IS NOT OLD.title OR NEW.keys IS NOT OLD.keys
  OR NEW.subject IS NOT OLD.subject OR NEW.relation IS NOT OLD.relation OR NEW.links IS NOT OLD.links
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

DROP TRIGGER memories_text_memory_off;
CREATE TRIGGER memories_text_memory_off BEFORE UPDATE OF content, title, keys, relation, links ON memories
WHEN (NEW.content IS NOT OLD.content OR NEW.title IS NOT OLD.title OR NEW.keys IS NOT OLD.keys
      OR NEW.relation IS NOT OLD.relation OR NEW.links IS NOT OLD.links)
  AND NEW.written_by IN ('agent', 'system')
  AND EXISTS (SELECT 1 FROM {memory_off}){of_an_agent}
BEGIN
  SELECT RAISE(ABORT, 'off: memory is switched off');
END;

DROP TRIGGER memories_sources_update;
-- Sources change with a declared write alone. They are lost only with the text: the worldbuilder or a file of theirs
-- writes another one, or an earlier version is made current again. A text that stays never rises to the worldbuilder's own.
CREATE TRIGGER memories_sources_update BEFORE UPDATE ON memories
WHEN NEW.derived_from IS NOT OLD.derived_from OR NEW.content IS NOT OLD.content OR NEW.curator IS NOT OLD.curator
  OR NEW.title IS NOT OLD.title OR NEW.keys IS NOT OLD.keys
  OR NEW.relation IS NOT OLD.relation OR NEW.links IS NOT OLD.links
BEGIN
  SELECT RAISE(ABORT, 'refused: undeclared write') WHERE NEW.version <> OLD.version + 1;
  SELECT RAISE(ABORT, 'locked: a client''s text names the client')
  WHERE (NEW.content IS NOT OLD.content OR NEW.title IS NOT OLD.title OR NEW.keys IS NOT OLD.keys
         OR NEW.relation IS NOT OLD.relation OR NEW.links IS NOT OLD.links)
    AND NEW.written_by = 'agent'
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
                      AND v.content = NEW.content AND v.title IS NEW.title AND v.keys IS NEW.keys
                      AND v.relation IS NEW.relation AND v.links IS NEW.links
                      AND v.derived_from = NEW.derived_from);
  SELECT RAISE(ABORT, 'locked: a text does not become the author''s')
  WHERE OLD.curator = 'agent' AND NEW.curator <> 'agent' AND NEW.content = OLD.content;
END;

DROP TRIGGER memories_keep_version;
CREATE TRIGGER memories_keep_version AFTER UPDATE ON memories WHEN NEW.version IS NOT OLD.version BEGIN
  INSERT INTO memory_versions (
    workspace_id, memory_id, version, change_id, replaced_by,
    scope, channel_id, conversation_id, lifetime, curator, kind, importance, pinned, forgotten_at, source,
    speaker, written_by, access_count, created_at, accessed_at, updated_at, tags, name, aliases, external_id, session,
    said_at, source_conversation_id, forgotten_reason, forgotten_run, consolidated_into, derived_from, content, checksum,
    forgotten_code, title, keys, subject, relation, links)
  VALUES (
    OLD.workspace_id, OLD.id, OLD.version, OLD.change_id, NEW.change_id,
    OLD.scope, OLD.channel_id, OLD.conversation_id, OLD.lifetime, OLD.curator, OLD.kind, OLD.importance,
    OLD.pinned, OLD.forgotten_at, OLD.source, OLD.speaker, OLD.written_by, OLD.access_count, OLD.created_at,
    OLD.accessed_at, OLD.updated_at, OLD.tags, OLD.name, OLD.aliases, OLD.external_id, OLD.session, OLD.said_at,
    OLD.source_conversation_id, OLD.forgotten_reason, OLD.forgotten_run, OLD.consolidated_into, OLD.derived_from,
    OLD.content, OLD.checksum, OLD.forgotten_code, OLD.title, OLD.keys,
    OLD.subject, OLD.relation, OLD.links);
END;
