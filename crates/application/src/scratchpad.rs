//! Use cases on the agent's working notes.

use inklings_domain::{
    ids::{ClientId, ConversationId},
    scratchpad::{InvalidNote, MAX_KEYS, WorkingNote},
};
use inklings_ports::{client::write_store::ClientAct, store_error::StoreError};

use crate::{error::AppError, services::Scratchpad};

/// Maximum notes listed across all conversations.
const NEWEST: usize = 200;

impl Scratchpad<'_> {
    /// Writes a working note. `value` must be JSON. `ttl_seconds` sets a time to live, which every read
    /// restarts.
    ///
    /// # Errors
    /// [`AppError::Note`] with the violated rule, [`AppError::NotFound`] for an unknown conversation.
    pub async fn write(
        &self,
        conversation: ConversationId,
        key: &str,
        value: &str,
        ttl_seconds: Option<u32>,
    ) -> Result<WorkingNote, AppError> {
        self.put_note(conversation, key, value, ttl_seconds, None).await
    }

    /// As above; as an MCP client if one is given.
    pub(crate) async fn put_note(
        &self,
        conversation: ConversationId,
        key: &str,
        value: &str,
        ttl_seconds: Option<u32>,
        client: Option<ClientId>,
    ) -> Result<WorkingNote, AppError> {
        // Check the size before parsing, so that a huge value is refused without being parsed.
        let note =
            WorkingNote::write(conversation, key, value.to_owned(), ttl_seconds, self.session.clock.now())?;
        serde_json::from_str::<serde::de::IgnoredAny>(value).map_err(|_| InvalidNote::NotJson)?;
        let written = match client {
            Some(client) => {
                let act = ClientAct::Note(&note);
                self.session
                    .workspace
                    .client_writes
                    .write(client, act, self.session.clock.now())
                    .await
                    .map(drop)
            }
            None => self.session.workspace.scratchpads.write_note(&note).await,
        };
        match written {
            Err(StoreError::Refused(_)) => {
                let held = self
                    .session
                    .workspace
                    .scratchpads
                    .notes(conversation, self.session.clock.now())
                    .await?
                    .len();
                Err(if held >= MAX_KEYS { InvalidNote::Full } else { InvalidNote::NotJson }.into())
            }
            done => {
                done?;
                let written = self.session.workspace.scratchpads.read_note(
                    conversation,
                    &note.key,
                    self.session.clock.now(),
                );
                Ok(written.await?.unwrap_or(note))
            }
        }
    }

    /// Reads a working note; `None` if it does not exist or has expired.
    pub async fn read(
        &self,
        conversation: ConversationId,
        key: &str,
    ) -> Result<Option<WorkingNote>, AppError> {
        Ok(self
            .session
            .workspace
            .scratchpads
            .read_note(conversation, key.trim(), self.session.clock.now())
            .await?)
    }

    /// Reads all working notes of a conversation, by key. As any read, it restarts the times to live.
    pub(crate) async fn read_all(&self, conversation: ConversationId) -> Result<Vec<WorkingNote>, AppError> {
        let mut read = Vec::new();
        for note in self.list(conversation).await? {
            match note.ttl_seconds {
                // One that expired meanwhile is not there any more.
                Some(_) => read.extend(self.read(conversation, &note.key).await?),
                None => read.push(note),
            }
        }
        Ok(read)
    }

    /// All working notes of a conversation, by key. A list for people: times to live go on.
    pub async fn list(&self, conversation: ConversationId) -> Result<Vec<WorkingNote>, AppError> {
        Ok(self.session.workspace.scratchpads.notes(conversation, self.session.clock.now()).await?)
    }

    /// Working notes of all conversations, newest first, at most 200.
    pub async fn newest_notes(&self) -> Result<Vec<WorkingNote>, AppError> {
        Ok(self.session.workspace.scratchpads.newest_notes(self.session.clock.now(), NEWEST).await?)
    }

    /// Removes one note or all notes; with `working_only`, only those with a time to live. Returns the number
    /// removed.
    pub async fn clear(
        &self,
        conversation: ConversationId,
        key: Option<&str>,
        working_only: bool,
    ) -> Result<usize, AppError> {
        let key = key.map(str::trim);
        let held = self.list(conversation).await?;
        let gone = |note: &&WorkingNote| {
            key.is_none_or(|key| note.key == key) && (!working_only || note.ttl_seconds.is_some())
        };
        let count = held.iter().filter(gone).count();
        // The store also removes expired notes, which must not be counted.
        self.session.workspace.scratchpads.clear_notes(conversation, key, working_only).await?;
        Ok(count)
    }
}
