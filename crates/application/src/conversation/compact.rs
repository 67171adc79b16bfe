//! Compaction: replaces the beginning of a conversation by an archive entry and a marker.

use inklings_domain::{
    conversation::{
        Conversation,
        episode::SummaryMaker,
        message::{CompactMarker, Delivery, Message, NewMessage, Role, estimated_tokens},
        summary::{self, Turn},
    },
    derivation::{self, Derivation},
    ids::ConversationId,
    memory::{
        MemoryDraft, MemoryEntry,
        change_set::{Action, ChangeSet, MemoryWrite},
        text_source::TextSource,
    },
    provenance::{Actor, ActorKind},
    scope::{MemoryLifetime, Place},
    text::MAX_LABEL_CHARS,
};
use inklings_ports::{
    conversation::{
        summariser::{Material, Summariser},
        transcript_store::ALL_POSITIONS,
    },
    store_error::StoreError,
};

use super::summarise::{is_turn, max_summary_words, turns};
use crate::{error::AppError, services::Compaction};

/// Minimum messages for an archive.
const MIN_MESSAGES: usize = 2;
/// Attempts to find a free name.
const NAMES: usize = 50;
/// Importance of an archive entry.
const IMPORTANCE: f64 = 0.6;
/// Source recorded for archives.
const SOURCE: &str = "compaction";

/// The planned effect of a compaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompactionPreview {
    /// Position of the last covered message.
    pub through: u64,
    /// Number of covered messages.
    pub messages: usize,
    /// Estimated tokens replayed in a turn now.
    pub tokens_before: u64,
    /// Estimated tokens replayed afterwards, including the summary.
    pub tokens_after: u64,
    /// Name of the archive.
    pub name: String,
    /// Summary text of the archive.
    pub summary: String,
    /// Whether a model or the built-in summariser wrote it.
    pub maker: SummaryMaker,
    /// True if the covered messages are deleted, because the workspace keeps only summaries.
    pub deletes_messages: bool,
    /// Clients that wrote some of the covered messages.
    pub sources: Vec<TextSource>,
    /// The messages that the summary is made of.
    pub derivations: Vec<Derivation>,
}

/// The messages that a compaction covers, and the size of the rest.
struct Prefix {
    covered: Vec<Message>,
    /// Turns to summarise. Excludes messages written while memory was off.
    summarised: Vec<Turn>,
    /// The messages of these turns, oldest first.
    derivations: Vec<Derivation>,
    retained_tokens: u64,
}

impl Compaction<'_> {
    /// Previews a compaction that leaves the newest `retain` messages; `None` if there is too little to
    /// compact.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if there is no such conversation.
    pub async fn preview(
        &self,
        conversation: &Conversation,
        retain: Option<usize>,
        summariser: &dyn Summariser,
    ) -> Result<Option<CompactionPreview>, AppError> {
        let settings = self.session.conversations().settings().await?;
        let Some(prefix) = self.prefix(conversation.id, retain.unwrap_or(settings.retain_turns)).await?
        else {
            return Ok(None);
        };
        let by_clients = self.session.client_writes().messages_of_transcript(conversation.id).await?;
        let covers = |id| prefix.covered.iter().any(|message| message.body.id == id);
        let sources = by_clients.iter().filter(|(id, _)| covers(*id));
        let made = summariser
            .summarise(Material::Conversation, &prefix.summarised, max_summary_words(&prefix.summarised))
            .await;
        let covered: u64 = prefix.covered.iter().map(|m| estimated_tokens(&m.body.content)).sum();
        Ok(Some(CompactionPreview {
            through: prefix.covered.last().map_or(0, |m| m.position),
            messages: prefix.covered.len(),
            tokens_before: covered + prefix.retained_tokens,
            tokens_after: estimated_tokens(&made.text) + prefix.retained_tokens,
            name: self.free_name(&archive_name(conversation, &made.text, self.session.clock.now())).await?,
            summary: made.text,
            maker: made.maker,
            deletes_messages: settings.keep_only_summaries,
            sources: sources.map(|(_, client)| TextSource::Client(*client)).collect(),
            derivations: derivation::newest(prefix.derivations),
        }))
    }

    /// Compacts a conversation. Returns the marker, or `None` if there is too little to compact. `name` is
    /// used as the archive's name.
    ///
    /// # Errors
    /// [`AppError::MemoryOff`], for every actor; [`StoreError::AlreadyExists`] if the given name is taken;
    /// [`AppError::NotFound`] for an unknown conversation.
    pub async fn compact(
        &self,
        conversation: &Conversation,
        retain: Option<usize>,
        name: Option<&str>,
        summariser: &dyn Summariser,
        actor: Actor,
    ) -> Result<Option<Message>, AppError> {
        self.session.switch().may_capture(ActorKind::System).await?;
        let Some(plan) = self.preview(conversation, retain, summariser).await? else {
            return Ok(None);
        };
        let given = name.filter(|name| !name.trim().is_empty());
        let wanted = given.unwrap_or(&plan.name);
        for attempt in 0..NAMES {
            let name = if attempt == 0 { wanted.to_owned() } else { self.free_name(wanted).await? };
            match self.write_archive(conversation, &plan, &name, actor).await {
                // Another process took the name between check and write. Retry with another name, unless the
                // caller gave this one.
                Err(AppError::Store(StoreError::AlreadyExists(_))) if given.is_none() => {}
                // A concurrent run compacted the conversation first; return its marker.
                Err(AppError::Store(StoreError::Moved(_))) => {
                    return Ok(self
                        .session
                        .workspace
                        .transcript
                        .latest_marker(conversation.id, ALL_POSITIONS)
                        .await?);
                }
                done => return done.map(Some),
            }
        }
        Err(StoreError::AlreadyExists("archive").into())
    }

    /// Compacts a conversation if it exceeds its token budget, unless memory is switched off.
    ///
    /// Messages of a compaction that was undone or forgotten do not count towards the budget. Otherwise the
    /// next turn would repeat what a person just undid.
    pub async fn compact_if_long(
        &self,
        conversation: &Conversation,
        summariser: &dyn Summariser,
        actor: Actor,
    ) -> Result<Option<Message>, AppError> {
        let budget = self.session.conversations().settings().await?.compact_at_tokens;
        if budget == 0 || !self.session.switch().enabled().await? {
            return Ok(None);
        }
        let through = self.session.contexts().compacted_through(conversation.id).await?;
        let messages = self.session.transcripts().whole_after(conversation.id, through).await?;
        let taken_back =
            messages.iter().filter_map(|m| m.body.marker.as_ref()).map(|marker| marker.through).max();
        let counted = messages.iter().filter(|m| !m.is_marker() && Some(m.position) > taken_back);
        if counted.map(tokens).sum::<u64>() <= budget {
            return Ok(None);
        }
        self.compact(conversation, None, None, summariser, actor).await
    }

    async fn write_archive(
        &self,
        conversation: &Conversation,
        plan: &CompactionPreview,
        name: &str,
        actor: Actor,
    ) -> Result<Message, AppError> {
        let stamp = self.session.stamp(actor);
        let origin =
            inklings_domain::memory::Origin { conversation: Some(conversation.id), ..Default::default() };
        let draft = MemoryDraft {
            place: Place::Channel(conversation.channel_id),
            lifetime: MemoryLifetime::LongTerm,
            source: SOURCE.to_owned(),
            title: None,
            keys: Vec::new(),
            content: plan.summary.clone(),
            importance: IMPORTANCE,
            tags: vec!["archive".to_owned()],
            origin: Some(origin),
            derivations: plan.derivations.clone(),
        };
        let entry = MemoryEntry::archive(self.session.ids.memory_id(), name, draft, stamp)?
            .with_text_sources(plan.sources.iter().copied());
        let marker = CompactMarker {
            archive: entry.id,
            archive_name: entry.name.clone().unwrap_or_default(),
            archived_at: stamp.at,
            through: plan.through,
        };
        let marker = NewMessage {
            id: self.session.ids.message_id(),
            role: Role::System,
            content: String::new(),
            importance: Role::System.importance(),
            tool: None,
            calls: None,
            delivery: Delivery::Complete,
            marker: Some(marker),
            origin: None,
            attachment: None,
            at: stamp.at,
        };
        let change = ChangeSet {
            stamp,
            action: Action::Create,
            undoes: None,
            switch: self.session.switch().state().await?,
            writes: vec![MemoryWrite::Insert(entry)],
        };
        let delete = plan.deletes_messages.then_some(plan.through);
        Ok(self.session.workspace.transcript.compact(conversation.id, &change, &marker, delete).await?)
    }

    async fn prefix(&self, conversation: ConversationId, retain: usize) -> Result<Option<Prefix>, AppError> {
        let mut messages = self.since_marker(conversation).await?;
        let mut cut = messages.len().saturating_sub(retain);
        // A message that is still streaming is not compacted.
        let arriving = messages.iter().position(|m| m.body.delivery == Delivery::Streaming);
        cut = cut.min(arriving.unwrap_or(cut));
        // Keep a tool's answer with its call.
        while cut > 0 && messages.get(cut).is_some_and(|m| m.body.role == Role::Tool) {
            cut -= 1;
        }
        let retained = messages.split_off(cut);
        let retained_tokens = retained.iter().map(tokens).sum();
        let off = self.session.switch().off_record(conversation).await?;
        let on_record = || messages.iter().filter(|message| !off.contains(&message.id()));
        let summarised = turns(on_record());
        let derivations = on_record().filter(|m| is_turn(m)).map(|m| Derivation::Message(m.id())).collect();
        let enough = summarised.len() >= MIN_MESSAGES;
        Ok(enough.then_some(Prefix { covered: messages, summarised, derivations, retained_tokens }))
    }

    /// All messages after the latest compaction.
    async fn since_marker(&self, conversation: ConversationId) -> Result<Vec<Message>, AppError> {
        let through = self.session.contexts().compacted_through(conversation).await?;
        let mut messages = self.session.transcripts().whole_after(conversation, through).await?;
        messages.retain(|message| !message.is_marker());
        Ok(messages)
    }

    /// The wanted name, with a number appended if it is taken.
    async fn free_name(&self, wanted: &str) -> Result<String, AppError> {
        let taken: Vec<String> = self
            .session
            .workspace
            .memory
            .store
            .names()
            .await?
            .into_iter()
            .map(|(name, _)| inklings_domain::text::fold(&name))
            .collect();
        let free = |name: &String| !taken.contains(&inklings_domain::text::fold(name));
        let numbered = (2..).map(|n| format!("{wanted} ({n})"));
        Ok(std::iter::once(wanted.to_owned()).chain(numbered).find(free).unwrap_or_default())
    }
}

fn tokens(message: &Message) -> u64 {
    estimated_tokens(&message.body.content)
}

/// A readable name: the title or the subject of the summary, and the date.
fn archive_name(conversation: &Conversation, summary: &str, now: chrono::DateTime<chrono::Utc>) -> String {
    let mut seen = Vec::new();
    for mention in summary::mentions(summary) {
        let name = mention.chars().any(char::is_alphabetic) && !mention.starts_with("World");
        if name && !seen.contains(&mention) && seen.len() < 3 {
            seen.push(mention);
        }
    }
    let about = match (conversation.title.as_str(), seen.as_slice()) {
        ("", []) => "Conversation".to_owned(),
        ("", [one]) => one.clone(),
        ("", [rest @ .., last]) => format!("{} and {last}", rest.join(", ")),
        (title, _) => title.to_owned(),
    };
    let day = now.format("%-d %b %Y").to_string();
    let most = MAX_LABEL_CHARS - day.chars().count() - 10;
    let about: String = about.chars().take(most).collect();
    format!("{}, {day}", about.trim())
}
