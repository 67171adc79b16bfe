//! Orient: selects the World Agent's context before it answers, and records the selection in the ledger.
//! Deterministic and without a model; the optional refinement by a model can only drop selected items.

mod gather;
mod messages;
mod pages;
mod query;
mod refine;
mod settings;
mod shown;
mod sources;
pub mod why;
mod withheld;

use std::{collections::BTreeSet, sync::Arc};

use chrono::Duration;
use inklings_domain::{
    client::{Grants, Verb},
    conversation::Conversation,
    ids::{ChannelId, ClientId, ConversationId, MemoryId, MessageId, OrientationId},
    lens::{Lens, ResolvedLens},
    memory::{
        MemoryEntry,
        embedding::Embedding,
        filter::{ScopeFilter, Selection},
    },
    orientation::{self, Assembled, Budget, ItemId, Layer, LedgerItem, Orientation},
    scope::{MemoryScope, Place},
    search::conversation_query::ConversationQuery,
    text::MAX_CONTENT_BYTES,
};
use inklings_ports::{memory::store::Access, model::chat::ChatModel, orientation::LedgerCursor};

pub use self::{
    gather::{Archive, Shown},
    settings::OrientationSettings,
};
use crate::{deadline, error::AppError, memory::browse::MAX_PAGE, search::TimeWords, services::Orientations};

/// Context window in tokens if the model's is unknown.
pub const CONTEXT_TOKENS: u32 = 8_192;
/// Days after which the ledger retains only the items that were taken.
const THIN_AFTER_DAYS: i64 = 14;
/// Days after which the ledger drops an orientation.
const DROP_AFTER_DAYS: i64 = 180;

/// Input of an orientation.
#[derive(Debug, Clone, Default)]
pub struct OrientRequest<'a> {
    /// The conversation of the turn.
    pub conversation: Option<&'a Conversation>,
    /// The channel in scope; the conversation's own if there is one.
    pub channel: Option<ChannelId>,
    /// What is searched for. Without a conversation there is no newest message, and nothing is.
    pub query: ConversationQuery,
    /// What days "yesterday" and its like mean in the query.
    pub time_words: TimeWords,
    /// Token budget of the document; overrides the setting.
    pub budget: Option<u64>,
    /// What the model reads in a request, in tokens.
    pub context_tokens: Option<u32>,
    /// The query's embedding, if the caller already has it; otherwise the current model computes it.
    pub embedding: Option<Embedding>,
    /// The reader's grants, if it is a client; nothing else is read.
    pub within: Option<&'a Grants>,
    /// Whose knowledge is read, and up to when the story has happened.
    pub lens: Option<Arc<ResolvedLens>>,
    /// True to show everything, also in a conversation that has a lens. A client's own lens holds all the same.
    pub without_lens: bool,
}

impl OrientRequest<'_> {
    fn reads(&self, place: Place) -> bool {
        self.within.is_none_or(|grants| grants.may(Verb::Read, place)) && self.of(place).holds(place)
    }

    /// The filter of one place.
    fn of(&self, place: Place) -> ScopeFilter {
        ScopeFilter { pages: self.may_read_pages(), ..ScopeFilter::of(place) }.through(self.lens.clone())
    }

    fn may_read_pages(&self) -> bool {
        self.within.is_none_or(Grants::may_read_pages)
    }

    /// True if the reader may read an entry.
    fn admits(&self, entry: &MemoryEntry) -> bool {
        self.within.is_none_or(|grants| grants.may_read(entry)) && self.of(entry.place).admits(entry)
    }

    /// The conversation, if what was said in it counts.
    fn counted_conversation(&self) -> Option<&Conversation> {
        let counts = |lens: &ResolvedLens, id| lens.holds_conversation(id);
        self.conversation.filter(|own| self.lens.as_ref().is_none_or(|lens| counts(lens, own.id)))
    }

    /// What the request may see of the workspace's database.
    fn scope_filter(&self) -> ScopeFilter {
        let only = |scope| self.place_of(scope);
        ScopeFilter {
            account: false,
            workspace: only(MemoryScope::Workspace).is_some(),
            channels: only(MemoryScope::Channel)
                .and_then(Place::channel)
                .map_or(Selection::None, |channel| Selection::Only(vec![channel])),
            conversations: only(MemoryScope::Conversation)
                .and_then(Place::conversation)
                .map_or(Selection::None, |conversation| Selection::Only(vec![conversation])),
            conversations_in: None,
            pages: self.may_read_pages(),
            lens: self.lens.clone(),
        }
    }

    /// The channel in scope.
    fn channel(&self) -> Option<ChannelId> {
        self.conversation.map(|conversation| conversation.channel_id).or(self.channel)
    }

    /// The place whose memories the layer of a tier holds. `None` if there is none in scope, or the reader may not read
    /// it.
    fn place_of(&self, scope: MemoryScope) -> Option<Place> {
        let place = match scope {
            MemoryScope::Account => Some(Place::Account),
            MemoryScope::Workspace => Some(Place::Workspace),
            MemoryScope::Channel => self.channel().map(Place::Channel),
            MemoryScope::Conversation => self
                .conversation
                .map(|conversation| Place::Conversation(conversation.channel_id, conversation.id)),
        };
        place.filter(|place| self.reads(*place))
    }
}

/// An orientation document with its ledger record.
#[derive(Debug, Clone)]
pub struct Oriented {
    /// The ledger record. Not stored yet.
    pub orientation: Orientation,
    /// The document in its parts.
    pub document: Assembled,
    /// The document as the model reads it.
    pub markdown: String,
    /// All candidates in full.
    pub shown: Shown,
}

impl Oriented {
    /// The memories that were taken, with their tiers.
    pub fn memories(&self) -> impl Iterator<Item = (MemoryId, MemoryScope)> {
        self.document.items.iter().filter(|item| item.left_out.is_none()).filter_map(|item| {
            let ItemId::Memory(id) = item.id else { return None };
            let scope = match item.layer {
                Layer::Conversation => MemoryScope::Conversation,
                Layer::Channel => MemoryScope::Channel,
                // A relation may be of another tier of the workspace; its database is the same.
                Layer::Subjects | Layer::Workspace => MemoryScope::Workspace,
                Layer::Account => MemoryScope::Account,
                _ => return None,
            };
            Some((id, scope))
        })
    }

    /// True if an item was taken.
    pub fn took(&self, id: ItemId) -> bool {
        self.document.items.iter().any(|item| item.id == id && item.left_out.is_none())
    }

    /// The texts that were shown, for the guard against storing them again.
    pub fn texts(&self) -> Vec<String> {
        let sections = self.document.sections.iter();
        sections.flat_map(|section| &section.items).map(|(candidate, _)| candidate.text.clone()).collect()
    }

    /// Removes the items that the refinement dropped.
    fn refine(&mut self, unwanted: &BTreeSet<ItemId>) {
        self.document = orientation::dropped(self.document.clone(), unwanted);
        self.markdown = orientation::written(&self.document);
        self.orientation.items = ledger_items(&self.document);
        self.orientation.layers = self.document.layers;
        self.orientation.tokens = self.document.tokens;
    }
}

impl Orientations<'_> {
    /// Builds the orientation document. A layer that cannot be read is logged, marked in the ledger and left
    /// out, so that it never delays the turn.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if there is no such conversation.
    pub async fn orient(&self, request: OrientRequest<'_>) -> Result<Oriented, AppError> {
        let settings = self.settings_or_standard().await;
        self.orient_by(&settings, request).await
    }

    async fn settings_or_standard(&self) -> OrientationSettings {
        let settings = self.settings();
        deadline::within(&*self.session.clock, deadline::LAYER, settings).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "the settings of orientation cannot be read; the standard ones hold");
            OrientationSettings::default()
        })
    }

    /// Tokens that named entries may take in the document of a model with the default context window.
    pub async fn tokens_of_named(&self) -> u64 {
        let settings = self.settings_or_standard().await;
        let tokens = settings.tokens(CONTEXT_TOKENS);
        Budget { tokens, named: settings.named, shares: settings.shares }.of_named()
    }

    /// The request with the lens that holds for it: that of the client, else the one that was asked for, else that of the
    /// conversation.
    pub(super) async fn through_lens<'a>(
        &self,
        request: OrientRequest<'a>,
    ) -> Result<OrientRequest<'a>, AppError> {
        let is_chosen = request.lens.is_some() || request.without_lens;
        let conversation = request.conversation.filter(|_| !is_chosen);
        let own = self.session.lenses().of_reader(request.within, conversation).await?;
        let lens = own.or_else(|| request.lens.clone());
        Ok(OrientRequest { lens, ..request })
    }

    async fn orient_by(
        &self,
        settings: &OrientationSettings,
        request: OrientRequest<'_>,
    ) -> Result<Oriented, AppError> {
        let request = self.through_lens(request).await?;
        let context = request.context_tokens.unwrap_or(CONTEXT_TOKENS);
        let tokens = request.budget.unwrap_or_else(|| settings.tokens(context));
        // What a model reads is not the document alone.
        let tokens = request.context_tokens.map_or(tokens, |context| tokens.min(u64::from(context) / 2));
        let gathered = Box::pin(self.candidates(&request)).await?;
        let budget = Budget { tokens, named: settings.named, shares: settings.shares };
        let mut document = orientation::assemble(gathered.candidates, &gathered.failed, &budget);
        document.items.extend(gathered.withheld);
        let orientation = Orientation {
            id: self.session.ids.orientation_id(),
            conversation: request.conversation.map(|conversation| conversation.id),
            message: None,
            channel: request.channel(),
            query: bounded(gathered.query),
            at: self.session.clock.now(),
            budget: tokens,
            tokens: document.tokens,
            layers: document.layers,
            items: ledger_items(&document),
            thinned: false,
            lens: request.lens.as_ref().map_or(Lens::NONE, |lens| lens.lens),
        };
        let markdown = orientation::written(&document);
        Ok(Oriented { orientation, document, markdown, shown: gathered.shown })
    }

    /// As [`Self::orient`], then lets the model drop irrelevant items, if the worldbuilder has enabled that.
    /// A missing or failing model or an invalid answer changes nothing.
    pub async fn orient_for_turn(
        &self,
        request: OrientRequest<'_>,
        model: &dyn ChatModel,
    ) -> Result<Oriented, AppError> {
        let settings = self.settings_or_standard().await;
        let mut oriented = self.orient_by(&settings, request).await?;
        if settings.refine
            && let Some(unwanted) = refine::unwanted(&oriented, model, &*self.session.clock).await
        {
            oriented.refine(&unwanted);
        }
        Ok(oriented)
    }

    /// Stores an orientation in the ledger, with the answer that it was made for. Never fails, because a
    /// missing ledger row must not fail the turn.
    pub async fn record(&self, oriented: &Oriented, answer: Option<MessageId>) {
        let orientation = Orientation { message: answer, ..oriented.orientation.clone() };
        if let Err(error) = self.session.workspace.ledger.put(&orientation).await {
            tracing::warn!(%error, "what the agent was shown was not kept");
        }
    }

    /// A page of a conversation's ledger, newest first.
    pub async fn list(
        &self,
        conversation: ConversationId,
        after: Option<LedgerCursor>,
        limit: usize,
    ) -> Result<(Vec<Orientation>, Option<LedgerCursor>), AppError> {
        let limit = limit.clamp(1, MAX_PAGE);
        let mut rows = self.session.workspace.ledger.list(conversation, after, limit + 1).await?;
        let more = rows.len() > limit;
        rows.truncate(limit);
        let next = rows.last().filter(|_| more).map(|last| LedgerCursor { at: last.at, id: last.id });
        Ok((rows, next))
    }

    /// One orientation of the ledger.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if it was dropped or never existed.
    pub async fn get(&self, id: OrientationId) -> Result<Orientation, AppError> {
        let found = self.session.workspace.ledger.get(id).await?;
        found.ok_or_else(|| AppError::NotFound { what: "orientation", name: id.to_string() })
    }

    /// Thins the ledger: after two weeks only taken items are retained; after half a year everything is
    /// dropped.
    pub async fn thin_ledger(&self) -> Result<usize, AppError> {
        let now = self.session.clock.now();
        let (thin, gone) = (Duration::days(THIN_AFTER_DAYS), Duration::days(DROP_AFTER_DAYS));
        Ok(self.session.workspace.ledger.thin(now - thin, now - gone).await?)
    }

    /// Counts a use of entries that were shown to the agent, unless memory is switched off. Never fails,
    /// because a missing count must not fail the turn.
    pub async fn note_uses(&self, used: impl IntoIterator<Item = (MemoryId, MemoryScope)>) {
        self.note_uses_by(None, used).await;
    }

    /// As above, for entries shown to a client. A client's reads of its own words are not counted.
    pub(crate) async fn note_uses_by(
        &self,
        by: Option<ClientId>,
        used: impl IntoIterator<Item = (MemoryId, MemoryScope)>,
    ) {
        if !self.session.switch().enabled().await.unwrap_or(false) {
            return;
        }
        let at = self.session.clock.now();
        let (account, workspace): (Vec<_>, Vec<_>) =
            used.into_iter().partition(|(_, scope)| *scope == MemoryScope::Account);
        for (ports, used) in
            [(&self.session.account.memory, account), (&self.session.workspace.memory, workspace)]
        {
            let accesses: Vec<Access> =
                used.into_iter().map(|(id, _)| Access { id, times: 1, at, by }).collect();
            if !accesses.is_empty()
                && let Err(error) = ports.store.record_access(&accesses).await
            {
                tracing::debug!(%error, "a use was not noted");
            }
        }
    }
}

/// Items as stored in the ledger. Without notes, which are derived again when the ledger is displayed.
fn ledger_items(document: &Assembled) -> Vec<LedgerItem> {
    let mut items = document.items.clone();
    for item in &mut items {
        item.framing.note = None;
    }
    items
}

/// The query, cut to the size limit of the ledger.
fn bounded(query: String) -> String {
    if query.len() <= MAX_CONTENT_BYTES {
        return query;
    }
    let end = query.floor_char_boundary(MAX_CONTENT_BYTES);
    query[..end].to_owned()
}
