//! Adding and reading messages, and setting their importance.

use chrono::{Duration, TimeDelta};
use inklings_domain::{
    conversation::{
        Conversation,
        attachment::{self, Attachment, MAX_ATTACHMENTS},
        message::{Delivery, Message, NewMessage, Role, turn_start},
    },
    ids::{ConversationId, MessageId},
    memory::Importance,
};
use inklings_ports::conversation::transcript_store::{
    ALL_POSITIONS, MessageRange, Streaming, TranscriptPart,
};

use crate::{error::AppError, memory::browse::MAX_PAGE, services::Transcripts};

/// A streaming answer that nobody has written for this long has lost its writer. A turn writes its answer at least every
/// [`crate::turn::WRITE_EVERY`], also while nothing arrives.
const LOST_AFTER: Duration = Duration::seconds(150);
/// Messages read at once to find the beginning of a turn.
const TURN_PAGE: usize = 200;
/// Most messages of a turn.
const LONGEST_TURN: usize = 1_000;

/// A text to attach to a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAttachment {
    /// The name of the file, without its folder.
    pub name: String,
    pub text: String,
}

/// A page of a transcript.
#[derive(Debug, Clone, PartialEq)]
pub struct MessagePage {
    /// Messages in ascending order of position.
    pub messages: Vec<Message>,
    /// True if there are earlier ones.
    pub earlier: bool,
    /// True if there are later ones.
    pub later: bool,
}

impl Transcripts<'_> {
    /// Adds a message to an active conversation. It is durable on return.
    ///
    /// # Errors
    /// [`AppError::Transition`] if the conversation has ended, [`AppError::Text`] if the text is invalid.
    pub async fn add(
        &self,
        conversation: &Conversation,
        role: Role,
        text: &str,
    ) -> Result<Message, AppError> {
        self.add_all(conversation, role, text, &[]).await
    }

    /// Adds a message of the worldbuilder with attached texts, all in one transaction. Each attachment is a message of its own
    /// before it, and holds the text as it is now.
    ///
    /// # Errors
    /// As [`Self::add`]; [`AppError::Input`] for too many attachments.
    pub async fn add_with(
        &self,
        conversation: &Conversation,
        text: &str,
        attached: &[NewAttachment],
    ) -> Result<Message, AppError> {
        self.add_all(conversation, Role::User, text, attached).await
    }

    async fn add_all(
        &self,
        conversation: &Conversation,
        role: Role,
        text: &str,
        attached: &[NewAttachment],
    ) -> Result<Message, AppError> {
        conversation.takes_messages()?;
        if attached.len() > MAX_ATTACHMENTS {
            let message = format!("a message has at most {MAX_ATTACHMENTS} attachments");
            return Err(AppError::Input { field: "attachment", message });
        }
        let at = self.session.clock.now();
        let mut messages = Vec::with_capacity(attached.len() + 1);
        for new in attached {
            let text = attachment::content(&new.text)?;
            messages.push(NewMessage {
                attachment: Some(Attachment::of_file(&new.name)?),
                ..NewMessage::new(self.session.ids.message_id(), Role::User, &text, at)?
            });
        }
        messages.push(NewMessage::new(self.session.ids.message_id(), role, text, at)?);
        let added = self.append(conversation.id, &messages).await?;
        if role == Role::User && conversation.is_untitled() {
            self.session.conversations().title_by_words(conversation.id, &added).await;
        }
        Ok(added)
    }

    /// Stores messages in one transaction, and answers with the last one.
    pub(crate) async fn append(
        &self,
        conversation: ConversationId,
        messages: &[NewMessage],
    ) -> Result<Message, AppError> {
        let added = self.session.workspace.transcript.append(conversation, messages).await?.pop();
        added.ok_or_else(|| AppError::NotFound {
            what: "message",
            name: messages.last().map(|message| message.id.to_string()).unwrap_or_default(),
        })
    }

    /// A page of the messages that a conversation contains itself.
    pub async fn page(
        &self,
        conversation: ConversationId,
        range: MessageRange,
        limit: usize,
    ) -> Result<MessagePage, AppError> {
        let limit = limit.clamp(1, MAX_PAGE);
        let found = self.session.workspace.transcript.page(conversation, range, limit + 1).await?;
        Ok(page_of(found, range, limit))
    }

    /// A page of a whole transcript: that of a branch begins with the messages that it shares.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if there is no such conversation.
    pub async fn whole_page(
        &self,
        conversation: ConversationId,
        range: MessageRange,
        limit: usize,
    ) -> Result<MessagePage, AppError> {
        let limit = limit.clamp(1, MAX_PAGE);
        let parts = self.parts(conversation).await?;
        Ok(page_of(self.of_parts(&parts, range, limit + 1).await?, range, limit))
    }

    /// The parts of a transcript, its own first.
    pub(crate) async fn parts(&self, id: ConversationId) -> Result<Vec<TranscriptPart>, AppError> {
        let parts = self.session.workspace.transcript.parts(id).await?;
        if parts.is_empty() {
            return Err(AppError::NotFound { what: "conversation", name: id.to_string() });
        }
        Ok(parts)
    }

    /// At most `limit` messages of a transcript, in ascending order of position. What a part shares stands before what follows
    /// in the next one.
    async fn of_parts(
        &self,
        parts: &[TranscriptPart],
        range: MessageRange,
        limit: usize,
    ) -> Result<Vec<Message>, AppError> {
        let transcript = &self.session.workspace.transcript;
        let mut found: Vec<Message> = Vec::new();
        if let MessageRange::After(position) = range {
            for part in parts.iter().rev().filter(|part| part.through > position) {
                let more = transcript.page(part.conversation, range, limit - found.len()).await?;
                found.extend(more.into_iter().filter(|message| message.position <= part.through));
                if found.len() >= limit {
                    break;
                }
            }
            return Ok(found);
        }
        let before = if let MessageRange::Before(position) = range { position } else { ALL_POSITIONS };
        for part in parts {
            let bound = MessageRange::Before(before.min(part.through.saturating_add(1)));
            let mut earlier = transcript.page(part.conversation, bound, limit - found.len()).await?;
            earlier.append(&mut found);
            found = earlier;
            if found.len() >= limit {
                break;
            }
        }
        Ok(found)
    }

    /// All messages that a conversation contains itself after a position, read page by page.
    pub(crate) async fn all_after(
        &self,
        conversation: ConversationId,
        position: u64,
    ) -> Result<Vec<Message>, AppError> {
        let own = TranscriptPart { conversation, through: ALL_POSITIONS, tick: 0 };
        self.all_of(&[own], position).await
    }

    /// As [`Self::all_after`], of a whole transcript.
    pub(crate) async fn whole_after(
        &self,
        conversation: ConversationId,
        position: u64,
    ) -> Result<Vec<Message>, AppError> {
        self.all_of(&self.parts(conversation).await?, position).await
    }

    async fn all_of(&self, parts: &[TranscriptPart], mut position: u64) -> Result<Vec<Message>, AppError> {
        let mut messages = Vec::new();
        loop {
            let page = self.of_parts(parts, MessageRange::After(position), MAX_PAGE).await?;
            let Some(last) = page.last() else { return Ok(messages) };
            position = last.position;
            messages.extend(page);
        }
    }

    /// One message.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if there is none.
    pub async fn get(&self, id: MessageId) -> Result<Message, AppError> {
        let found = self.session.workspace.transcript.messages(&[id]).await?.pop();
        found.ok_or_else(|| AppError::NotFound { what: "message", name: id.to_string() })
    }

    /// Sets the importance of a message.
    ///
    /// # Errors
    /// [`AppError::Memory`] for a number outside [0, 1].
    pub async fn set_importance(&self, id: MessageId, importance: f64) -> Result<Message, AppError> {
        let importance = Importance::new(importance)?;
        self.session.workspace.transcript.set_importance(id, importance, self.session.clock.now()).await?;
        self.get(id).await
    }

    /// Marks the streaming answer of a conversation as failed, after its writer in this process broke off.
    pub async fn settle_broken_answer(&self, conversation: ConversationId) -> Result<usize, AppError> {
        let now = self.session.clock.now();
        let later = now + TimeDelta::seconds(1);
        Ok(self.session.workspace.transcript.abandon(Streaming::Of(conversation), later, now).await?)
    }

    /// Marks streaming answers as failed if their writing process is gone. `running` has the conversations in which this process
    /// is answering: after a sleep of the machine their answers look lost too.
    pub async fn settle_lost_answers(&self, running: &[ConversationId]) -> Result<usize, AppError> {
        let now = self.session.clock.now();
        let lost = Streaming::AllBut(running);
        Ok(self.session.workspace.transcript.abandon(lost, now - LOST_AFTER, now).await?)
    }

    /// True if an answer is arriving in a conversation, in any process.
    pub(crate) async fn is_answering(&self, conversation: ConversationId) -> Result<bool, AppError> {
        let last = self.session.workspace.transcript.page(conversation, MessageRange::Newest, 1).await?.pop();
        let lost_before = self.session.clock.now() - LOST_AFTER;
        Ok(last
            .is_some_and(|last| last.body.delivery == Delivery::Streaming && last.updated_at >= lost_before))
    }

    /// The newest messages of a transcript in ascending order, at most as many as the workspace caches.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if there is no such conversation.
    pub async fn newest(&self, id: ConversationId) -> Result<Vec<Message>, AppError> {
        let cap = self.session.conversations().settings().await?.working_cap;
        // Read the ticks first: a message written between the two reads then only causes the copy to be read
        // again. Ticks only rise, so their sum is another one after every change.
        let parts = self.parts(id).await?;
        let tick = parts.iter().map(|part| part.tick).sum();
        if let Some(messages) = self.session.working.get(id, tick, cap) {
            return Ok(messages);
        }
        let messages = self.of_parts(&parts, MessageRange::Newest, cap).await?;
        self.session.working.put(id, tick, cap, &messages);
        Ok(messages)
    }

    /// As [`Self::newest`], but with all of the current turn, whose tool calls may be more messages than the workspace caches.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if there is no such conversation.
    pub(crate) async fn newest_turns(&self, id: ConversationId) -> Result<Vec<Message>, AppError> {
        let mut messages = self.newest(id).await?;
        let count = messages.len();
        while turn_start(&messages).is_none_or(|start| start == 0) && messages.len() < LONGEST_TURN {
            // Nothing is before the first message of a conversation, which most turns of a new one begin with.
            let Some(first) = messages.first().map(|message| message.position).filter(|first| *first > 1)
            else {
                break;
            };
            let parts = self.parts(id).await?;
            let mut earlier = self.of_parts(&parts, MessageRange::Before(first), TURN_PAGE).await?;
            if earlier.is_empty() {
                break;
            }
            earlier.append(&mut messages);
            messages = earlier;
        }
        let start = turn_start(&messages).unwrap_or(messages.len());
        messages.drain(..start.min(messages.len() - count));
        Ok(messages)
    }
}

/// A page of at most `limit` messages, of which one more was read.
fn page_of(mut messages: Vec<Message>, range: MessageRange, limit: usize) -> MessagePage {
    let more = messages.len() > limit;
    match range {
        MessageRange::Newest | MessageRange::Before(_) => {
            if more {
                messages.remove(0);
            }
            MessagePage { messages, earlier: more, later: matches!(range, MessageRange::Before(_)) }
        }
        MessageRange::After(position) => {
            messages.truncate(limit);
            MessagePage { messages, earlier: position > 0, later: more }
        }
    }
}
