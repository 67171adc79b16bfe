//! Fills a new workspace with sample data.

mod spoken;

use std::{
    collections::{HashMap, HashSet},
    num::NonZeroU32,
};

use chrono::Duration;
use inklings_domain::{
    calendar::{Calendar, span::Span, story_point::StoryPoint},
    derivation::Derivation,
    memory::{
        Importance, MemoryDraft, MemoryEntry,
        change_set::{Action, MemoryWrite},
        filter::{MemoryFilter, ScopeFilter, Sort},
    },
    orientation::ItemId,
    provenance::{Actor, ActorKind, Curator, Interface},
    recall_test::{Expectation, Must, RecallTest, RecallTestDraft},
    scope::{MemoryLifetime, MemoryScope, Place},
    subject::{NewLinks, sentence},
};

use crate::{calendar::no_date, error::AppError, memory::browse::MAX_PAGE, services::Samples};

/// A channel of the sample.
#[derive(Debug, Clone)]
pub struct SampleChannel {
    pub name: String,
    pub description: String,
}

/// A conversation of the sample.
#[derive(Debug, Clone)]
pub struct SampleConversation {
    /// Key for references from entries.
    pub key: String,
    /// Name of its channel.
    pub channel: String,
    pub title: String,
    /// Age of its newest message in days.
    pub days_ago: f64,
    /// Its messages, by the worldbuilder and the World Agent in turn.
    pub messages: Vec<String>,
    /// How many of the newest messages are not summarised; `None`: none is.
    pub summarised_but: Option<usize>,
}

/// A fact of the sample.
#[derive(Debug, Clone)]
pub struct SampleFact {
    /// What it is about.
    pub category: String,
    pub key: String,
    pub value: String,
}

/// An entry of the sample.
#[derive(Debug, Clone)]
pub struct SampleEntry {
    /// Its tier.
    pub scope: MemoryScope,
    /// Name of its channel, for the channel tier.
    pub channel: Option<String>,
    /// Key of its conversation, for the conversation tier.
    pub conversation: Option<String>,
    /// Intended lifetime.
    pub lifetime: MemoryLifetime,
    pub curator: Curator,
    /// The actor that produced it.
    pub source: String,
    pub content: String,
    /// Importance in [0, 1].
    pub importance: f64,
    pub tags: Vec<String>,
    /// Age in days.
    pub days_ago: f64,
    /// Days since it was last used.
    pub idle_days: f64,
    /// Number of uses.
    pub access_count: u64,
    /// The messages of its conversation that it was made of, counted from 0.
    pub made_of: Vec<usize>,
}

/// A subject of the sample.
#[derive(Debug, Clone)]
pub struct SampleSubject {
    pub name: String,
    /// Other names.
    pub aliases: Vec<String>,
    pub kind: String,
    /// Text; may be empty.
    pub content: String,
    /// When it holds, in dates of the sample's calendar.
    pub holds: Option<String>,
    /// Its place in the order of reading.
    pub reading_number: Option<u32>,
}

/// The calendar of the sample.
#[derive(Debug, Clone)]
pub struct SampleCalendar {
    pub name: String,
    /// Text; may be empty.
    pub content: String,
    /// What it defines.
    pub calendar: Calendar,
}

/// A relation of the sample, between subjects by their names.
#[derive(Debug, Clone)]
pub struct SampleRelation {
    /// The subject that it starts at.
    pub from: String,
    /// What it says.
    pub relation: String,
    /// The subject that it leads to.
    pub to: String,
    /// When it holds, in dates of the sample's calendar.
    pub holds: Option<String>,
}

/// A note of the sample that not everybody knows of.
#[derive(Debug, Clone)]
pub struct SampleSecret {
    pub content: String,
    /// Subjects that it is about, by their names.
    pub about: Vec<String>,
    /// Who knows of it, by name, each with a chapter or a date since when.
    pub known_by: Vec<(String, Option<String>)>,
}

/// A recall test of the sample. Memories are named by the beginning of their text.
#[derive(Debug, Clone)]
pub struct SampleRecallTest {
    pub question: String,
    /// Memories that must come up.
    pub come: Vec<String>,
    /// Memories that must not come up.
    pub stay_away: Vec<String>,
    /// The subject whose knowledge is read.
    pub knower: Option<String>,
    /// Up to when the story has happened: a chapter or a date.
    pub at: Option<String>,
}

/// A complete sample.
#[derive(Debug, Clone)]
pub struct SampleWorld {
    /// Channels besides `#general`.
    pub channels: Vec<SampleChannel>,
    /// The file of the sample, of which the notes that are imported were made.
    pub file: Option<Derivation>,
    pub conversations: Vec<SampleConversation>,
    pub facts: Vec<SampleFact>,
    /// Texts for the standing notes VOICE and SOUL, each for its name. A note that has a text keeps it.
    pub standing: Vec<(String, String)>,
    /// Entries of all tiers.
    pub entries: Vec<SampleEntry>,
    /// The calendar that reads the dates.
    pub calendar: SampleCalendar,
    /// Subjects of the workspace.
    pub subjects: Vec<SampleSubject>,
    /// Relations between them.
    pub relations: Vec<SampleRelation>,
    /// Notes that not everybody knows of.
    pub secrets: Vec<SampleSecret>,
    pub recall_tests: Vec<SampleRecallTest>,
}

impl Samples<'_> {
    /// Writes a sample with one change per curator, so that locks and histories are those of real writes.
    /// Existing account-tier entries (from an earlier sample) are not duplicated. Returns the number of
    /// entries written.
    ///
    /// # Errors
    /// As for any write; changes of earlier curators in the sample stay.
    pub async fn write(&self, world: SampleWorld) -> Result<usize, AppError> {
        let mut channels = HashMap::new();
        for channel in &world.channels {
            let made = self.session.channels().named_or_new(&channel.name, &channel.description).await?.0;
            channels.insert(channel.name.clone(), made.id);
        }
        let conversations = self.write_conversations(&world.conversations).await?;
        let known = self.account_contents().await?;
        let mut written = 0;
        for (curator, actor_kind) in [
            (Curator::Author, ActorKind::Author),
            (Curator::Agent, ActorKind::Agent),
            (Curator::Import, ActorKind::Import),
        ] {
            let stamp = self.session.stamp(Actor::new(actor_kind, Interface::Window, None)?);
            let mut writes = Vec::new();
            for entry in world.entries.iter().filter(|entry| entry.curator == curator) {
                if entry.scope == MemoryScope::Account && known.contains(&entry.content) {
                    continue;
                }
                let missing = |name: &Option<String>| AppError::NotFound {
                    what: "room of the sample world",
                    name: name.clone().unwrap_or_default(),
                };
                let spoken = entry.conversation.as_deref().and_then(|key| conversations.get(key));
                let place = match entry.scope {
                    MemoryScope::Account => Place::Account,
                    MemoryScope::Workspace => Place::Workspace,
                    MemoryScope::Channel => {
                        let name = entry.channel.as_deref().unwrap_or_default();
                        Place::Channel(*channels.get(name).ok_or_else(|| missing(&entry.channel))?)
                    }
                    MemoryScope::Conversation => spoken.ok_or_else(|| missing(&entry.conversation))?.place,
                };
                let derivations = match curator {
                    Curator::Import => world.file.iter().cloned().collect(),
                    Curator::Author => Vec::new(),
                    Curator::Agent => spoken.map_or_else(Vec::new, |spoken| spoken.sources(&entry.made_of)),
                };
                let draft = MemoryDraft {
                    place,
                    lifetime: entry.lifetime,
                    source: entry.source.clone(),
                    title: None,
                    keys: Vec::new(),
                    content: entry.content.clone(),
                    importance: entry.importance,
                    tags: entry.tags.clone(),
                    origin: None,
                    derivations,
                };
                let mut made = MemoryEntry::create(self.session.ids.memory_id(), draft, stamp)?;
                made.created_at = stamp.at - days(entry.days_ago);
                made.updated_at = made.created_at;
                made.accessed_at = stamp.at - days(entry.idle_days.min(entry.days_ago));
                made.access_count = entry.access_count;
                writes.push(MemoryWrite::Insert(made));
            }
            if !writes.is_empty() {
                written +=
                    self.session.memories().commit(stamp, Action::Import, None, writes).await?.ids.len();
            }
        }
        written += self.write_subjects(&world).await?;
        self.write_facts(&world.facts).await?;
        self.write_standing(&world.standing).await?;
        self.write_recall_tests(&world.recall_tests).await?;
        self.mark_sample_days(&world).await?;
        Ok(written)
    }

    /// Writes the calendar, the subjects and the relations in one change of the author.
    async fn write_subjects(&self, world: &SampleWorld) -> Result<usize, AppError> {
        let stamp = self.session.stamp(Actor::new(ActorKind::Author, Interface::Window, None)?);
        let SampleCalendar { name, content, calendar } = &world.calendar;
        let span = |dates: &Option<String>| match dates {
            Some(dates) => calendar.parse_span(dates).map_err(|error| no_date(error, dates)),
            None => Ok(Span::ALWAYS),
        };
        let id = self.session.ids.memory_id();
        let made = MemoryEntry::calendar(id, name, calendar.clone(), content, stamp)?;
        let (mut writes, mut ids) = (vec![MemoryWrite::Insert(made)], HashMap::new());
        for subject in &world.subjects {
            let id = self.session.ids.memory_id();
            let made = MemoryEntry::subject(id, &subject.name, &subject.kind, &subject.content, stamp)?;
            ids.insert(subject.name.as_str(), id);
            writes.push(MemoryWrite::Insert(MemoryEntry {
                aliases: subject.aliases.clone(),
                span: span(&subject.holds)?,
                reading_number: subject.reading_number.and_then(NonZeroU32::new),
                ..made
            }));
        }
        let end = |name: &str| {
            let missing = || AppError::NotFound { what: "subject", name: name.to_owned() };
            ids.get(name).copied().ok_or_else(missing)
        };
        let note = |content: String| MemoryDraft {
            place: Place::Workspace,
            lifetime: MemoryLifetime::LongTerm,
            source: "user".to_owned(),
            title: None,
            keys: Vec::new(),
            content,
            importance: Importance::DEFAULT.get(),
            tags: Vec::new(),
            origin: None,
            derivations: Vec::new(),
        };
        for SampleRelation { from, relation, to, holds } in &world.relations {
            let links = NewLinks {
                relation: Some((relation.clone(), end(from)?, end(to)?)),
                span: span(holds)?,
                ..NewLinks::default()
            };
            let draft = note(sentence(from, relation, to));
            let id = self.session.ids.memory_id();
            writes.push(MemoryWrite::Insert(MemoryEntry::create_linked(id, draft, &links, stamp)?));
        }
        for SampleSecret { content, about, known_by } in &world.secrets {
            let since = |since: &String| match ids.get(since.as_str()) {
                Some(chapter) => Ok(Some(StoryPoint::Chapter(*chapter))),
                None => span(&Some(since.clone())).map(|span| span.from().map(StoryPoint::Moment)),
            };
            let knower = |(name, point): &(String, Option<String>)| {
                Ok((end(name)?, point.as_ref().map(since).transpose()?.flatten()))
            };
            let links = NewLinks {
                about: about.iter().map(|name| end(name)).collect::<Result<_, _>>()?,
                known_by: known_by.iter().map(knower).collect::<Result<_, AppError>>()?,
                ..NewLinks::default()
            };
            let id = self.session.ids.memory_id();
            let draft = note(content.clone());
            writes.push(MemoryWrite::Insert(MemoryEntry::create_linked(id, draft, &links, stamp)?));
        }
        Ok(self.session.memories().commit(stamp, Action::Import, None, writes).await?.ids.len())
    }

    /// Stores the recall tests. They run once the vectors are there.
    async fn write_recall_tests(&self, tests: &[SampleRecallTest]) -> Result<(), AppError> {
        let filter = MemoryFilter::active(ScopeFilter::EVERYTHING);
        let mut contents = Vec::new();
        let mut after = None;
        loop {
            let page =
                self.session.memories().list(&filter, Sort::default(), after.as_ref(), MAX_PAGE).await?;
            contents.extend(page.entries.into_iter().map(|stored| (stored.entry.content, stored.entry.id)));
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        for test in tests {
            let mut expects = Vec::new();
            for (beginnings, must) in [(&test.come, Must::Come), (&test.stay_away, Must::StayAway)] {
                for beginning in beginnings {
                    let found = contents.iter().find(|(content, _)| content.starts_with(beginning.as_str()));
                    let missing = || AppError::NotFound { what: "memory", name: beginning.clone() };
                    let item = ItemId::Memory(found.ok_or_else(missing)?.1);
                    expects.push(Expectation { item, must });
                }
            }
            let lens = self.session.lenses().named(test.knower.as_deref(), test.at.as_deref()).await?;
            let test = RecallTest {
                id: self.session.ids.recall_test_id(),
                draft: RecallTestDraft::new(&test.question, expects, (lens, None, None))?,
                created_at: self.session.clock.now(),
                last: None,
            };
            self.session.workspace.recall_tests.put(&test).await?;
        }
        Ok(())
    }

    /// Records the sample's days as days of use, so that its entries have decayed.
    async fn mark_sample_days(&self, world: &SampleWorld) -> Result<(), AppError> {
        let oldest = world.entries.iter().map(|entry| entry.days_ago).fold(0.0, f64::max).min(400.0);
        let today = self.session.clock.now().date_naive();
        for back in 0..=(oldest.ceil() as u64) {
            if let Some(day) = today.checked_sub_days(chrono::Days::new(back)) {
                self.session.workspace.memory.store.mark_open(day).await?;
            }
        }
        Ok(())
    }

    async fn account_contents(&self) -> Result<HashSet<String>, AppError> {
        let filter = MemoryFilter::active(ScopeFilter::new(&[MemoryScope::Account], None, None));
        let page = self.session.memories().list(&filter, Sort::default(), None, MAX_PAGE).await?;
        Ok(page.entries.into_iter().map(|stored| stored.entry.content).collect())
    }
}

fn days(days: f64) -> Duration {
    Duration::seconds((days.max(0.0) * 86_400.0) as i64)
}
