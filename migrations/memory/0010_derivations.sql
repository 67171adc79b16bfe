-- What the text of an entry was made of. NULL where there is nothing, so that the checksums of entries of earlier releases stay valid.

-- Objects of a kind and an id, with the version or the digest of then, sorted. Holds no text of a source.
ALTER TABLE memories ADD COLUMN derivations TEXT
  CHECK (derivations IS NULL OR (json_valid(derivations) AND json_type(derivations) = 'array'
                                 AND json_array_length(derivations) BETWEEN 1 AND 256));
ALTER TABLE memory_versions ADD COLUMN derivations TEXT;
-- What the text of a proposal was made of.
ALTER TABLE proposals ADD COLUMN derivations TEXT
  CHECK (derivations IS NULL OR (json_valid(derivations) AND json_type(derivations) = 'array' AND content IS NOT NULL
                                 AND json_array_length(derivations) BETWEEN 1 AND 256));

-- The derivations by their sources. Kept by the triggers of entries alone. The source of a file is its digest. It may be of another
-- file or gone, so it is no reference.
CREATE TABLE entry_derivations (
  workspace_id TEXT NOT NULL CHECK (workspace_id {owner} '00000000-0000-0000-0000-000000000000'),
  entry_id     TEXT NOT NULL,
  kind         TEXT NOT NULL CHECK (kind IN ('message', 'memory', 'fact', 'file', 'page')),
  source_id    TEXT NOT NULL CHECK (length(source_id) = iif(kind = 'file', 64, 36)),
  mark         TEXT NOT NULL CHECK (length(mark) BETWEEN 0 AND 64), -- the version, or the digest of a block of a page
  PRIMARY KEY (workspace_id, entry_id, kind, source_id, mark),
  FOREIGN KEY (workspace_id, entry_id) REFERENCES memories (workspace_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX entry_derivations_by_source ON entry_derivations (workspace_id, kind, source_id);

CREATE TRIGGER memories_derivations_insert AFTER INSERT ON memories WHEN NEW.derivations IS NOT NULL BEGIN
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

CREATE TRIGGER entry_derivations_insert BEFORE INSERT ON entry_derivations BEGIN
  SELECT RAISE(ABORT, 'refused: derivations are kept by the entries')
  WHERE NOT EXISTS (SELECT 1 FROM memories AS m, json_each(m.derivations) AS d
                    WHERE m.workspace_id = NEW.workspace_id AND m.id = NEW.entry_id AND d.value ->> 'kind' = NEW.kind
                      AND iif(NEW.kind = 'file', d.value ->> 'hash', d.value ->> 'id') = NEW.source_id);
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

-- Guards ----------------------------------------------------------------------------------------------------

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
  OR NEW.holds_from IS NOT OLD.holds_from OR NEW.holds_until IS NOT OLD.holds_until
  OR NEW.reading_number IS NOT OLD.reading_number OR NEW.calendar IS NOT OLD.calendar
  OR NEW.derivations IS NOT OLD.derivations
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

DROP TRIGGER memories_keep_version;
CREATE TRIGGER memories_keep_version AFTER UPDATE ON memories WHEN NEW.version IS NOT OLD.version BEGIN
  INSERT INTO memory_versions (
    workspace_id, memory_id, version, change_id, replaced_by,
    scope, channel_id, conversation_id, lifetime, curator, kind, importance, pinned, forgotten_at, source,
    speaker, written_by, access_count, created_at, accessed_at, updated_at, tags, name, aliases, external_id, session,
    said_at, source_conversation_id, forgotten_reason, forgotten_run, consolidated_into, derived_from, content, checksum,
    forgotten_code, title, keys, subject, relation, links, holds_from, holds_until, reading_number, calendar, derivations)
  VALUES (
    OLD.workspace_id, OLD.id, OLD.version, OLD.change_id, NEW.change_id,
    OLD.scope, OLD.channel_id, OLD.conversation_id, OLD.lifetime, OLD.curator, OLD.kind, OLD.importance,
    OLD.pinned, OLD.forgotten_at, OLD.source, OLD.speaker, OLD.written_by, OLD.access_count, OLD.created_at,
    OLD.accessed_at, OLD.updated_at, OLD.tags, OLD.name, OLD.aliases, OLD.external_id, OLD.session, OLD.said_at,
    OLD.source_conversation_id, OLD.forgotten_reason, OLD.forgotten_run, OLD.consolidated_into, OLD.derived_from,
    OLD.content, OLD.checksum, OLD.forgotten_code, OLD.title, OLD.keys,
    OLD.subject, OLD.relation, OLD.links,
    OLD.holds_from, OLD.holds_until, OLD.reading_number, OLD.calendar, OLD.derivations);
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
     OR NEW.title IS NOT OLD.title OR NEW.keys IS NOT OLD.keys OR NEW.derivations IS NOT OLD.derivations
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
