//! A connected client. Its grants are read again before every operation; a refusal does not reveal what
//! exists.

mod conversation;
mod curation;
mod memory;
mod scrub;
mod telemetry;

use std::sync::Arc;

use inklings_domain::{
    client::{Capability, Client, Sight, Verb},
    conversation::Conversation,
    ids::{ChannelId, ClientId, MemoryId},
    memory::MemoryEntry,
    orientation::shown::{Reader, Seen, Showing, Through},
    provenance::{Actor, ActorKind, Interface},
    scope::{MemoryScope, Place},
};
use serde_json::{Map, Value};

pub use self::{
    curation::{NotedFact, NotedFacts},
    memory::{FoundNote, NewNote, Noted, Within},
    scrub::ScrubAt,
};
use super::Clients;
use crate::error::Denied;
use crate::{
    agent_telemetry::acting::{Acting, Acts, Trace},
    agent_write::access::{AgentAccess, Bounds},
    conversation::lookup::check_named,
    error::AppError,
    session::Session,
    tools::{self, Caller, ListedTool},
};

/// A place as a caller names it.
#[derive(Debug, Clone, Copy)]
pub struct Where<'a> {
    pub tier: MemoryScope,
    /// Name or id of the channel, for the channel tier. `None`: the only one in which the client takes part.
    pub channel: Option<&'a str>,
    /// Reference code or id of the conversation, for the conversation tier. `None`: the only one in which the
    /// client takes part.
    pub conversation: Option<&'a str>,
}

impl Where<'_> {
    /// Refuses a channel or conversation that the tier does not have.
    fn check(self) -> Result<(), AppError> {
        if given(self.channel).is_some() {
            check_named("channel", &[MemoryScope::Channel], self.tier)?;
        }
        if given(self.conversation).is_some() {
            check_named("conversation", &[MemoryScope::Conversation], self.tier)?;
        }
        Ok(())
    }
}

/// A name, unless it is blank: models fill in what they may leave out.
fn given(name: Option<&str>) -> Option<&str> {
    name.map(str::trim).filter(|name| !name.is_empty())
}

/// A connected client in its workspace.
#[derive(Clone)]
pub struct ClientSession {
    /// The account and the workspace that the client is bound to.
    session: Arc<Session>,
    clients: Clients,
    id: ClientId,
    /// True if the results of reads are not passed on to the client.
    watches: bool,
    /// What telemetry records of the call that is under way.
    trace: Arc<Trace>,
}

impl ClientSession {
    /// Creates the session of a client on its workspace.
    pub fn new(session: Arc<Session>, clients: Clients, id: ClientId) -> Self {
        Self { session, clients, id, watches: false, trace: Arc::default() }
    }

    /// A copy of the session for one call of a tool, and the record of that call.
    pub fn acting(&self, name: &str, arguments: &Map<String, Value>) -> (Self, Acting) {
        let acts = Acts { client: Some(self.id), ..Acts::default() };
        let (acting, trace) = self.session.agent_telemetry().begin(tools::recorded(name, arguments), acts);
        (Self { trace, ..self.clone() }, acting)
    }

    /// A copy of the session for change detection. Its reads are not recorded in the ledger, so their results
    /// must not be passed on to the client.
    #[must_use]
    pub fn watching(&self) -> Self {
        Self { watches: true, ..self.clone() }
    }

    /// Records a read in the ledger before returning it. All reads of the client use this.
    async fn shows<T>(&self, found: T, showing: impl FnOnce(&T) -> Showing + Send) -> T
    where
        T: Send,
    {
        if !self.watches {
            let showing = showing(&found);
            self.trace.shows(&showing);
            self.session.orientations().record_read(Reader::Client(self.id), None, showing).await;
        }
        found
    }

    /// Id of the client.
    pub const fn id(&self) -> ClientId {
        self.id
    }

    /// The current record of the client.
    ///
    /// # Errors
    /// [`AppError::Denied`] if it was revoked, or the session is on a workspace other than its own.
    pub async fn admitted(&self) -> Result<Client, AppError> {
        let client = self.clients.admitted(self.id).await?;
        if client.workspace == self.session.workspace.workspace.id {
            self.with_sight(client).await
        } else {
            Err(Denied::Revoked.into())
        }
    }

    /// The client with its lens resolved. If the knower or the chapter is gone, nothing is allowed.
    async fn with_sight(&self, mut client: Client) -> Result<Client, AppError> {
        if let Sight::Bound(lens) = client.grants.sight {
            match self.session.lenses().resolve(lens).await {
                Ok(Some(resolved)) => client.grants.sight = Sight::Through(resolved),
                Ok(None) | Err(AppError::NotFound { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(client)
    }

    /// The tools that the client may use now.
    pub async fn tools(&self) -> Result<Vec<ListedTool>, AppError> {
        let client = if self.watches {
            // Looking for changes is no call of the client.
            let known = self.clients.named(&self.id.to_string()).await?;
            if known.is_admitted() {
                self.with_sight(known).await?
            } else {
                return Err(Denied::Revoked.into());
            }
        } else {
            self.admitted().await?
        };
        Ok(tools::list(Caller::Client(&client.grants)))
    }

    /// The actor recorded for all writes of the client.
    fn actor(&self) -> Result<Actor, AppError> {
        Ok(Actor::new(ActorKind::Agent, Interface::Mcp, Some(self.id.run()))?)
    }

    async fn capable(&self, capability: Capability) -> Result<Client, AppError> {
        let client = self.admitted().await?;
        if client.grants.can(capability) { Ok(client) } else { Err(Denied::Capability(capability).into()) }
    }

    /// The client, if its grants allow the verb anywhere on the tier.
    async fn granted(&self, verb: Verb, tier: MemoryScope) -> Result<Client, AppError> {
        let client = self.admitted().await?;
        if client.grants.may_somewhere(verb, tier) {
            Ok(client)
        } else {
            Err(Denied::of(&client.grants, verb, tier).into())
        }
    }

    /// The place that a caller names, if the client's grants allow the verb there.
    async fn place(&self, verb: Verb, at: Where<'_>) -> Result<(Client, Place), AppError> {
        let client = self.granted(verb, at.tier).await?;
        at.check()?;
        let place = match at.tier {
            MemoryScope::Account => Place::Account,
            MemoryScope::Workspace => Place::Workspace,
            MemoryScope::Channel => Place::Channel(self.channel(&client, at.channel).await?),
            MemoryScope::Conversation => {
                let conversation = self.conversation(&client, at.conversation).await?;
                Place::Conversation(conversation.channel_id, conversation.id)
            }
        };
        if client.grants.may(verb, place) {
            Ok((client, place))
        } else {
            Err(Denied::of(&client.grants, verb, at.tier).into())
        }
    }

    /// A channel in which the client takes part. Without a name, the only one it has.
    async fn channel(&self, client: &Client, name: Option<&str>) -> Result<ChannelId, AppError> {
        let own = &client.grants.channels;
        let Some(name) = given(name) else {
            let mut all = own.iter();
            return match (all.next(), all.next()) {
                (Some(only), None) => Ok(*only),
                _ => Err(AppError::Input {
                    field: "channel",
                    message: "give 'channel': the name of a channel in which this client takes part"
                        .to_owned(),
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

    /// A conversation in which the client takes part. Without a name, the only one it has.
    async fn conversation(&self, client: &Client, name: Option<&str>) -> Result<Conversation, AppError> {
        let Some(name) = given(name) else {
            let mut all = client.grants.conversations.iter();
            return match (all.next(), all.next()) {
                (Some(only), None) => {
                    let conversation = self.session.conversations().by_id(*only).await?;
                    self.trace.acts_in(&conversation);
                    Ok(conversation)
                }
                _ => Err(AppError::Input {
                    field: "conversation",
                    message: "give 'conversation': its reference code".to_owned(),
                }),
            };
        };
        match self.session.conversations().named(name).await {
            Ok(conversation) if client.grants.conversations.contains(&conversation.id) => {
                self.trace.acts_in(&conversation);
                Ok(conversation)
            }
            Ok(_) | Err(AppError::NotFound { .. }) => Err(Denied::Place.into()),
            Err(error) => Err(error),
        }
    }

    /// The access rules for entries that the client names by id.
    fn access<'a>(&'a self, client: &'a Client, actor: Actor) -> AgentAccess<'a> {
        AgentAccess::new(&self.session, Bounds::Granted(&client.grants), actor)
    }

    /// One entry by id.
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
