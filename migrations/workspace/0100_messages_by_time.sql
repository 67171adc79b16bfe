-- What was said on the days that a question names ("yesterday").
CREATE INDEX messages_by_time ON messages (at) WHERE archive_id IS NULL;
