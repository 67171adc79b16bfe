//! What drift is looked for in: entries, facts and messages, each with its sentences, its standing and its time.

use chrono::{DateTime, Utc};

use super::{
    Item, Side,
    sentence::{Sentence, sentences},
};
use crate::{
    calendar::span::Span,
    conversation::message::{Delivery, Message, Role},
    fact::{Fact, FactSource},
    ids::MemoryId,
    language::{is_shouted, tokens},
    memory::{
        MemoryEntry, MemoryKind,
        link::{Link, LinkRole},
    },
    provenance::Curator,
    text::fold,
};

/// An entry, a fact or a message to compare with others.
#[derive(Debug, Clone)]
pub struct Source {
    /// What it is, at which version.
    pub side: Side,
    pub(super) standing: Standing,
    pub(super) created_at: DateTime<Utc>,
    pub(super) span: Span,
    known_by: Vec<Link>,
    about: Vec<MemoryId>,
    /// The names of a subject, folded.
    pub(super) names: Vec<String>,
    pub(super) sentences: Vec<Sentence>,
}

/// How much a text counts against another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Standing {
    /// What was written in a conversation, by whom ever: a turn may be play.
    Message,
    /// What an agent or a task wrote.
    Agent,
    /// What the worldbuilder brought from elsewhere.
    Imported,
    /// What the worldbuilder wrote here.
    Author,
    /// A named entry of the worldbuilder.
    Named,
}

impl Source {
    /// `None` for an entry that is forgotten, or that states nothing of the world: an archive, a calendar.
    pub fn of_entry(entry: &MemoryEntry) -> Option<Self> {
        if !entry.is_active() || entry.kind == MemoryKind::Archive || entry.calendar.is_some() {
            return None;
        }
        let standing = match (entry.curator.is_protected(), &entry.name) {
            (true, Some(_)) => Standing::Named,
            (true, None) if entry.curator == Curator::Import => Standing::Imported,
            (true, None) => Standing::Author,
            (false, _) => Standing::Agent,
        };
        let names =
            entry.subject.iter().flat_map(|_| entry.name.iter().chain(&entry.aliases)).map(|name| fold(name));
        Some(Self {
            side: Side { item: Item::Memory(entry.id), version: entry.version },
            standing,
            created_at: entry.created_at,
            span: entry.span,
            known_by: entry.links.iter().filter(|link| link.role == LinkRole::KnownBy).copied().collect(),
            about: entry
                .links
                .iter()
                .filter(|link| link.role != LinkRole::KnownBy)
                .map(|link| link.target)
                .collect(),
            names: names.collect(),
            sentences: sentences(&entry.content, entry.heading().filter(|heading| has_name(heading))),
        })
    }

    /// `None` for a fact that was removed.
    pub fn of_fact(fact: &Fact) -> Option<Self> {
        if fact.removed_at.is_some() {
            return None;
        }
        let standing = if fact.source == FactSource::User { Standing::Author } else { Standing::Agent };
        let mut sentences: Vec<Sentence> = Sentence::of(&stated(fact)).into_iter().collect();
        if fact.value.split_whitespace().count() > 3 {
            sentences.extend(super::sentence::sentences(&fact.value, None));
        }
        Some(Self {
            side: Side { item: Item::Fact(fact.id), version: fact.version },
            standing,
            created_at: fact.created_at,
            span: fact.span,
            known_by: fact.known_by.clone(),
            about: Vec::new(),
            names: Vec::new(),
            sentences,
        })
    }

    /// `None` for a message that states nothing of the world: of a tool, a compact marker, an attachment, one that still arrives. `span` is the
    /// time in the story that the conversation is about.
    pub fn of_message(message: &Message, span: Span) -> Option<Self> {
        let body = &message.body;
        let speaks =
            matches!(body.role, Role::User | Role::Assistant) && body.delivery != Delivery::Streaming;
        if !speaks || !message.is_speech() || message.is_attachment() {
            return None;
        }
        Some(Self {
            side: Side { item: Item::Message(body.id), version: 1 },
            standing: Standing::Message,
            created_at: body.at,
            span,
            known_by: Vec::new(),
            about: Vec::new(),
            names: Vec::new(),
            sentences: sentences(&body.content, None),
        })
    }

    /// One source for each sentence.
    pub(super) fn by_sentence(&self) -> impl Iterator<Item = Self> {
        self.sentences.iter().map(|sentence| Self { sentences: vec![sentence.clone()], ..self.clone() })
    }

    /// True if two sources may contradict each other. They hold at one time, the same people know of them, and no link says
    /// that they are about different subjects.
    pub(super) fn is_comparable(&self, other: &Self) -> bool {
        self.span.overlaps(other.span) && self.has_knowers_and_subjects_of(other)
    }

    /// As above, without the time.
    pub(super) fn has_knowers_and_subjects_of(&self, other: &Self) -> bool {
        let subjects = self.about.is_empty()
            || other.about.is_empty()
            || self.about.iter().any(|subject| other.about.contains(subject));
        self.side.item != other.side.item && self.known_by == other.known_by && subjects
    }
}

/// A fact as a sentence: "Mira's eyes is grey". The one with a name in it is the owner.
fn stated(fact: &Fact) -> String {
    let (category, key, value) = (fact.key.category(), fact.key.key(), fact.value.trim());
    let owned = key.contains("'s ") || key.contains(" of ");
    if owned {
        format!("{key} is {value}")
    } else if has_name(key) && !has_name(category) {
        format!("{key}'s {} is {value}", fold(category))
    } else {
        format!("{category}'s {} is {value}", fold(key))
    }
}

fn has_name(text: &str) -> bool {
    tokens(text).iter().any(|token| token.is_name(is_shouted(text)))
}
