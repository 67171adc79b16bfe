//! The sample world that the first start offers.

use inklings_application::sample::{
    SampleCalendar, SampleChannel, SampleConversation, SampleEntry, SampleFact, SampleRecallTest,
    SampleRelation, SampleSecret, SampleSubject, SampleWorld,
};
use inklings_domain::{derivation::Derivation, digest::hex};
use inklings_ports::calendar::json::calendar_of;
use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::{
    commands::WorkspaceCommands,
    error::{CommandError, ErrorCode},
    vocabulary::{Curator, Lifetime, Scope},
    workspace::view::WorkspaceView,
};

const NAME: &str = "sample-world.json";
const JSON: &str = include_str!("../../assets/sample-world.json");

#[derive(Deserialize)]
struct File {
    name: String,
    channels: Vec<Channel>,
    facts: Vec<Fact>,
    standing: Vec<Standing>,
    conversations: Vec<Conversation>,
    memories: Vec<Memory>,
    calendar: WorldCalendar,
    subjects: Vec<Subject>,
    relations: Vec<Link>,
    secrets: Vec<Secret>,
    recall_tests: Vec<RecallTest>,
}

#[derive(Deserialize)]
struct Channel {
    name: String,
    description: String,
}

#[derive(Deserialize)]
struct Conversation {
    key: String,
    channel: String,
    title: String,
    days_ago: f64,
    messages: Vec<String>,
    #[serde(default)]
    summarised_but: Option<usize>,
}

#[derive(Deserialize)]
struct Fact {
    category: String,
    key: String,
    value: String,
}

#[derive(Deserialize)]
struct Standing {
    name: String,
    content: String,
}

#[derive(Deserialize)]
struct Subject {
    name: String,
    aliases: Vec<String>,
    kind: String,
    content: String,
    #[serde(default)]
    holds: Option<String>,
    #[serde(default)]
    reading_number: Option<u32>,
}

#[derive(Deserialize)]
struct WorldCalendar {
    name: String,
    content: String,
    definition: Value,
}

#[derive(Deserialize)]
struct Link {
    from: String,
    relation: String,
    to: String,
    #[serde(default)]
    holds: Option<String>,
}

#[derive(Deserialize)]
struct Secret {
    content: String,
    about: Vec<String>,
    known_by: Vec<Knower>,
}

#[derive(Deserialize)]
struct RecallTest {
    question: String,
    #[serde(default)]
    come: Vec<String>,
    #[serde(default)]
    stay_away: Vec<String>,
    #[serde(default)]
    knower: Option<String>,
    #[serde(default)]
    at: Option<String>,
}

#[derive(Deserialize)]
struct Knower {
    name: String,
    #[serde(default)]
    since: Option<String>,
}

#[derive(Deserialize)]
struct Memory {
    scope: Scope,
    channel: Option<String>,
    conversation: Option<String>,
    lifetime: Lifetime,
    curator: Curator,
    source: String,
    content: String,
    importance: f64,
    tags: Vec<String>,
    days_ago: f64,
    idle_days: f64,
    access_count: u64,
    #[serde(default)]
    made_of: Vec<usize>,
}

impl TryFrom<File> for SampleWorld {
    type Error = CommandError;

    fn try_from(file: File) -> Result<Self, CommandError> {
        let calendar = calendar_of(&file.calendar.definition).map_err(|error| unreadable(&error))?;
        let channels = file.channels.into_iter();
        let conversations = file.conversations.into_iter();
        Ok(Self {
            channels: channels.map(|c| SampleChannel { name: c.name, description: c.description }).collect(),
            conversations: conversations
                .map(|c| SampleConversation {
                    key: c.key,
                    channel: c.channel,
                    title: c.title,
                    days_ago: c.days_ago,
                    messages: c.messages,
                    summarised_but: c.summarised_but,
                })
                .collect(),
            facts: file
                .facts
                .into_iter()
                .map(|f| SampleFact { category: f.category, key: f.key, value: f.value })
                .collect(),
            standing: file.standing.into_iter().map(|note| (note.name, note.content)).collect(),
            file: Derivation::file(NAME, hex(&Sha256::digest(JSON))),
            subjects: file
                .subjects
                .into_iter()
                .map(|s| SampleSubject {
                    name: s.name,
                    aliases: s.aliases,
                    kind: s.kind,
                    content: s.content,
                    holds: s.holds,
                    reading_number: s.reading_number,
                })
                .collect(),
            relations: file
                .relations
                .into_iter()
                .map(|r| SampleRelation { from: r.from, relation: r.relation, to: r.to, holds: r.holds })
                .collect(),
            secrets: file
                .secrets
                .into_iter()
                .map(|s| SampleSecret {
                    content: s.content,
                    about: s.about,
                    known_by: s.known_by.into_iter().map(|knower| (knower.name, knower.since)).collect(),
                })
                .collect(),
            recall_tests: file
                .recall_tests
                .into_iter()
                .map(|t| SampleRecallTest {
                    question: t.question,
                    come: t.come,
                    stay_away: t.stay_away,
                    knower: t.knower,
                    at: t.at,
                })
                .collect(),
            entries: file
                .memories
                .into_iter()
                .map(|m| SampleEntry {
                    scope: m.scope.into(),
                    channel: m.channel,
                    conversation: m.conversation,
                    lifetime: m.lifetime.into(),
                    curator: m.curator.into(),
                    source: m.source,
                    content: m.content,
                    importance: m.importance,
                    tags: m.tags,
                    days_ago: m.days_ago,
                    idle_days: m.idle_days,
                    access_count: m.access_count,
                    made_of: m.made_of,
                })
                .collect(),
            calendar: SampleCalendar { name: file.calendar.name, content: file.calendar.content, calendar },
        })
    }
}

fn unreadable(error: &dyn std::fmt::Display) -> CommandError {
    CommandError::new(ErrorCode::Internal, format!("The sample world cannot be read: {error}."))
}

fn file() -> Result<File, CommandError> {
    serde_json::from_str(JSON).map_err(|error| unreadable(&error))
}

impl WorkspaceCommands<'_> {
    /// Loads the sample world into a new workspace and opens it.
    ///
    /// # Errors
    /// [`CommandError`] if it cannot be written; a partly filled workspace is removed.
    pub async fn load_sample_world(&self) -> Result<WorkspaceView, CommandError> {
        let file = file()?;
        let name = file.name.clone();
        let world = file.try_into()?;
        let created = self.create_free(&name).await?;
        self.switch_workspace(&created.id).await?;
        if let Err(error) = self.app.session()?.samples().write(world).await {
            self.delete_workspace(&created.id, true).await?;
            return Err(error.into());
        }
        self.dismiss_sample().await?;
        Ok(WorkspaceView { current: true, ..created })
    }

    /// Stores that the offer of the sample world was answered.
    ///
    /// # Errors
    /// [`CommandError`] if the account's database cannot be written.
    pub async fn dismiss_sample(&self) -> Result<(), CommandError> {
        self.app.settings().change_settings(|settings| settings.sample_dismissed = true).await
    }

    /// Creates a workspace with this name, with a number appended if the name is in use.
    async fn create_free(&self, name: &str) -> Result<WorkspaceView, CommandError> {
        let mut number = 1;
        loop {
            let candidate = if number == 1 { name.to_owned() } else { format!("{name} {number}") };
            match self.create_workspace(&candidate).await {
                Err(error) if error.code == ErrorCode::AlreadyExists && number < 100 => number += 1,
                done => return done,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_world_has_over_200_entries_of_every_tier_in_three_channels() {
        let world =
            SampleWorld::try_from(file().expect("the sample world reads")).expect("its calendar is valid");
        assert!(world.entries.len() >= 200 && world.channels.len() >= 3);
        for scope in inklings_domain::scope::MemoryScope::ALL {
            assert!(world.entries.iter().any(|entry| entry.scope == *scope), "{scope}");
        }
    }
}
