//! The messages of a conversation in an orientation, for a reader who may not see all that a branch shares.

use inklings_domain::{
    client::{Grants, Verb},
    conversation::{
        Conversation,
        message::{Delivery, Message},
    },
    ids::ConversationId,
    scope::Place,
    search::{
        conversation_query::ConversationQuery,
        transcript::{ContextItem, with_replay},
    },
};

use super::OrientRequest;
use crate::{conversation::context::ContextLimits, error::AppError, services::Orientations};

impl Orientations<'_> {
    /// Messages selected by the three legs (newest, important, similar), and the replay after the latest
    /// compaction.
    async fn context_items(
        &self,
        conversation: &Conversation,
        query: &ConversationQuery,
    ) -> Result<Vec<ContextItem>, AppError> {
        let replayed = self.replayed(conversation).await?;
        let items = self
            .session
            .contexts()
            .context_within(conversation.id, &replayed, query, ContextLimits::default())
            .await?;
        Ok(without_arriving(with_replay(items, replayed)))
    }

    async fn replayed(&self, conversation: &Conversation) -> Result<Vec<Message>, AppError> {
        self.layer(self.session.contexts().replayed(conversation.id)).await
    }

    /// As [`Self::context_items`], without what the conversation shares of others that the reader may not read: a grant for a
    /// branch is none for what it branched from, and a lens shows conversations one by one.
    pub(super) async fn admitted_items(
        &self,
        request: &OrientRequest<'_>,
        conversation: &Conversation,
        query: &ConversationQuery,
    ) -> Result<Vec<ContextItem>, AppError> {
        let items = self.context_items(conversation, query).await?;
        self.admitted(request, conversation, items).await
    }

    /// The messages that a turn replays, as far as the reader may see them.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if there is no such conversation, [`AppError::TimedOut`] if the store takes too long.
    pub(crate) async fn replayed_items(
        &self,
        request: OrientRequest<'_>,
        conversation: &Conversation,
    ) -> Result<Vec<ContextItem>, AppError> {
        let request = self.through_lens(request).await?;
        let items = with_replay(Vec::new(), self.replayed(conversation).await?);
        self.admitted(&request, conversation, without_arriving(items)).await
    }

    async fn admitted(
        &self,
        request: &OrientRequest<'_>,
        conversation: &Conversation,
        mut items: Vec<ContextItem>,
    ) -> Result<Vec<ContextItem>, AppError> {
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

/// Messages without the answer that is arriving.
fn without_arriving(mut items: Vec<ContextItem>) -> Vec<ContextItem> {
    items.retain(|item| item.message.body.delivery != Delivery::Streaming);
    items
}
