-- Vectors of the passages of long messages, as for entries.
ALTER TABLE message_vectors ADD COLUMN first_end INTEGER CHECK (first_end >= 0);
CREATE INDEX message_vectors_of_beginnings ON message_vectors (model, message_id) WHERE first_end = 0;

CREATE TABLE message_passages (
  workspace_id TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  message_id   TEXT    NOT NULL,
  model        TEXT    NOT NULL,
  ordinal      INTEGER NOT NULL CHECK (ordinal >= 2),
  starts       INTEGER NOT NULL CHECK (starts >= 0),
  ends         INTEGER NOT NULL CHECK (ends > starts),
  dimension    INTEGER NOT NULL CHECK (dimension BETWEEN 1 AND 8192),
  vector       BLOB    NOT NULL CHECK (length(vector) = 4 * dimension),
  PRIMARY KEY (workspace_id, message_id, model, ordinal),
  FOREIGN KEY (workspace_id, message_id, model) REFERENCES message_vectors (workspace_id, message_id, model)
    ON DELETE CASCADE
) STRICT;

CREATE TRIGGER beside_message_passages AFTER DELETE ON message_passages BEGIN
  DELETE FROM beside WHERE workspace_id = OLD.workspace_id AND belongs_to = 'messages' AND row_id = OLD.message_id
                       AND part = 'passages/' || OLD.model || '/' || OLD.ordinal;
END;
