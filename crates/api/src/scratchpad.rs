//! Working notes.

use inklings_domain::scratchpad::WORKING_TTL_SECONDS;

use crate::conversation::known;
use crate::{
    App,
    conversation::{convert as conversation, view::NoteView},
    error::CommandError,
};

impl App {
    /// The working notes of a conversation by key, or without one those of all, newest first.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`.
    pub async fn list_scratchpad(&self, conversation: Option<&str>) -> Result<Vec<NoteView>, CommandError> {
        let session = self.session()?;
        let Some(name) = conversation else {
            let notes = session.newest_notes().await?;
            let places = known(&session, notes.iter().map(|note| note.conversation).collect()).await?;
            return Ok(notes
                .iter()
                .filter_map(|note| {
                    Some(conversation::note(note, places.get(&note.conversation)?.ref_code.as_str()))
                })
                .collect());
        };
        let conversation = session.conversation_named(name).await?;
        let notes = session.list_scratchpad(conversation.id).await?;
        Ok(notes.iter().map(|note| conversation::note(note, conversation.ref_code.as_str())).collect())
    }

    /// Reads a working note; one with a time to live starts it anew.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found` for an unknown conversation.
    pub async fn read_scratchpad(
        &self,
        conversation: &str,
        key: &str,
    ) -> Result<Option<NoteView>, CommandError> {
        let session = self.session()?;
        let conversation = session.conversation_named(conversation).await?;
        let note = session.read_scratchpad(conversation.id, key).await?;
        Ok(note.map(|note| conversation::note(&note, conversation.ref_code.as_str())))
    }

    /// Writes a working note; `value` is JSON text.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` saying which rule was broken.
    pub async fn write_scratchpad(
        &self,
        conversation: &str,
        key: &str,
        value: &str,
        ttl_seconds: Option<u32>,
    ) -> Result<NoteView, CommandError> {
        let session = self.session()?;
        let conversation = session.conversation_named(conversation).await?;
        let note = session.write_scratchpad(conversation.id, key, value, ttl_seconds).await?;
        Ok(conversation::note(&note, conversation.ref_code.as_str()))
    }

    /// Removes one note or all; `working_only`: only those with a time to live. Gives how many went.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found` for an unknown conversation.
    pub async fn clear_scratchpad(
        &self,
        conversation: &str,
        key: Option<&str>,
        working_only: bool,
    ) -> Result<u32, CommandError> {
        let session = self.session()?;
        let id = session.conversation_named(conversation).await?.id;
        Ok(crate::wire::count(session.clear_scratchpad(id, key, working_only).await?))
    }

    /// Seconds that a working note lives where nothing else is said.
    pub const fn working_ttl() -> u32 {
        WORKING_TTL_SECONDS
    }
}
