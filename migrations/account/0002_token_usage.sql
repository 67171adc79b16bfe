-- How many tokens language models used, by day (UTC), address of the endpoint and name of the model. Counts alone, of all worlds.
CREATE TABLE token_usage (
  day        TEXT    NOT NULL CHECK (day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  address    TEXT    NOT NULL CHECK (length(address) <= 2000),
  model      TEXT    NOT NULL CHECK (length(model) <= 2000),
  answers    INTEGER NOT NULL CHECK (answers >= 1),
  unreported INTEGER NOT NULL CHECK (unreported BETWEEN 0 AND answers), -- answers for which the endpoint gave no counts
  input      INTEGER NOT NULL CHECK (input >= 0),
  output     INTEGER NOT NULL CHECK (output >= 0),
  PRIMARY KEY (day, address, model)
) STRICT, WITHOUT ROWID;
