-- The index has pairs of characters of scripts without spaces between words (ADR 36). Its triggers on `memories` name the table
-- and stay.

DROP TABLE memories_fts;

-- The list of keys is JSON text; its brackets and quotes separate words as white space does.
CREATE VIRTUAL TABLE memories_fts USING fts5 (
  content, name, title, keys, reach,
  content = 'memories', content_rowid = 'seq',
  tokenize = 'inklings'
);
INSERT INTO memories_fts (memories_fts) VALUES ('rebuild');
