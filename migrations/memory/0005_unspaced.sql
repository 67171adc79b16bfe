-- The index has pairs of characters of scripts without spaces between words (ADR 36).

DROP TRIGGER memories_fts_insert;
DROP TRIGGER memories_fts_delete;
DROP TRIGGER memories_fts_update;
DROP TABLE memories_fts;

-- The list of keys is JSON text; its brackets and quotes separate words as white space does.
CREATE VIRTUAL TABLE memories_fts USING fts5 (
  content, name, title, keys, reach,
  content = 'memories', content_rowid = 'seq',
  tokenize = 'inklings'
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
