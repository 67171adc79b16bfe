//! The conversations that views of other subjects refer to.

use std::collections::HashMap;

use inklings_application::session::Session;
use inklings_domain::{conversation::Conversation, ids::ConversationId};

use crate::error::CommandError;

/// Conversations by id, for links and reference codes.
pub type ConversationsById = HashMap<ConversationId, Conversation>;

/// Loads conversations by id.
pub async fn conversations_by_id(
    session: &Session,
    mut ids: Vec<ConversationId>,
) -> Result<ConversationsById, CommandError> {
    ids.sort_unstable();
    ids.dedup();
    if ids.is_empty() {
        return Ok(ConversationsById::new());
    }
    let found = session.workspace.conversations.conversations(&ids).await?;
    Ok(found.into_iter().map(|conversation| (conversation.id, conversation)).collect())
}

/// The reference code of a conversation that is known.
pub fn reference(id: Option<ConversationId>, known: &ConversationsById) -> Option<String> {
    id.and_then(|id| known.get(&id)).map(|conversation| conversation.ref_code.to_string())
}
