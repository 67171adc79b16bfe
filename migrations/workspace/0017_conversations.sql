-- Where the title of a conversation comes from; NULL: there was none, or it was given before this was recorded. `title_of` is the
-- message that the title was made of: a continuation that takes the title over names the same message.
ALTER TABLE conversations ADD COLUMN title_by TEXT CHECK (title_by IN ('person', 'message', 'model'));
ALTER TABLE conversations ADD COLUMN title_of TEXT
  CHECK ((title_of IS NOT NULL) = coalesce(title_by IN ('message', 'model'), 0));
CREATE INDEX conversations_by_title ON conversations (workspace_id, title_of) WHERE title_of IS NOT NULL;

-- A branch reads the messages of the conversation that it continues, up to this position (ADR 54). NULL: it reads none.
ALTER TABLE conversations ADD COLUMN shares_through INTEGER
  CHECK (shares_through IS NULL OR (shares_through >= 0 AND continues_id IS NOT NULL));
CREATE INDEX conversations_by_continued ON conversations (workspace_id, continues_id) WHERE continues_id IS NOT NULL;

-- The model that answers in a conversation, and the address of its endpoint. NULL: the model of the account.
ALTER TABLE conversations ADD COLUMN chat_model TEXT CHECK (length(chat_model) BETWEEN 1 AND 200);
ALTER TABLE conversations ADD COLUMN chat_address TEXT
  CHECK ((chat_address IS NULL) = (chat_model IS NULL) AND (chat_address IS NULL OR length(chat_address) BETWEEN 1 AND 2000));

CREATE TRIGGER conversations_branch BEFORE UPDATE OF continues_id, shares_through ON conversations
WHEN OLD.shares_through IS NOT NULL
  AND (NEW.shares_through IS NOT OLD.shares_through OR NEW.continues_id IS NOT OLD.continues_id)
BEGIN
  SELECT RAISE(ABORT, 'refused: a branch keeps its beginning');
END;

CREATE TRIGGER conversations_model_news AFTER UPDATE OF chat_model, chat_address ON conversations BEGIN
  UPDATE topics SET counter = counter + 1 WHERE topic = 'channels';
END;

-- A title goes with the message that it was made of. Where summaries replace messages, it stays.
CREATE TRIGGER messages_deleted_titles AFTER DELETE ON messages
WHEN EXISTS (SELECT 1 FROM conversations
             WHERE workspace_id = OLD.workspace_id AND id = OLD.conversation_id AND deleted_at IS NOT NULL)
  OR EXISTS (SELECT 1 FROM deletion_permits WHERE workspace_id = OLD.workspace_id AND memory_id = OLD.id)
BEGIN
  UPDATE conversations SET title = '', title_by = NULL, title_of = NULL
  WHERE workspace_id = OLD.workspace_id AND title_of = OLD.id;
END;
