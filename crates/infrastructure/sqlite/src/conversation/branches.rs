//! What branches hold of the conversation that they branched from, as conditions of SQL. The conversation is `?1`.

/// The branches of the conversation `?1`, and their branches.
macro_rules! branches {
    () => {
        "WITH RECURSIVE branches (id) AS ( \
           SELECT id FROM conversations WHERE continues_id = ?1 AND shares_through > 0 \
           UNION SELECT c.id FROM conversations AS c JOIN branches ON c.continues_id = branches.id \
                 AND c.shares_through > 0) SELECT id FROM branches"
    };
}

/// The orientations of branches whose query quotes a message of the conversation. The query of a conversation has messages from
/// their first character, each on a line of its own.
pub(crate) const ORIENTATIONS_THAT_QUOTE: &str = concat!(
    "conversation_id IN (",
    branches!(),
    ") AND EXISTS (SELECT 1 FROM messages AS m WHERE m.conversation_id = ?1 AND m.content <> '' \
         AND instr(char(10) || query, char(10) || substr(m.content, 1, 40)) > 0)"
);

/// The archives of branches that were made of messages of the conversation. An archive of so many messages that not all are
/// named counts as one. So does an archive of messages that are gone, if the conversation was deleted before: nothing tells whose
/// they were.
pub(crate) const ARCHIVES_OF_ITS_MESSAGES: &str = concat!(
    "id IN (SELECT a.archive_id FROM messages AS a WHERE a.archive_id IS NOT NULL AND a.conversation_id IN (",
    branches!(),
    ") AND ((SELECT count(*) FROM entry_derivations AS d WHERE d.entry_id = a.archive_id) >= 256 \
         OR EXISTS (SELECT 1 FROM entry_derivations AS d LEFT JOIN messages AS s ON s.id = d.source_id \
                    WHERE d.entry_id = a.archive_id AND d.kind = 'message' \
                      AND (s.conversation_id = ?1 OR (s.id IS NULL AND EXISTS ( \
                        SELECT 1 FROM conversations WHERE id = ?1 AND deleted_at IS NOT NULL))))))"
);
