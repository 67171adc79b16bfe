//! The messages of a conversation for a reader who may not see all that a branch shares.

use inklings_domain::{
    client::{Grants, Verb},
    conversation::Conversation,
    ids::ConversationId,
    scope::Place,
    search::{conversation_query::ConversationQuery, transcript::ContextItem},
};

use super::OrientRequest;
use crate::{error::AppError, services::Orientations};

impl Orientations<'_> {
    /// As [`Self::context_items`], without what the conversation shares of others that the reader may not read: a grant for a
    /// branch is none for what it branched from, and a lens shows conversations one by one.
    pub(super) async fn admitted_items(
        &self,
        request: &OrientRequest<'_>,
        conversation: &Conversation,
        query: &ConversationQuery,
    ) -> Result<Vec<ContextItem>, AppError> {
        let mut items = self.context_items(conversation, query).await?;
        let shared = |item: &ContextItem| item.message.conversation != conversation.id;
        let mut others: Vec<ConversationId> =
            items.iter().filter(|item| shared(item)).map(|item| item.message.conversation).collect();
        if others.is_empty() || (request.within.is_none() && request.lens.is_none()) {
            return Ok(items);
        }
        others.sort_unstable();
        others.dedup();
        let others = self.session.workspace.conversations.conversations(&others).await?;
        let admits = |id: ConversationId| {
            let is_shown = request.lens.as_ref().is_none_or(|lens| lens.holds_conversation(id));
            let granted = |grants: &Grants| {
                let found = others.iter().find(|other| other.id == id);
                found.is_some_and(|other| grants.may(Verb::Read, Place::Conversation(other.channel_id, id)))
            };
            is_shown && request.within.is_none_or(granted)
        };
        items.retain(|item| !shared(item) || admits(item.message.conversation));
        Ok(items)
    }
}
