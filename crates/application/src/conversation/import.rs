//! Brings whole conversations in from the export of another program, all of a file or nothing; or only looks at what
//! that would come to. Brought in again they are updated, not doubled.

use std::{collections::BTreeMap, task::Poll};

use chrono::{DateTime, Utc};
use inklings_domain::{
    channel::DEFAULT_CHANNEL,
    conversation::{
        Conversation, ConversationStatus,
        message::{MessageOrigin, NewMessage},
        ref_code::{RefCode, RefCodeExhausted},
    },
    ids::ChannelId,
    text::TextError,
};

use crate::{
    conversation::{
        import_store::{
            ConversationSource, ImportTransaction, SourceError, SourceItem, TakenIn, ThirdPartyConversation,
        },
        lookup::REF_CODE_ATTEMPTS,
    },
    error::AppError,
    session::Session,
    store_error::StoreError,
};

/// Titles in a report.
pub const TITLES: usize = 20;

/// Hears how an import goes, and can stop it.
pub trait ImportProgress: Send + Sync {
    /// Bytes of the file read so far, of how many.
    fn report(&self, read: u64, total: u64);

    /// True once the import should stop; nothing of it stays then.
    fn cancelled(&self) -> bool;
}

/// How an import ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportEnd {
    /// All of it is in the workspace.
    Done,
    /// It was only looked at.
    Preview,
    /// It was stopped; nothing of it is in the workspace, and the rest of the report covers what was read.
    Cancelled,
}

/// What an import came to, or would come to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportReport {
    /// The format's name: `chatgpt` or `claude`.
    pub format: &'static str,
    /// How it ended.
    pub end: ImportEnd,
    /// Conversations that were not there before.
    pub new: usize,
    /// Conversations that were there and got new or changed messages.
    pub updated: usize,
    /// Conversations that were there already, just so.
    pub unchanged: usize,
    /// Messages added.
    pub added: usize,
    /// Messages whose text was replaced by a newer one.
    pub replaced: usize,
    /// What was left out and why, with how many of each.
    pub skipped: BTreeMap<&'static str, u64>,
    /// When the first message was said, if any says when.
    pub first: Option<DateTime<Utc>>,
    /// When the last one was said.
    pub last: Option<DateTime<Utc>>,
    /// Titles of the first [`TITLES`] conversations, as the file has them; an empty one has none.
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
            first: None,
            last: None,
            titles: Vec::new(),
        }
    }

    /// Conversations read: new, updated and unchanged ones.
    pub const fn conversations(&self) -> usize {
        self.new + self.updated + self.unchanged
    }

    fn skip(&mut self, reason: &'static str) {
        *self.skipped.entry(reason).or_default() += 1;
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

    fn heard(&mut self, at: DateTime<Utc>) {
        self.first = Some(self.first.map_or(at, |first| first.min(at)));
        self.last = Some(self.last.map_or(at, |last| last.max(at)));
    }
}

fn unreadable(error: &SourceError) -> AppError {
    AppError::Input { field: "file", message: error.to_string() }
}

impl Session {
    /// Brings every conversation of a source into a channel (`#general` if none is given) in one transaction, as idle
    /// ones with the times of the file. Without `commit` nothing is kept and the report says what would have been.
    /// Reading a source blocks; between conversations this gives way to other tasks.
    ///
    /// # Errors
    /// [`AppError::Input`] for the field `file` if the source breaks anywhere, [`AppError::NotFound`] for an unknown
    /// channel, [`AppError::Store`] if the database refuses. Nothing was written then.
    pub async fn import_conversations(
        &self,
        mut source: Box<dyn ConversationSource>,
        channel: Option<ChannelId>,
        progress: &dyn ImportProgress,
        commit: bool,
    ) -> Result<ImportReport, AppError> {
        let channel = match channel {
            Some(id) => self.channel_by_id(id).await?,
            None => self.channel(DEFAULT_CHANNEL).await?,
        };
        let mut report = ImportReport::of(source.format());
        let mut transaction = self.workspace.import.begin_import().await?;
        while let Some(item) = source.next() {
            match item.map_err(|error| unreadable(&error))? {
                SourceItem::Conversation(third_party) => {
                    self.take_in(transaction.as_mut(), third_party, channel.id, &mut report).await?;
                    let (read, total) = source.progress();
                    progress.report(read, total);
                    give_way().await;
                }
                SourceItem::Skipped(reason) => report.skip(reason),
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
        // Two programs may number their conversations alike.
        let external_id = format!("{}:{}", report.format, third_party.external_id);
        for _ in 0..REF_CODE_ATTEMPTS {
            let conversation = Conversation {
                id: self.ids.conversation_id(),
                ref_code: RefCode::from_bits(self.ids.random_bits()),
                channel_id: channel,
                title: title.clone(),
                started_at: third_party.started_at.map_or(first, |at| at.min(first)),
                ended_at: Some(last),
                status: ConversationStatus::Idle,
                continues: None,
                active_at: last,
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

    /// The messages of a foreign conversation as ours. One without a time was said when the one before it was.
    fn as_ours(&self, third_party: &ThirdPartyConversation, report: &mut ImportReport) -> Vec<NewMessage> {
        let now = self.clock.now();
        // A clock that ran ahead must not keep a conversation on top of the list for years.
        let past = |at: Option<DateTime<Utc>>| at.filter(|at| *at <= now);
        let known = third_party.messages.iter().find_map(|message| past(message.at));
        let mut at = past(third_party.started_at).or(known).unwrap_or(now);
        let mut messages = Vec::with_capacity(third_party.messages.len());
        for message in &third_party.messages {
            at = past(message.at).unwrap_or(at);
            match NewMessage::said(self.ids.message_id(), message.role, &message.text, at) {
                Ok(said) => messages.push(NewMessage {
                    origin: Some(MessageOrigin {
                        external_id: Some(message.external_id.clone()),
                        session: None,
                        speaker: message.speaker.clone(),
                        said_at: message.at.map(|at| at.to_rfc3339()),
                    }),
                    ..said
                }),
                Err(TextError::TooLong { .. }) => report.skip("message too long"),
                Err(_) => report.skip("empty message"),
            }
            if let Some(at) = past(message.at) {
                report.heard(at);
            }
        }
        messages
    }
}

/// Lets other tasks of the runtime run.
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
