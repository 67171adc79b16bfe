-- Codes of the words of short texts, by which they are compared word by word (ADR 60). Beside the vectors, which are read as a whole
-- at a start.

-- How many codes the text has. NULL: a text of several passages, or a vector that was made without codes; then the text waits for
-- them.
ALTER TABLE memory_vectors ADD COLUMN word_codes INTEGER CHECK (word_codes >= 0);
DROP INDEX memory_vectors_of_beginnings;
CREATE INDEX memory_vectors_in_part ON memory_vectors (model, memory_id)
  WHERE first_end = 0 OR (first_end IS NULL AND word_codes IS NULL);

CREATE TABLE memory_word_codes (
  seq   INTEGER NOT NULL, -- of the entry
  model TEXT    NOT NULL,
  codes BLOB    NOT NULL CHECK (length(codes) > 0 AND length(codes) % 8 = 0),
  PRIMARY KEY (seq, model),
  FOREIGN KEY (seq) REFERENCES memories (seq) ON DELETE CASCADE
) STRICT;

CREATE TRIGGER memory_word_codes_go AFTER DELETE ON memory_vectors BEGIN
  DELETE FROM memory_word_codes WHERE model = OLD.model AND seq =
    (SELECT seq FROM memories WHERE workspace_id = OLD.workspace_id AND id = OLD.memory_id);
END;
