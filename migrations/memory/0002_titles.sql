-- Titles and keys of entries: words under which an entry is shown and searched, without a standing name. Both are NULL
-- where there are none, so that the checksums of entries of earlier releases stay valid.

ALTER TABLE memories ADD COLUMN title TEXT CHECK (length(title) BETWEEN 1 AND 300);
ALTER TABLE memories ADD COLUMN keys TEXT
  CHECK (json_valid(keys) AND json_type(keys) = 'array' AND json_array_length(keys) BETWEEN 1 AND 1000);
ALTER TABLE memory_versions ADD COLUMN title TEXT;
ALTER TABLE memory_versions ADD COLUMN keys TEXT;

-- Those of a proposed new entry.
ALTER TABLE proposals ADD COLUMN title TEXT CHECK (length(title) BETWEEN 1 AND 300);
ALTER TABLE proposals ADD COLUMN keys TEXT CHECK (json_valid(keys) AND json_type(keys) = 'array');

-- Full-text index -----------------------------------------------------------------------------------------

DROP TRIGGER memories_fts_insert;
DROP TRIGGER memories_fts_delete;
DROP TRIGGER memories_fts_update;
DROP TABLE memories_fts;

-- The list of keys is JSON text; its brackets and quotes separate words as white space does.
CREATE VIRTUAL TABLE memories_fts USING fts5 (
  content, name, title, keys, reach,
  content = 'memories', content_rowid = 'seq',
  tokenize = 'porter unicode61 remove_diacritics 2'
);
INSERT INTO memories_fts (memories_fts) VALUES ('rebuild');

CREATE TRIGGER memories_fts_insert AFTER INSERT ON memories BEGIN
  INSERT INTO memories_fts (rowid, content, name, title, keys, reach)
  VALUES (NEW.seq, NEW.content, NEW.name, NEW.title, NEW.keys, NEW.reach);
END;

CREATE TRIGGER memories_fts_delete AFTER DELETE ON memories BEGIN
  INSERT INTO memories_fts (memories_fts, rowid, content, name, title, keys, reach)
  VALUES ('delete', OLD.seq, OLD.content, OLD.name, OLD.title, OLD.keys, OLD.reach);
END;

CREATE TRIGGER memories_fts_update AFTER UPDATE ON memories
WHEN OLD.content IS NOT NEW.content OR OLD.name IS NOT NEW.name OR OLD.title IS NOT NEW.title
  OR OLD.keys IS NOT NEW.keys OR OLD.reach IS NOT NEW.reach
BEGIN
  INSERT INTO memories_fts (memories_fts, rowid, content, name, title, keys, reach)
  VALUES ('delete', OLD.seq, OLD.content, OLD.name, OLD.title, OLD.keys, OLD.reach);
  INSERT INTO memories_fts (rowid, content, name, title, keys, reach)
  VALUES (NEW.seq, NEW.content, NEW.name, NEW.title, NEW.keys, NEW.reach);
END;

-- Vectors follow the text and the title, which are embedded together ----------------------------------------

DROP TRIGGER memories_content_changed;
CREATE TRIGGER memories_content_changed AFTER UPDATE ON memories
WHEN NEW.content IS NOT OLD.content OR NEW.title IS NOT OLD.title
BEGIN
  DELETE FROM memory_vectors WHERE workspace_id = NEW.workspace_id AND memory_id = NEW.id;
  DELETE FROM embedding_failures WHERE workspace_id = NEW.workspace_id AND memory_id = NEW.id;
END;

-- Guards: a title and keys are guarded as the text is -------------------------------------------------------

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
CREATE TRIGGER memories_text_memory_off BEFORE UPDATE OF content, title, keys ON memories
WHEN (NEW.content IS NOT OLD.content OR NEW.title IS NOT OLD.title OR NEW.keys IS NOT OLD.keys)
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
BEGIN
  SELECT RAISE(ABORT, 'refused: undeclared write') WHERE NEW.version <> OLD.version + 1;
  SELECT RAISE(ABORT, 'locked: a client''s text names the client')
  WHERE (NEW.content IS NOT OLD.content OR NEW.title IS NOT OLD.title OR NEW.keys IS NOT OLD.keys)
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
    forgotten_code, title, keys)
  VALUES (
    OLD.workspace_id, OLD.id, OLD.version, OLD.change_id, NEW.change_id,
    OLD.scope, OLD.channel_id, OLD.conversation_id, OLD.lifetime, OLD.curator, OLD.kind, OLD.importance,
    OLD.pinned, OLD.forgotten_at, OLD.source, OLD.speaker, OLD.written_by, OLD.access_count, OLD.created_at,
    OLD.accessed_at, OLD.updated_at, OLD.tags, OLD.name, OLD.aliases, OLD.external_id, OLD.session, OLD.said_at,
    OLD.source_conversation_id, OLD.forgotten_reason, OLD.forgotten_run, OLD.consolidated_into, OLD.derived_from,
    OLD.content, OLD.checksum, OLD.forgotten_code, OLD.title, OLD.keys);
END;

DROP TRIGGER proposals_update;
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
     OR NEW.title IS NOT OLD.title OR NEW.keys IS NOT OLD.keys
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
