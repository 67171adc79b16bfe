//! A story with secrets, generated from a seed and written into a workspace.

use std::num::NonZeroU32;

use inklings_application::{
    memory::write::WrittenEntry, session::Session, subject::NewRelation, vault::page::page,
};
use inklings_domain::{
    calendar::{Calendar, moment::Moment, preset::gregorian, span::Span, story_point::StoryPoint},
    conversation::{Conversation, message::Role},
    fact::Assertion,
    ids::{ChannelId, MemoryId, PageId},
    lens::{AUDIENCE, Lens, MEMBER_OF},
    memory::MemoryDraft,
    provenance::{Actor, ActorKind, Interface},
    scope::{MemoryLifetime, MemoryScope, Place},
    vault::{FileStat, Vault},
};
use inklings_ports::vault::store::PageWrite;

use crate::{App, bench::random::Random, error::CommandError};

const CHARACTERS: usize = 8;
const FACTIONS: usize = 4;
const CHAPTERS: usize = 8;
const TELLINGS: usize = 128;
const DAYS: i64 = 100;

/// Who may know something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who {
    Character(usize),
    Faction(usize),
    Reader,
}

/// Since when somebody knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Since {
    Always,
    Day(i64),
    Chapter(usize),
}

/// The time of a lens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    End,
    Day(i64),
    Chapter(usize),
}

/// What holds the text of a telling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bearer {
    Note,
    Channel,
    Relation,
    Subject,
    /// A named note that is always in mind.
    Standing,
    /// Written by an agent that saw everything.
    Agent,
    Account,
    /// A fact of the worldbuilder.
    Fact,
    /// A fact that an agent set, which saw everything.
    AgentFact,
    /// What an agent claims against a fact of the worldbuilder.
    Claim,
    /// Said in a conversation with somebody, on a day of the story.
    Message {
        speaker: Who,
        day: i64,
    },
}

impl Bearer {
    pub const fn is_fact(self) -> bool {
        matches!(self, Self::Fact | Self::AgentFact | Self::Claim)
    }
}

/// Something that is written down, with a word that is asked for and one that only its text has.
#[derive(Debug, Clone)]
pub struct Telling {
    pub bearer: Bearer,
    /// A word that a question may name.
    pub handle: String,
    /// A word that nobody asks for: whoever sees it has seen the text.
    pub secret: String,
    pub text: String,
    pub known_by: Vec<(Who, Since)>,
    /// The day on which it happens; for a fact, the first on which it holds.
    pub happens: Option<i64>,
    /// The last day on which a fact holds.
    pub ends: Option<i64>,
    /// Its entry; `None` for a message.
    pub id: Option<MemoryId>,
    /// The subject that it is about, is, or starts at.
    pub subject: Option<MemoryId>,
    pub conversation: Option<Conversation>,
    /// A page about it, which nobody in the story knows.
    pub page: PageId,
    /// A word that only the page has.
    pub page_secret: String,
}

#[derive(Debug, Clone, Copy)]
pub struct ChapterDays {
    pub id: MemoryId,
    pub reading: u32,
    pub days: Option<(i64, i64)>,
}

#[derive(Debug, Clone, Copy)]
pub struct Belonging {
    pub member: Who,
    pub group: Who,
    pub first: i64,
    pub last: i64,
    pub always: bool,
}

/// A generated story.
#[derive(Debug)]
pub struct Story {
    pub days: i64,
    pub characters: Vec<MemoryId>,
    pub factions: Vec<MemoryId>,
    pub reader: MemoryId,
    pub chapters: Vec<ChapterDays>,
    pub memberships: Vec<Belonging>,
    pub tellings: Vec<Telling>,
    pub channel: ChannelId,
}

impl Story {
    pub fn id_of(&self, who: Who) -> MemoryId {
        match who {
            Who::Character(n) => self.characters[n],
            Who::Faction(n) => self.factions[n],
            Who::Reader => self.reader,
        }
    }

    pub fn lens(&self, who: Option<Who>, when: When) -> Lens {
        let at = match when {
            When::End => None,
            When::Day(day) => Some(StoryPoint::Moment(moment(day))),
            When::Chapter(at) => Some(StoryPoint::Chapter(self.chapters[at].id)),
        };
        Lens { knower: who.map(|who| self.id_of(who)), at }
    }

    fn knowers(&self, telling: &Telling) -> Vec<(MemoryId, Option<StoryPoint>)> {
        telling.known_by.iter().map(|(who, since)| (self.id_of(*who), self.since(*since))).collect()
    }

    fn since(&self, since: Since) -> Option<StoryPoint> {
        match since {
            Since::Always => None,
            Since::Day(day) => Some(StoryPoint::Moment(moment(day))),
            Since::Chapter(at) => Some(StoryPoint::Chapter(self.chapters[at].id)),
        }
    }
}

/// Days of a generated story are always within range.
fn moment(day: i64) -> Moment {
    Moment::on_day(day).unwrap_or(Moment::MAX)
}

fn span(first: i64, last: i64) -> Span {
    Span::new(Some(moment(first)), Some(moment(last))).unwrap_or(Span::ALWAYS)
}

/// Sentences of a word that is asked for and a secret one. They differ, because a search shows only one of those that say the same.
const SENTENCES: [&str; 16] = [
    "The {handle} was hidden below the {secret} before the bells rang.",
    "Nobody but the ferryman saw how {handle} sank near {secret}.",
    "In a letter, {handle} names {secret} as the place of the second meeting.",
    "It was {secret} who paid for the {handle}, in silver and in grain.",
    "The old map calls the ford {handle}; on the back it says {secret}.",
    "When the lamps go out, {handle} answers to the name of {secret}.",
    "Three winters ago the {handle} broke, and {secret} mended it with tar.",
    "Whoever carries {handle} may pass the gate of {secret} unasked.",
    "Under oath the widow swore that {handle} never left {secret}.",
    "A cure for the {handle} grows only on the walls of {secret}.",
    "The heir of {handle} was raised in {secret} as a miller's child.",
    "Seven steps from {handle} lies the well that {secret} poisoned.",
    "The song of {handle} has one more verse, and it is about {secret}.",
    "Between the pages on {handle} somebody pressed a leaf from {secret}.",
    "The debt of {handle} was bought by {secret} for half its worth.",
    "On the last night {handle} opened the sluice for {secret}.",
];

/// Words that no language has, each different, and without a common beginning in the same sentence.
fn word(n: usize) -> String {
    const HEADS: [&str; 16] = [
        "zar", "quel", "vim", "thro", "yrb", "kax", "oun", "jel", "dwi", "fosk", "hune", "ilm", "prax",
        "ske", "ulg", "brev",
    ];
    const TAILS: [&str; 8] = ["dask", "mirr", "vonth", "lupe", "grint", "soff", "beck", "warl"];
    let (telling, which) = (n / 2, n % 2);
    let (own, sentence) = (telling / SENTENCES.len(), telling % SENTENCES.len());
    let head = HEADS[(own + 8 * which) % HEADS.len()];
    format!("{head}{}{}", TAILS[own / 8 * 4 + sentence / 4], TAILS[(sentence + which) % 4 + 4])
}

/// Writes the story into a workspace.
pub async fn write(app: &App, session: &Session, seed: u64) -> Result<Story, CommandError> {
    let mut random = Random::new(seed);
    let writer = Writer { app, session };
    let reckoning =
        Calendar::new(gregorian()).map_err(|_| CommandError::invalid("calendar", "no calendar"))?;
    session.calendars().add("Reckoning", reckoning, "", app.actor).await?;
    let mut story = Story {
        days: DAYS,
        characters: Vec::new(),
        factions: Vec::new(),
        reader: writer.subject("Reader", AUDIENCE, "").await?,
        chapters: Vec::new(),
        memberships: Vec::new(),
        tellings: Vec::new(),
        channel: session.channels().create("rumours", "").await?.id,
    };
    for n in 0..CHARACTERS {
        story.characters.push(writer.subject(&format!("Person {n}"), "character", "").await?);
    }
    for n in 0..FACTIONS {
        story.factions.push(writer.subject(&format!("Order {n}"), "faction", "").await?);
    }
    for at in 0..CHAPTERS {
        let first = at as i64 * 12;
        // The fifth is a flashback, and the seventh has no days.
        let days = match at {
            4 => Some((0, 2)),
            6 => None,
            _ => Some((first, first + 11)),
        };
        let id = writer.subject(&format!("Chapter {at}"), "chapter", "").await?;
        let reading = NonZeroU32::MIN.saturating_add(at as u32).get();
        let time = days.map_or(Span::ALWAYS, |(first, last)| span(first, last));
        writer.date(id, time, Some(reading)).await?;
        story.chapters.push(ChapterDays { id, reading, days });
    }
    for n in 0..2 * CHARACTERS {
        let member = if n < 2 { Who::Faction(n) } else { Who::Character(random.below(CHARACTERS)) };
        let group = match member {
            // Orders belong to later ones, and the last two to each other.
            Who::Faction(own) => Who::Faction(own + 1 + random.below(FACTIONS - own - 1)),
            _ => Who::Faction(random.below(FACTIONS)),
        };
        let always = random.one_in(3);
        let first = random.below(80) as i64;
        let belonging = Belonging {
            member,
            group,
            first: if always { 0 } else { first },
            last: if always { DAYS } else { first + random.below(30) as i64 },
            always,
        };
        let is_new = |it: &&Belonging| it.member == belonging.member && it.group == belonging.group;
        if story.memberships.iter().find(is_new).is_none() {
            writer.belong(&story, belonging).await?;
            story.memberships.push(belonging);
        }
    }
    for n in 0..TELLINGS {
        let telling = draw(&mut random, &story, n, session.ids.page_id());
        let telling = writer.tell(&story, telling).await?;
        story.tellings.push(telling);
    }
    link_pages(session, &story).await?;
    Ok(story)
}

/// Links a vault with a page about each telling. Its files are not there: only the index is asked.
async fn link_pages(session: &Session, story: &Story) -> Result<(), CommandError> {
    let (id, linked_at) = (session.ids.vault_id(), session.clock.now());
    let vault = Vault { id, name: "Notes".into(), path: "/notes".into(), linked_at, scanned_at: None };
    let write = |telling: &Telling| {
        let path = format!("{}.md", telling.handle);
        let text = format!(
            "---\ntype: item\n---\n# On {handle}\nWhat the {handle} was: {secret}. See [[{handle}]].\n",
            handle = telling.handle,
            secret = telling.page_secret
        );
        PageWrite {
            id: telling.page,
            stat: FileStat { size: text.len() as u64, modified_at: 0 },
            settled: true,
            hash: inklings_domain::digest::hex(&[0; 32]),
            text: Some(page(&path, &text)),
            path,
        }
    };
    let writes: Vec<PageWrite> = story.tellings.iter().map(write).collect();
    let pages = &session.workspace.pages;
    let stored = async {
        pages.link(&vault).await?;
        pages.put(id, &writes, &[]).await
    };
    Ok(stored.await.map_err(inklings_application::error::AppError::from)?)
}

fn draw(random: &mut Random, story: &Story, n: usize, page: PageId) -> Telling {
    let somebody = |random: &mut Random| match random.below(7) {
        0 => Who::Reader,
        1 | 2 => Who::Faction(random.below(FACTIONS)),
        _ => Who::Character(random.below(CHARACTERS)),
    };
    let bearer = match n % 14 {
        0..=2 => Bearer::Note,
        3 => Bearer::Channel,
        4 => Bearer::Relation,
        5 => Bearer::Subject,
        6 => Bearer::Standing,
        7 => Bearer::Agent,
        8 => Bearer::Account,
        9 | 10 => Bearer::Fact,
        11 => Bearer::AgentFact,
        12 => Bearer::Claim,
        _ => Bearer::Message {
            speaker: Who::Character(random.below(CHARACTERS)),
            day: random.below(90) as i64,
        },
    };
    let may_be_secret = matches!(
        bearer,
        Bearer::Note | Bearer::Channel | Bearer::Relation | Bearer::Subject | Bearer::Standing | Bearer::Fact
    );
    let mut known_by: Vec<(Who, Since)> = Vec::new();
    if may_be_secret && !random.one_in(4) {
        for _ in 0..=random.below(2) {
            let who = somebody(random);
            let since = match random.below(3) {
                0 => Since::Always,
                1 => Since::Day(random.below(90) as i64),
                _ => Since::Chapter(random.below(story.chapters.len())),
            };
            if known_by.iter().all(|(known, _)| *known != who) {
                known_by.push((who, since));
            }
        }
    }
    let is_fact = matches!(bearer, Bearer::Fact | Bearer::AgentFact);
    let may_happen = is_fact || matches!(bearer, Bearer::Note | Bearer::Channel | Bearer::Relation);
    let happens = (may_happen && random.one_in(3)).then(|| random.below(90) as i64);
    let ends = happens.filter(|_| is_fact).map(|first| first + random.below(40) as i64);
    let (handle, secret) = (word(2 * n), word(2 * n + 1));
    // No other word is one of these backwards.
    let page_secret: String = secret.chars().rev().chain("qx".chars()).collect();
    let text = SENTENCES[n % SENTENCES.len()].replace("{handle}", &handle).replace("{secret}", &secret);
    Telling {
        bearer,
        handle,
        secret,
        text,
        known_by,
        happens,
        ends,
        id: None,
        subject: None,
        conversation: None,
        page,
        page_secret,
    }
}

/// Writes as the worldbuilder does.
struct Writer<'a> {
    app: &'a App,
    session: &'a Session,
}

impl Writer<'_> {
    async fn subject(&self, name: &str, kind: &str, text: &str) -> Result<MemoryId, CommandError> {
        Ok(self.session.subjects().add(name, kind, text, self.app.actor).await?.id())
    }

    async fn date(&self, id: MemoryId, span: Span, reading: Option<u32>) -> Result<(), CommandError> {
        let version = self.session.entry(id).await?.entry.version;
        let calendars = self.session.calendars();
        calendars.set_story_time(id, version, Some(span), reading, self.app.actor).await?;
        Ok(())
    }

    async fn belong(&self, story: &Story, belonging: Belonging) -> Result<(), CommandError> {
        let (from, to) = (story.id_of(belonging.member), story.id_of(belonging.group));
        let made = self.relate(from, MEMBER_OF, to, None).await?;
        if !belonging.always {
            self.date(made.id(), span(belonging.first, belonging.last), None).await?;
        }
        Ok(())
    }

    async fn relate(
        &self,
        from: MemoryId,
        relation: &str,
        to: MemoryId,
        content: Option<String>,
    ) -> Result<WrittenEntry, CommandError> {
        let new = NewRelation { from, relation: relation.to_owned(), to, content, place: Place::Workspace };
        Ok(self.session.subjects().relate(new, self.app.actor).await?)
    }

    async fn note(&self, place: Place, text: &str, actor: Actor) -> Result<MemoryId, CommandError> {
        let draft = MemoryDraft {
            place,
            lifetime: MemoryLifetime::LongTerm,
            source: "probe".to_owned(),
            title: None,
            keys: Vec::new(),
            content: text.to_owned(),
            importance: 0.5,
            tags: Vec::new(),
            origin: None,
            derivations: Vec::new(),
        };
        Ok(self.session.memories().create(draft, actor).await?.id())
    }

    /// A fact under the word that is asked for, and what an agent says against one.
    async fn state(&self, story: &Story, telling: &Telling) -> Result<(), CommandError> {
        let (facts, author) = (self.session.facts(), self.app.actor);
        let agent = Actor::new(ActorKind::Agent, Interface::Cli, None)
            .map_err(inklings_application::error::AppError::from)?;
        let key = telling.handle.as_str();
        if telling.bearer == Bearer::Claim {
            facts.set("probe", key, "Nobody can say.", None, author).await?;
        }
        let actor = if telling.bearer == Bearer::Fact { author } else { agent };
        let time = telling.happens.zip(telling.ends).map(|(first, last)| span(first, last));
        let assertion = Assertion::new("probe", key, &telling.text, None)
            .map_err(|error| CommandError::from(inklings_application::error::AppError::from(error)))?;
        let set = facts.assert(assertion.holding(time), actor).await?;
        if !telling.known_by.is_empty() {
            facts.set_known_by(set.fact.fact.id, &story.knowers(telling), author).await?;
        }
        Ok(())
    }

    async fn tell(&self, story: &Story, mut telling: Telling) -> Result<Telling, CommandError> {
        let author = self.app.actor;
        let ends = (story.characters[0], story.characters[1]);
        let text = telling.text.as_str();
        let id = match telling.bearer {
            Bearer::Note => self.note(Place::Workspace, text, author).await?,
            Bearer::Channel => self.note(Place::Channel(story.channel), text, author).await?,
            Bearer::Account => self.note(Place::Account, text, author).await?,
            Bearer::Agent => {
                let agent = Actor::new(ActorKind::Agent, Interface::Cli, None)
                    .map_err(inklings_application::error::AppError::from)?;
                self.note(Place::Workspace, text, agent).await?
            }
            Bearer::Relation => {
                let word = format!("keeps the {} from", telling.handle);
                self.relate(ends.0, &word, ends.1, Some(text.to_owned())).await?.id()
            }
            Bearer::Subject => self.subject(&telling.handle, "item", text).await?,
            Bearer::Standing => {
                let named = self.session.named_entries();
                named.add(MemoryScope::Workspace, &telling.handle, text, author).await?.id()
            }
            Bearer::Fact | Bearer::AgentFact | Bearer::Claim => {
                self.state(story, &telling).await?;
                return Ok(telling);
            }
            Bearer::Message { speaker, day } => {
                let begun = self.session.conversations().begin(None, "").await?;
                let lens = story.lens(Some(speaker), When::Day(day));
                let begun = self.session.conversations().set_lens(begun.id, lens).await?;
                self.session.transcripts().add(&begun, Role::User, text).await?;
                telling.conversation = Some(begun);
                return Ok(telling);
            }
        };
        if telling.bearer == Bearer::Note {
            let version = self.session.entry(id).await?.entry.version;
            self.session.subjects().set_about(id, version, &[ends.0], author).await?;
        }
        if let Some(day) = telling.happens {
            self.date(id, span(day, day), None).await?;
        }
        if !telling.known_by.is_empty() {
            let knowers = story.knowers(&telling);
            let version = self.session.entry(id).await?.entry.version;
            self.session.lenses().set_known_by(id, version, &knowers, author).await?;
        }
        telling.id = Some(id);
        telling.subject = match telling.bearer {
            Bearer::Note | Bearer::Relation => Some(ends.0),
            Bearer::Subject => Some(id),
            _ => None,
        };
        Ok(telling)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_word_is_in_one_telling_alone() {
        let words: BTreeSet<String> = (0..2 * TELLINGS).map(word).collect();
        assert_eq!(words.len(), 2 * TELLINGS);
        let parts = |one: &String| words.iter().filter(|other| other.contains(one.as_str())).count();
        assert!(words.iter().all(|word| parts(word) == 1), "a word stands in another one");
    }
}
