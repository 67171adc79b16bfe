-- The account's file, behind the memory of `migrations/memory`: settings, workspaces, clients, the switch of memory.
INSERT INTO topics (topic, counter) VALUES ('workspaces', 0), ('clients', 0);

-- The account's settings, JSON texts under stable keys.
CREATE TABLE settings (
  key        TEXT    PRIMARY KEY CHECK (length(key) BETWEEN 1 AND 200),
  value      TEXT    NOT NULL CHECK (json_valid(value)),
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Which workspaces there are. Each workspace's own file says the same in `meta`, so that a lost registry can be
-- rebuilt from the folders.
CREATE TABLE workspaces (
  id          TEXT    PRIMARY KEY CHECK (length(id) = 36),
  name        TEXT    NOT NULL CHECK (length(name) BETWEEN 1 AND 120),
  name_folded TEXT    NOT NULL UNIQUE,
  created_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TRIGGER settings_insert_news AFTER INSERT ON settings BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'settings';
END;

CREATE TRIGGER settings_update_news AFTER UPDATE ON settings BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'settings';
END;

CREATE TRIGGER settings_delete_news AFTER DELETE ON settings BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'settings';
END;

CREATE TRIGGER workspaces_insert_news AFTER INSERT ON workspaces BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'workspaces';
END;

CREATE TRIGGER workspaces_update_news AFTER UPDATE ON workspaces BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'workspaces';
END;

CREATE TRIGGER workspaces_delete_news AFTER DELETE ON workspaces BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'workspaces';
END;

-- Programs of the worldbuilder that may reach memory over MCP. A token is kept as its hash alone.
CREATE TABLE clients (
  id           TEXT    PRIMARY KEY CHECK (length(id) = 36),
  name         TEXT    NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
  name_folded  TEXT    NOT NULL UNIQUE,
  bound_to     TEXT    NOT NULL CHECK (length(bound_to) = 36), -- the one workspace
  token_hash   TEXT    UNIQUE CHECK (length(token_hash) = 64),
  grants       TEXT    NOT NULL CHECK (json_valid(grants) AND json_type(grants) = 'object'),
  created_at   INTEGER NOT NULL,
  seen_at      INTEGER,
  revoked_at   INTEGER
) STRICT, WITHOUT ROWID;

CREATE TRIGGER clients_insert_news AFTER INSERT ON clients BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'clients';
END;

CREATE TRIGGER clients_update_news AFTER UPDATE ON clients BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'clients';
END;

CREATE TRIGGER clients_update BEFORE UPDATE ON clients
WHEN NEW.id IS NOT OLD.id OR NEW.bound_to IS NOT OLD.bound_to OR NEW.created_at IS NOT OLD.created_at
  OR (OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS NULL AND NEW.token_hash IS OLD.token_hash)
BEGIN
  SELECT RAISE(ABORT, 'refused: a client stays who it is');
END;

-- The switch of memory lies in a workspace's own file; this file learns with each write of an agent or a task how it stands
-- in the workspace that the write comes from.

-- Set in the transaction of the write, before anything else of it.
CREATE TABLE memory_switch (
  one     INTEGER PRIMARY KEY CHECK (one = 1),
  enabled INTEGER NOT NULL CHECK (enabled IN (0, 1))
) STRICT;
INSERT INTO memory_switch (one, enabled) VALUES (1, 1);
