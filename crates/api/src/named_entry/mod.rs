//! Use cases of named entries.

pub mod convert;
pub mod view;

use inklings_application::{error::AppError, memory::write::WrittenEntry};
use inklings_domain::{ids::MemoryId, scope::MemoryScope};

use crate::{
    commands::NamedEntryCommands,
    error::{CommandError, ErrorCode, ErrorDetails},
    named_entry::view::{NamedEntryView, NamedWritten, NewNamedEntry},
    vocabulary::Scope,
};

impl NamedEntryCommands<'_> {
    /// All named entries: VOICE and SOUL first, then those of the workspace and of the account by name.
    ///
    /// # Errors
    /// [`CommandError`] if a database cannot be read.
    pub async fn list_named_entries(&self) -> Result<Vec<NamedEntryView>, CommandError> {
        Ok(self.app.session()?.named_entries().list().await?.iter().map(convert::named).collect())
    }

    /// Looks up a named entry by name or alias.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`.
    pub async fn named_entry(
        &self,
        name: &str,
        scope: Option<Scope>,
    ) -> Result<NamedEntryView, CommandError> {
        let entry = self.app.session()?.named_entries().get(name, scope.map(MemoryScope::from)).await?;
        Ok(convert::named(&entry))
    }

    /// Adds a named entry.
    ///
    /// # Errors
    /// [`CommandError`] of code `already_exists` with field `name` if the name exists in the tier.
    pub async fn add_named_entry(&self, new: NewNamedEntry) -> Result<NamedWritten, CommandError> {
        let session = self.app.session()?;
        let written =
            session.named_entries().add(new.scope.into(), &new.name, &new.content, self.app.actor).await;
        self.named_written(written, "name").await
    }

    /// Writes a named entry's text, which may be empty.
    ///
    /// # Errors
    /// [`CommandError`] of code `stale_version` with both versions.
    pub async fn write_named_entry(
        &self,
        id: &str,
        version: u32,
        content: &str,
    ) -> Result<NamedWritten, CommandError> {
        let id = crate::wire::id("id", id)?;
        let written =
            self.app.session()?.named_entries().write(id, version.into(), content, self.app.actor).await;
        if let Err(error @ AppError::Stale { .. }) = written {
            return Err(self.app.memory().refusal(error).await);
        }
        // An unchanged text needs no write.
        if let Err(AppError::Memory(inklings_domain::memory::InvalidMemory::NoChange)) = written {
            let entry = self.app.session()?.entry(id).await?.entry;
            return Ok(NamedWritten { change_id: entry.change.to_string(), entry: convert::named(&entry) });
        }
        self.named_written(written, "content").await
    }

    /// Renames a named entry and keeps the old name as an alias.
    ///
    /// # Errors
    /// [`CommandError`] of code `already_exists` with field `name`, or `stale_version`.
    pub async fn rename_named_entry(
        &self,
        id: &str,
        version: u32,
        name: &str,
    ) -> Result<NamedWritten, CommandError> {
        let id = crate::wire::id("id", id)?;
        let written =
            self.app.session()?.named_entries().rename(id, version.into(), name, self.app.actor).await;
        self.named_written(written, "name").await
    }

    /// Adds an alias to a named entry.
    ///
    /// # Errors
    /// [`CommandError`] of code `already_exists` with field `alias` unless rebinding is requested, or
    /// `stale_version`.
    pub async fn alias_named_entry(
        &self,
        id: &str,
        version: u32,
        alias: &str,
        rebind: bool,
    ) -> Result<NamedWritten, CommandError> {
        let id: MemoryId = crate::wire::id("id", id)?;
        let written = self
            .app
            .session()?
            .named_entries()
            .set_aliases(id, version.into(), alias, rebind, self.app.actor)
            .await;
        self.named_written(written, "alias").await
    }

    /// Removes a named entry with its aliases; undo restores it. Gives the change.
    ///
    /// # Errors
    /// [`CommandError`] of code `stale_version`.
    pub async fn remove_named_entry(&self, id: &str, version: u32) -> Result<String, CommandError> {
        let id = crate::wire::id("id", id)?;
        let removed = self.app.session()?.named_entries().remove(id, version.into(), self.app.actor).await;
        match removed {
            Err(error @ AppError::Stale { .. }) => Err(self.app.memory().refusal(error).await),
            removed => Ok(removed?.change.to_string()),
        }
    }

    /// Looks up the id and version of a named entry by name, for shells that identify entries by name.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`.
    pub async fn named_at(&self, name: &str, scope: Option<Scope>) -> Result<(String, u32), CommandError> {
        let found = self.named_entry(name, scope).await?;
        Ok((found.id, found.version))
    }

    async fn named_written(
        &self,
        written: Result<WrittenEntry, AppError>,
        field: &str,
    ) -> Result<NamedWritten, CommandError> {
        match written {
            Ok(written) => Ok(NamedWritten {
                entry: convert::named(&written.stored.entry),
                change_id: written.change.to_string(),
            }),
            Err(error @ AppError::Stale { .. }) => Err(self.app.memory().refusal(error).await),
            Err(error) => Err(taken(error.into(), field)),
        }
    }
}

/// Adds the field that contains the conflicting name to the error.
pub(crate) fn taken(mut error: CommandError, field: &str) -> CommandError {
    if error.code == ErrorCode::AlreadyExists {
        let details = ErrorDetails { field: Some(field.to_owned()), ..ErrorDetails::default() };
        "Another named entry goes by this name already.".clone_into(&mut error.message);
        error.details = Some(Box::new(details));
    }
    error
}
