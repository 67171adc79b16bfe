-- The same index over messages.

DROP TABLE messages_fts;

CREATE VIRTUAL TABLE messages_fts USING fts5 (
  content, reach,
  content = 'messages', content_rowid = 'seq',
  tokenize = 'inklings'
);
INSERT INTO messages_fts (messages_fts) VALUES ('rebuild');
