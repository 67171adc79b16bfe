//! Guards for memories of agents; the worldbuilder's own writes are not restricted. An agent's observation is
//! refused if it can be derived from existing content, repeats something recalled in the same turn, or
//! describes one world but is meant for the account, which all worlds share.

use std::sync::Arc;

use inklings_domain::{
    calendar::span::Span,
    client::{Grants, Sight, Verb},
    conversation::{Conversation, message::Message},
    ids::{ConversationId, MemoryId},
    lens::ResolvedLens,
    memory::{
        MemoryDraft,
        account_guard::{About, about},
        filter::{MemoryFilter, ScopeFilter},
        guard::{mentions_name, proper_names, says_the_same, states_fact},
        similarity::near_identical,
    },
    proposal::{NewEntry, ProposalDraft, ProposalKind},
    provenance::{Actor, ActorKind},
    scope::{MemoryScope, Place},
    search::query::{self, QueryText},
    subject::NewLinks,
    text::fold,
    words,
};
use inklings_ports::{fact::FactQuery, search::transcript_store::TranscriptFilter};

use crate::{
    error::{AppError, GuardRefusal, Passage},
    memory::{browse::MAX_PAGE, write::WrittenEntry},
    proposal::Proposed,
    search::{Search, TimeWords},
    services::AgentWrites,
};

/// Memories and messages compared with a new text.
const COMPARED: usize = 8;
/// Maximum words looked up of a text for the account.
const MOST_WORDS: usize = 60;
/// Reason given when a text for the account is proposed instead of written.
pub(crate) const DOUBTFUL: &str = "this may be about a world, or about how you work";

/// The outcome of remembering.
#[derive(Debug, Clone, PartialEq)]
pub enum Remembered {
    /// The memory was written.
    Written(Box<WrittenEntry>),
    /// It was proposed, because only the worldbuilder can decide whether it belongs in the account.
    Proposed(Proposed),
}

impl Remembered {
    /// The write, if there was one.
    pub fn written(self) -> Option<WrittenEntry> {
        match self {
            Self::Written(written) => Some(*written),
            Self::Proposed(_) => None,
        }
    }
}

/// An observation of an agent.
#[derive(Debug, Clone)]
pub struct Observed<'a> {
    /// The memory to write.
    pub draft: MemoryDraft,
    /// The conversation that the agent takes part in.
    pub conversation: Option<&'a Conversation>,
    /// Texts that were shown to the agent in this turn.
    pub shown: &'a [String],
    /// The grants of a client. The text is compared only with entries they allow to be read, so that a
    /// refusal does not reveal others.
    pub within: Option<&'a Grants>,
    /// Links of the memory to subjects.
    pub links: NewLinks,
}

/// Refuses a text that the agent was shown in this turn.
fn refuse_shown(text: &str, shown: &[String]) -> Result<(), AppError> {
    match shown.iter().find(|known| says_the_same(text, known)) {
        Some(known) => Err(GuardRefusal::Echo(Passage::of("", known, text)).into()),
        None => Ok(()),
    }
}

/// A text that an agent wants to store.
struct NewText<'a> {
    text: &'a str,
    place: Place,
    /// The conversation whose messages must not hold it word for word. `None`: it was taken from one.
    conversation: Option<ConversationId>,
    /// Entries that the text would replace; it may repeat their content.
    instead_of: &'a [MemoryId],
    /// The grants of a client, which limit what the text is compared with.
    within: Option<&'a Grants>,
    /// The lens of the agent; the text is compared with nothing that it withholds.
    lens: Option<Arc<ResolvedLens>>,
}

impl AgentWrites<'_> {
    /// Stores an agent's observation if the guards accept it. A text for the account is proposed instead if
    /// only the worldbuilder can decide whether it describes them.
    ///
    /// # Errors
    /// [`AppError::Guard`] with the reason; [`AppError::Memory`] if the draft is invalid.
    pub async fn remember(&self, observed: Observed<'_>, actor: Actor) -> Result<Remembered, AppError> {
        let Observed { draft, conversation, shown, within, mut links } = observed;
        let mut lens = None;
        if matches!(actor.kind(), ActorKind::Agent | ActorKind::System) {
            lens = self.session.lenses().of_reader(within, conversation).await?;
            if let Some(lens) = &lens {
                links.known_by = lens.lens.known_by();
            }
            if !links.known_by.is_empty() && draft.place == Place::Account {
                return Err(GuardRefusal::OfWorld.into());
            }
            self.session.switch().may_capture(actor.kind()).await?;
            self.session.scrubs().may_learn_entry(&draft, actor.kind()).await?;
            if let Some((relation, ..)) = &links.relation {
                self.session.scrubs().may_learn(relation, actor.kind()).await?;
            }
            refuse_shown(&draft.content, shown)?;
            let new = NewText {
                text: &draft.content,
                place: draft.place,
                conversation: conversation.map(|own| own.id).or(draft.place.conversation()),
                instead_of: &[],
                within,
                lens: lens.clone(),
            };
            self.refuse_derivable(new).await?;
        }
        self.insert_or_propose(draft, &links, (actor, lens)).await
    }

    /// Stores a note entered by a person, also one under an agent's actor. For an agent, only scrubbed
    /// content is refused, and an unclear text for the account is proposed as in [`Self::remember`].
    pub async fn note_memory(&self, draft: MemoryDraft, actor: Actor) -> Result<Remembered, AppError> {
        self.session.scrubs().may_learn_entry(&draft, actor.kind()).await?;
        self.insert_or_propose(draft, &NewLinks::default(), (actor, None)).await
    }

    async fn insert_or_propose(
        &self,
        draft: MemoryDraft,
        links: &NewLinks,
        (actor, lens): (Actor, Option<Arc<ResolvedLens>>),
    ) -> Result<Remembered, AppError> {
        if self.is_doubtful(&draft, actor).await? {
            return Ok(Remembered::Proposed(self.propose_new(draft, DOUBTFUL, (actor, lens)).await?));
        }
        Ok(Remembered::Written(Box::new(self.session.memories().insert(draft, links, actor).await?)))
    }

    /// True for a text for the account that the worldbuilder did not write, if only they can decide whether
    /// it describes them. Refuses a text that describes a world.
    pub(crate) async fn is_doubtful(&self, draft: &MemoryDraft, actor: Actor) -> Result<bool, AppError> {
        for text in draft.texts() {
            if self.may_not_be_of_account(text, draft.place, actor).await? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// As [`Self::is_doubtful`], for one text of an entry in a place.
    pub(crate) async fn may_not_be_of_account(
        &self,
        text: &str,
        place: Place,
        actor: Actor,
    ) -> Result<bool, AppError> {
        let guarded = place == Place::Account && !actor.kind().may_write_protected();
        Ok(guarded && self.is_unclear_for_account(text).await?)
    }

    /// Files a proposal for a new entry.
    async fn propose_new(
        &self,
        draft: MemoryDraft,
        reason: &str,
        (actor, lens): (Actor, Option<Arc<ResolvedLens>>),
    ) -> Result<Proposed, AppError> {
        let conversation = draft.origin.as_ref().and_then(|origin| origin.conversation);
        let derivations = draft.derivations.clone();
        let (makes, content) = NewEntry::of(self.session.ids.memory_id(), draft)?;
        let draft = ProposalDraft {
            kind: ProposalKind::New,
            reason: reason.to_owned(),
            subjects: Vec::new(),
            content: Some(content),
            makes: Some(makes),
            conversation,
            derivations,
        };
        Ok(Proposed::of(self.session.proposals().propose(draft, actor, lens).await?))
    }

    /// Checks a text with which an agent would replace an entry's text. For a client, compares it only with
    /// readable entries. Tasks are not checked for repetition, because they write only what memories already
    /// contain.
    pub(crate) async fn may_rewrite(
        &self,
        text: &str,
        place: Place,
        instead_of: &[MemoryId],
        by: (Actor, Option<Arc<ResolvedLens>>),
    ) -> Result<(), AppError> {
        if self.may_propose(text, place, instead_of, by).await? {
            return Err(GuardRefusal::Unclear.into());
        }
        Ok(())
    }

    /// As above for a proposed text. Returns true if it is unclear, which the worldbuilder then decides.
    pub(crate) async fn may_propose(
        &self,
        text: &str,
        place: Place,
        instead_of: &[MemoryId],
        (actor, lens): (Actor, Option<Arc<ResolvedLens>>),
    ) -> Result<bool, AppError> {
        self.session.switch().may_capture(actor.kind()).await?;
        self.session.scrubs().may_learn(text, actor.kind()).await?;
        if actor.kind() == ActorKind::Agent {
            let mut client = match actor.client() {
                Some(id) => self.session.account.clients.client(id).await?,
                None => None,
            };
            if let (Some(client), Some(lens)) = (&mut client, &lens) {
                client.grants.sight = Sight::Through(Arc::clone(lens));
            }
            let within = client.as_ref().map(|client| &client.grants);
            let conversation = place.conversation();
            let new = NewText { text, place, conversation, instead_of, within, lens };
            self.refuse_derivable(new).await?;
            if place == Place::Account {
                return self.is_unclear_for_account(text).await;
            }
        }
        Ok(false)
    }

    /// Refuses a text that the World Agent was shown in this turn, or that is in its conversation.
    pub(crate) async fn is_not_in_view(
        &self,
        text: &str,
        conversation: ConversationId,
        shown: &[String],
    ) -> Result<(), AppError> {
        refuse_shown(text, shown)?;
        self.is_not_in_conversation(text, conversation, (None, None)).await
    }

    /// Refuses a text that can be derived from existing content.
    async fn refuse_derivable(&self, new: NewText<'_>) -> Result<(), AppError> {
        let NewText { text, place, conversation, instead_of, within, lens } = new;
        if let Some(conversation) = conversation {
            self.is_not_in_conversation(text, conversation, (within, lens.as_deref())).await?;
        }
        let scope_filter =
            within.map_or_else(|| ScopeFilter::seen_from(place), |grants| grants.scope_filter_from(place));
        let scope_filter = scope_filter.through(lens.clone());
        let may_read_world = within.is_none_or(|grants| grants.may(Verb::Read, Place::Workspace));
        if let Some((id, passage)) = self.noted_within(text, scope_filter.clone(), instead_of).await? {
            return Err(GuardRefusal::Noted(id, passage).into());
        }
        if may_read_world {
            self.states_no_fact(text, lens.as_deref()).await?;
            // Whoever may read the world compares with all of it, also for a text of the account.
            let world = ScopeFilter { workspace: true, ..scope_filter };
            if let Some(passage) = self.in_content(text, &world).await? {
                return Err(GuardRefusal::Content(passage).into());
            }
        }
        Ok(())
    }

    /// True if a text that a task would store, seen from a place and through a lens, is in a memory, a fact or on a page already.
    pub(crate) async fn is_derivable(
        &self,
        text: &str,
        place: Place,
        lens: Option<Arc<ResolvedLens>>,
    ) -> Result<bool, AppError> {
        let new = NewText { text, place, conversation: None, instead_of: &[], within: None, lens };
        match self.refuse_derivable(new).await {
            Ok(()) => Ok(false),
            Err(AppError::Guard(_)) => Ok(true),
            Err(error) => Err(error),
        }
    }

    async fn states_no_fact(&self, text: &str, lens: Option<&ResolvedLens>) -> Result<(), AppError> {
        let query = FactQuery { category: None, within: Span::ALWAYS, lens, limit: MAX_PAGE, claimed: false };
        for known in self.session.facts().every(query).await? {
            let fact = &known.fact;
            if states_fact(text, fact.key.category(), fact.key.key(), &fact.value) {
                let known = format!("{} {}: {}", fact.key.category(), fact.key.key(), fact.value);
                return Err(GuardRefusal::Fact(Passage::of("fact", &known, text)).into());
            }
        }
        Ok(())
    }

    /// The memory visible from a place and through a lens that already contains the text.
    pub(crate) async fn noted_already(
        &self,
        text: &str,
        place: Place,
        lens: Option<Arc<ResolvedLens>>,
    ) -> Result<Option<MemoryId>, AppError> {
        let noted = self.noted_within(text, ScopeFilter::seen_from(place).through(lens), &[]).await?;
        Ok(noted.map(|(id, _)| id))
    }

    async fn noted_within(
        &self,
        text: &str,
        scope_filter: ScopeFilter,
        but: &[MemoryId],
    ) -> Result<Option<(MemoryId, Passage)>, AppError> {
        let search = Search {
            time_words: TimeWords::Ignored,
            ..Search::new(
                QueryText::Plain(text.to_owned()),
                MemoryFilter::active(scope_filter),
                COMPARED + but.len(),
            )
        };
        let found = self.session.search().memories(search).await?;
        let same = found.hits.into_iter().find(|hit| {
            !but.contains(&hit.stored.entry.id) && says_the_same(text, &hit.stored.entry.content)
        });
        Ok(same.map(|hit| (hit.stored.entry.id, Passage::of("", &hit.stored.entry.content, text))))
    }

    /// Refuses a text that a message of a conversation says, or of what it shares with the one that it branched from, as far
    /// as the reader may read that.
    async fn is_not_in_conversation(
        &self,
        text: &str,
        conversation: ConversationId,
        (within, lens): (Option<&Grants>, Option<&ResolvedLens>),
    ) -> Result<(), AppError> {
        let ports = &self.session.workspace;
        let granted =
            within.map(|grants| grants.scope_filter_of_tiers(&[MemoryScope::Conversation]).conversations);
        let words = query::parse_plain(text).query;
        for part in ports.transcript.parts(conversation).await? {
            let id = part.conversation;
            let is_withheld = id != conversation && lens.is_some_and(|lens| !lens.holds_conversation(id));
            if is_withheld || granted.as_ref().is_some_and(|granted| !granted.holds(&id)) {
                continue;
            }
            let filter = TranscriptFilter { conversation: Some(id), ..TranscriptFilter::default() };
            let hits = ports.transcript_search.search_text(&words, &filter, COMPARED).await?;
            let hits = hits.iter().filter(|hit| hit.position <= part.through);
            let messages = ports.transcript.messages(&hits.map(|hit| hit.id).collect::<Vec<_>>()).await?;
            let says_it =
                |message: &Message| message.is_speech() && near_identical(text, &message.body.content);
            if messages.iter().any(says_it) {
                return Err(GuardRefusal::Said.into());
            }
        }
        Ok(())
    }

    /// Refuses a text for the account tier that describes a world. Checks its wording, and whether it names
    /// something that only this workspace's memories or facts know. Words match ignoring case; the
    /// workspace's spelling decides what is a name. True if it may describe either a world or the
    /// worldbuilder.
    async fn is_unclear_for_account(&self, text: &str) -> Result<bool, AppError> {
        self.names_no_world(text).await?;
        match about(text) {
            About::Worldbuilder => Ok(false),
            About::Unclear => Ok(true),
            About::World => Err(GuardRefusal::OfWorld.into()),
        }
    }

    async fn names_no_world(&self, text: &str) -> Result<(), AppError> {
        let mut names: Vec<String> = proper_names(text).iter().map(|name| fold(name)).collect();
        names.extend(words::words(text).into_iter().filter(|word| !words::is_stop_word(word)));
        names.dedup();
        names.truncate(MOST_WORDS);
        let facts = self.session.facts().every(FactQuery::every(MAX_PAGE)).await?;
        let filter = MemoryFilter::active(ScopeFilter { account: false, ..ScopeFilter::EVERYTHING });
        for name in names {
            let mentions = |known: &inklings_ports::fact::FactWithClaims| {
                let fact = &known.fact;
                [fact.key.category(), fact.key.key(), &fact.value]
                    .into_iter()
                    .any(|part| mentions_name(part, &name))
            };
            if facts.iter().any(mentions) || self.is_name_in_memory(&name, &filter).await? {
                return Err(GuardRefusal::World.into());
            }
        }
        Ok(())
    }

    async fn is_name_in_memory(&self, name: &str, filter: &MemoryFilter) -> Result<bool, AppError> {
        let words = query::parse_plain(name).query;
        let hits = self.session.workspace.memory.search.search_text(&words, filter, COMPARED).await?;
        let ids: Vec<_> = hits.iter().map(|hit| hit.id).collect();
        let entries = self.session.workspace.memory.store.get(&ids).await?;
        Ok(entries.iter().any(|stored| mentions_name(&stored.entry.content, name)))
    }
}
