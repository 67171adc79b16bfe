-- Searches that the worldbuilder saved. They are settings, and a scrub destroys those that name what it destroys.
CREATE TABLE saved_searches (
  workspace_id TEXT    NOT NULL CHECK (workspace_id <> '00000000-0000-0000-0000-000000000000'),
  id           TEXT    NOT NULL CHECK (length(id) = 36),
  place        INTEGER NOT NULL CHECK (place >= 0),
  name         TEXT    NOT NULL CHECK (length(name) BETWEEN 1 AND 120),
  view         TEXT    NOT NULL CHECK (octet_length(view) <= 65536 AND json_valid(view) AND json_type(view) = 'object'),
  PRIMARY KEY (workspace_id, id)
) STRICT;

CREATE TRIGGER saved_searches_insert_news AFTER INSERT ON saved_searches BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'settings';
END;

CREATE TRIGGER saved_searches_update_news AFTER UPDATE ON saved_searches BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'settings';
END;

CREATE TRIGGER saved_searches_delete_news AFTER DELETE ON saved_searches BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'settings';
END;
