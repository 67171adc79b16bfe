//! Carries out a decision about a contradiction, by the use cases that a person would call for it.

use std::collections::BTreeSet;

use inklings_domain::{
    calendar::{span::Span, story_point::StoryPoint},
    client::write::Wrote,
    conversation::message::{Message, Role},
    derivation::{self, Derivation},
    drift::{
        Drift, DriftDecision, InvalidDrift, Item, Side, Source, block_version, contradicting_sentences,
        states_one_thing,
    },
    fact::{Fact, FactSource},
    forget_reason::ForgetReason,
    ids::{ChangeId, DriftId, MemoryId, PageId},
    memory::{
        Importance, MemoryDraft, MemoryEntry, MemoryPatch,
        change_set::{Action, MemoryWrite},
        source_claim::holds_words_of,
        text_source::{OthersWords, TextSource},
    },
    proposal::{ProposalDraft, ProposalKind},
    provenance::Actor,
    scope::{MemoryLifetime, Place},
    subject::NewLinks,
    vault::BlockKind,
};
use inklings_ports::{drift::Look, memory::store::StoredEntry, vault::filter::PageFilter};

use crate::{
    error::AppError, proposal::subject, services::Drifts, session::only_the_author, vault::page::page_text,
};

/// Reason of a proposal that makes a memory anew of its page.
const DERIVED_AGAIN: &str = "the page that this was made of has changed";

/// A decision with what it needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Settlement {
    /// The canon stays, and the statement is forgotten; a message stays as it was written.
    CanonStands,
    /// The canon becomes what the statement says, or this text.
    CanonChanges {
        /// The new text or value.
        text: Option<String>,
    },
    /// Both hold, at different times. A side without a time keeps its own; a message has none.
    Both {
        /// When the canon holds.
        canon: Option<Span>,
        /// When the statement holds.
        statement: Option<Span>,
    },
    /// Only these know the statement: they are mistaken or lie. Of a message, what contradicts the canon becomes an entry.
    Belief {
        /// Who believes it, each since a time or always.
        knowers: Vec<(MemoryId, Option<StoryPoint>)>,
    },
    /// The two do not contradict each other.
    Dismiss,
    /// The statement is made anew of what the page says now: as a proposal, which the worldbuilder decides apart.
    DeriveAgain,
}

impl Settlement {
    const fn decision(&self) -> DriftDecision {
        match self {
            Self::CanonStands => DriftDecision::CanonStands,
            Self::CanonChanges { .. } => DriftDecision::CanonChanges,
            Self::Both { .. } => DriftDecision::Both,
            Self::Belief { .. } => DriftDecision::Belief,
            Self::Dismiss => DriftDecision::Dismiss,
            Self::DeriveAgain => DriftDecision::DeriveAgain,
        }
    }
}

/// A side as it is now.
enum Current {
    Memory(Box<StoredEntry>),
    Fact(Fact),
    Message(Box<Message>),
    /// The block of the page that is nearest to the statement now, with its digest; `None` if the page is gone or empty.
    Page(PageId, Option<(String, String)>),
}

impl Current {
    fn text(&self) -> &str {
        match self {
            Self::Memory(stored) => &stored.entry.content,
            Self::Fact(fact) => &fact.value,
            Self::Message(message) => &message.body.content,
            Self::Page(_, passage) => passage.as_ref().map_or("", |(text, _)| text),
        }
    }

    fn as_derivation(&self) -> Derivation {
        match self {
            Self::Memory(stored) => stored.entry.as_source(),
            Self::Fact(fact) => Derivation::Fact { id: fact.id, version: fact.version },
            Self::Message(message) => Derivation::Message(message.body.id),
            Self::Page(id, passage) => {
                let hash = passage.as_ref().map(|(_, hash)| hash.clone()).unwrap_or_default();
                Derivation::Page { id: *id, hash }
            }
        }
    }

    /// When it holds; `None` for a message.
    const fn span(&self) -> Option<Span> {
        match self {
            Self::Memory(stored) => Some(stored.entry.span),
            Self::Fact(fact) => Some(fact.span),
            Self::Message(_) | Self::Page(..) => None,
        }
    }

    fn source(&self) -> Option<Source> {
        match self {
            Self::Memory(stored) => Source::of_entry(&stored.entry),
            Self::Fact(fact) => Source::of_fact(fact),
            Self::Message(message) => Source::of_message(message, Span::ALWAYS),
            Self::Page(..) => None,
        }
    }
}

impl Drifts<'_> {
    /// Settles a drift. If the process ends between the change and the mark, the same decision made again completes it where
    /// the canon stands, and the next look closes the drift otherwise, because a side of it has changed. Returns the change, for undo; `None` if no entry was changed.
    ///
    /// # Errors
    /// [`AppError::Memory`] with `Locked` if the actor is not the worldbuilder; [`AppError::NotFound`]; [`AppError::Drift`] if it
    /// is settled, a side was changed since, or something that the decision needs is missing; those of the use case that
    /// carries out the decision.
    pub async fn settle(
        &self,
        id: DriftId,
        settlement: Settlement,
        actor: Actor,
    ) -> Result<Option<ChangeId>, AppError> {
        only_the_author(actor)?;
        let drift = self.get(id).await?;
        drift.admits_decision()?;
        if matches!(settlement, Settlement::CanonStands)
            && let Some(change) = self.taken_back(drift.statement).await?
        {
            self.mark(&drift, settlement.decision(), change).await?;
            return Ok(change);
        }
        let (Some(canon), Some(statement)) = self.both_sides(&drift).await? else {
            let look = Look { superseded: vec![drift.id], ..Look::default() };
            self.session.workspace.drifts.record_look(&look, self.session.clock.now()).await?;
            return Err(InvalidDrift::Superseded.into());
        };
        let decision = settlement.decision();
        let change = match settlement {
            Settlement::DeriveAgain => {
                self.derive_again(&drift, &canon, &statement, actor).await?;
                None
            }
            Settlement::Both { .. } | Settlement::Belief { .. } | Settlement::CanonChanges { .. }
                if matches!(canon, Current::Page(..)) =>
            {
                return Err(InvalidDrift::OfPage.into());
            }
            Settlement::CanonStands => self.take_back(statement, actor).await?,
            Settlement::CanonChanges { text } => self.change_canon(canon, &statement, text, actor).await?,
            Settlement::Both { canon: first, statement: second } => {
                self.set_times((canon, first), (statement, second), actor).await?
            }
            Settlement::Belief { knowers } => self.make_belief(&canon, statement, &knowers, actor).await?,
            Settlement::Dismiss => None,
        };
        self.mark(&drift, decision, change).await?;
        Ok(change)
    }

    async fn mark(
        &self,
        drift: &Drift,
        decision: DriftDecision,
        change: Option<ChangeId>,
    ) -> Result<(), AppError> {
        let now = self.session.clock.now();
        Ok(self.session.workspace.drifts.settle_drift(drift.id, decision, change, now).await?)
    }

    /// The sentences of the canon and those of the statement that contradict each other, as they were compared: with the name
    /// for a pronoun. None of a side that has changed, and none if the whole contradicts.
    pub async fn sentences(&self, drift: &Drift) -> Result<(Vec<String>, Vec<String>), AppError> {
        let sides = self.both_sides(drift).await?;
        let (Some(canon), Some(statement)) = sides else { return Ok(Default::default()) };
        Ok(match canon.source().zip(statement.source()) {
            Some((canon, statement)) => {
                (contradicting_sentences(&statement, &canon), contradicting_sentences(&canon, &statement))
            }
            None => Default::default(),
        })
    }

    /// Both sides as they were compared; `None` for one that has changed or is gone.
    async fn both_sides(&self, drift: &Drift) -> Result<(Option<Current>, Option<Current>), AppError> {
        let statement = self.current(drift.statement).await?;
        let canon = match (drift.canon.item, &statement) {
            (Item::Page(id), Some(Current::Memory(stored))) => {
                self.page_now(id, drift.canon.version, &stored.entry).await?
            }
            (Item::Page(_), _) => None,
            _ => self.current(drift.canon).await?,
        };
        Ok((canon, statement))
    }

    /// What of a page is nearest to an entry now; `None` if the block that the entry was made of is back.
    async fn page_now(
        &self,
        id: PageId,
        version: u64,
        entry: &MemoryEntry,
    ) -> Result<Option<Current>, AppError> {
        let stored = self.session.workspace.pages.pages(&PageFilter::through(None), &[id]).await?.pop();
        let Some(stored) = stored else { return Ok(Some(Current::Page(id, None))) };
        let read = page_text(&stored);
        if read.blocks.iter().any(|block| block_version(&block.hash) == version) {
            return Ok(None);
        }
        let texts = read.blocks.iter().filter(|block| block.kind != BlockKind::Heading);
        let texts = texts.map(|block| (block, &read.content[block.range.clone()]));
        let found = derivation::nearest(&entry.content, texts);
        let passage = found.map(|block| (read.content[block.range.clone()].to_owned(), block.hash.clone()));
        Ok(Some(Current::Page(id, passage)))
    }

    /// What the page of a drift says now where it is nearest to the statement; empty if there is no such text, and for other
    /// drifts.
    pub async fn passage(&self, drift: &Drift) -> Result<(Option<String>, String), AppError> {
        let Item::Page(id) = drift.canon.item else { return Ok((None, String::new())) };
        let title = self.session.workspace.pages.pages(&PageFilter::through(None), &[id]).await?.pop();
        let title = title.map(|stored| stored.row.title);
        let canon = self.both_sides(drift).await?.0;
        Ok((title, canon.map(|canon| canon.text().to_owned()).unwrap_or_default()))
    }

    /// Proposes the text of the page instead of that of the entry. The proposal names the block as its source.
    async fn derive_again(
        &self,
        drift: &Drift,
        canon: &Current,
        statement: &Current,
        actor: Actor,
    ) -> Result<(), AppError> {
        let (Current::Page(id, Some((text, _))), Current::Memory(stored)) = (canon, statement) else {
            return Err(InvalidDrift::NoPassage.into());
        };
        let entry = &stored.entry;
        let is_old = |derivation: &Derivation| match derivation {
            Derivation::Page { id: page, hash } => page == id && block_version(hash) == drift.canon.version,
            _ => false,
        };
        let others = entry.derivations.iter().filter(|derivation| !is_old(derivation)).cloned();
        let edit = ProposalDraft {
            kind: ProposalKind::Edit,
            reason: DERIVED_AGAIN.to_owned(),
            subjects: vec![subject(entry)?],
            content: Some(text.clone()),
            makes: None,
            conversation: None,
            derivations: derivation::newest(others.chain([canon.as_derivation()]).collect()),
        };
        self.session.proposals().propose(edit, actor, None).await?;
        Ok(())
    }

    /// A side as it was compared; `None` if it has changed or is gone.
    async fn current(&self, side: Side) -> Result<Option<Current>, AppError> {
        match side.item {
            Item::Memory(id) => {
                let found = self.session.entries(&[id]).await?.pop();
                let found =
                    found.filter(|stored| stored.entry.is_active() && stored.entry.version == side.version);
                Ok(found.map(|stored| Current::Memory(Box::new(stored))))
            }
            Item::Fact(id) => {
                let found = self.session.workspace.facts.fact_by_id(id).await?.map(|found| found.fact);
                let found = found.filter(|fact| fact.removed_at.is_none() && fact.version == side.version);
                Ok(found.map(Current::Fact))
            }
            Item::Message(id) => {
                let found = self.session.workspace.transcript.messages(&[id]).await?.pop();
                Ok(found.map(|message| Current::Message(Box::new(message))))
            }
            // No page is read without the entry that was made of it.
            Item::Page(_) => Ok(None),
        }
    }

    async fn take_back(&self, statement: Current, actor: Actor) -> Result<Option<ChangeId>, AppError> {
        match statement {
            Current::Memory(stored) => {
                let reason = ForgetReason::Contradicted;
                let written = self.session.memories().forget_read(&[*stored], &reason, actor).await?;
                Ok(Some(written.change))
            }
            Current::Fact(fact) => {
                self.session.facts().remove(fact.id, actor).await?;
                Ok(None)
            }
            Current::Message(_) | Current::Page(..) => Ok(None),
        }
    }

    /// The change that took a statement back, if that was the last thing that happened to it: the process ended before the
    /// drift was marked. The inner `None`: no entry was changed.
    async fn taken_back(&self, statement: Side) -> Result<Option<Option<ChangeId>>, AppError> {
        let next = statement.version + 1;
        Ok(match statement.item {
            Item::Memory(id) => {
                let entry = self.session.entries(&[id]).await?.pop().map(|stored| stored.entry);
                entry
                    .filter(|it| it.version == next && it.is_forgotten_for(&ForgetReason::Contradicted))
                    .map(|it| Some(it.change))
            }
            Item::Fact(id) => {
                let fact = self.session.workspace.facts.fact_by_id(id).await?.map(|found| found.fact);
                fact.filter(|it| it.version == next && it.removed_at.is_some()).map(|_| None)
            }
            Item::Message(_) | Item::Page(_) => None,
        })
    }

    async fn change_canon(
        &self,
        canon: Current,
        statement: &Current,
        text: Option<String>,
        actor: Actor,
    ) -> Result<Option<ChangeId>, AppError> {
        let made_of = statement.as_derivation();
        let is_typed = text.is_some();
        let text = match (text, &canon, statement) {
            (Some(text), ..) => text,
            (None, Current::Fact(_), Current::Fact(other)) => other.value.clone(),
            // The statement replaces the whole text, so neither may say more than the one thing.
            (None, Current::Memory(_), Current::Memory(_) | Current::Message(_))
                if states_one_thing(canon.text()) && states_one_thing(statement.text()) =>
            {
                statement.text().to_owned()
            }
            (None, ..) => return Err(InvalidDrift::Text.into()),
        };
        match canon {
            Current::Memory(stored) => {
                let version = stored.entry.version;
                let is_of_statement = holds_words_of(statement.text(), &text);
                let derivations = is_of_statement.then(|| vec![made_of]);
                let others_words = if is_of_statement {
                    OthersWords { sources: self.writers(statement).await?, is_whole: !is_typed }
                } else {
                    OthersWords::default()
                };
                let patch =
                    MemoryPatch { content: Some(text), derivations, others_words, ..MemoryPatch::default() };
                let written =
                    self.session.memories().edit_read(*stored, version, patch, (actor, None)).await?;
                Ok(Some(written.change))
            }
            Current::Fact(fact) => {
                self.session.facts().change(fact.id, &text, None, actor).await?;
                Ok(None)
            }
            // No message is canon, and a page is changed in its file.
            Current::Message(_) | Current::Page(..) => Err(InvalidDrift::Text.into()),
        }
    }

    /// Whose words a statement holds, besides those of the worldbuilder.
    async fn writers(&self, statement: &Current) -> Result<BTreeSet<TextSource>, AppError> {
        Ok(match statement {
            Current::Memory(stored) => stored.entry.text_sources(),
            Current::Fact(fact) if fact.source == FactSource::User => BTreeSet::new(),
            Current::Fact(fact) => {
                let wrote = |one: &Wrote| matches!(one, Wrote::Fact { fact: id, .. } if *id == fact.id);
                let mut writers = BTreeSet::new();
                for client in self.session.account.clients.clients().await? {
                    let acts = self.session.workspace.client_writes.writes_of(client.id).await?;
                    if acts.iter().any(|write| write.undone_at.is_none() && wrote(&write.wrote)) {
                        writers.insert(TextSource::Client(client.id));
                    }
                }
                if writers.is_empty() { BTreeSet::from([TextSource::Agent]) } else { writers }
            }
            Current::Message(message) => {
                let store = &self.session.workspace.client_writes;
                let of_clients = store.messages_of_clients(message.conversation).await?;
                let client = of_clients.into_iter().find(|(id, _)| *id == message.id());
                match (client, message.body.role) {
                    (Some((_, client)), _) => BTreeSet::from([TextSource::Client(client)]),
                    (None, Role::User) => BTreeSet::new(),
                    (None, _) => BTreeSet::from([TextSource::Agent]),
                }
            }
            Current::Page(..) => BTreeSet::new(),
        })
    }

    async fn set_times(
        &self,
        (canon, first): (Current, Option<Span>),
        (statement, second): (Current, Option<Span>),
        actor: Actor,
    ) -> Result<Option<ChangeId>, AppError> {
        if first.is_none() && second.is_none() {
            return Err(InvalidDrift::Times.into());
        }
        let (one, two) = (first.or_else(|| canon.span()), second.or_else(|| statement.span()));
        if second.is_some() && statement.span().is_none() {
            return Err(InvalidDrift::TimeOfMessage.into());
        }
        let is_subject =
            |side: &Current| matches!(side, Current::Memory(stored) if stored.entry.subject.is_some());
        if first.is_some() && is_subject(&canon) || second.is_some() && is_subject(&statement) {
            return Err(InvalidDrift::TimeOfSubject.into());
        }
        // What a page says holds at other times than the life that the page tells of.
        if !is_subject(&canon)
            && !is_subject(&statement)
            && one.zip(two).is_some_and(|(one, two)| one.overlaps(two))
        {
            return Err(InvalidDrift::Overlap.into());
        }
        let stamp = self.session.stamp(actor);
        let mut writes = Vec::new();
        for (side, span) in [(canon, one), (statement, two)] {
            match (side, span) {
                (side, span) if side.span() == span => {}
                (Current::Memory(stored), Some(span)) => {
                    writes.push(MemoryWrite::Update(stored.entry.with_story_time(span, None, stamp)?));
                }
                (Current::Fact(fact), Some(span)) => {
                    self.session.facts().set_span(fact.id, span, actor).await?;
                }
                (Current::Message(_) | Current::Page(..), _) | (_, None) => {}
            }
        }
        if writes.is_empty() {
            return Ok(None);
        }
        // Both entries are one change, so that one undo takes both back.
        Ok(Some(self.session.memories().commit(stamp, Action::Edit, None, writes).await?.change))
    }

    async fn make_belief(
        &self,
        canon: &Current,
        statement: Current,
        knowers: &[(MemoryId, Option<StoryPoint>)],
        actor: Actor,
    ) -> Result<Option<ChangeId>, AppError> {
        if knowers.is_empty() {
            return Err(InvalidDrift::Nobody.into());
        }
        match statement {
            Current::Memory(stored) => {
                let (id, version) = (stored.entry.id, stored.entry.version);
                let written = self.session.lenses().set_known_by(id, version, knowers, actor).await?;
                Ok(Some(written.change))
            }
            Current::Fact(fact) => {
                self.session.facts().set_known_by(fact.id, knowers, actor).await?;
                Ok(None)
            }
            Current::Message(ref message) => {
                let sides = canon.source().zip(statement.source());
                let sentences = sides.map(|(canon, statement)| contradicting_sentences(&canon, &statement));
                let sentences = sentences.unwrap_or_default();
                let whole = sentences.is_empty();
                let content = if whole { message.body.content.clone() } else { sentences.join(". ") + "." };
                let made_of = Derivation::Message(message.body.id);
                let words = OthersWords { sources: self.writers(&statement).await?, is_whole: true };
                self.write_belief(content, (made_of, words), knowers, actor).await.map(Some)
            }
            Current::Page(..) => Err(InvalidDrift::OfPage.into()),
        }
    }

    /// An entry of what somebody believes.
    async fn write_belief(
        &self,
        content: String,
        (made_of, words): (Derivation, OthersWords),
        knowers: &[(MemoryId, Option<StoryPoint>)],
        actor: Actor,
    ) -> Result<ChangeId, AppError> {
        self.session.lenses().check_knowers(knowers).await?;
        let draft = MemoryDraft {
            place: Place::Workspace,
            lifetime: MemoryLifetime::LongTerm,
            source: "user".to_owned(),
            title: None,
            keys: Vec::new(),
            content,
            importance: Importance::DEFAULT.get(),
            tags: Vec::new(),
            origin: None,
            derivations: vec![made_of],
        };
        self.session.scrubs().may_learn_entry(&draft, actor.kind()).await?;
        let links = NewLinks { known_by: knowers.to_vec(), ..NewLinks::default() };
        let stamp = self.session.stamp(actor);
        let entry = MemoryEntry::create_linked(self.session.ids.memory_id(), draft, &links, stamp)?;
        let entry = entry.with_others_words(words);
        Ok(self.session.memories().commit_new(stamp, Action::Create, entry).await?.change)
    }
}
