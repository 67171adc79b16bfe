//! Use cases on named entries: VOICE, SOUL and others that the World Agent always has in its context.

use inklings_domain::{
    forget_reason::ForgetReason,
    ids::MemoryId,
    memory::{
        InvalidMemory, MemoryEntry, MemoryPatch,
        change_set::{Action, MemoryWrite},
    },
    named_entry::{STANDING, goes_by, key, names_of, standing},
    provenance::Actor,
    scope::{MemoryScope, Place},
    scrub::ScrubFile,
};
use inklings_ports::{store_error::StoreError, workspace::settings::SettingsStore};

use crate::{
    error::AppError,
    memory::write::{Written, WrittenEntry},
    services::NamedEntries,
};

/// Setting that records that the standard entries of a database were created. They are not created again if
/// the worldbuilder removes them.
const BEGUN: &str = "named.begun";

impl NamedEntries<'_> {
    /// Creates the standard named entries of the workspace and the account, once. Does nothing for an actor
    /// that may not write named entries.
    ///
    /// # Errors
    /// [`AppError::Store`] if a database fails for another reason than being read-only.
    pub async fn begin(&self, actor: Actor) -> Result<(), AppError> {
        if !actor.kind().may_write_protected() {
            return Ok(());
        }
        for entry in &STANDING {
            let settings: &dyn SettingsStore = match entry.scope {
                MemoryScope::Account => &*self.session.account.settings,
                _ => &*self.session.workspace.settings,
            };
            if settings.setting(BEGUN).await?.as_deref() == Some("true") {
                continue;
            }
            let stamp = self.session.stamp(actor);
            let made =
                MemoryEntry::named(self.session.ids.memory_id(), place(entry.scope)?, entry.name, "", stamp)?;
            match self
                .session
                .memories()
                .commit(stamp, Action::Setup, None, vec![MemoryWrite::Insert(made)])
                .await
            {
                // Another process created it first.
                Ok(_) | Err(AppError::Store(StoreError::AlreadyExists(_))) => {}
                // A read-only folder can still be browsed.
                Err(AppError::Store(StoreError::ReadOnly | StoreError::DiskFull)) => return Ok(()),
                Err(error) => return Err(error),
            }
            settings.set_setting(BEGUN, "true").await?;
        }
        Ok(())
    }

    /// If a scrub is about to delete VOICE or SOUL, makes [`Self::begin`] create it again,
    /// empty. Called before the scrub, so that a crash in between cannot leave it missing.
    pub(crate) async fn begin_again_without(&self, file: ScrubFile, ids: &[String]) -> Result<(), AppError> {
        let settings: &dyn SettingsStore = match file {
            ScrubFile::Account => &*self.session.account.settings,
            ScrubFile::Workspace => &*self.session.workspace.settings,
        };
        let goes = |entry: &MemoryEntry| {
            names_of(entry).any(|name| standing(entry.scope(), name).is_some())
                && ids.contains(&entry.id.to_string())
        };
        if self.session.scrubs().memory_of(file).store.named().await?.iter().any(goes) {
            settings.set_setting(BEGUN, "false").await?;
        }
        Ok(())
    }

    /// All active named entries: the standard ones first, then the workspace's and the account's by name.
    pub async fn list(&self) -> Result<Vec<MemoryEntry>, AppError> {
        let mut entries = self.session.workspace.memory.store.named().await?;
        entries.extend(self.session.account.memory.store.named().await?);
        let rank = |entry: &MemoryEntry| {
            let standing = entry.name.as_deref().and_then(|name| standing(entry.scope(), name));
            let account = entry.scope() == MemoryScope::Account;
            (standing.is_none(), account, entry.name.as_deref().map(key), entry.id)
        };
        entries.sort_by_cached_key(rank);
        Ok(entries)
    }

    /// The named entry with a name or alias; the workspace's takes precedence over the account's.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if there is none.
    pub async fn get(&self, name: &str, scope: Option<MemoryScope>) -> Result<MemoryEntry, AppError> {
        let found = self
            .list()
            .await?
            .into_iter()
            .filter(|entry| scope.is_none_or(|scope| entry.scope() == scope) && goes_by(entry, name))
            .min_by_key(|entry| entry.scope() == MemoryScope::Account);
        found.ok_or_else(|| AppError::NotFound { what: "named entry", name: name.to_owned() })
    }

    /// *Add*: a new named entry of the workspace or the account.
    ///
    /// # Errors
    /// [`AppError::Store`] with `AlreadyExists` if the tier already has the name or alias;
    /// [`AppError::Memory`] for an invalid name or text, or an actor without permission.
    pub async fn add(
        &self,
        scope: MemoryScope,
        name: &str,
        content: &str,
        actor: Actor,
    ) -> Result<WrittenEntry, AppError> {
        let stamp = self.session.stamp(actor);
        let entry = MemoryEntry::named(self.session.ids.memory_id(), place(scope)?, name, content, stamp)?;
        self.session.memories().commit_new(stamp, Action::Create, entry).await
    }

    /// *Write*: replaces the text, which may be empty.
    ///
    /// # Errors
    /// [`AppError::Stale`] with both versions; [`AppError::Memory`] for an invalid text or an actor without
    /// permission.
    pub async fn write(
        &self,
        id: MemoryId,
        version: u64,
        content: &str,
        actor: Actor,
    ) -> Result<WrittenEntry, AppError> {
        let patch = MemoryPatch { content: Some(content.to_owned()), ..MemoryPatch::default() };
        self.session.memories().edit(id, version, patch, actor).await
    }

    /// *Rename*: the old name stays as an alias.
    ///
    /// # Errors
    /// As [`Self::add`]; [`AppError::Stale`].
    pub async fn rename(
        &self,
        id: MemoryId,
        version: u64,
        name: &str,
        actor: Actor,
    ) -> Result<WrittenEntry, AppError> {
        let found = self.session.entry_at(id, version).await?;
        let stamp = self.session.stamp(actor);
        let next = found.next(found.entry.renamed(name, stamp)?);
        self.session.memories().commit_next(stamp, Action::Name, next, Vec::new()).await
    }

    /// *Alias*: another name for the entry. An alias of another entry is moved only with `rebind`; another
    /// entry's own name never is.
    ///
    /// # Errors
    /// As [`Self::add`]; [`AppError::Stale`].
    pub async fn set_aliases(
        &self,
        id: MemoryId,
        version: u64,
        alias: &str,
        rebind: bool,
        actor: Actor,
    ) -> Result<WrittenEntry, AppError> {
        let found = self.session.entry_at(id, version).await?;
        let stamp = self.session.stamp(actor);
        let next = found.next(found.entry.aliased(alias, stamp)?);
        // A rebound alias is first removed from its old entry.
        let mut before = Vec::new();
        if rebind && let Some(holder) = self.holder(&found.entry, alias).await? {
            match holder.without_alias(alias, stamp) {
                Ok(without) => before.push(MemoryWrite::Update(without)),
                Err(InvalidMemory::NoChange) => {
                    return Err(AppError::Input {
                        field: "alias",
                        message: "this is another entry's own name; rename that entry first".to_owned(),
                    });
                }
                Err(error) => return Err(error.into()),
            }
        }
        self.session.memories().commit_next(stamp, Action::Name, next, before).await
    }

    /// *Remove*: forgets the entry with its aliases. It can be restored while its names are free.
    ///
    /// # Errors
    /// [`AppError::Stale`]; [`AppError::Memory`] for an actor without permission.
    pub async fn remove(&self, id: MemoryId, version: u64, actor: Actor) -> Result<Written, AppError> {
        let found = self.session.entry_at(id, version).await?;
        if found.entry.name.is_none() {
            return Err(InvalidMemory::NotNamed.into());
        }
        self.session.memories().forget_read(&[found], &ForgetReason::Removed, actor).await
    }

    /// The other entry of the tier that has this name.
    async fn holder(&self, entry: &MemoryEntry, name: &str) -> Result<Option<MemoryEntry>, AppError> {
        let store = &self.session.ports(entry.scope()).store;
        let known = store.names().await?;
        let ids: Vec<_> = known
            .iter()
            .filter(|(own, id)| key(own) == key(name) && *id != entry.id)
            .map(|(_, id)| *id)
            .collect();
        let found = store.get(&ids).await?;
        Ok(found.into_iter().map(|stored| stored.entry).find(|other| other.scope() == entry.scope()))
    }
}

/// The place of named entries of a tier.
fn place(scope: MemoryScope) -> Result<Place, AppError> {
    match scope {
        MemoryScope::Workspace => Ok(Place::Workspace),
        MemoryScope::Account => Ok(Place::Account),
        MemoryScope::Channel | MemoryScope::Conversation => Err(AppError::Input {
            field: "scope",
            message: "named entries live in the workspace or in the account".to_owned(),
        }),
    }
}
