//! Which rows a target of a scrub has, as conditions of SQL.

use inklings_domain::scrub::ScrubTarget;

/// The branches of the conversation `?1`, and their branches.
macro_rules! branches {
    () => {
        "WITH RECURSIVE branches (id) AS ( \
           SELECT id FROM conversations WHERE continues_id = ?1 AND shares_through > 0 \
           UNION SELECT c.id FROM conversations AS c JOIN branches ON c.continues_id = branches.id \
                 AND c.shares_through > 0) SELECT id FROM branches"
    };
}

/// The condition on the orientations of branches of a purged conversation whose query quotes a message of it. The query of a
/// conversation has messages from their first character, each on a line of its own.
pub(super) const OF_BRANCHES_THAT_QUOTE: &str = concat!(
    "conversation_id IN (",
    branches!(),
    ") AND EXISTS (SELECT 1 FROM messages AS m WHERE m.conversation_id = ?1 AND m.content <> '' \
         AND instr(char(10) || query, char(10) || substr(m.content, 1, 40)) > 0)"
);

/// The condition on the entries of a target; `?` is the channel or conversation, if there is one.
pub(super) const fn entries_of(target: &ScrubTarget) -> &'static str {
    match target {
        ScrubTarget::Conversation(_) => "scope = 'conversation' AND conversation_id = ?",
        ScrubTarget::Channel(_) => "scope = 'channel' AND channel_id = ?",
        ScrubTarget::Workspace => "scope = 'workspace'",
        ScrubTarget::Account => "scope = 'account'",
        // A subject's entries are found by reading texts; their ids are bound as a list.
        ScrubTarget::Subject(..) => "id IN (SELECT value FROM json_each(?))",
        ScrubTarget::Entry(..) => "id = ?",
        // The archives of a conversation contain its messages, so a purge includes them. So may an archive of a branch: one that
        // was made of its messages, or of so many messages that not all are named.
        ScrubTarget::Purge(_) => {
            concat!(
                "kind = 'archive' AND (conversation_id = ?1 OR source_conversation_id = ?1 \
             OR id IN (SELECT archive_id FROM messages WHERE conversation_id = ?1 AND archive_id IS NOT NULL) \
             OR id IN (SELECT a.archive_id FROM messages AS a WHERE a.archive_id IS NOT NULL AND a.conversation_id IN \
                 (",
                branches!(),
                ") \
               AND (EXISTS (SELECT 1 FROM entry_derivations AS d JOIN messages AS s ON s.id = d.source_id \
                            WHERE d.entry_id = a.archive_id AND d.kind = 'message' AND s.conversation_id = ?1) \
                 OR (SELECT count(*) FROM entry_derivations AS d WHERE d.entry_id = a.archive_id) >= 256)))"
            )
        }
    }
}

/// The condition on the proposals of a target, by the tier of the entry that they would create.
pub(super) const fn new_entries_of(target: &ScrubTarget) -> &'static str {
    match target {
        ScrubTarget::Workspace => "scope = 'workspace'",
        ScrubTarget::Account => "scope = 'account'",
        ScrubTarget::Conversation(_)
        | ScrubTarget::Channel(_)
        | ScrubTarget::Entry(..)
        | ScrubTarget::Subject(..)
        | ScrubTarget::Purge(_) => "false",
    }
}

/// The condition on the orientations and reads of a target, by their place.
pub(super) const fn orientations_of(target: &ScrubTarget) -> Option<&'static str> {
    match target {
        ScrubTarget::Conversation(_) | ScrubTarget::Purge(_) => Some("conversation_id = ?"),
        ScrubTarget::Channel(_) => Some("channel_id = ? AND conversation_id IS NULL"),
        ScrubTarget::Workspace => Some("channel_id IS NULL AND conversation_id IS NULL"),
        ScrubTarget::Account | ScrubTarget::Entry(..) | ScrubTarget::Subject(..) => None,
    }
}
