//! Scratchpad use cases of [`App`].

use inklings_domain::scratchpad::WORKING_TTL_SECONDS;

use crate::reference::conversations_by_id;
use crate::{
    commands::ScratchpadCommands,
    conversation::{convert as conversation, view::NoteView},
    error::CommandError,
};

impl ScratchpadCommands<'_> {
    /// The notes of one conversation ordered by key, or of all conversations with the newest first.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`.
    pub async fn list_scratchpad(&self, conversation: Option<&str>) -> Result<Vec<NoteView>, CommandError> {
        let session = self.app.session()?;
        let Some(name) = conversation else {
            let notes = session.scratchpad().newest_notes().await?;
            let places =
                conversations_by_id(&session, notes.iter().map(|note| note.conversation).collect()).await?;
            return Ok(notes
                .iter()
                .filter_map(|note| {
                    Some(conversation::note(note, places.get(&note.conversation)?.ref_code.as_str()))
                })
                .collect());
        };
        let conversation = session.conversations().named(name).await?;
        let notes = session.scratchpad().list(conversation.id).await?;
        Ok(notes.iter().map(|note| conversation::note(note, conversation.ref_code.as_str())).collect())
    }

    /// Reads a note; restarts its time to live if it has one.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found` for an unknown conversation.
    pub async fn read_scratchpad(
        &self,
        conversation: &str,
        key: &str,
    ) -> Result<Option<NoteView>, CommandError> {
        let session = self.app.session()?;
        let conversation = session.conversations().named(conversation).await?;
        let note = session.scratchpad().read(conversation.id, key).await?;
        Ok(note.map(|note| conversation::note(&note, conversation.ref_code.as_str())))
    }

    /// Writes a note; `value` is JSON text.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` that names the broken rule.
    pub async fn write_scratchpad(
        &self,
        conversation: &str,
        key: &str,
        value: &str,
        ttl_seconds: Option<u32>,
    ) -> Result<NoteView, CommandError> {
        let session = self.app.session()?;
        let conversation = session.conversations().named(conversation).await?;
        let note = session.scratchpad().write(conversation.id, key, value, ttl_seconds).await?;
        Ok(conversation::note(&note, conversation.ref_code.as_str()))
    }

    /// Removes one note or all; `working_only` limits it to notes with a time to live. Gives the number
    /// removed.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found` for an unknown conversation.
    pub async fn clear_scratchpad(
        &self,
        conversation: &str,
        key: Option<&str>,
        working_only: bool,
    ) -> Result<u32, CommandError> {
        let session = self.app.session()?;
        let id = session.conversations().named(conversation).await?.id;
        Ok(crate::wire::count(session.scratchpad().clear(id, key, working_only).await?))
    }

    /// Default time to live of a working note in seconds.
    pub const fn working_ttl() -> u32 {
        WORKING_TTL_SECONDS
    }
}
