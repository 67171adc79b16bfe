//! Named entries.

pub mod convert;
pub mod view;

use inklings_application::{error::AppError, memory::write::Written};
use inklings_domain::{ids::MemoryId, scope::MemoryScope};

use crate::{
    App,
    error::{CommandError, ErrorCode, ErrorDetails},
    named_entry::view::{NamedEntryView, NamedWritten, NewNamedEntry},
    vocabulary::Scope,
};

impl App {
    /// Every named entry: VOICE and SOUL first, then the workspace's and the account's by name.
    ///
    /// # Errors
    /// [`CommandError`] if a database cannot be read.
    pub async fn list_named_entries(&self) -> Result<Vec<NamedEntryView>, CommandError> {
        Ok(self.session()?.named_entries().await?.iter().map(convert::named).collect())
    }

    /// The named entry that goes by a name or an alias.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`.
    pub async fn named_entry(
        &self,
        name: &str,
        scope: Option<Scope>,
    ) -> Result<NamedEntryView, CommandError> {
        let entry = self.session()?.named_entry(name, scope.map(MemoryScope::from)).await?;
        Ok(convert::named(&entry))
    }

    /// Adds a named entry.
    ///
    /// # Errors
    /// [`CommandError`] of code `already_exists` with field `name` if the tier knows the name.
    pub async fn add_named_entry(&self, new: NewNamedEntry) -> Result<NamedWritten, CommandError> {
        let session = self.session()?;
        let written = session.add_named(new.scope.into(), &new.name, &new.content, self.actor).await;
        self.named_written(written, "name").await
    }

    /// Writes a named entry; the text may be empty.
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
        let written = self.session()?.write_named(id, version.into(), content, self.actor).await;
        if let Err(error @ AppError::Stale { .. }) = written {
            return Err(self.refusal(error).await);
        }
        // A text that is there already needs no write.
        if let Err(AppError::Memory(inklings_domain::memory::InvalidMemory::NoChange)) = written {
            let entry = self.session()?.entry(id).await?.entry;
            return Ok(NamedWritten { change_id: entry.change.to_string(), entry: convert::named(&entry) });
        }
        self.named_written(written, "content").await
    }

    /// Renames a named entry; the old name stays as an alias.
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
        let written = self.session()?.rename_named(id, version.into(), name, self.actor).await;
        self.named_written(written, "name").await
    }

    /// Gives a named entry another name that resolves to it.
    ///
    /// # Errors
    /// [`CommandError`] of code `already_exists` with field `alias` unless it shall be rebound, or `stale_version`.
    pub async fn alias_named_entry(
        &self,
        id: &str,
        version: u32,
        alias: &str,
        rebind: bool,
    ) -> Result<NamedWritten, CommandError> {
        let id: MemoryId = crate::wire::id("id", id)?;
        let written = self.session()?.alias_named(id, version.into(), alias, rebind, self.actor).await;
        self.named_written(written, "alias").await
    }

    /// Removes a named entry with its aliases; undo brings it back. Gives the change.
    ///
    /// # Errors
    /// [`CommandError`] of code `stale_version`.
    pub async fn remove_named_entry(&self, id: &str, version: u32) -> Result<String, CommandError> {
        let id = crate::wire::id("id", id)?;
        let removed = self.session()?.remove_named(id, version.into(), self.actor).await;
        match removed {
            Err(error @ AppError::Stale { .. }) => Err(self.refusal(error).await),
            removed => Ok(removed?.change.to_string()),
        }
    }

    /// The id and version of the named entry that goes by a name, for a shell that speaks in names.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`.
    pub async fn named_at(&self, name: &str, scope: Option<Scope>) -> Result<(String, u32), CommandError> {
        let found = self.named_entry(name, scope).await?;
        Ok((found.id, found.version))
    }

    async fn named_written(
        &self,
        written: Result<Written, AppError>,
        field: &str,
    ) -> Result<NamedWritten, CommandError> {
        let written = match written {
            Ok(written) => written,
            Err(error @ AppError::Stale { .. }) => return Err(self.refusal(error).await),
            Err(error) => return Err(taken(error.into(), field)),
        };
        // The last one written is the one that was asked for: a rebound alias leaves its old entry first.
        let id = written.ids.last().copied();
        let session = self.session()?;
        let entry = match id {
            Some(id) => session.entry(id).await?.entry,
            None => return Err(CommandError::new(ErrorCode::Internal, "Nothing was written.")),
        };
        Ok(NamedWritten { entry: convert::named(&entry), change_id: written.change.to_string() })
    }
}

/// Says which field holds the name that is taken.
fn taken(mut error: CommandError, field: &str) -> CommandError {
    if error.code == ErrorCode::AlreadyExists {
        let details = ErrorDetails { field: Some(field.to_owned()), ..ErrorDetails::default() };
        "Another named entry goes by this name already.".clone_into(&mut error.message);
        error.details = Some(Box::new(details));
    }
    error
}
