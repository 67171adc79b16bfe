//! Backups of an [`InMemoryCatalogue`].

use inklings_domain::{
    audit::{AuditAct, AuditEntry, AuditRow},
    backup::BackupId,
    ids::WorkspaceId,
    workspace::Workspace,
};

use super::{
    catalogue::{Folder, InMemoryCatalogue},
    memory_store::Tables,
};
use crate::ports::{
    backup_store::{BackupScope, BackupSet, BackupStore, Damaged},
    error::StoreError,
    settings::Topic,
};

/// A copy of databases.
#[derive(Debug)]
pub(super) struct MadeBackup {
    set: BackupSet,
    account: Tables,
    workspaces: Vec<(Workspace, Tables)>,
}

impl Folder {
    fn back_up(&mut self, mut id: BackupId, scope: BackupScope<'_>) -> BackupSet {
        while self.backups.iter().any(|made| made.set.id == id) {
            id = id.later();
        }
        let wanted = |id: &WorkspaceId| match scope {
            BackupScope::Everything => true,
            BackupScope::Only(ids) => ids.contains(id),
        };
        let found = self.workspaces.iter().filter(|(id, _)| wanted(id));
        let workspaces: Vec<(Workspace, Tables)> =
            found.map(|(_, (workspace, database))| (workspace.clone(), database.tables().clone())).collect();
        let names = workspaces.iter().map(|(w, _)| (w.id, w.name.as_str().to_owned())).collect();
        let sequence = self.backups.iter().map(|made| made.set.sequence).max().unwrap_or(0) + 1;
        let set =
            BackupSet { id, sequence, bytes: 1, workspaces: names, account: true, scrubs_since: 0, ok: None };
        let account = self.account.tables().clone();
        self.backups.push(MadeBackup { set: set.clone(), account, workspaces });
        self.backups.sort_by_key(|made| std::cmp::Reverse(made.set.sequence));
        set
    }

    fn place_of(&self, id: BackupId) -> Result<usize, StoreError> {
        self.backups.iter().position(|made| made.set.id == id).ok_or(StoreError::NotFound("backup"))
    }
}

/// The scrubs and purges on record.
fn scrubs(tables: &Tables) -> u64 {
    let scrub = |row: &&AuditRow| matches!(row.entry.act, AuditAct::Scrub | AuditAct::Purge);
    tables.audit.iter().filter(scrub).count() as u64
}

/// Puts a copy in the place of what is there, which hands on its log.
fn put_back(there: &mut Tables, copy: &Tables, entry: &AuditEntry) {
    let audit = std::mem::take(&mut there.audit);
    let news = std::mem::take(&mut there.news);
    let keeps = audit.starts_with(&copy.audit);
    *there = copy.clone();
    if keeps {
        there.audit = audit;
    }
    there.news = news;
    there.put_on_record(entry);
    there.announce(Topic::Memories);
}

#[async_trait::async_trait]
impl BackupStore for InMemoryCatalogue {
    async fn make_backup(&self, id: BackupId, scope: BackupScope<'_>) -> Result<BackupSet, StoreError> {
        Ok(self.writable()?.back_up(id, scope))
    }

    async fn backups(&self) -> Result<Vec<BackupSet>, StoreError> {
        let folder = self.folder();
        let since = |made: &MadeBackup| {
            let account = scrubs(&folder.account.tables()).saturating_sub(scrubs(&made.account));
            let of_workspace = |(workspace, tables): &(Workspace, Tables)| {
                let live = folder.workspaces.get(&workspace.id).map(|(_, live)| scrubs(&live.tables()));
                live.unwrap_or(0).saturating_sub(scrubs(tables))
            };
            account + made.workspaces.iter().map(of_workspace).sum::<u64>()
        };
        Ok(folder
            .backups
            .iter()
            .map(|made| BackupSet { scrubs_since: since(made), ..made.set.clone() })
            .collect())
    }

    async fn leftovers(&self) -> Result<Vec<String>, StoreError> {
        Ok(Vec::new())
    }

    async fn backups_holding(
        &self,
        workspace: WorkspaceId,
        ids: &[String],
    ) -> Result<Vec<BackupSet>, StoreError> {
        let folder = self.folder();
        let holds = |made: &&MadeBackup| {
            let of_account = (workspace == WorkspaceId::ACCOUNT).then_some(&made.account);
            let of_workspace =
                made.workspaces.iter().find(|(other, _)| other.id == workspace).map(|(_, tables)| tables);
            let tables = of_account.or(of_workspace);
            tables.is_some_and(|tables| ids.iter().any(|id| tables.holds_row(id)))
        };
        Ok(folder.backups.iter().filter(holds).map(|made| made.set.clone()).collect())
    }

    async fn check_backup(&self, id: BackupId) -> Result<BackupSet, StoreError> {
        let mut folder = self.folder();
        let place = folder.place_of(id)?;
        folder.backups[place].set.ok = Some(true);
        Ok(folder.backups[place].set.clone())
    }

    async fn remove_backup(&self, id: BackupId) -> Result<(), StoreError> {
        let mut folder = self.writable()?;
        let place = folder.place_of(id)?;
        folder.backups.remove(place);
        Ok(())
    }

    async fn remove_set_aside(&self, _id: BackupId) -> Result<bool, StoreError> {
        // Nothing is ever damaged here.
        Ok(false)
    }

    async fn restore_backup(
        &self,
        id: BackupId,
        before: BackupId,
        entry: &AuditEntry,
    ) -> Result<(BackupSet, BackupSet), StoreError> {
        let mut folder = self.writable()?;
        let ids: Vec<WorkspaceId> =
            folder.backups[folder.place_of(id)?].workspaces.iter().map(|(w, _)| w.id).collect();
        let was = folder.back_up(before, BackupScope::Only(&ids));
        let place = folder.place_of(id)?;
        let folder = &mut *folder;
        let made = &folder.backups[place];
        put_back(&mut folder.account.tables(), &made.account, entry);
        for (workspace, tables) in &made.workspaces {
            let there = folder.workspaces.entry(workspace.id).or_insert_with(|| {
                (workspace.clone(), super::memory_store::InMemoryDatabase::workspace(workspace.id))
            });
            put_back(&mut there.1.tables(), tables, entry);
        }
        Ok((BackupSet { ok: Some(true), ..made.set.clone() }, was))
    }

    async fn begin_account_anew(&self, _before: BackupId, _entry: &AuditEntry) -> Result<(), StoreError> {
        // Nothing is ever damaged here.
        Err(StoreError::NotFound("damaged account database"))
    }

    async fn damaged_files(&self) -> Result<Vec<Damaged>, StoreError> {
        Ok(Vec::new())
    }

    async fn activity(&self) -> Result<u64, StoreError> {
        let folder = self.folder();
        let databases = folder.workspaces.values().map(|(_, database)| database);
        let told = |database: &super::memory_store::InMemoryDatabase| -> u64 {
            let tables = database.tables();
            tables.news.iter().filter(|(topic, _)| **topic != Topic::Models).map(|(_, count)| count).sum()
        };
        Ok(databases.chain([&folder.account]).map(told).sum())
    }

    fn backup_folder(&self) -> String {
        "memory".into()
    }
}
