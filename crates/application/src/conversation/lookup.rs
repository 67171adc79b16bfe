//! Looks up the channels and conversations of a workspace, and the place that an entry belongs to.

use chrono::{DateTime, Utc};
use inklings_domain::{
    channel::DEFAULT_CHANNEL,
    conversation::{
        Conversation, ConversationStatus,
        ref_code::{RefCode, RefCodeExhausted},
    },
    ids::{ChannelId, ConversationId},
    lens::Lens,
    scope::{MemoryScope, Place},
};
use inklings_ports::store_error::StoreError;

use crate::{error::AppError, services::Conversations};

/// Attempts to draw a free code. A second collision in 64 random bits means that the random source is broken.
pub(crate) const REF_CODE_ATTEMPTS: usize = 8;

/// How a new conversation goes on with another one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Continuation<'a> {
    /// The other one.
    pub before: &'a Conversation,
    /// For a branch: the position of the last message that it shares.
    pub shares_through: Option<u64>,
    /// The other one as it is once it has ended, and its status before.
    pub ending: Option<(&'a Conversation, ConversationStatus)>,
}

impl<'a> Continuation<'a> {
    /// A conversation that shares nothing and ends nothing.
    pub(crate) const fn of(before: &'a Conversation) -> Self {
        Self { before, shares_through: None, ending: None }
    }
}

/// A channel as a caller names it.
#[derive(Debug, Clone, Copy)]
pub enum ChannelRef<'a> {
    Id(ChannelId),
    Name(&'a str),
    /// By name; created if there is none.
    NameOrNew(&'a str),
}

impl ChannelRef<'_> {
    /// The channel that is taken if none is given.
    const DEFAULT: Self = Self::Name(DEFAULT_CHANNEL);

    /// The channel, if there is one already.
    const fn existing(self) -> Self {
        match self {
            Self::NameOrNew(name) => Self::Name(name),
            known => known,
        }
    }
}

/// Refuses a channel or a conversation that a caller names for another tier than those that have it. If it were dropped, what
/// is meant for one place would reach a wider one.
pub(crate) fn check_named(
    field: &'static str,
    tiers: &[MemoryScope],
    tier: MemoryScope,
) -> Result<(), AppError> {
    if tiers.contains(&tier) {
        return Ok(());
    }
    let message = format!("leave '{field}' out: it does not belong to the {tier} tier");
    Err(AppError::Input { field, message })
}

impl Conversations<'_> {
    /// Starts a conversation in a channel.
    ///
    /// # Errors
    /// [`AppError::RefCode`] if no free reference code was found.
    pub async fn start(
        &self,
        channel: ChannelId,
        title: &str,
        continues: Option<ConversationId>,
    ) -> Result<Conversation, AppError> {
        let before = match continues {
            Some(id) => Some(self.by_id(id).await?),
            None => None,
        };
        let now = self.session.clock.now();
        self.start_where(channel, title, before.as_ref().map(Continuation::of), now).await
    }

    /// As above, at a time; in the same transaction ends the conversation before, if that is asked for.
    pub(crate) async fn start_where(
        &self,
        channel: ChannelId,
        title: &str,
        continuation: Option<Continuation<'_>>,
        at: DateTime<Utc>,
    ) -> Result<Conversation, AppError> {
        // What goes on with a conversation goes on with its lens and its model, and knows whose words its title is.
        let before = continuation.map(|continuation| continuation.before);
        let lens = before.map_or(Lens::NONE, |before| before.lens);
        let taken_over = before.filter(|before| before.title == title);
        for _ in 0..REF_CODE_ATTEMPTS {
            let code = RefCode::from_bits(self.session.ids.random_bits());
            let id = self.session.ids.conversation_id();
            let begun =
                Conversation::begin(id, code, channel, title.to_owned(), before.map(|before| before.id), at);
            let titled = taken_over.map_or(begun.titled, |before| before.titled);
            let shares_through = continuation.and_then(|continuation| continuation.shares_through);
            let model = before.and_then(|before| before.model.clone());
            let conversation = Conversation { lens, titled, shares_through, model, ..begun };
            // The unique key in the database detects collisions, also between processes.
            let store = &self.session.workspace.conversations;
            let added = match continuation.and_then(|continuation| continuation.ending) {
                Some((ended, was)) => store.end_and_continue(ended, was, &conversation).await,
                None => store.add_conversation(&conversation).await,
            };
            match added {
                Ok(()) => return Ok(conversation),
                Err(StoreError::AlreadyExists(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(RefCodeExhausted { attempts: REF_CODE_ATTEMPTS }.into())
    }

    /// The place for a tier, with the channel and the conversation that a caller names for it, the latter by reference code or
    /// id. The default conversation is the active one of the channel, or a new one if none is active.
    ///
    /// # Errors
    /// [`AppError::NotFound`] for an unknown channel or conversation; [`AppError::Input`] of field `channel` or `conversation` for
    /// what the tier does not have, and for a channel that the conversation is not in.
    pub async fn place(
        &self,
        scope: MemoryScope,
        channel: Option<ChannelRef<'_>>,
        conversation: Option<&str>,
    ) -> Result<Place, AppError> {
        if channel.is_some() {
            check_named("channel", &[MemoryScope::Channel, MemoryScope::Conversation], scope)?;
        }
        if conversation.is_some() {
            check_named("conversation", &[MemoryScope::Conversation], scope)?;
        }
        match (scope, conversation) {
            (MemoryScope::Account, _) => Ok(Place::Account),
            (MemoryScope::Workspace, _) => Ok(Place::Workspace),
            (MemoryScope::Channel, _) => Ok(Place::Channel(self.channel(channel).await?)),
            (MemoryScope::Conversation, None) => {
                let conversation = self.running(self.channel(channel).await?).await?;
                Ok(Place::Conversation(conversation.channel_id, conversation.id))
            }
            (MemoryScope::Conversation, Some(name)) => {
                let conversation = self.named(name).await?;
                if let Some(channel) = channel
                    && self.channel(Some(channel.existing())).await? != conversation.channel_id
                {
                    let message = "the conversation is in another channel".to_owned();
                    return Err(AppError::Input { field: "channel", message });
                }
                Ok(Place::Conversation(conversation.channel_id, conversation.id))
            }
        }
    }

    /// Where an earlier place of an entry is now: a conversation may be in another channel.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if the channel or the conversation is gone.
    pub async fn place_now(&self, earlier: Place) -> Result<Place, AppError> {
        Ok(match earlier {
            Place::Account | Place::Workspace => earlier,
            Place::Channel(id) => Place::Channel(self.session.channels().by_id(id).await?.id),
            Place::Conversation(_, id) => Place::Conversation(self.by_id(id).await?.channel_id, id),
        })
    }

    async fn channel(&self, channel: Option<ChannelRef<'_>>) -> Result<ChannelId, AppError> {
        let channels = self.session.channels();
        Ok(match channel.unwrap_or(ChannelRef::DEFAULT) {
            ChannelRef::Id(id) => channels.by_id(id).await?,
            ChannelRef::Name(name) => channels.named(name).await?,
            ChannelRef::NameOrNew(name) => channels.named_or_new(name, "").await?.0,
        }
        .id)
    }

    /// A conversation by its reference code.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if there is none.
    pub async fn get(&self, code: &str) -> Result<Conversation, AppError> {
        let missing = || AppError::NotFound { what: "conversation", name: code.chars().take(32).collect() };
        let code: RefCode = code.parse().map_err(|_| missing())?;
        self.session.workspace.conversations.conversation_by_ref(code).await?.ok_or_else(missing)
    }

    async fn running(&self, channel: ChannelId) -> Result<Conversation, AppError> {
        match self.session.workspace.conversations.latest_active_conversation(channel).await? {
            Some(conversation) => Ok(conversation),
            None => self.start(self.session.channels().in_use(channel).await?.id, "", None).await,
        }
    }
}
