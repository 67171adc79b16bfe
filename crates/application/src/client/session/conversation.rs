//! Conversations and working notes of a client session, limited to where the client takes part.

use inklings_domain::{
    client::Verb,
    conversation::{Conversation, message::Message},
    orientation::shown::{Seen, Showing, Through},
    scope::MemoryScope,
    scratchpad::WorkingNote,
};
use inklings_ports::{
    conversation::{
        store::{ConversationFilter, ConversationSummary},
        transcript_store::MessageRange,
    },
    search::transcript_store::TranscriptFilter,
};

use super::{ClientSession, Where};
use crate::{
    conversation::transcript::MessagePage,
    error::{AppError, Denied},
};

impl ClientSession {
    /// The conversation of this name, if the client's grants allow the verb there. Without a name, the only one in
    /// which the client takes part.
    pub(crate) async fn in_conversation(
        &self,
        verb: Verb,
        name: Option<&str>,
    ) -> Result<Conversation, AppError> {
        let at = Where { tier: MemoryScope::Conversation, channel: None, conversation: name };
        let (_, place) = self.place(verb, at).await?;
        let Some(id) = place.conversation() else { return Err(Denied::Place.into()) };
        self.session.conversations().by_id(id).await
    }

    /// Conversations in which the client takes part, or only those of one of its channels, latest activity
    /// first.
    ///
    /// # Errors
    /// [`AppError::Denied`].
    pub async fn conversations(
        &self,
        channel: Option<&str>,
        limit: usize,
    ) -> Result<Vec<ConversationSummary>, AppError> {
        let client = self.admitted().await?;
        if !client.grants.allows(Verb::Read, MemoryScope::Conversation) {
            return Err(Denied::of(&client.grants, Verb::Read, MemoryScope::Conversation).into());
        }
        let channel = match channel {
            Some(name) => Some(self.channel(&client, Some(name)).await?),
            None => None,
        };
        let only = Some(client.grants.readable_conversations().collect());
        let filter = ConversationFilter { channel, only, ..ConversationFilter::default() };
        let conversations = self.session.conversations().list(&filter, None, limit.clamp(1, 200)).await?.rows;
        let seen = |conversation: &ConversationSummary| Seen::conversation(conversation.conversation.id);
        Ok(self
            .shows(conversations, |conversations| {
                Showing::of(Through::Conversations, conversations.iter().map(seen).collect())
            })
            .await)
    }

    /// A conversation with a page of its transcript: the last messages, or the last ones before a position.
    ///
    /// # Errors
    /// [`AppError::Denied`].
    pub async fn transcript(
        &self,
        name: Option<&str>,
        before: Option<u64>,
        limit: usize,
    ) -> Result<(Conversation, MessagePage), AppError> {
        let conversation = self.in_conversation(Verb::Read, name).await?;
        let range = before.map_or(MessageRange::Newest, MessageRange::Before);
        let page = self.session.transcripts().page(conversation.id, range, limit.clamp(1, 200)).await?;
        let showing = |(conversation, page): &(Conversation, MessagePage)| {
            let seen = page.messages.iter().map(|message| Seen::message(message.id())).collect();
            Showing::of(Through::Transcript, seen).of_conversation(conversation)
        };
        Ok(self.shows((conversation, page), showing).await)
    }

    /// Messages for a query in the conversations that the client may read, best first: in all of them, or in those of a
    /// channel, or in one.
    ///
    /// # Errors
    /// [`AppError::Denied`]; [`AppError::Input`] for an empty query.
    pub async fn search_messages(
        &self,
        channel: Option<&str>,
        name: Option<&str>,
        query: &str,
        limit: usize,
    ) -> Result<Vec<(Conversation, Message)>, AppError> {
        let client = self.granted(Verb::Read, MemoryScope::Conversation).await?;
        let channel = match channel {
            Some(name) => Some(self.channel(&client, Some(name)).await?),
            None => None,
        };
        let conversation = match name {
            Some(name) => Some(self.in_conversation(Verb::Read, Some(name)).await?.id),
            None => None,
        };
        let only = Some(client.grants.readable_conversations().collect());
        let filter = TranscriptFilter { conversation, channel, only, archived: true, lens: None };
        let found = self.session.search().messages_of(filter, query, limit).await?;
        let showing = |found: &Vec<(Conversation, Message)>| {
            let seen = found.iter().map(|(_, message)| Seen::message(message.id())).collect();
            Showing::of(Through::Transcript, seen)
        };
        Ok(self.shows(found, showing).await)
    }

    /// Adds a message of the agent to a conversation. The role is always the agent's, because a client cannot
    /// write for the worldbuilder.
    ///
    /// # Errors
    /// [`AppError::Denied`]; [`AppError::Transition`] if it has ended; [`AppError::Text`].
    pub async fn say(&self, name: Option<&str>, text: &str) -> Result<Message, AppError> {
        let conversation = self.in_conversation(Verb::Write, name).await?;
        self.session.client_writes().add_message_as(self.id(), &conversation, text).await
    }

    /// Writes a working note.
    ///
    /// # Errors
    /// [`AppError::Denied`], [`AppError::Note`].
    pub async fn write_note(
        &self,
        name: Option<&str>,
        key: &str,
        value: &str,
        ttl_seconds: Option<u32>,
    ) -> Result<WorkingNote, AppError> {
        let conversation = self.in_conversation(Verb::Write, name).await?;
        self.session.scratchpad().put_note(conversation.id, key, value, ttl_seconds, Some(self.id())).await
    }

    /// Reads a working note.
    ///
    /// # Errors
    /// [`AppError::Denied`].
    pub async fn read_note(&self, name: Option<&str>, key: &str) -> Result<Option<WorkingNote>, AppError> {
        let conversation = self.in_conversation(Verb::Read, name).await?;
        let note = self.session.scratchpad().read(conversation.id, key).await?;
        let showing = |note: &Option<WorkingNote>| {
            Showing::counted(Through::Notes, usize::from(note.is_some())).of_conversation(&conversation)
        };
        Ok(self.shows(note, showing).await)
    }

    /// All working notes of a conversation. Their values are read, so their times to live begin again.
    ///
    /// # Errors
    /// [`AppError::Denied`].
    pub async fn notes(&self, name: Option<&str>) -> Result<Vec<WorkingNote>, AppError> {
        let conversation = self.in_conversation(Verb::Read, name).await?;
        let notes = self.session.scratchpad().read_all(conversation.id).await?;
        Ok(self
            .shows(notes, |notes| {
                Showing::counted(Through::Notes, notes.len()).of_conversation(&conversation)
            })
            .await)
    }

    /// Removes one working note, or all notes of a conversation. Returns the number removed.
    ///
    /// # Errors
    /// [`AppError::Denied`].
    pub async fn clear_notes(&self, name: Option<&str>, key: Option<&str>) -> Result<usize, AppError> {
        let conversation = self.in_conversation(Verb::Write, name).await?;
        self.session.client_writes().clear_notes_as(self.id(), conversation.id, key).await
    }
}
