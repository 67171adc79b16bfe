//! Which rows a target of a scrub has, as conditions of SQL.

use inklings_domain::scrub::ScrubTarget;

use crate::conversation::branches::ARCHIVES_OF_ITS_MESSAGES;

/// The condition on the entries of a target; `?` is the channel or conversation, if there is one.
pub(super) fn entries_of(target: &ScrubTarget) -> String {
    match target {
        ScrubTarget::Conversation(_) => "scope = 'conversation' AND conversation_id = ?".to_owned(),
        ScrubTarget::Channel(_) => "scope = 'channel' AND channel_id = ?".to_owned(),
        ScrubTarget::Workspace => "scope = 'workspace'".to_owned(),
        ScrubTarget::Account => "scope = 'account'".to_owned(),
        // A subject's entries are found by reading texts; their ids are bound as a list.
        ScrubTarget::Subject(..) => "id IN (SELECT value FROM json_each(?))".to_owned(),
        ScrubTarget::Entry(..) => "id = ?".to_owned(),
        // The archives of a conversation contain its messages, so a purge includes them.
        ScrubTarget::Purge(_) => format!(
            "kind = 'archive' AND (conversation_id = ?1 OR source_conversation_id = ?1 \
             OR id IN (SELECT archive_id FROM messages WHERE conversation_id = ?1 AND archive_id IS NOT NULL) \
             OR {ARCHIVES_OF_ITS_MESSAGES})"
        ),
    }
}

/// The condition on the proposals of a target, by the tier of the entry that they would create or by the conversation that
/// they were filed in. An agent makes their texts of its messages.
pub(super) fn proposals_of(target: &ScrubTarget) -> String {
    match target {
        ScrubTarget::Workspace => "scope = 'workspace'".to_owned(),
        ScrubTarget::Account => "scope = 'account'".to_owned(),
        ScrubTarget::Purge(id) => format!("conversation_id = '{id}'"),
        ScrubTarget::Conversation(_)
        | ScrubTarget::Channel(_)
        | ScrubTarget::Entry(..)
        | ScrubTarget::Subject(..) => "false".to_owned(),
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
