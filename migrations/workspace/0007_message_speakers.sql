CREATE INDEX messages_by_speaker ON messages (speaker) WHERE speaker IS NOT NULL;
