CREATE TABLE meta (
  one          INTEGER PRIMARY KEY CHECK (one = 1),
  workspace_id TEXT    NOT NULL CHECK (length(workspace_id) = 36),
  created_at   INTEGER NOT NULL
) STRICT;

CREATE TABLE page_clock (
  one     INTEGER PRIMARY KEY CHECK (one = 1),
  tick    INTEGER NOT NULL, -- any change of vaults and pages
  epoch   INTEGER NOT NULL, -- vectors that are gone
  vectors INTEGER NOT NULL  -- new vectors
) STRICT;

INSERT INTO page_clock VALUES (1, 0, 0, 0);

CREATE TABLE vaults (
  workspace_id TEXT    NOT NULL CHECK (length(workspace_id) = 36),
  id           TEXT    NOT NULL CHECK (length(id) = 36),
  name         TEXT    NOT NULL CHECK (name <> ''),
  path         TEXT    NOT NULL CHECK (path <> ''),
  linked_at    INTEGER NOT NULL,
  scanned_at   INTEGER,
  lease_owner  TEXT,
  lease_until  INTEGER,
  PRIMARY KEY (workspace_id, id),
  UNIQUE (workspace_id, path)
) STRICT;

CREATE TABLE pages (
  seq          INTEGER PRIMARY KEY AUTOINCREMENT CHECK (seq > 0),
  workspace_id TEXT    NOT NULL CHECK (length(workspace_id) = 36),
  id           TEXT    NOT NULL CHECK (length(id) = 36),
  vault_id     TEXT    NOT NULL,
  path         TEXT    NOT NULL CHECK (path <> ''),
  size         INTEGER NOT NULL CHECK (size >= 0),
  modified_at  INTEGER NOT NULL,
  settled      INTEGER NOT NULL CHECK (settled IN (0, 1)), -- 0: read again by the next scan
  change_seq   INTEGER NOT NULL DEFAULT 0, -- tick of page_clock when its text last changed
  hash         TEXT    NOT NULL CHECK (length(hash) = 64),
  kind         TEXT,
  lifecycle    TEXT,
  aliases      TEXT    NOT NULL CHECK (json_valid(aliases) AND json_type(aliases) = 'array'),
  tags         TEXT    NOT NULL CHECK (json_valid(tags) AND json_type(tags) = 'array'),
  name         TEXT    NOT NULL, -- of its file, without the ending, if the title is another one
  title        TEXT    NOT NULL CHECK (title <> ''),
  keys         TEXT    NOT NULL, -- aliases and tags, as the index has them
  reach        TEXT    NOT NULL AS ('v' || replace(vault_id, '-', '') || '0') STORED,
  head         TEXT    NOT NULL,
  content      TEXT    NOT NULL CHECK (octet_length(content) <= 1048576), sort_key TEXT NOT NULL DEFAULT '',
  UNIQUE (workspace_id, id),
  FOREIGN KEY (workspace_id, vault_id) REFERENCES vaults (workspace_id, id) ON DELETE CASCADE
) STRICT;

CREATE INDEX pages_by_path ON pages (workspace_id, vault_id, path);

CREATE INDEX pages_by_change ON pages (change_seq);

CREATE TABLE page_blocks (
  workspace_id TEXT    NOT NULL CHECK (length(workspace_id) = 36),
  page         INTEGER NOT NULL REFERENCES pages (seq) ON DELETE CASCADE,
  ordinal      INTEGER NOT NULL CHECK (ordinal >= 1),
  kind         TEXT    NOT NULL CHECK (kind IN ('heading', 'paragraph', 'list_item', 'quote', 'table', 'code')),
  heading      TEXT    NOT NULL,
  starts       INTEGER NOT NULL CHECK (starts >= 0),
  ends         INTEGER NOT NULL CHECK (ends > starts),
  hash         TEXT    NOT NULL CHECK (length(hash) = 32),
  PRIMARY KEY (workspace_id, page, ordinal)
) STRICT, WITHOUT ROWID;

CREATE INDEX page_blocks_of_page ON page_blocks (page);

CREATE TABLE page_names (
  workspace_id TEXT    NOT NULL CHECK (length(workspace_id) = 36),
  name         TEXT    NOT NULL CHECK (name <> ''),
  page         INTEGER NOT NULL REFERENCES pages (seq) ON DELETE CASCADE,
  rank         INTEGER NOT NULL CHECK (rank BETWEEN 1 AND 4),
  PRIMARY KEY (workspace_id, name, page)
) STRICT, WITHOUT ROWID;

CREATE INDEX page_names_of_page ON page_names (page);

CREATE TABLE page_links (
  workspace_id TEXT    NOT NULL CHECK (length(workspace_id) = 36),
  page         INTEGER NOT NULL REFERENCES pages (seq) ON DELETE CASCADE,
  ordinal      INTEGER NOT NULL CHECK (ordinal >= 1),
  target       TEXT    NOT NULL CHECK (target <> ''),
  name         TEXT    NOT NULL,
  heading      TEXT,
  embeds       INTEGER NOT NULL CHECK (embeds IN (0, 1)),
  PRIMARY KEY (workspace_id, page, ordinal)
) STRICT, WITHOUT ROWID;

CREATE INDEX page_links_of_page ON page_links (page);

CREATE INDEX page_links_by_name ON page_links (workspace_id, name);

CREATE TABLE vault_attachments (
  workspace_id TEXT    NOT NULL CHECK (length(workspace_id) = 36),
  vault_id     TEXT    NOT NULL,
  path         TEXT    NOT NULL CHECK (path <> ''),
  name         TEXT    NOT NULL CHECK (name <> ''),
  size         INTEGER NOT NULL CHECK (size >= 0),
  PRIMARY KEY (workspace_id, vault_id, path),
  FOREIGN KEY (workspace_id, vault_id) REFERENCES vaults (workspace_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX vault_attachments_by_name ON vault_attachments (workspace_id, name);

CREATE TABLE page_skips (
  workspace_id TEXT    NOT NULL CHECK (length(workspace_id) = 36),
  vault_id     TEXT    NOT NULL,
  path         TEXT    NOT NULL CHECK (path <> ''),
  reason       TEXT    NOT NULL CHECK (reason <> ''),
  PRIMARY KEY (workspace_id, vault_id, path, reason),
  FOREIGN KEY (workspace_id, vault_id) REFERENCES vaults (workspace_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE VIRTUAL TABLE pages_fts USING fts5 (
  content, name, title, keys, reach,
  content = 'pages', content_rowid = 'seq',
  tokenize = 'inklings'
);

CREATE TRIGGER pages_fts_insert AFTER INSERT ON pages BEGIN
  INSERT INTO pages_fts (rowid, content, name, title, keys, reach)
  VALUES (NEW.seq, NEW.content, NEW.name, NEW.title, NEW.keys, NEW.reach);
END;

CREATE TRIGGER pages_fts_delete AFTER DELETE ON pages BEGIN
  INSERT INTO pages_fts (pages_fts, rowid, content, name, title, keys, reach)
  VALUES ('delete', OLD.seq, OLD.content, OLD.name, OLD.title, OLD.keys, OLD.reach);
END;

CREATE TRIGGER pages_fts_update AFTER UPDATE ON pages
WHEN OLD.content IS NOT NEW.content OR OLD.name IS NOT NEW.name OR OLD.title IS NOT NEW.title OR OLD.keys IS NOT NEW.keys
BEGIN
  INSERT INTO pages_fts (pages_fts, rowid, content, name, title, keys, reach)
  VALUES ('delete', OLD.seq, OLD.content, OLD.name, OLD.title, OLD.keys, OLD.reach);
  INSERT INTO pages_fts (rowid, content, name, title, keys, reach)
  VALUES (NEW.seq, NEW.content, NEW.name, NEW.title, NEW.keys, NEW.reach);
END;

CREATE TABLE page_vectors (
  seq          INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace_id TEXT    NOT NULL CHECK (length(workspace_id) = 36),
  page_id      TEXT    NOT NULL,
  model        TEXT    NOT NULL CHECK (length(model) BETWEEN 1 AND 200),
  dimension    INTEGER NOT NULL CHECK (dimension BETWEEN 1 AND 8192),
  vector       BLOB    NOT NULL CHECK (length(vector) = 4 * dimension),
  first_end    INTEGER CHECK (first_end >= 0),
  UNIQUE (workspace_id, page_id, model),
  FOREIGN KEY (workspace_id, page_id) REFERENCES pages (workspace_id, id) ON DELETE CASCADE
) STRICT;

CREATE TABLE page_passages (
  workspace_id TEXT    NOT NULL CHECK (length(workspace_id) = 36),
  page_id      TEXT    NOT NULL,
  model        TEXT    NOT NULL,
  ordinal      INTEGER NOT NULL CHECK (ordinal >= 2),
  starts       INTEGER NOT NULL CHECK (starts >= 0),
  ends         INTEGER NOT NULL CHECK (ends > starts),
  dimension    INTEGER NOT NULL CHECK (dimension BETWEEN 1 AND 8192),
  vector       BLOB    NOT NULL CHECK (length(vector) = 4 * dimension),
  PRIMARY KEY (workspace_id, page_id, model, ordinal),
  FOREIGN KEY (workspace_id, page_id, model) REFERENCES page_vectors (workspace_id, page_id, model) ON DELETE CASCADE
) STRICT;

CREATE TABLE page_vector_failures (
  workspace_id TEXT    NOT NULL CHECK (length(workspace_id) = 36),
  page_id      TEXT    NOT NULL,
  model        TEXT    NOT NULL CHECK (length(model) BETWEEN 1 AND 200),
  error        TEXT    NOT NULL,
  PRIMARY KEY (workspace_id, page_id, model),
  FOREIGN KEY (workspace_id, page_id) REFERENCES pages (workspace_id, id) ON DELETE CASCADE
) STRICT;

CREATE TRIGGER pages_text_changed AFTER UPDATE ON pages
WHEN NEW.content IS NOT OLD.content OR NEW.title IS NOT OLD.title
BEGIN
  DELETE FROM page_vectors WHERE workspace_id = NEW.workspace_id AND page_id = NEW.id;
  DELETE FROM page_vector_failures WHERE workspace_id = NEW.workspace_id AND page_id = NEW.id;
END;

CREATE TRIGGER page_vectors_insert_tick AFTER INSERT ON page_vectors BEGIN
  UPDATE page_clock SET vectors = vectors + 1;
END;

CREATE TRIGGER page_vectors_delete_tick AFTER DELETE ON page_vectors BEGIN
  UPDATE page_clock SET epoch = epoch + 1;
END;

CREATE INDEX pages_by_sort_key ON pages (workspace_id, sort_key, id);

