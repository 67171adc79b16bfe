-- A checksum of each entry and of each earlier version: what tells damage in a stored text from what was written. It covers
-- every column of a version but its place, which foreign keys keep, and its use. The program that migrates fills it in for the
-- rows that are here, in the same transaction. Conventions as in 0001.

ALTER TABLE memories ADD COLUMN checksum INTEGER;
ALTER TABLE memory_versions ADD COLUMN checksum INTEGER;

-- As in 0011, with the new column.
DROP TRIGGER memories_keep_version;
CREATE TRIGGER memories_keep_version AFTER UPDATE ON memories WHEN NEW.version IS NOT OLD.version BEGIN
  INSERT INTO memory_versions (
    workspace_id, memory_id, version, change_id, replaced_by,
    scope, channel_id, conversation_id, lifetime, curator, kind, importance, pinned, forgotten_at, source,
    speaker, written_by, access_count, created_at, accessed_at, updated_at, tags, name, aliases, external_id, session,
    said_at, source_conversation_id, forgotten_reason, forgotten_run, consolidated_into, derived_from, content, checksum)
  VALUES (
    OLD.workspace_id, OLD.id, OLD.version, OLD.change_id, NEW.change_id,
    OLD.scope, OLD.channel_id, OLD.conversation_id, OLD.lifetime, OLD.curator, OLD.kind, OLD.importance,
    OLD.pinned, OLD.forgotten_at, OLD.source, OLD.speaker, OLD.written_by, OLD.access_count, OLD.created_at,
    OLD.accessed_at, OLD.updated_at, OLD.tags, OLD.name, OLD.aliases, OLD.external_id, OLD.session, OLD.said_at,
    OLD.source_conversation_id, OLD.forgotten_reason, OLD.forgotten_run, OLD.consolidated_into, OLD.derived_from,
    OLD.content, OLD.checksum);
END;

-- A new version comes with a checksum of its own, or with none until it is filled in; one that is there stays with its version.
CREATE TRIGGER memories_checksum BEFORE UPDATE ON memories
WHEN OLD.checksum IS NOT NULL
 AND (NEW.version IS OLD.version) <> (NEW.checksum IS OLD.checksum)
BEGIN
  SELECT RAISE(ABORT, 'refused: undeclared write');
END;
