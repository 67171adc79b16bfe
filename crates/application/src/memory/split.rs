//! Commits that write to both the account's and a workspace's database. All change sets that may touch both
//! use this module: create, edit, forget, restore, tag, name, revert, persist, consolidation and undo, by any
//! actor. An import has its own split commit (`transfer`). Resumable operations do not need it, because they
//! commit each database separately: reverting a run or a client, withdrawing and closing proposals, counting
//! uses.

use inklings_domain::{
    ids::ChangeId,
    memory::{
        Stamp,
        change_set::{Action, ChangeSet, MemoryWrite},
    },
    provenance::Actor,
    scope::MemoryScope,
};

use crate::{error::AppError, services::Memories};

/// The change that is undone in each database. The two differ if only one of them was undone and redone
/// before.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Undoes {
    pub account: Option<ChangeId>,
    pub workspace: Option<ChangeId>,
}

impl Undoes {
    /// Undoes the same change in both.
    pub const fn same(change: Option<ChangeId>) -> Self {
        Self { account: change, workspace: change }
    }
}

/// Data shared by all writes of one commit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SplitAct {
    pub stamp: Stamp,
    pub action: Action,
    pub undoes: Undoes,
}

impl Memories<'_> {
    /// Commits writes under one change id, with one transaction per database. The workspace's commit decides.
    /// The account's part is stored durably before it and applied after it, at the latest when the folder is
    /// opened next. If the account refuses its part then, the workspace's part is undone.
    pub(crate) async fn commit_split(&self, act: SplitAct, writes: Vec<MemoryWrite>) -> Result<(), AppError> {
        let SplitAct { stamp, action, undoes } = act;
        let (account, workspace): (Vec<_>, Vec<_>) =
            writes.into_iter().partition(|write| write.entry().scope() == MemoryScope::Account);
        let switch = self.session.switch().state().await?;
        let part = |writes, undoes| ChangeSet { stamp, action, undoes, switch, writes };
        let (account, workspace) = (part(account, undoes.account), part(workspace, undoes.workspace));
        match (account.writes.is_empty(), workspace.writes.is_empty()) {
            (true, true) => Ok(()),
            (true, false) => Ok(self.session.workspace.memory.store.commit(&workspace).await?),
            (false, true) => Ok(self.session.account.memory.store.commit(&account).await?),
            (false, false) => self.commit_both(&account, &workspace).await,
        }
    }

    async fn commit_both(&self, account: &ChangeSet, workspace: &ChangeSet) -> Result<(), AppError> {
        let Stamp { change, actor, .. } = workspace.stamp;
        let prepared =
            self.session.account.split.prepare(account, self.session.workspace.workspace.id).await?;
        if let Err(error) = self.session.workspace.memory.store.commit(workspace).await {
            // After an error of the disk it is open whether the workspace's part is stored. Its journal tells whoever opens the
            // folder next, and what was kept of the account's part stays until then.
            if error.is_refusal() {
                prepared.abandon().await;
            }
            return Err(error.into());
        }
        if let Err(error) = prepared.commit().await {
            // Here, too, an error of the disk decides nothing.
            if error.is_refusal() {
                // Once this undo is committed, the prepared part of the account is void.
                self.undo_in(&self.session.workspace.memory, change, actor).await?;
            }
            return Err(error.into());
        }
        Ok(())
    }

    /// Completes interrupted changes of both databases. If the account refuses its part, because it was
    /// written to since, undoes the workspace's part. Returns the undone changes. Entries that others changed
    /// since are left unchanged.
    ///
    /// # Errors
    /// [`AppError::Store`] if a database fails; the remaining changes are settled at the next call.
    pub async fn settle_changes(&self) -> Result<Vec<ChangeId>, AppError> {
        let (split, workspace) = (&self.session.account.split, self.session.workspace.workspace.id);
        split.settle().await?;
        let refused = split.refused(workspace).await?;
        for change in &refused {
            if let Some(part) = self.session.workspace.memory.store.change(*change).await?
                && part.journal.undone_by.is_none()
            {
                let row = &part.journal;
                let actor = Actor::new(row.actor_kind, row.interface, row.run)?;
                self.session.consolidation().take_all_back(vec![part], actor).await?;
                tracing::warn!(%change, "a change that was cut off was taken back");
            }
            split.taken_back(*change, workspace).await?;
        }
        Ok(refused)
    }
}
