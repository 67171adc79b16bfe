-- The guards of the memory, by table. The order counts: it decides which of two refusals is told.

-- The journal ----------------------------------------------------------------------------------------------

-- The existence checks in these BEFORE INSERT guards close the way round them: INSERT OR REPLACE removes rows
-- without asking the delete triggers.
CREATE TRIGGER journal_insert BEFORE INSERT ON journal BEGIN
  SELECT RAISE(ABORT, 'refused: the journal is append-only')
  WHERE EXISTS (SELECT 1 FROM journal WHERE sequence = NEW.sequence)
     OR EXISTS (SELECT 1 FROM journal WHERE workspace_id = NEW.workspace_id AND id = NEW.id)
     OR NEW.undone_by IS NOT NULL;{own_file}
END;

CREATE TRIGGER journal_delete BEFORE DELETE ON journal BEGIN
  SELECT RAISE(ABORT, 'refused: the journal is append-only');
END;

-- Every write of entries has a journal row, so one tick a change set is enough.
CREATE TRIGGER journal_news AFTER INSERT ON journal BEGIN
  UPDATE change_clock SET tick = tick + 1;
  UPDATE topics SET counter = counter + 1 WHERE topic = 'memories';
END;

CREATE TRIGGER journal_memory_off BEFORE INSERT ON journal
WHEN NEW.hand IN ('agent', 'system') AND NEW.action <> 'forget'
  AND EXISTS (SELECT 1 FROM {memory_off})
BEGIN
  SELECT RAISE(ABORT, 'off: memory is switched off');
END;

CREATE TRIGGER journal_order AFTER INSERT ON journal BEGIN
  UPDATE change_clock SET change_order = max(change_order + 1, NEW.at);
  UPDATE journal SET change_order = (SELECT change_order FROM change_clock) WHERE sequence = NEW.sequence;
END;

-- Free to change: that a change was undone, once; the number of entries of an import, while it is the newest change; the
-- order, once.
CREATE TRIGGER journal_update BEFORE UPDATE ON journal
WHEN (OLD.undone_by IS NOT NULL OR NEW.undone_by IS NULL
      OR NEW.sequence IS NOT OLD.sequence OR NEW.workspace_id IS NOT OLD.workspace_id OR NEW.id IS NOT OLD.id
      OR NEW.action IS NOT OLD.action OR NEW.hand IS NOT OLD.hand OR NEW.door IS NOT OLD.door
      OR NEW.run_id IS NOT OLD.run_id OR NEW.at IS NOT OLD.at OR NEW.entries IS NOT OLD.entries
      OR NEW.undoes IS NOT OLD.undoes OR NEW.change_order IS NOT OLD.change_order)
  AND NOT (OLD.action = 'import' AND OLD.hand = 'import' AND OLD.run_id IS NOT NULL AND OLD.entries = 0
      AND OLD.undone_by IS NULL AND NEW.undone_by IS NULL
      AND OLD.sequence = (SELECT max(sequence) FROM journal)
      AND NEW.sequence IS OLD.sequence AND NEW.workspace_id IS OLD.workspace_id AND NEW.id IS OLD.id
      AND NEW.action IS OLD.action AND NEW.hand IS OLD.hand AND NEW.door IS OLD.door
      AND NEW.run_id IS OLD.run_id AND NEW.at IS OLD.at AND NEW.undoes IS OLD.undoes
      AND NEW.change_order IS OLD.change_order)
  AND NOT (OLD.change_order = 0 AND NEW.change_order > 0
      AND NEW.undone_by IS OLD.undone_by
      AND NEW.sequence IS OLD.sequence AND NEW.workspace_id IS OLD.workspace_id AND NEW.id IS OLD.id
      AND NEW.action IS OLD.action AND NEW.hand IS OLD.hand AND NEW.door IS OLD.door
      AND NEW.run_id IS OLD.run_id AND NEW.at IS OLD.at AND NEW.entries IS OLD.entries
      AND NEW.undoes IS OLD.undoes)
BEGIN
  SELECT RAISE(ABORT, 'refused: the journal is append-only');
END;

-- Versions -------------------------------------------------------------------------------------------------

CREATE TRIGGER memory_versions_insert BEFORE INSERT ON memory_versions
WHEN EXISTS (SELECT 1 FROM memory_versions
             WHERE workspace_id = NEW.workspace_id AND memory_id = NEW.memory_id AND version = NEW.version)
  OR NOT EXISTS (SELECT 1 FROM memories
                 WHERE workspace_id = NEW.workspace_id AND id = NEW.memory_id
                   AND version = NEW.version + 1 AND change_id = NEW.replaced_by)
BEGIN
  SELECT RAISE(ABORT, 'refused: history is append-only');
END;

CREATE TRIGGER memory_versions_delete BEFORE DELETE ON memory_versions
WHEN NOT EXISTS (SELECT 1 FROM deletion_permits
                 WHERE workspace_id = OLD.workspace_id AND memory_id = OLD.memory_id)
BEGIN
  SELECT RAISE(ABORT, 'refused: only a scrub destroys history');
END;

CREATE TRIGGER memory_versions_update BEFORE UPDATE ON memory_versions BEGIN
  SELECT RAISE(ABORT, 'refused: history is append-only');
END;

-- Entries --------------------------------------------------------------------------------------------------

-- A name that is in use, as a name or as an alias, is not given again.
CREATE TRIGGER memories_insert_name BEFORE INSERT ON memories
WHEN NEW.name_folded IS NOT NULL AND NEW.forgotten_at IS NULL
BEGIN
  SELECT RAISE(ABORT, 'taken: name')
  WHERE EXISTS (SELECT 1 FROM names
                WHERE workspace_id = NEW.workspace_id AND scope = NEW.scope
                  AND folded IN (SELECT NEW.name_folded UNION ALL SELECT value FROM json_each(NEW.aliases_folded)))
     OR (SELECT count(*) <> count(DISTINCT folded)
         FROM (SELECT NEW.name_folded AS folded UNION ALL SELECT value FROM json_each(NEW.aliases_folded)));
END;

CREATE TRIGGER memories_named_insert AFTER INSERT ON memories
WHEN NEW.name_folded IS NOT NULL AND NEW.forgotten_at IS NULL
BEGIN
  INSERT INTO names (workspace_id, scope, folded, memory_id)
  SELECT NEW.workspace_id, NEW.scope, NEW.name_folded, NEW.id
  UNION ALL SELECT NEW.workspace_id, NEW.scope, value, NEW.id FROM json_each(NEW.aliases_folded);
END;

-- What an entry still goes by stays where it is: the guards below let no name in use be taken away.
CREATE TRIGGER memories_named_update AFTER UPDATE ON memories
WHEN (NEW.name_folded IS NOT NULL OR OLD.name_folded IS NOT NULL)
  AND (NEW.name_folded IS NOT OLD.name_folded OR NEW.aliases_folded IS NOT OLD.aliases_folded
       OR (NEW.forgotten_at IS NULL) <> (OLD.forgotten_at IS NULL))
BEGIN
  DELETE FROM names
  WHERE workspace_id = NEW.workspace_id AND memory_id = NEW.id
    AND (NEW.name_folded IS NULL OR NEW.forgotten_at IS NOT NULL
         OR folded NOT IN (SELECT NEW.name_folded UNION ALL SELECT value FROM json_each(NEW.aliases_folded)));
  INSERT INTO names (workspace_id, scope, folded, memory_id)
  SELECT NEW.workspace_id, NEW.scope, own.folded, NEW.id
  FROM (SELECT NEW.name_folded AS folded UNION ALL SELECT value FROM json_each(NEW.aliases_folded)) AS own
  WHERE NEW.name_folded IS NOT NULL AND NEW.forgotten_at IS NULL
    AND own.folded NOT IN (SELECT folded FROM names WHERE workspace_id = NEW.workspace_id AND memory_id = NEW.id);
END;

CREATE TRIGGER memories_insert_external BEFORE INSERT ON memories WHEN NEW.external_id IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'taken: external id')
  WHERE EXISTS (SELECT 1 FROM memories
                WHERE workspace_id = NEW.workspace_id AND external_id = NEW.external_id AND scope = NEW.scope
                  AND coalesce(channel_id, '') = coalesce(NEW.channel_id, '')
                  AND coalesce(conversation_id, '') = coalesce(NEW.conversation_id, ''));
END;

CREATE TRIGGER memories_fixed BEFORE UPDATE ON memories
WHEN NEW.seq IS NOT OLD.seq OR NEW.workspace_id IS NOT OLD.workspace_id OR NEW.id IS NOT OLD.id
  OR NEW.scope IS NOT OLD.scope
  OR {moved}
  OR NEW.conversation_id IS NOT OLD.conversation_id OR NEW.created_at IS NOT OLD.created_at
  OR NEW.access_count < OLD.access_count OR NEW.change_seq < OLD.change_seq
BEGIN
  SELECT RAISE(ABORT, 'refused: identity, place and creation are fixed');
END;

CREATE TRIGGER memories_delete BEFORE DELETE ON memories
WHEN NOT EXISTS (SELECT 1 FROM deletion_permits WHERE workspace_id = OLD.workspace_id AND memory_id = OLD.id)
BEGIN
  SELECT RAISE(ABORT, 'refused: only a scrub destroys an entry');
END;

-- Vectors follow the text.
CREATE TRIGGER memories_content_changed AFTER UPDATE ON memories WHEN NEW.content IS NOT OLD.content BEGIN
  DELETE FROM memory_vectors WHERE workspace_id = NEW.workspace_id AND memory_id = NEW.id;
  DELETE FROM embedding_failures WHERE workspace_id = NEW.workspace_id AND memory_id = NEW.id;
END;

CREATE TRIGGER memories_used AFTER UPDATE OF access_count, accessed_at ON memories
WHEN NEW.version = OLD.version
BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'memories';
END;

CREATE TRIGGER memories_destroyed AFTER DELETE ON memories BEGIN
  UPDATE change_clock SET tick = tick + 1, epoch = epoch + 1;
  UPDATE topics SET counter = counter + 1 WHERE topic = 'memories';
END;

-- Every write declares whose hand it is, through the newest journal row.
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
    AND ({of_the_author});
  SELECT RAISE(ABORT, 'taken: id')
  WHERE EXISTS (SELECT 1 FROM memories WHERE workspace_id = NEW.workspace_id AND id = NEW.id)
     OR EXISTS (SELECT 1 FROM memories WHERE seq = NEW.seq);
END;

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

CREATE TRIGGER memories_memory_off BEFORE INSERT ON memories
WHEN NEW.written_by IN ('agent', 'system')
  AND EXISTS (SELECT 1 FROM {memory_off}){of_an_agent}
BEGIN
  SELECT RAISE(ABORT, 'off: memory is switched off');
END;

CREATE TRIGGER memories_text_memory_off BEFORE UPDATE OF content ON memories
WHEN NEW.content IS NOT OLD.content AND NEW.written_by IN ('agent', 'system')
  AND EXISTS (SELECT 1 FROM {memory_off}){of_an_agent}
BEGIN
  SELECT RAISE(ABORT, 'off: memory is switched off');
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

CREATE TRIGGER memories_keep_version AFTER UPDATE ON memories WHEN NEW.version IS NOT OLD.version BEGIN
  INSERT INTO memory_versions (
    workspace_id, memory_id, version, change_id, replaced_by,
    scope, channel_id, conversation_id, lifetime, curator, kind, importance, pinned, forgotten_at, source,
    speaker, written_by, access_count, created_at, accessed_at, updated_at, tags, name, aliases, external_id, session,
    said_at, source_conversation_id, forgotten_reason, forgotten_run, consolidated_into, derived_from, content, checksum,
    forgotten_code)
  VALUES (
    OLD.workspace_id, OLD.id, OLD.version, OLD.change_id, NEW.change_id,
    OLD.scope, OLD.channel_id, OLD.conversation_id, OLD.lifetime, OLD.curator, OLD.kind, OLD.importance,
    OLD.pinned, OLD.forgotten_at, OLD.source, OLD.speaker, OLD.written_by, OLD.access_count, OLD.created_at,
    OLD.accessed_at, OLD.updated_at, OLD.tags, OLD.name, OLD.aliases, OLD.external_id, OLD.session, OLD.said_at,
    OLD.source_conversation_id, OLD.forgotten_reason, OLD.forgotten_run, OLD.consolidated_into, OLD.derived_from,
    OLD.content, OLD.checksum, OLD.forgotten_code);
END;

-- A new version comes with a checksum of its own, or with none until it is filled in; one that is there stays with its
-- version.
CREATE TRIGGER memories_checksum BEFORE UPDATE ON memories
WHEN OLD.checksum IS NOT NULL
 AND (NEW.version IS OLD.version) <> (NEW.checksum IS OLD.checksum)
BEGIN
  SELECT RAISE(ABORT, 'refused: undeclared write');
END;

-- Names ----------------------------------------------------------------------------------------------------

CREATE TRIGGER names_insert BEFORE INSERT ON names BEGIN
  SELECT RAISE(ABORT, 'refused: a name belongs to an entry in use')
  WHERE NOT EXISTS (SELECT 1 FROM memories AS m
                    WHERE m.workspace_id = NEW.workspace_id AND m.id = NEW.memory_id AND m.scope = NEW.scope
                      AND m.name_folded IS NOT NULL AND m.forgotten_at IS NULL
                      AND (m.name_folded = NEW.folded
                           OR NEW.folded IN (SELECT value FROM json_each(m.aliases_folded))));
  SELECT RAISE(ABORT, 'taken: name')
  WHERE EXISTS (SELECT 1 FROM names
                WHERE workspace_id = NEW.workspace_id AND scope = NEW.scope AND folded = NEW.folded);
END;

CREATE TRIGGER names_update BEFORE UPDATE ON names BEGIN
  SELECT RAISE(ABORT, 'refused: names are kept by the entries');
END;

CREATE TRIGGER names_delete BEFORE DELETE ON names
WHEN EXISTS (SELECT 1 FROM memories AS m
             WHERE m.workspace_id = OLD.workspace_id AND m.id = OLD.memory_id
               AND m.name_folded IS NOT NULL AND m.forgotten_at IS NULL
               AND (m.name_folded = OLD.folded
                    OR OLD.folded IN (SELECT value FROM json_each(m.aliases_folded))))
BEGIN
  SELECT RAISE(ABORT, 'refused: names are kept by the entries');
END;

-- Vectors --------------------------------------------------------------------------------------------------

CREATE TRIGGER memory_vectors_insert AFTER INSERT ON memory_vectors BEGIN
  UPDATE change_clock SET tick = tick + 1;
  UPDATE memories SET embedded_by = NEW.model, change_seq = (SELECT tick FROM change_clock)
  WHERE workspace_id = NEW.workspace_id AND id = NEW.memory_id;
  UPDATE topics SET counter = counter + 1 WHERE topic = 'models';
END;

CREATE TRIGGER memory_vectors_update AFTER UPDATE ON memory_vectors BEGIN
  UPDATE change_clock SET tick = tick + 1;
  UPDATE memories SET embedded_by = NEW.model, change_seq = (SELECT tick FROM change_clock)
  WHERE workspace_id = NEW.workspace_id AND id = NEW.memory_id;
  UPDATE topics SET counter = counter + 1 WHERE topic = 'models';
END;

CREATE TRIGGER memory_vectors_delete AFTER DELETE ON memory_vectors BEGIN
  UPDATE change_clock SET tick = tick + 1;
  UPDATE memories
  SET embedded_by = (SELECT model FROM memory_vectors
                     WHERE workspace_id = OLD.workspace_id AND memory_id = OLD.memory_id
                     ORDER BY rowid DESC LIMIT 1),
      change_seq = (SELECT tick FROM change_clock)
  WHERE workspace_id = OLD.workspace_id AND id = OLD.memory_id;
  UPDATE topics SET counter = counter + 1 WHERE topic = 'models';
END;

CREATE TRIGGER embedding_failures_insert AFTER INSERT ON embedding_failures BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'models';
END;
