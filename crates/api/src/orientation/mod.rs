//! Use cases of orientations and their ledger.

pub mod convert;
pub mod view;
mod why;

use std::{collections::HashMap, sync::Arc};

use inklings_application::{orientation::OrientRequest as Request, session::Session};
use inklings_domain::{
    conversation::Conversation,
    ids::{AgentPatternId, ChannelId, ConversationId, EpisodeId, FactId, MemoryId, MessageId, PageId},
    lens::ResolvedLens,
    orientation::{
        ItemId, one_line,
        shown::{Reader, Seen, SeenKind, ShownRead},
    },
    search::conversation_query::ConversationQuery,
};
use inklings_ports::{
    orientation::{LedgerCursor, ReadCursor, ReadFilter},
    vault::filter::PageFilter,
};

use crate::{
    commands::OrientationCommands,
    error::CommandError,
    orientation::view::{
        OrientRequest, OrientationPage, OrientationSettings, OrientationView, ReadItem, ReadPage, ReadView,
    },
    wire::{count, cursor, time},
};

/// Label of a message without text.
const NO_TEXT: &str = "…";
/// Maximum characters of an item's label.
const LABEL_CHARS: usize = 200;
/// Maximum number of facts and episodes loaded for labels.
const MOST: usize = 500;

impl OrientationCommands<'_> {
    /// Previews an orientation. Not recorded in the ledger.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found` for an unknown channel or conversation.
    pub async fn orient(&self, request: OrientRequest) -> Result<OrientationView, CommandError> {
        let session = self.app.session()?;
        let asked = Asked::read(&session, request).await?;
        let request = Request { context_tokens: self.context_tokens().await, ..asked.request() };
        let oriented = session.orientations().orient(request).await?;
        let items = oriented.orientation.items.iter().map(|item| item.id);
        let labels = labels(&session, items, asked.conversation.as_ref()).await?;
        let view = convert::orientation(&oriented.orientation, &|id| label(&labels, id));
        Ok(OrientationView { markdown: Some(oriented.markdown), ..view })
    }

    /// Context window of the language model; `None` without one.
    async fn context_tokens(&self) -> Option<u32> {
        self.app.chat.model().await.ok().flatten().map(|model| model.endpoint().context_tokens)
    }

    /// A page of a conversation's ledger, newest first.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`, or `invalid` for an invalid cursor.
    pub async fn list_orientations(
        &self,
        conversation: &str,
        after: Option<&str>,
        limit: u32,
    ) -> Result<OrientationPage, CommandError> {
        let session = self.app.session()?;
        let conversation = session.conversations().named(conversation).await?;
        let after = cursor::after(after)?.map(|(at, id)| LedgerCursor { at, id });
        let (rows, next) = session.orientations().list(conversation.id, after, limit as usize).await?;
        Ok(OrientationPage {
            rows: rows.iter().map(convert::orientation_summary).collect(),
            next: next.map(|next| cursor::text(&(next.at, next.id))),
        })
    }

    /// One orientation of the ledger.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`.
    pub async fn get_orientation(&self, id: &str) -> Result<OrientationView, CommandError> {
        let session = self.app.session()?;
        let orientation = session.orientations().get(crate::wire::id("id", id)?).await?;
        let conversation = match orientation.conversation {
            Some(id) => session.conversations().by_id(id).await.ok(),
            None => None,
        };
        let items = orientation.items.iter().map(|item| item.id);
        let labels = labels(&session, items, conversation.as_ref()).await?;
        let view = convert::orientation(&orientation, &|id| label(&labels, id));
        Ok(OrientationView { id: Some(orientation.id.to_string()), ..view })
    }

    /// A page of the recorded reads by tools and clients, newest first: of a conversation, of a client, or of
    /// the workspace in use.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`, or `invalid` for an invalid cursor.
    pub async fn list_reads(
        &self,
        conversation: Option<&str>,
        client: Option<&str>,
        after: Option<&str>,
        limit: u32,
    ) -> Result<ReadPage, CommandError> {
        let client = match client {
            Some(client) => Some(self.app.clients.named(client).await?),
            None => None,
        };
        let session = match &client {
            Some(client) => self.app.client().session_on(client.workspace).await?,
            None => self.app.session()?,
        };
        let conversation = match conversation {
            Some(name) => Some(session.conversations().named(name).await?),
            None => None,
        };
        let filter = ReadFilter {
            conversation: conversation.as_ref().map(|conversation| conversation.id),
            client: client.map(|client| client.id),
        };
        let after = cursor::after(after)?.map(|(at, id)| ReadCursor { at, id });
        let (rows, next) = session.orientations().shown_reads(filter, after, limit as usize).await?;
        let names: HashMap<_, _> =
            self.app.clients.list().await?.into_iter().map(|client| (client.id, client.name)).collect();
        let mut views = Vec::new();
        for row in &rows {
            let client = match row.reader {
                Reader::Agent => None,
                Reader::Client(id) => Some(names.get(&id).cloned().unwrap_or_else(|| id.to_string())),
            };
            views.push(read_view(&session, row, client).await?);
        }
        Ok(ReadPage { rows: views, next: next.map(|next| cursor::text(&(next.at, next.id))) })
    }

    /// The orientation settings.
    pub async fn orientation_settings(&self) -> Result<OrientationSettings, CommandError> {
        Ok(convert::orientation_settings(&self.app.session()?.orientations().settings().await?))
    }

    /// Replaces all orientation settings.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` naming the field.
    pub async fn set_orientation_settings(
        &self,
        settings: OrientationSettings,
    ) -> Result<OrientationSettings, CommandError> {
        let session = self.app.session()?;
        session.orientations().set_settings(convert::read_orientation_settings(&settings)).await?;
        self.orientation_settings().await
    }
}

/// A request whose names are looked up.
struct Asked {
    conversation: Option<Conversation>,
    channel: Option<ChannelId>,
    query: ConversationQuery,
    budget: Option<u32>,
    lens: Option<Arc<ResolvedLens>>,
    without_lens: bool,
}

impl Asked {
    async fn read(session: &Session, request: OrientRequest) -> Result<Self, CommandError> {
        let conversation = match request.conversation.as_deref() {
            Some(name) => Some(session.conversations().named(name).await?),
            None => None,
        };
        let channel = match request.channel_id.as_deref() {
            Some(id) => Some(session.channels().by_id(crate::wire::id("channelId", id)?).await?.id),
            None => None,
        };
        let lens = crate::lens::resolved(session, request.lens.as_ref()).await?;
        let is_given = !request.query.trim().is_empty();
        let query = if is_given { ConversationQuery::Next(request.query) } else { ConversationQuery::Newest };
        Ok(Self {
            conversation,
            channel,
            query,
            budget: request.budget,
            without_lens: request.lens.is_some() && lens.is_none(),
            lens,
        })
    }

    fn request(&self) -> Request<'_> {
        Request {
            conversation: self.conversation.as_ref(),
            channel: self.channel,
            query: self.query.clone(),
            budget: self.budget.map(u64::from),
            lens: self.lens.clone(),
            without_lens: self.without_lens,
            ..Request::default()
        }
    }
}

/// Maximum items of a read that are listed with labels; the others are only counted.
const LISTED: usize = 20;

async fn read_view(
    session: &Session,
    read: &ShownRead,
    client: Option<String>,
) -> Result<ReadView, CommandError> {
    let showing = &read.showing;
    let listed = &showing.items[..showing.items.len().min(LISTED)];
    let conversation = match showing.conversation {
        Some(id) => session.conversations().by_id(id).await.ok(),
        None => None,
    };
    let known = labels(session, listed.iter().filter_map(item_of), conversation.as_ref()).await?;
    let mut items = Vec::with_capacity(listed.len());
    for seen in listed {
        let label = match seen.kind {
            SeenKind::Conversation => {
                let found = session.conversations().by_id(ConversationId::from_uuid(seen.id)).await;
                found.map(|found| one_line(&found.title, LABEL_CHARS).0).unwrap_or_default()
            }
            _ => known.get(&seen.id.to_string()).cloned().unwrap_or_default(),
        };
        let kind = seen.kind.into();
        items.push(ReadItem { kind, id: seen.id.to_string(), version: count(seen.version), label });
    }
    Ok(ReadView {
        id: read.id.to_string(),
        at: time(read.at),
        client,
        through: showing.through.into(),
        conversation_id: showing.conversation.map(|id| id.to_string()),
        message_id: read.message.map(|id| id.to_string()),
        count: count(showing.count),
        items,
    })
}

fn item_of(seen: &Seen) -> Option<ItemId> {
    ItemId::read(seen.kind.as_str(), &seen.id.to_string())
}

/// The start of each item's current text, by id.
pub(crate) type Labels = HashMap<String, String>;

pub(crate) fn label(labels: &Labels, id: &ItemId) -> String {
    labels.get(&id.id()).cloned().unwrap_or_default()
}

pub(crate) async fn labels(
    session: &Session,
    items: impl Iterator<Item = ItemId>,
    conversation: Option<&Conversation>,
) -> Result<Labels, CommandError> {
    let (mut memories, mut messages): (Vec<MemoryId>, Vec<MessageId>) = (Vec::new(), Vec::new());
    let (mut facts, mut episodes): (Vec<FactId>, Vec<EpisodeId>) = (Vec::new(), Vec::new());
    let (mut patterns, mut pages): (Vec<AgentPatternId>, Vec<PageId>) = (Vec::new(), Vec::new());
    for item in items {
        match item {
            ItemId::Memory(id) => memories.push(id),
            ItemId::Message(id) => messages.push(id),
            ItemId::Fact(id) => facts.push(id),
            ItemId::Episode(id) => episodes.push(id),
            ItemId::Pattern(id) => patterns.push(id),
            ItemId::Page(id) => pages.push(id),
        }
    }
    let mut labels = Labels::new();
    let mut add = |id: String, text: &str| labels.insert(id, one_line(text, LABEL_CHARS).0);
    for stored in session.entries(&memories).await? {
        let entry = stored.entry;
        match entry.heading() {
            Some(name) => add(entry.id.to_string(), &format!("{name}: {}", entry.content)),
            None => add(entry.id.to_string(), &entry.content),
        };
    }
    for message in session.workspace.transcript.messages(&messages).await? {
        // A message may have no text, e.g. one that only calls tools. An empty label would say that it is gone.
        let text = Some(&*message.body.content).filter(|text| !text.trim().is_empty());
        add(message.id().to_string(), text.unwrap_or(NO_TEXT));
    }
    for known in session.workspace.facts.facts_by_ids(&facts).await? {
        let fact = known.fact;
        if fact.removed_at.is_none() {
            let text = format!("{} / {}: {}", fact.key.category(), fact.key.key(), fact.value);
            add(fact.id.to_string(), &text);
        }
    }
    if !patterns.is_empty() {
        let known = session.agent_telemetry().patterns().await?;
        for pattern in known.iter().filter(|pattern| patterns.contains(&pattern.id)) {
            add(pattern.id.to_string(), &pattern.line());
        }
    }
    for page in session.vaults().rows(&PageFilter::through(None), &pages).await? {
        add(page.id.to_string(), &page.title);
    }
    let mut current: Option<(ConversationId, Option<ConversationId>)> =
        conversation.filter(|_| !episodes.is_empty()).map(|c| (c.id, c.continues));
    let mut left = MOST;
    while let Some((id, before)) = current.filter(|_| left > 0) {
        for episode in session.episodes().list(id).await? {
            add(episode.id.to_string(), &episode.summary);
        }
        left -= 1;
        current = match before {
            Some(id) => session.conversations().by_id(id).await.ok().map(|c| (c.id, c.continues)),
            None => None,
        };
    }
    Ok(labels)
}
