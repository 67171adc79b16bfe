//! What branches hold of the conversation that they branched from. In the conditions of SQL the conversation is `?1`.

use inklings_domain::ids::ConversationId;
use sqlx::SqliteConnection;

use crate::error::DbResult;

/// The branches of the conversations that a condition chooses by what they continue, and their branches, each with the last
/// position that it shares. A branch of a branch reads the messages through that one, even if it is deleted.
macro_rules! sharing {
    ($continues:literal) => {
        concat!(
            "WITH RECURSIVE sharing (workspace_id, id, through) AS ( \
               SELECT workspace_id, id, shares_through FROM conversations WHERE ",
            $continues,
            " AND shares_through > 0 \
               UNION SELECT c.workspace_id, c.id, min(c.shares_through, s.through) FROM sharing AS s \
                     JOIN conversations AS c ON c.workspace_id = s.workspace_id AND c.continues_id = s.id \
                     WHERE c.shares_through > 0) "
        )
    };
}
pub(crate) use sharing;

/// The last position of a conversation that a branch in use shares; 0 if none does.
pub(crate) async fn shared_through(
    conn: &mut SqliteConnection,
    workspace: &str,
    conversation: ConversationId,
) -> DbResult<i64> {
    let last = concat!(
        sharing!("workspace_id = ?1 AND continues_id = ?2"),
        "SELECT coalesce(max(s.through), 0) FROM sharing AS s \
         JOIN conversations AS c ON c.workspace_id = ?1 AND c.id = s.id WHERE c.deleted_at IS NULL"
    );
    let last = sqlx::query_scalar(last).bind(workspace.to_owned()).bind(conversation.to_string());
    Ok(last.fetch_one(conn).await?)
}

/// The orientations of branches whose query quotes a message of the conversation. The query of a conversation has messages from
/// their first character, each on a line of its own.
pub(crate) const ORIENTATIONS_THAT_QUOTE: &str = concat!(
    "conversation_id IN (",
    sharing!("continues_id = ?1"),
    "SELECT id FROM sharing) AND EXISTS (SELECT 1 FROM messages AS m WHERE m.conversation_id = ?1 AND m.content <> '' \
         AND instr(char(10) || query, char(10) || substr(m.content, 1, 40)) > 0)"
);

/// True if an archive covers messages of the conversation, told by positions: it is not known to begin behind what its branch
/// shares. The range of an archive begins behind the latest one that was in use when it was made. One that was ever forgotten
/// before, or is destroyed, may not have been.
macro_rules! covers_shared_positions {
    () => {
        "NOT EXISTS (SELECT 1 FROM messages AS p JOIN memories AS e \
           ON e.workspace_id = p.workspace_id AND e.id = p.archive_id \
           WHERE p.workspace_id = a.workspace_id AND p.conversation_id = a.conversation_id \
             AND p.position < a.position AND p.through >= b.shared \
             AND (e.forgotten_at IS NULL OR e.forgotten_at > a.archived_at) \
             AND NOT EXISTS (SELECT 1 FROM memory_versions AS v WHERE v.workspace_id = e.workspace_id \
                             AND v.memory_id = e.id AND v.forgotten_at <= a.archived_at))"
    };
}

/// The archives of branches that were made of messages of the conversation. Its derivations tell it. Positions tell it if not all
/// messages are named, because there were so many, or if some are gone and the conversation was deleted before: then nothing tells
/// whose they were.
pub(crate) const ARCHIVES_OF_ITS_MESSAGES: &str = concat!(
    "id IN (SELECT a.archive_id FROM (",
    sharing!("continues_id = ?1"),
    "SELECT id, through AS shared FROM sharing) AS b JOIN messages AS a ON a.conversation_id = b.id \
     WHERE a.archive_id IS NOT NULL AND ( \
       EXISTS (SELECT 1 FROM entry_derivations AS d JOIN messages AS s ON s.id = d.source_id \
               WHERE d.entry_id = a.archive_id AND d.kind = 'message' AND s.conversation_id = ?1) \
       OR (((SELECT count(*) FROM entry_derivations AS d WHERE d.entry_id = a.archive_id) >= 256 \
            OR EXISTS (SELECT 1 FROM conversations AS gone JOIN entry_derivations AS d ON d.entry_id = a.archive_id \
                         AND d.kind = 'message' LEFT JOIN messages AS s ON s.id = d.source_id \
                       WHERE gone.id = ?1 AND gone.deleted_at IS NOT NULL AND s.id IS NULL)) \
           AND ",
    covers_shared_positions!(),
    ")))"
);
