//! What an agent may remember. The worldbuilder writes what it likes; an agent's observations pass these
//! guards first: nothing that can be read elsewhere anyway (seed 001, "no derivable storage"), nothing that was recalled
//! into the very turn, and nothing about one world in the account that all worlds share.

use inklings_domain::{
    client::{Grants, Verb},
    conversation::Conversation,
    ids::MemoryId,
    memory::{
        MemoryDraft,
        account_guard::{About, about},
        filter::{MemoryFilter, ScopeFilter},
        guard::{mentions_name, proper_names, says_the_same, states_fact},
        similarity::near_identical,
    },
    proposal::{NewEntry, ProposalDraft, ProposalKind},
    provenance::{Actor, ActorKind},
    scope::Place,
    search::query,
    text::fold,
};

use crate::{
    conversation::search_store::TranscriptFilter,
    error::AppError,
    memory::{derivable::Derivable, write::Written},
    proposal::Proposed,
    search::Search,
    session::Session,
};

/// Memories and messages that are compared with a new one.
const COMPARED: usize = 8;
/// Facts that are compared with it.
const FACTS: usize = 500;
/// Words of an account-tier text that are looked up.
const MOST_WORDS: usize = 60;
/// Why a text for the account is proposed instead of written.
pub(crate) const DOUBTFUL: &str = "this may be about a world, or about how you work";

/// Why an agent may not remember something. Worded for the agent; never carries memory text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GuardRefusal {
    /// A memory says it already.
    #[error("this is noted already, in the memory {0}; update that one if it should say more")]
    Noted(MemoryId),
    /// A fact says it already.
    #[error("this is on record as a fact already")]
    Fact,
    /// It stands in what was said, word for word.
    #[error("this stands in the conversation, word for word; remember what follows from it, or nothing")]
    Said,
    /// The world's own content says it.
    #[error("this can be read in the world's own content at any time")]
    Content,
    /// It was recalled into this turn.
    #[error("this was recalled into this very turn; it needs no second note")]
    Echo,
    /// The account tier holds preferences and ways of working, not worlds.
    #[error(
        "this names something of this world; the account tier holds only preferences and ways of working"
    )]
    World,
    /// The account tier holds no world that is told without a known name either.
    #[error("this tells of a world; the account tier holds only preferences and ways of working")]
    OfWorld,
    /// It may be about a world as well as about the worldbuilder.
    #[error(
        "this may be about a world; the account tier holds only what the worldbuilder prefers and how they work: say \
         that plainly, about the worldbuilder, or note it in the workspace"
    )]
    Unclear,
    /// The worldbuilder had it destroyed.
    #[error("the worldbuilder removed this from memory for good; it is not to be remembered again")]
    Scrubbed,
}

/// What came of remembering.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remembered {
    /// It is written.
    Written(Written),
    /// Only the worldbuilder can tell whether the account may hold it.
    Proposed(Proposed),
}

impl Remembered {
    /// The write, if there was one.
    pub fn written(self) -> Option<Written> {
        match self {
            Self::Written(written) => Some(written),
            Self::Proposed(_) => None,
        }
    }
}

/// What an agent observed.
#[derive(Debug, Clone)]
pub struct Observed<'a> {
    /// What it would remember.
    pub draft: MemoryDraft,
    /// The conversation that it takes part in.
    pub conversation: Option<&'a Conversation>,
    /// The texts that it was shown in this turn.
    pub shown: &'a [String],
    /// What the writer may read, if that is bounded: it is compared with nothing else, so that no refusal tells of it.
    pub within: Option<&'a Grants>,
}

/// A text that an agent would put into memory.
struct NewText<'a> {
    text: &'a str,
    /// Where it would stand.
    place: Place,
    /// The entries that it would stand in the place of; it may say what they say.
    instead_of: &'a [MemoryId],
    /// What the writer may read, if that is bounded.
    within: Option<&'a Grants>,
}

impl Session {
    /// Remembers what an agent observed, if the guards let it pass. A text for the account of which only the worldbuilder can
    /// tell whether it is about them is proposed instead.
    ///
    /// # Errors
    /// [`AppError::Guard`] with the reason; [`AppError::Memory`] if the draft breaks a rule.
    pub async fn remember(&self, observed: Observed<'_>, actor: Actor) -> Result<Remembered, AppError> {
        let Observed { draft, conversation, shown, within } = observed;
        if matches!(actor.kind(), ActorKind::Agent | ActorKind::System) {
            self.may_capture(actor.kind()).await?;
            self.may_learn(&draft.content, actor.kind()).await?;
            let new = NewText { text: &draft.content, place: draft.place, instead_of: &[], within };
            self.is_not_in_view(&draft.content, conversation, shown, within).await?;
            self.says_something_new(new).await?;
        }
        self.insert_or_propose(draft, actor).await
    }

    /// Remembers what a person notes, also in an agent's name: only what was scrubbed is refused to an agent. A text of an agent
    /// for the account that is doubtful is proposed, as in [`Self::remember`].
    ///
    /// # Errors
    /// As [`Self::create_memory`].
    pub async fn note_memory(&self, draft: MemoryDraft, actor: Actor) -> Result<Remembered, AppError> {
        self.may_learn(&draft.content, actor.kind()).await?;
        self.insert_or_propose(draft, actor).await
    }

    async fn insert_or_propose(&self, draft: MemoryDraft, actor: Actor) -> Result<Remembered, AppError> {
        if self.is_doubtful(&draft, actor).await? {
            return Ok(Remembered::Proposed(self.propose_new(draft, DOUBTFUL, actor).await?));
        }
        Ok(Remembered::Written(self.insert_memory(draft, actor).await?))
    }

    /// True for a text for the account of which only the worldbuilder can tell whether it is about them, if they did not write
    /// it. Refuses one that tells of a world.
    pub(crate) async fn is_doubtful(&self, draft: &MemoryDraft, actor: Actor) -> Result<bool, AppError> {
        let guarded = draft.place == Place::Account && !actor.kind().may_write_protected();
        Ok(guarded && self.may_tell_of_a_world(&draft.content).await?)
    }

    /// Proposes a new entry.
    async fn propose_new(
        &self,
        draft: MemoryDraft,
        reason: &str,
        actor: Actor,
    ) -> Result<Proposed, AppError> {
        let conversation = draft.origin.as_ref().and_then(|origin| origin.conversation);
        let (makes, content) = NewEntry::of(self.ids.memory_id(), draft)?;
        let draft = ProposalDraft {
            kind: ProposalKind::New,
            reason: reason.to_owned(),
            subjects: Vec::new(),
            content: Some(content),
            makes: Some(makes),
            conversation,
        };
        Ok(Proposed::of(self.propose(draft, actor).await?))
    }

    /// The rules for a text that an agent would write over an entry. An agent that is a client is compared with what it may
    /// read. Tasks write only what memories said.
    pub(crate) async fn may_rewrite(
        &self,
        text: &str,
        place: Place,
        instead_of: &[MemoryId],
        actor: Actor,
    ) -> Result<(), AppError> {
        if self.may_propose(text, place, instead_of, actor).await? {
            return Err(GuardRefusal::Unclear.into());
        }
        Ok(())
    }

    /// The same for a text that is proposed: the worldbuilder decides on what is doubtful. True if it is.
    pub(crate) async fn may_propose(
        &self,
        text: &str,
        place: Place,
        instead_of: &[MemoryId],
        actor: Actor,
    ) -> Result<bool, AppError> {
        self.may_capture(actor.kind()).await?;
        self.may_learn(text, actor.kind()).await?;
        if actor.kind() == ActorKind::Agent {
            let client = match actor.client() {
                Some(id) => self.account.clients.client(id).await?,
                None => None,
            };
            let within = client.as_ref().map(|client| &client.grants);
            self.says_something_new(NewText { text, place, instead_of, within }).await?;
            if place == Place::Account {
                return self.may_tell_of_a_world(text).await;
            }
        }
        Ok(false)
    }

    /// Refuses what the agent has before it in this very turn, or in its conversation.
    pub(crate) async fn is_not_in_view(
        &self,
        text: &str,
        conversation: Option<&Conversation>,
        shown: &[String],
        within: Option<&Grants>,
    ) -> Result<(), AppError> {
        if shown.iter().any(|known| says_the_same(text, known)) {
            return Err(GuardRefusal::Echo.into());
        }
        let reads = |place| within.is_none_or(|grants| grants.may(Verb::Read, place));
        if let Some(conversation) = conversation
            && reads(Place::Conversation(conversation.channel_id, conversation.id))
            && self.said_already(text, conversation).await?
        {
            return Err(GuardRefusal::Said.into());
        }
        Ok(())
    }

    /// Refuses what can be read elsewhere anyway.
    async fn says_something_new(&self, new: NewText<'_>) -> Result<(), AppError> {
        let NewText { text, place, instead_of, within } = new;
        let reads = |place| within.is_none_or(|grants| grants.may(Verb::Read, place));
        let scope_filter =
            within.map_or_else(|| ScopeFilter::seen_from(place), |grants| grants.scope_filter_from(place));
        if let Some(id) = self.noted_within(text, scope_filter, instead_of).await? {
            return Err(GuardRefusal::Noted(id).into());
        }
        if reads(Place::Workspace) {
            self.states_no_fact(text).await?;
        }
        for source in self.derivable.iter().filter(|_| reads(Place::Workspace)) {
            if let Some(Derivable) = source.derivable(text).await? {
                return Err(GuardRefusal::Content.into());
            }
        }
        Ok(())
    }

    async fn states_no_fact(&self, text: &str) -> Result<(), AppError> {
        for known in self.facts(None, None, FACTS).await?.rows {
            let fact = &known.fact;
            if fact.removed_at.is_none()
                && states_fact(text, fact.key.category(), fact.key.key(), &fact.value)
            {
                return Err(GuardRefusal::Fact.into());
            }
        }
        Ok(())
    }

    /// The memory within scope of a place that says the same already.
    pub(crate) async fn noted_already(&self, text: &str, place: Place) -> Result<Option<MemoryId>, AppError> {
        self.noted_within(text, ScopeFilter::seen_from(place), &[]).await
    }

    async fn noted_within(
        &self,
        text: &str,
        scope_filter: ScopeFilter,
        but: &[MemoryId],
    ) -> Result<Option<MemoryId>, AppError> {
        let search = Search {
            query: plain(text),
            filter: MemoryFilter::active(scope_filter),
            limit: COMPARED + but.len(),
            strategy: None,
            vector: None,
            first: None,
            marked: false,
        };
        let found = self.search_memories(search).await?;
        let same = found.hits.into_iter().find(|hit| {
            !but.contains(&hit.stored.entry.id) && says_the_same(text, &hit.stored.entry.content)
        });
        Ok(same.map(|hit| hit.stored.entry.id))
    }

    async fn said_already(&self, text: &str, conversation: &Conversation) -> Result<bool, AppError> {
        let scope_filter =
            TranscriptFilter { conversation: Some(conversation.id), ..TranscriptFilter::default() };
        let words = query::parse(&plain(text)).query;
        let hits = self.workspace.transcript_search.search_text(&words, &scope_filter, COMPARED).await?;
        let ids: Vec<_> = hits.iter().map(|hit| hit.id).collect();
        let messages = self.workspace.transcript.messages(&ids).await?;
        Ok(messages.iter().any(|message| message.is_speech() && near_identical(text, &message.body.content)))
    }

    /// Refuses a text for the account tier that tells of a world: by how it is said, and by what it names of what only this
    /// workspace's memories or facts know. Words count whatever their case: a name is told by how the workspace writes it.
    /// True if it may tell of one as well as of the worldbuilder.
    async fn may_tell_of_a_world(&self, text: &str) -> Result<bool, AppError> {
        self.names_no_world(text).await?;
        match about(text) {
            About::Worldbuilder => Ok(false),
            About::Unclear => Ok(true),
            About::World => Err(GuardRefusal::OfWorld.into()),
        }
    }

    async fn names_no_world(&self, text: &str) -> Result<(), AppError> {
        let mut names: Vec<String> = proper_names(text).iter().map(|name| fold(name)).collect();
        names.extend(query::words(text).into_iter().filter(|word| !query::is_stop_word(word)));
        names.dedup();
        names.truncate(MOST_WORDS);
        let facts = self.facts(None, None, FACTS).await?.rows;
        let filter = MemoryFilter::active(ScopeFilter { account: false, ..ScopeFilter::EVERYTHING });
        for name in names {
            let told = |known: &crate::fact::store::FactWithClaims| {
                let fact = &known.fact;
                [fact.key.category(), fact.key.key(), &fact.value]
                    .into_iter()
                    .any(|part| mentions_name(part, &name))
            };
            if facts.iter().any(told) || self.knows_name(&name, &filter).await? {
                return Err(GuardRefusal::World.into());
            }
        }
        Ok(())
    }

    async fn knows_name(&self, name: &str, filter: &MemoryFilter) -> Result<bool, AppError> {
        let words = query::parse(name).query;
        let hits = self.workspace.memory.search.search_text(&words, filter, COMPARED).await?;
        let ids: Vec<_> = hits.iter().map(|hit| hit.id).collect();
        let entries = self.workspace.memory.store.get(&ids).await?;
        Ok(entries.iter().any(|stored| mentions_name(&stored.entry.content, name)))
    }
}

/// A text as a query without operators: a note may hold quotes and dashes.
fn plain(text: &str) -> String {
    let mut words = query::words(text);
    words.truncate(MOST_WORDS);
    words.join(" ")
}
