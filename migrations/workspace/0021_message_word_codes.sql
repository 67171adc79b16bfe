-- Codes of the words of short messages, as for entries.
ALTER TABLE message_vectors ADD COLUMN word_codes INTEGER CHECK (word_codes >= 0);
DROP INDEX message_vectors_of_beginnings;
CREATE INDEX message_vectors_in_part ON message_vectors (model, message_id)
  WHERE first_end = 0 OR (first_end IS NULL AND word_codes IS NULL);

CREATE TABLE message_word_codes (
  seq   INTEGER NOT NULL, -- of the message
  model TEXT    NOT NULL,
  codes BLOB    NOT NULL CHECK (length(codes) > 0 AND length(codes) % 8 = 0),
  PRIMARY KEY (seq, model),
  FOREIGN KEY (seq) REFERENCES messages (seq) ON DELETE CASCADE
) STRICT;

CREATE TRIGGER message_word_codes_go AFTER DELETE ON message_vectors BEGIN
  DELETE FROM message_word_codes WHERE model = OLD.model AND seq =
    (SELECT seq FROM messages WHERE workspace_id = OLD.workspace_id AND id = OLD.message_id);
END;
