-- A query is compared by meaning without the names of speakers, so their list is read for a query that may name one.
CREATE INDEX memories_by_speaker ON memories (speaker) WHERE speaker IS NOT NULL;
