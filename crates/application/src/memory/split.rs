//! One act that writes the account and a workspace. Every change set of both goes through here: what the worldbuilder, agents
//! and tasks create, edit, forget, restore, tag, name and revert, what persist and consolidation make, and every undo. An import
//! is its own act of the same kind (`transfer`). Acts that go on where they were cut off commit each database for itself and
//! need no more: taking a run or a client back, withdrawing and closing proposals, counting uses.

use inklings_domain::{
    ids::ChangeId,
    memory::{
        Stamp,
        change_set::{Action, ChangeSet, MemoryWrite},
    },
    provenance::Actor,
    scope::MemoryScope,
};

use crate::{error::AppError, session::Session};

/// What an act takes back in each database. The two differ where only one of them was taken back and brought back before.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Undoes {
    pub account: Option<ChangeId>,
    pub workspace: Option<ChangeId>,
}

impl Undoes {
    /// The same change in both.
    pub const fn same(change: Option<ChangeId>) -> Self {
        Self { account: change, workspace: change }
    }
}

/// What all writes of an act have in common.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SplitAct {
    pub stamp: Stamp,
    pub action: Action,
    pub undoes: Undoes,
}

impl Session {
    /// Commits writes under one change id, each database in a transaction of its own. The workspace's commit decides: the
    /// account's part is kept durably before it, and is done after it, if need be when the folder is opened the next time.
    /// If the account's part fails then, the workspace's is taken back.
    pub(crate) async fn commit_split(&self, act: SplitAct, writes: Vec<MemoryWrite>) -> Result<(), AppError> {
        let SplitAct { stamp, action, undoes } = act;
        let (account, workspace): (Vec<_>, Vec<_>) =
            writes.into_iter().partition(|write| write.entry().scope() == MemoryScope::Account);
        let switch = self.memory_switch().await?;
        let part = |writes, undoes| ChangeSet { stamp, action, undoes, switch, writes };
        let (account, workspace) = (part(account, undoes.account), part(workspace, undoes.workspace));
        match (account.writes.is_empty(), workspace.writes.is_empty()) {
            (true, true) => Ok(()),
            (true, false) => Ok(self.workspace.memory.store.commit(&workspace).await?),
            (false, true) => Ok(self.account.memory.store.commit(&account).await?),
            (false, false) => self.commit_both(&account, &workspace).await,
        }
    }

    async fn commit_both(&self, account: &ChangeSet, workspace: &ChangeSet) -> Result<(), AppError> {
        let Stamp { change, actor, .. } = workspace.stamp;
        let prepared = self.account.split.prepare(account, self.workspace.workspace.id).await?;
        if let Err(error) = self.workspace.memory.store.commit(workspace).await {
            prepared.abandon().await;
            return Err(error.into());
        }
        if let Err(error) = prepared.commit().await {
            // What is kept of the account's part counts no more once this is done.
            self.undo_in(&self.workspace.memory, change, actor).await?;
            return Err(error.into());
        }
        Ok(())
    }

    /// Ends changes of both databases that were cut off in the middle: those that the account refuses, because somebody wrote
    /// there since, are taken back here. Gives those. An entry that somebody changed since stays as it is.
    ///
    /// # Errors
    /// [`AppError::Store`] if a database fails; what is left stays for the next time.
    pub async fn settle_changes(&self) -> Result<Vec<ChangeId>, AppError> {
        let (split, workspace) = (&self.account.split, self.workspace.workspace.id);
        split.settle().await?;
        let refused = split.refused(workspace).await?;
        for change in &refused {
            if let Some(part) = self.workspace.memory.store.change(*change).await?
                && part.journal.undone_by.is_none()
            {
                let row = &part.journal;
                let actor = Actor::new(row.actor_kind, row.interface, row.run)?;
                self.take_all_back(vec![part], actor).await?;
                tracing::warn!(%change, "a change that was cut off was taken back");
            }
            split.taken_back(*change, workspace).await?;
        }
        Ok(refused)
    }
}
