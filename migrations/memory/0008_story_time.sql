-- The time of entries in the story, and calendars. All four columns are NULL where there is none, so that the checksums of entries
-- of earlier releases stay valid.

-- The first and the last moment at which an entry holds, both included; NULL is an open end. A moment is the number of its day
-- times 10,000, plus 0 for the whole day or 1 to 8,640 for a part of it.
ALTER TABLE memories ADD COLUMN holds_from INTEGER
  CHECK (holds_from IS NULL OR (holds_from BETWEEN -9000000000000000 AND 9000000000008640
                                AND ((holds_from % 10000) + 10000) % 10000 <= 8640
                                AND scope <> 'account' AND kind = 'note'));
ALTER TABLE memories ADD COLUMN holds_until INTEGER
  CHECK (holds_until IS NULL OR (holds_until BETWEEN -9000000000000000 AND 9000000000008640
                                 AND ((holds_until % 10000) + 10000) % 10000 <= 8640
                                 AND scope <> 'account' AND kind = 'note'
                                 AND (holds_from IS NULL
                                      OR iif(holds_from % 10000 = 0, holds_from + 1, holds_from)
                                         <= iif(holds_until % 10000 = 0, holds_until + 8640, holds_until))));
-- The place of a chapter in the order of reading.
ALTER TABLE memories ADD COLUMN reading_number INTEGER
  CHECK (reading_number IS NULL OR (reading_number BETWEEN 1 AND 4294967295 AND subject IS NOT NULL));
-- The definition of a calendar, in the JSON form of an export.
ALTER TABLE memories ADD COLUMN calendar TEXT
  CHECK (calendar IS NULL OR (subject IS NOT NULL AND json_valid(calendar) AND json_type(calendar) = 'object'));
ALTER TABLE memory_versions ADD COLUMN holds_from INTEGER;
ALTER TABLE memory_versions ADD COLUMN holds_until INTEGER;
ALTER TABLE memory_versions ADD COLUMN reading_number INTEGER;
ALTER TABLE memory_versions ADD COLUMN calendar TEXT;

CREATE INDEX memories_in_story_time ON memories (workspace_id, holds_from, holds_until)
  WHERE holds_from IS NOT NULL OR holds_until IS NOT NULL;
CREATE INDEX memories_of_calendars ON memories (workspace_id, id) WHERE calendar IS NOT NULL;
CREATE INDEX memories_by_reading ON memories (workspace_id, reading_number) WHERE reading_number IS NOT NULL;

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
CREATE TRIGGER memories_text_memory_off BEFORE UPDATE OF content, title, keys, relation, links, holds_from, holds_until ON memories
WHEN (NEW.content IS NOT OLD.content OR NEW.title IS NOT OLD.title OR NEW.keys IS NOT OLD.keys
      OR NEW.relation IS NOT OLD.relation OR NEW.links IS NOT OLD.links
      OR NEW.holds_from IS NOT OLD.holds_from OR NEW.holds_until IS NOT OLD.holds_until)
  AND NEW.written_by IN ('agent', 'system')
  AND EXISTS (SELECT 1 FROM {memory_off}){of_an_agent}
BEGIN
  SELECT RAISE(ABORT, 'off: memory is switched off');
END;

DROP TRIGGER memories_keep_version;
CREATE TRIGGER memories_keep_version AFTER UPDATE ON memories WHEN NEW.version IS NOT OLD.version BEGIN
  INSERT INTO memory_versions (
    workspace_id, memory_id, version, change_id, replaced_by,
    scope, channel_id, conversation_id, lifetime, curator, kind, importance, pinned, forgotten_at, source,
    speaker, written_by, access_count, created_at, accessed_at, updated_at, tags, name, aliases, external_id, session,
    said_at, source_conversation_id, forgotten_reason, forgotten_run, consolidated_into, derived_from, content, checksum,
    forgotten_code, title, keys, subject, relation, links, holds_from, holds_until, reading_number, calendar)
  VALUES (
    OLD.workspace_id, OLD.id, OLD.version, OLD.change_id, NEW.change_id,
    OLD.scope, OLD.channel_id, OLD.conversation_id, OLD.lifetime, OLD.curator, OLD.kind, OLD.importance,
    OLD.pinned, OLD.forgotten_at, OLD.source, OLD.speaker, OLD.written_by, OLD.access_count, OLD.created_at,
    OLD.accessed_at, OLD.updated_at, OLD.tags, OLD.name, OLD.aliases, OLD.external_id, OLD.session, OLD.said_at,
    OLD.source_conversation_id, OLD.forgotten_reason, OLD.forgotten_run, OLD.consolidated_into, OLD.derived_from,
    OLD.content, OLD.checksum, OLD.forgotten_code, OLD.title, OLD.keys,
    OLD.subject, OLD.relation, OLD.links,
    OLD.holds_from, OLD.holds_until, OLD.reading_number, OLD.calendar);
END;
