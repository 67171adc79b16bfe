//! Merges the journals of both databases into one list.

use std::collections::HashMap;

use inklings_domain::{
    ids::{ChangeId, MemoryId},
    memory::change_set::JournalRow,
    provenance as domain,
};
use inklings_ports::{memory::store::StoredEntry, workspace::catalogue::MemoryPorts};

use crate::{
    commands::MemoryCommands,
    error::CommandError,
    view::{
        journal::{ChangedEntry, JournalPage, JournalView},
        preview,
    },
    vocabulary::{ActorKind, Scope},
    wire::{count, cursor, time},
};

const MOST: usize = 500;
/// Maximum characters of an entry's text in the list of changes.
const LABEL_CHARS: usize = 160;

impl MemoryCommands<'_> {
    /// A page of the journal, newest first, optionally of one actor kind only.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` for an invalid cursor.
    pub async fn list_changes(
        &self,
        actor_kind: Option<ActorKind>,
        after: Option<&str>,
        limit: u32,
    ) -> Result<JournalPage, CommandError> {
        let session = self.app.session()?;
        let limit = (limit as usize).clamp(1, MOST);
        let [before_workspace, before_account] = cursor::after(after)?.unwrap_or_default();
        let actor_kind = actor_kind.map(domain::ActorKind::from);
        let workspace =
            session.workspace.memory.store.journal(before_workspace, actor_kind, limit + 1).await?;
        let account = session.account.memory.store.journal(before_account, actor_kind, limit + 1).await?;
        let about = about(&session.workspace.memory, &workspace).await?;
        let about_account = self::about(&session.account.memory, &account).await?;
        let (mut rows, mut w, mut a) = (Vec::new(), 0, 0);
        while rows.len() < limit && (w < workspace.len() || a < account.len()) {
            let from_account = match (workspace.get(w), account.get(a)) {
                (Some(ours), Some(theirs)) => theirs.order > ours.order,
                (None, _) => true,
                (_, None) => false,
            };
            if from_account {
                rows.push(named(&account[a], Scope::Account, &about_account));
                a += 1;
            } else {
                rows.push(named(&workspace[w], Scope::Workspace, &about));
                w += 1;
            }
        }
        let more = w < workspace.len() || a < account.len();
        let at = |list: &[JournalRow], seen: usize, before: Option<u64>| {
            seen.checked_sub(1).map(|last| list[last].sequence).or(before)
        };
        let next = more
            .then(|| cursor::text(&[at(&workspace, w, before_workspace), at(&account, a, before_account)]));
        Ok(JournalPage { rows, next })
    }
}

/// One written entry of each change.
async fn about(
    ports: &MemoryPorts,
    rows: &[JournalRow],
) -> Result<HashMap<ChangeId, ChangedEntry>, CommandError> {
    let changes: Vec<ChangeId> = rows.iter().map(|row| row.change).collect();
    let written = ports.store.written_by(&changes).await?;
    let ids: Vec<MemoryId> = written.iter().map(|(_, id)| *id).collect();
    let entries: HashMap<MemoryId, ChangedEntry> =
        ports.store.get(&ids).await?.into_iter().map(changed).collect();
    let with_entry = |(change, id): (ChangeId, MemoryId)| Some((change, entries.get(&id)?.clone()));
    Ok(written.into_iter().filter_map(with_entry).collect())
}

fn changed(stored: StoredEntry) -> (MemoryId, ChangedEntry) {
    let entry = stored.entry;
    let preview = preview::head(&entry.titled_text(), LABEL_CHARS);
    (entry.id, ChangedEntry { id: entry.id.to_string(), name: entry.name, preview })
}

fn named(row: &JournalRow, scope: Scope, about: &HashMap<ChangeId, ChangedEntry>) -> JournalView {
    JournalView { about: about.get(&row.change).cloned(), ..journal_view(row, scope) }
}

/// Converts a row of one journal to its view.
pub(crate) fn journal_view(row: &JournalRow, scope: Scope) -> JournalView {
    JournalView {
        change_id: row.change.to_string(),
        scope,
        action: row.action.into(),
        actor_kind: row.by().into(),
        interface: row.interface.into(),
        run_id: row.run.map(|run| run.to_string()),
        at: time(row.at),
        entries: count(row.entries),
        about: None,
        undoes: row.undoes.map(|change| change.to_string()),
        undone_by: row.undone_by.map(|change| change.to_string()),
        wrote: None,
    }
}
