-- The same index over messages.

DROP TRIGGER messages_fts_insert;
DROP TRIGGER messages_fts_delete;
DROP TRIGGER messages_fts_update;
DROP TABLE messages_fts;

CREATE VIRTUAL TABLE messages_fts USING fts5 (
  content, reach,
  content = 'messages', content_rowid = 'seq',
  tokenize = 'inklings'
);
INSERT INTO messages_fts (messages_fts) VALUES ('rebuild');

CREATE TRIGGER messages_fts_insert AFTER INSERT ON messages BEGIN
  INSERT INTO messages_fts (rowid, content, reach) VALUES (NEW.seq, NEW.content, NEW.reach);
END;

CREATE TRIGGER messages_fts_delete AFTER DELETE ON messages BEGIN
  INSERT INTO messages_fts (messages_fts, rowid, content, reach)
  VALUES ('delete', OLD.seq, OLD.content, OLD.reach);
END;

CREATE TRIGGER messages_fts_update AFTER UPDATE ON messages
WHEN OLD.content IS NOT NEW.content OR OLD.reach IS NOT NEW.reach
BEGIN
  INSERT INTO messages_fts (messages_fts, rowid, content, reach)
  VALUES ('delete', OLD.seq, OLD.content, OLD.reach);
  INSERT INTO messages_fts (rowid, content, reach) VALUES (NEW.seq, NEW.content, NEW.reach);
END;
