//! Imports whole conversations from another program's export in one transaction, or previews the import.
//! Importing a file again updates conversations and creates no duplicates.

use std::{collections::BTreeMap, task::Poll};

use chrono::{DateTime, Utc};
use inklings_domain::{
    channel::DEFAULT_CHANNEL,
    conversation::{
        Conversation, ConversationStatus,
        message::{MessageOrigin, NewMessage, Role},
        ref_code::{RefCode, RefCodeExhausted},
        title::{self, TitleSource},
    },
    ids::ChannelId,
    lens::Lens,
    text::TextError,
};
use inklings_ports::{
    conversation::import_store::{
        ConversationSource, ImportTransaction, RefusedConversation, SourceError, SourceItem, TakenIn,
        ThirdPartyConversation,
    },
    progress::Progress,
    store_error::StoreError,
};

use crate::{conversation::lookup::REF_CODE_ATTEMPTS, error::AppError, services::ConversationImports};

/// Maximum titles in a report.
pub const TITLES: usize = 20;
/// Maximum refused conversations that a report names; all are counted.
pub const REFUSED: usize = 500;

/// How an import ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportEnd {
    /// Everything was imported.
    Done,
    /// It was only a preview.
    Preview,
    /// It was stopped. Nothing was imported; the report covers what was read.
    Cancelled,
}

/// The result of an import or preview.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportReport {
    /// Name of the format: `chatgpt`, `claude` or `sillytavern`.
    pub format: &'static str,
    /// How it ended.
    pub end: ImportEnd,
    /// New conversations.
    pub new: usize,
    /// Existing conversations with new or changed messages.
    pub updated: usize,
    /// Existing conversations without changes.
    pub unchanged: usize,
    /// Number of added messages.
    pub added: usize,
    /// Number of messages whose text was replaced by a newer one.
    pub replaced: usize,
    /// Number of skipped items by reason.
    pub skipped: BTreeMap<&'static str, u64>,
    /// Number of conversations that cannot be read and are left out.
    pub refused: u64,
    /// The first [`REFUSED`] of them.
    pub refusals: Vec<RefusedConversation>,
    /// Time of the earliest message, if the file has any times.
    pub first: Option<DateTime<Utc>>,
    /// Time of the latest message.
    pub last: Option<DateTime<Utc>>,
    /// Titles of the first [`TITLES`] conversations as in the file; empty for untitled ones.
    pub titles: Vec<String>,
}

impl ImportReport {
    const fn of(format: &'static str) -> Self {
        Self {
            format,
            end: ImportEnd::Preview,
            new: 0,
            updated: 0,
            unchanged: 0,
            added: 0,
            replaced: 0,
            skipped: BTreeMap::new(),
            refused: 0,
            refusals: Vec::new(),
            first: None,
            last: None,
            titles: Vec::new(),
        }
    }

    /// Number of conversations read: new, updated and unchanged.
    pub const fn conversations(&self) -> usize {
        self.new + self.updated + self.unchanged
    }

    fn skip(&mut self, reason: &'static str) {
        *self.skipped.entry(reason).or_default() += 1;
    }

    fn refuse(&mut self, conversation: RefusedConversation) {
        self.refused += 1;
        if self.refusals.len() < REFUSED {
            self.refusals.push(conversation);
        }
    }

    fn took_in(&mut self, title: String, taken: TakenIn) {
        match taken {
            TakenIn { new: true, .. } => self.new += 1,
            TakenIn { added: 0, replaced: 0, .. } => self.unchanged += 1,
            TakenIn { .. } => self.updated += 1,
        }
        self.added += taken.added;
        self.replaced += taken.replaced;
        if self.titles.len() < TITLES {
            self.titles.push(title);
        }
    }

    fn include_time(&mut self, at: DateTime<Utc>) {
        self.first = Some(self.first.map_or(at, |first| first.min(at)));
        self.last = Some(self.last.map_or(at, |last| last.max(at)));
    }
}

fn unreadable(error: &SourceError) -> AppError {
    AppError::Input { field: "file", message: error.to_string() }
}

impl ConversationImports<'_> {
    /// Imports all conversations of a source into a channel (default `#general`) in one transaction, as idle
    /// conversations with the times of the file. Without `commit` nothing is stored and the report is a
    /// preview. Reading a source blocks, so this yields to other tasks between conversations.
    ///
    /// # Errors
    /// [`AppError::Input`] for the field `file` if the source cannot be read to its end,
    /// [`AppError::NotFound`] for an unknown channel, [`AppError::Store`] if the database fails. Nothing was
    /// written then.
    pub async fn import(
        &self,
        mut source: Box<dyn ConversationSource>,
        channel: Option<ChannelId>,
        progress: &dyn Progress,
        commit: bool,
    ) -> Result<ImportReport, AppError> {
        let channel = match channel {
            Some(id) => self.session.channels().by_id(id).await?,
            None => self.session.channels().named(DEFAULT_CHANNEL).await?,
        };
        let mut report = ImportReport::of(source.format());
        let mut transaction = self.session.workspace.import.begin_import().await?;
        while let Some(item) = source.next() {
            match item.map_err(|error| unreadable(&error))? {
                SourceItem::Conversation(third_party) => {
                    self.take_in(transaction.as_mut(), third_party, channel.id, &mut report).await?;
                    let (read, total) = source.progress();
                    progress.report(read, total);
                    give_way().await;
                }
                SourceItem::Skipped(reason) => report.skip(reason),
                SourceItem::Refused(conversation) => report.refuse(conversation),
            }
            if progress.cancelled() {
                report.end = ImportEnd::Cancelled;
                return Ok(report);
            }
        }
        if commit {
            transaction.commit().await?;
            report.end = ImportEnd::Done;
        }
        Ok(report)
    }

    async fn take_in(
        &self,
        transaction: &mut dyn ImportTransaction,
        third_party: ThirdPartyConversation,
        channel: ChannelId,
        report: &mut ImportReport,
    ) -> Result<(), AppError> {
        let messages = self.as_ours(&third_party, report);
        if messages.is_empty() {
            report.skip("empty conversation");
            return Ok(());
        }
        let times = || messages.iter().map(|message| message.at);
        let (first, last) = (times().min().unwrap_or_default(), times().max().unwrap_or_default());
        let title = Conversation::title(&third_party.title).unwrap_or_default();
        let (title, titled) = self.titled(title, &messages).await?;
        // Prefix with the format, because two programs may use the same ids.
        let external_id = format!("{}:{}", report.format, third_party.external_id);
        for _ in 0..REF_CODE_ATTEMPTS {
            let conversation = Conversation {
                id: self.session.ids.conversation_id(),
                ref_code: RefCode::from_bits(self.session.ids.random_bits()),
                channel_id: channel,
                title: title.clone(),
                titled,
                started_at: third_party.started_at.map_or(first, |at| at.min(first)),
                ended_at: Some(last),
                status: ConversationStatus::Idle,
                continues: None,
                shares_through: None,
                model: None,
                active_at: last,
                lens: Lens::NONE,
            };
            match transaction.take_in(&external_id, &conversation, &messages).await {
                Ok(taken) => {
                    report.took_in(title, taken);
                    return Ok(());
                }
                Err(StoreError::AlreadyExists("conversation")) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(RefCodeExhausted { attempts: REF_CODE_ATTEMPTS }.into())
    }

    /// The title of a file, or the first words of what the worldbuilder said. Nothing is made of messages while memory is off.
    async fn titled(
        &self,
        title: String,
        messages: &[NewMessage],
    ) -> Result<(String, Option<TitleSource>), AppError> {
        if !title.is_empty() {
            return Ok((title, Some(TitleSource::Person)));
        }
        let first = messages.iter().find(|message| message.role == Role::User);
        let made = first.and_then(|first| Some((title::of_message(&first.content)?, first.id)));
        match made {
            Some((made, id)) if self.session.switch().enabled().await? => {
                Ok((made, Some(TitleSource::Message(id))))
            }
            _ => Ok((title, None)),
        }
    }

    /// Converts the messages of a third-party conversation. A message without a time gets the time of the
    /// previous one.
    fn as_ours(&self, third_party: &ThirdPartyConversation, report: &mut ImportReport) -> Vec<NewMessage> {
        let now = self.session.clock.now();
        // Ignore times in the future. Otherwise a wrong clock would keep the conversation on top of the list
        // for years.
        let past = |at: Option<DateTime<Utc>>| at.filter(|at| *at <= now);
        let known = third_party.messages.iter().find_map(|message| past(message.at));
        let mut at = past(third_party.started_at).or(known).unwrap_or(now);
        let mut messages = Vec::with_capacity(third_party.messages.len());
        for message in &third_party.messages {
            at = past(message.at).unwrap_or(at);
            match NewMessage::new(self.session.ids.message_id(), message.role, &message.text, at) {
                Ok(new_message) => messages.push(NewMessage {
                    origin: Some(MessageOrigin {
                        external_id: Some(message.external_id.clone()),
                        session: None,
                        speaker: message.speaker.clone(),
                        said_at: message.at.map(|at| at.to_rfc3339()),
                    }),
                    ..new_message
                }),
                Err(TextError::TooLong { .. }) => report.skip("message too long"),
                Err(_) => report.skip("empty message"),
            }
            if let Some(at) = past(message.at) {
                report.include_time(at);
            }
        }
        messages
    }
}

/// Yields once to other tasks of the runtime.
async fn give_way() {
    let mut given = false;
    std::future::poll_fn(|context| {
        if std::mem::replace(&mut given, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}
