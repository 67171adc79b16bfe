-- Pages are listed by their titles as people order them: numbers by value. The key is computed by the program.
ALTER TABLE pages ADD COLUMN sort_key TEXT NOT NULL DEFAULT '';
DROP INDEX pages_by_title;
CREATE INDEX pages_by_sort_key ON pages (workspace_id, sort_key, id);

-- The next scan reads every file again, for the key, and for Markdown links, which are links from now on.
UPDATE pages SET sort_key = lower(title), settled = 0,
  hash = '0000000000000000000000000000000000000000000000000000000000000000';
