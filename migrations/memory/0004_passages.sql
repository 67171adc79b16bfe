-- Vectors of the passages of long texts (ADR 32). A text of one passage has its one row in `memory_vectors`, as before;
-- of a longer one, that row is the first passage.

-- Where the first passage ends in the content, in bytes. NULL: the text is one passage. 0: a vector of an earlier release,
-- which covers only the beginning of a longer text; the text waits for the vectors of its passages.
ALTER TABLE memory_vectors ADD COLUMN first_end INTEGER CHECK (first_end >= 0);
CREATE INDEX memory_vectors_of_beginnings ON memory_vectors (model, memory_id) WHERE first_end = 0;

-- The second passage and the later ones.
CREATE TABLE memory_passages (
  workspace_id TEXT    NOT NULL CHECK (workspace_id {owner} '00000000-0000-0000-0000-000000000000'),
  memory_id    TEXT    NOT NULL,
  model        TEXT    NOT NULL,
  ordinal      INTEGER NOT NULL CHECK (ordinal >= 2),
  starts       INTEGER NOT NULL CHECK (starts >= 0),   -- bytes in the content
  ends         INTEGER NOT NULL CHECK (ends > starts),
  dimension    INTEGER NOT NULL CHECK (dimension BETWEEN 1 AND 8192),
  vector       BLOB    NOT NULL CHECK (length(vector) = 4 * dimension),
  PRIMARY KEY (workspace_id, memory_id, model, ordinal),
  FOREIGN KEY (workspace_id, memory_id, model) REFERENCES memory_vectors (workspace_id, memory_id, model)
    ON DELETE CASCADE
) STRICT;

-- `first_end` alone is no other vector.
DROP TRIGGER memory_vectors_update;
CREATE TRIGGER memory_vectors_update AFTER UPDATE OF model, dimension, version, vector ON memory_vectors BEGIN
  UPDATE change_clock SET tick = tick + 1;
  UPDATE memories SET embedded_by = NEW.model, change_seq = (SELECT tick FROM change_clock)
  WHERE workspace_id = NEW.workspace_id AND id = NEW.memory_id;
  UPDATE topics SET counter = counter + 1 WHERE topic = 'models';
END;

-- Fields of a passage that an import kept go with it.
CREATE TRIGGER beside_memory_passages AFTER DELETE ON memory_passages BEGIN
  DELETE FROM beside WHERE workspace_id = OLD.workspace_id AND belongs_to = 'memories' AND row_id = OLD.memory_id
                       AND part = 'passages/' || OLD.model || '/' || OLD.ordinal;
END;
