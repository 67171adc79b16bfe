//! The life cycle of a conversation: start, idle, archive, continue, delete; and changes of its title and
//! channel.

use inklings_domain::{
    conversation::{Conversation, ModelChoice},
    forget_reason::ForgetReason,
    ids::{ChannelId, ConversationId, MemoryId},
    lens::Lens,
    memory::filter::{MemoryFilter, ScopeFilter, Sort},
    provenance::Actor,
    scope::Place,
};
use inklings_ports::conversation::{
    store::{ConversationCursor, ConversationFilter, ConversationSummary},
    transcript_store::MessageRange,
};

use crate::{
    conversation::lookup::Continuation, error::AppError, memory::browse::MAX_PAGE, services::Conversations,
};

/// A page of conversations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConversationPage {
    /// Conversations, latest activity first.
    pub rows: Vec<ConversationSummary>,
    /// Where the next page starts; `None` at the end.
    pub next: Option<ConversationCursor>,
}

impl Conversations<'_> {
    /// A conversation by its id or its reference code.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if there is none.
    pub async fn named(&self, name: &str) -> Result<Conversation, AppError> {
        match name.parse::<ConversationId>() {
            Ok(id) => self.by_id(id).await,
            Err(_) => self.get(name).await,
        }
    }

    /// A conversation by its id.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if there is none.
    pub async fn by_id(&self, id: ConversationId) -> Result<Conversation, AppError> {
        let found = self.session.workspace.conversations.conversations(&[id]).await?.pop();
        found.ok_or_else(|| AppError::NotFound { what: "conversation", name: id.to_string() })
    }

    /// Starts a conversation, in `#general` if no channel is given.
    ///
    /// # Errors
    /// [`AppError::NotFound`] for an unknown channel, [`AppError::Input`] for an archived one, [`AppError::Text`] for a bad title.
    pub async fn begin(&self, channel: Option<ChannelId>, title: &str) -> Result<Conversation, AppError> {
        let channel = match channel {
            Some(id) => self.session.channels().in_use(id).await?,
            None => self.session.channels().named(inklings_domain::channel::DEFAULT_CHANNEL).await?,
        };
        self.start(channel.id, &Conversation::title(title)?, None).await
    }

    /// A page of conversations, latest activity first.
    pub async fn list(
        &self,
        filter: &ConversationFilter,
        after: Option<ConversationCursor>,
        limit: usize,
    ) -> Result<ConversationPage, AppError> {
        let limit = limit.clamp(1, MAX_PAGE);
        let mut rows =
            self.session.workspace.conversations.list_conversations(filter, after, limit + 1).await?;
        let more = rows.len() > limit;
        rows.truncate(limit);
        let cursor = |last: &ConversationSummary| ConversationCursor {
            active_at: last.conversation.active_at,
            id: last.conversation.id,
        };
        Ok(ConversationPage { next: rows.last().filter(|_| more).map(cursor), rows })
    }

    /// Sets the title of a conversation; an empty title removes it. Either way no title of the application replaces it.
    ///
    /// # Errors
    /// [`AppError::Text`] for an invalid title.
    pub async fn rename(&self, id: ConversationId, title: &str) -> Result<Conversation, AppError> {
        let before = self.by_id(id).await?;
        let after = before.renamed(title)?;
        self.replace(before, after).await
    }

    /// Sets the lens of a conversation in which nothing was said yet.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if the knower or the chapter is not there; [`AppError::Input`] once something was said.
    pub async fn set_lens(&self, id: ConversationId, lens: Lens) -> Result<Conversation, AppError> {
        self.session.lenses().resolve(lens).await?;
        let before = self.by_id(id).await?;
        if self.session.workspace.conversations.set_lens(id, lens).await? {
            return Ok(Conversation { lens, ..before });
        }
        Err(AppError::Input {
            field: "lens",
            message: "something was said here already; start a new conversation for another lens".to_owned(),
        })
    }

    /// Chooses the model that answers in a conversation from now on; `None` for the account's.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if there is no such conversation.
    pub async fn set_model(
        &self,
        id: ConversationId,
        model: Option<ModelChoice>,
    ) -> Result<Conversation, AppError> {
        let before = self.by_id(id).await?;
        if self.session.workspace.conversations.set_model(id, model.as_ref()).await? {
            return Ok(Conversation { model, ..before });
        }
        Err(AppError::NotFound { what: "conversation", name: id.to_string() })
    }

    /// Moves a conversation and its memories to another channel.
    ///
    /// # Errors
    /// [`AppError::NotFound`] for an unknown channel, [`AppError::Input`] for an archived one.
    pub async fn move_to(&self, id: ConversationId, channel: ChannelId) -> Result<Conversation, AppError> {
        let before = self.by_id(id).await?;
        let channel_id = self.session.channels().in_use(channel).await?.id;
        let after = Conversation { channel_id, ..before.clone() };
        self.replace(before, after).await
    }

    /// Ends a conversation; it can still be read.
    ///
    /// # Errors
    /// [`AppError::Transition`] unless it is active.
    pub async fn set_idle(&self, id: ConversationId) -> Result<Conversation, AppError> {
        let before = self.by_id(id).await?;
        let after = before.idle(self.session.clock.now())?;
        self.replace(before, after).await
    }

    /// Archives a conversation. Its scratchpad stays.
    ///
    /// # Errors
    /// [`AppError::Transition`] if it is already archived.
    pub async fn archive(&self, id: ConversationId) -> Result<Conversation, AppError> {
        let before = self.by_id(id).await?;
        let after = before.archive(self.session.clock.now())?;
        self.replace(before, after).await
    }

    /// Starts a new conversation in the same channel that continues this one. Ends this one if it is still
    /// active.
    ///
    /// # Errors
    /// [`AppError::Store`] if the database refuses.
    pub async fn resume(&self, id: ConversationId) -> Result<Conversation, AppError> {
        let before = self.by_id(id).await?;
        let now = self.session.clock.now();
        let idle = before.idle(now).ok();
        let ending = idle.as_ref().map(|idle| (idle, before.status));
        let continuation = Continuation { ending, ..Continuation::of(&before) };
        self.start_where(before.channel_id, &before.title, Some(continuation), now).await
    }

    /// Starts a branch of a conversation from before the message at a position: it shares all messages before that one (ADR 54).
    /// The conversation itself stays as it is.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if there is no such conversation or message; [`AppError::Branch`] if no branch can begin there.
    pub async fn branch(&self, id: ConversationId, at: u64) -> Result<Conversation, AppError> {
        let before = self.by_id(id).await?;
        let range = MessageRange::After(at.saturating_sub(1));
        let found = self.session.transcripts().whole_page(id, range, 1).await?.messages.pop();
        let found = found.filter(|message| message.position == at);
        let missing = || AppError::NotFound { what: "message", name: at.to_string() };
        let shares_through = Conversation::branch_before(&found.ok_or_else(missing)?)?;
        let continuation = Continuation { shares_through: Some(shares_through), ..Continuation::of(&before) };
        let now = self.session.clock.now();
        self.start_where(before.channel_id, &before.title, Some(continuation), now).await
    }

    /// The conversations in use that branched from a conversation, or from a branch of it whose messages of it they share, the
    /// oldest first.
    pub async fn branches(&self, id: ConversationId) -> Result<Vec<Conversation>, AppError> {
        Ok(self.session.workspace.conversations.branches(id).await?)
    }

    /// Deletes the messages, episodes and scratchpad of a conversation. First forgets its memories, which can
    /// be restored.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if there is none.
    pub async fn delete(&self, id: ConversationId, actor: Actor) -> Result<(), AppError> {
        let conversation = self.by_id(id).await?;
        let entries = self.entries_of(&conversation).await?;
        if !entries.is_empty() {
            self.session.memories().forget_for(&entries, &ForgetReason::ConversationDeleted, actor).await?;
        }
        self.session.workspace.conversations.delete_conversation(id, self.session.clock.now()).await?;
        self.session.working.drop(id);
        Ok(())
    }

    /// The active entries of a conversation's own tier.
    async fn entries_of(&self, conversation: &Conversation) -> Result<Vec<MemoryId>, AppError> {
        let scope_filter = ScopeFilter::of(Place::Conversation(conversation.channel_id, conversation.id));
        let entries =
            self.session.memories().every(&MemoryFilter::active(scope_filter), Sort::CreatedDesc).await?;
        Ok(entries.into_iter().map(|entry| entry.id).collect())
    }

    async fn replace(&self, before: Conversation, after: Conversation) -> Result<Conversation, AppError> {
        if after != before {
            self.session.workspace.conversations.update_conversation(&after, before.status).await?;
        }
        Ok(after)
    }
}
