//! One client at work. Its grants are read anew and asked before anything else is read; a refusal tells nothing of what
//! there is.

mod conversation;
mod curation;
mod memory;
mod scrub;

use std::sync::Arc;

use inklings_domain::{
    client::{Capability, Client, Verb},
    conversation::Conversation,
    ids::{ChannelId, ClientId, MemoryId},
    memory::MemoryEntry,
    orientation::shown::{Reader, Seen, Showing, Through},
    provenance::{Actor, ActorKind, Interface},
    scope::{MemoryScope, Place},
};

pub use self::{
    memory::{NewNote, Noted},
    scrub::ScrubAt,
};
use super::{Clients, Denied};
use crate::{
    error::AppError,
    memory::access::{AgentAccess, Bounds},
    session::Session,
};

/// A room as a caller names it: a channel by name or id, a conversation by reference code or id.
#[derive(Debug, Clone, Copy)]
pub struct Where<'a> {
    /// The tier.
    pub tier: MemoryScope,
    /// The room; none for the account and the workspace.
    pub name: Option<&'a str>,
}

/// A client at work in its workspace.
#[derive(Clone)]
pub struct ClientSession {
    /// The account and the workspace it is bound to.
    session: Arc<Session>,
    clients: Clients,
    id: ClientId,
    /// True if what it reads is not passed on.
    watches: bool,
}

impl ClientSession {
    /// A client in a session on its workspace.
    pub const fn new(session: Arc<Session>, clients: Clients, id: ClientId) -> Self {
        Self { session, clients, id, watches: false }
    }

    /// The same client, for looking whether something changed. What it reads must not be passed on, and leaves no row in
    /// the ledger.
    #[must_use]
    pub fn watching(&self) -> Self {
        Self { watches: true, ..self.clone() }
    }

    /// What a read gives to the client. All reads pass here: the ledger has the row before the client has the answer.
    async fn shows<T>(&self, found: T, showing: impl FnOnce(&T) -> Showing + Send) -> T
    where
        T: Send,
    {
        if !self.watches {
            self.session.keep_read(Reader::Client(self.id), None, showing(&found)).await;
        }
        found
    }

    /// Which client.
    pub const fn id(&self) -> ClientId {
        self.id
    }

    /// The client as it stands now.
    ///
    /// # Errors
    /// [`AppError::Denied`] if it was revoked, or its session is on another workspace than its own.
    pub async fn admitted(&self) -> Result<Client, AppError> {
        let client = self.clients.admitted(self.id).await?;
        if client.workspace == self.session.workspace.workspace.id {
            Ok(client)
        } else {
            Err(Denied::Revoked.into())
        }
    }

    /// In whose name everything it writes is written.
    fn actor(&self) -> Result<Actor, AppError> {
        Ok(Actor::new(ActorKind::Agent, Interface::Mcp, Some(self.id.run()))?)
    }

    async fn capable(&self, capability: Capability) -> Result<Client, AppError> {
        let client = self.admitted().await?;
        if client.grants.can(capability) { Ok(client) } else { Err(Denied::Capability(capability).into()) }
    }

    /// The client, if it may do this somewhere on a tier.
    async fn granted(&self, verb: Verb, tier: MemoryScope) -> Result<Client, AppError> {
        let client = self.admitted().await?;
        if client.grants.may_somewhere(verb, tier) {
            Ok(client)
        } else {
            Err(Denied::of(&client.grants, verb, tier).into())
        }
    }

    /// The place that a caller names, if the client may do this there.
    async fn place(&self, verb: Verb, at: Where<'_>) -> Result<(Client, Place), AppError> {
        let client = self.granted(verb, at.tier).await?;
        let place = match at.tier {
            MemoryScope::Account => Place::Account,
            MemoryScope::Workspace => Place::Workspace,
            MemoryScope::Channel => Place::Channel(self.channel(&client, at.name).await?),
            MemoryScope::Conversation => {
                let conversation = self.conversation(&client, at.name.unwrap_or_default()).await?;
                Place::Conversation(conversation.channel_id, conversation.id)
            }
        };
        if client.grants.may(verb, place) {
            Ok((client, place))
        } else {
            Err(Denied::of(&client.grants, verb, at.tier).into())
        }
    }

    /// A channel in which the client takes part; the only one if none is named.
    async fn channel(&self, client: &Client, name: Option<&str>) -> Result<ChannelId, AppError> {
        let own = &client.grants.channels;
        let Some(name) = name.map(str::trim).filter(|name| !name.is_empty()) else {
            let mut all = own.iter();
            return match (all.next(), all.next()) {
                (Some(only), None) => Ok(*only),
                _ => Err(AppError::Input {
                    field: "scope",
                    message: "name the channel: this client takes part in several".to_owned(),
                }),
            };
        };
        let channels = self.session.workspace.conversations.channel_names().await?;
        let folded = inklings_domain::text::fold(name.trim_start_matches('#'));
        let named = |(id, known): &&(ChannelId, inklings_domain::channel::ChannelName)| {
            id.to_string() == name || inklings_domain::text::fold(known.as_str()) == folded
        };
        let found = channels.iter().find(named).map(|(id, _)| *id);
        found.filter(|id| own.contains(id)).ok_or_else(|| Denied::Place.into())
    }

    /// A conversation in which the client takes part.
    async fn conversation(&self, client: &Client, name: &str) -> Result<Conversation, AppError> {
        if name.trim().is_empty() {
            let message = "name the conversation by its reference code".to_owned();
            return Err(AppError::Input { field: "scope", message });
        }
        match self.session.conversation_named(name.trim()).await {
            Ok(conversation) if client.grants.conversations.contains(&conversation.id) => Ok(conversation),
            Ok(_) | Err(AppError::NotFound { .. }) => Err(Denied::Place.into()),
            Err(error) => Err(error),
        }
    }

    /// What the client may do to entries that it names by id.
    fn access<'a>(&'a self, client: &'a Client, actor: Actor) -> AgentAccess<'a> {
        AgentAccess::new(&self.session, Bounds::Granted(&client.grants), actor)
    }

    /// One entry.
    ///
    /// # Errors
    /// [`AppError::NoMemory`] if there is none that the client may read.
    pub async fn entry(&self, id: MemoryId) -> Result<MemoryEntry, AppError> {
        let client = self.admitted().await?;
        let entry = self.access(&client, self.actor()?).entry(Verb::Read, id).await?.entry;
        Ok(self
            .shows(entry, |entry| Showing::of(Through::Entry, vec![Seen::entry(entry)]).at(entry.place))
            .await)
    }
}
