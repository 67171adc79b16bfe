//! Changes of two files: the account's part of a change that also writes to a workspace. It is stored in
//! `.changes/CHANGE.WORKSPACE.jsonl`: a head and the entries in their new state. If it is refused later,
//! `CHANGE.WORKSPACE.refused` (without any text) remains until the change's part in the workspace is
//! reverted. `settle` completes what was interrupted, imports of two files as well.

pub(crate) mod settle;

use std::{fs, io};

use inklings_domain::{
    ids::{ChangeId, MemoryId, WorkspaceId},
    memory::{
        MemoryEntry, Stamp,
        change_set::{ChangeSet, MemoryWrite},
        switch::MemorySwitch,
    },
    provenance::Actor,
};
use inklings_ports::{
    memory::split_store::{PreparedPart, SplitStore},
    store_error::StoreError,
};
use serde_json::{Value, json};
use sqlx::{Sqlite, SqliteConnection, Transaction};

use self::settle::settle;
use crate::{
    connection::copy::sync_folder,
    error::{DbError, DbResult},
    intent::{Intent, Lines, broken, is_decided, layout_of},
    layout::Layout,
    rows::{entry_row, json_list, micros, moment, parsed},
    store::SqliteStore,
};

/// The file extension of a refused change.
pub const REFUSED: &str = "refused";
/// Checks whether a change is committed and not undone.
const DECIDED: &str = "SELECT EXISTS (SELECT 1 FROM journal WHERE id = ? AND undone_by IS NULL)";

/// A prepared part. Dropping it rolls its transaction back; the intent file stays.
struct Prepared {
    store: SqliteStore,
    tx: Transaction<'static, Sqlite>,
    intent: Intent,
}

fn file_name(change: ChangeId, workspace: WorkspaceId) -> String {
    format!("{change}.{workspace}")
}

/// Parses the name of an intent file.
fn named(name: &str) -> Option<(ChangeId, WorkspaceId)> {
    let (change, workspace) = name.split_once('.')?;
    Some((change.parse().ok()?, workspace.parse().ok()?))
}

impl SqliteStore {
    async fn prepare_part(&self, part: &ChangeSet, follows: WorkspaceId) -> DbResult<Prepared> {
        if !self.is_account() {
            return Err(StoreError::Refused("a workspace's part follows no other".into()).into());
        }
        settle(self).await;
        let mut tx = self.db.begin_immediate().await?;
        self.write_within(&mut tx, part).await?;
        let mut intent = Intent::new(layout_of(self).changing(), file_name(part.stamp.change, follows));
        let ids: Vec<MemoryId> = part.writes.iter().map(|write| write.entry().id).collect();
        let Stamp { actor, at, .. } = part.stamp;
        intent.line(&json!({
            "action": part.action.as_str(), "hand": actor.kind().as_str(), "door": actor.interface().as_str(),
            "run": actor.run().map(|run| run.to_string()), "at": micros(at),
            "undoes": part.undoes.map(|change| change.to_string()), "on": part.switch == MemorySwitch::On,
            "ids": ids.iter().map(ToString::to_string).collect::<Vec<_>>(),
        }))?;
        let entries: String = sqlx::query_scalar(entry_row::BY_ID)
            .bind(self.workspace())
            .bind(json_list(&ids))
            .fetch_one(&mut *tx)
            .await?;
        intent.line(&json!({ "entries": entries }))?;
        intent.make_last()?;
        Ok(Prepared { store: self.clone(), tx, intent })
    }

    fn read_refused(&self, workspace: WorkspaceId) -> DbResult<Vec<ChangeId>> {
        let mut changes = Vec::new();
        for path in inklings_files::entries(&layout_of(self).changing())? {
            let name = path.file_name().and_then(|name| name.to_str());
            let name = name.and_then(|name| name.strip_suffix(REFUSED)?.strip_suffix('.'));
            changes.extend(name.and_then(named).filter(|(_, of)| *of == workspace).map(|(change, _)| change));
        }
        changes.sort_unstable();
        Ok(changes)
    }

    fn drop_refused(&self, change: ChangeId, workspace: WorkspaceId) -> DbResult<()> {
        let folder = layout_of(self).changing();
        match fs::remove_file(folder.join(format!("{}.{REFUSED}", file_name(change, workspace)))) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error.into()),
            Ok(()) => sync_folder(&folder),
        }
    }
}

/// Completes the account's part of an interrupted change, if the change is committed in the workspace.
pub async fn carry_out(account: &SqliteStore, layout: &Layout, mut lines: Lines<'_>) -> DbResult<()> {
    let (change, workspace) = named(&lines.name).ok_or_else(broken)?;
    // Under the account's write lock, so the process that made the change has committed or rolled back by
    // now.
    let mut tx = account.db.begin_immediate().await?;
    if is_done(account, &mut tx, change).await?
        || !is_decided(layout, workspace, DECIDED, &change.to_string()).await?
    {
        return Ok(());
    }
    let written = match part(change, &mut lines) {
        Ok(part) => account.write_within(&mut tx, &part).await.map_err(|error| account.db.fail(error)),
        Err(_) => Err(StoreError::Refused("what was kept of this change cannot be read".into())),
    };
    match written {
        Ok(()) => {
            tx.commit().await?;
            tracing::info!(%change, "a change that was cut off is done");
            Ok(())
        }
        // Another writer changed the account since: its change stays, and the workspace's part is reverted.
        Err(error) if error.is_refusal() => {
            tx.rollback().await?;
            refuse(layout, change, workspace)
        }
        Err(error) => Err(error.into()),
    }
}

async fn is_done(account: &SqliteStore, conn: &mut SqliteConnection, change: ChangeId) -> DbResult<bool> {
    Ok(sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM journal WHERE workspace_id = ? AND id = ?)")
        .bind(account.workspace())
        .bind(change.to_string())
        .fetch_one(conn)
        .await?)
}

fn refuse(layout: &Layout, change: ChangeId, workspace: WorkspaceId) -> DbResult<()> {
    let path = layout.changing().join(format!("{}.{REFUSED}", file_name(change, workspace)));
    inklings_files::create(&path)?.sync_all()?;
    tracing::warn!(%change, "a change that was cut off can't be finished in the account; it is taken back");
    sync_folder(&layout.changing())
}

/// Reads the stored change set.
fn part(change: ChangeId, lines: &mut Lines<'_>) -> DbResult<ChangeSet> {
    if lines.sound != Some(true) {
        return Err(broken());
    }
    let head = lines.next()?.ok_or_else(broken)?;
    let body = lines.next()?.ok_or_else(broken)?;
    let word = |name: &str| head[name].as_str();
    let actor = Actor::new(
        parsed(word("hand").unwrap_or_default(), "hand")?,
        parsed(word("door").unwrap_or_default(), "door")?,
        word("run").map(|run| parsed(run, "run")).transpose()?,
    );
    let at = moment(head["at"].as_i64().ok_or_else(broken)?, "at")?;
    let stamp = Stamp { change, actor: actor.map_err(|_| broken())?, at };
    let ids: Vec<MemoryId> = head["ids"]
        .as_array()
        .ok_or_else(broken)?
        .iter()
        .map(|id| parsed(id.as_str().unwrap_or_default(), "id"))
        .collect::<DbResult<_>>()?;
    Ok(ChangeSet {
        stamp,
        action: parsed(word("action").unwrap_or_default(), "action")?,
        undoes: word("undoes").map(|change| parsed(change, "undoes")).transpose()?,
        switch: if head["on"] == Value::Bool(true) { MemorySwitch::On } else { MemorySwitch::Off },
        writes: writes(&ids, body["entries"].as_str().ok_or_else(broken)?)?,
    })
}

/// The writes in order, so that a moved name is freed before it is reused.
fn writes(ids: &[MemoryId], entries: &str) -> DbResult<Vec<MemoryWrite>> {
    let mut entries: Vec<MemoryEntry> =
        entry_row::of_json(entries)?.into_iter().map(|stored| stored.entry).collect();
    entries.sort_by_key(|entry| ids.iter().position(|id| *id == entry.id));
    if entries.len() != ids.len() {
        return Err(DbError::Row { column: "intent" });
    }
    let write = |entry: MemoryEntry| match entry.version {
        1 => MemoryWrite::Insert(entry),
        _ => MemoryWrite::Update(entry),
    };
    Ok(entries.into_iter().map(write).collect())
}

#[async_trait::async_trait]
impl SplitStore for SqliteStore {
    async fn prepare(
        &self,
        part: &ChangeSet,
        follows: WorkspaceId,
    ) -> Result<Box<dyn PreparedPart>, StoreError> {
        Ok(Box::new(self.public(self.prepare_part(part, follows).await)?))
    }

    async fn settle(&self) -> Result<(), StoreError> {
        settle(self).await;
        Ok(())
    }

    async fn refused(&self, workspace: WorkspaceId) -> Result<Vec<ChangeId>, StoreError> {
        self.public(self.read_refused(workspace))
    }

    async fn taken_back(&self, change: ChangeId, workspace: WorkspaceId) -> Result<(), StoreError> {
        self.public(self.drop_refused(change, workspace))
    }
}

#[async_trait::async_trait]
impl PreparedPart for Prepared {
    async fn commit(self: Box<Self>) -> Result<(), StoreError> {
        let Self { store, tx, intent } = *self;
        store.public(tx.commit().await.map_err(Into::into))?;
        intent.settled();
        Ok(())
    }

    async fn abandon(self: Box<Self>) {
        let Self { tx, intent, .. } = *self;
        // Deletes the file first, so that a crash cannot cause the change to be carried out.
        intent.settled();
        drop(tx);
    }
}
