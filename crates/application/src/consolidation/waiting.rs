//! Counts entries that changed since the last run.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use inklings_domain::{
    ids::ChangeId,
    memory::{
        change_set::{Action, JournalRow},
        filter::{MemoryFilter, ScopeFilter, Sort},
    },
    provenance::ActorKind,
    scope::MemoryScope,
};

use crate::{error::AppError, services::Consolidation};

/// Journal rows searched for the changes of runs.
const JOURNAL_ROWS: usize = 500;

/// Active entries of a tier changed since a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Changed {
    /// Number of changed entries, up to the limit of the count.
    pub(crate) entries: usize,
    /// Last write of any active entry.
    pub(crate) last_write: Option<DateTime<Utc>>,
    /// Earliest write among the counted entries.
    pub(crate) first_write: Option<DateTime<Utc>>,
}

impl Consolidation<'_> {
    /// Counts the active entries of a tier changed after `since`, up to `most`. Ignores changes made by a consolidation
    /// or by reverting one, because neither is a reason for another run.
    pub(crate) async fn changed_since(
        &self,
        tier: MemoryScope,
        since: Option<DateTime<Utc>>,
        most: usize,
    ) -> Result<Changed, AppError> {
        let filter = MemoryFilter::active(ScopeFilter::new(&[tier], None, None));
        let later = |at: DateTime<Utc>| since.is_none_or(|since| at > since);
        let (mut changed, mut after, mut own) = (Changed::default(), None, None);
        loop {
            let page =
                self.session.memories().list(&filter, Sort::UpdatedDesc, after.as_ref(), most.max(1)).await?;
            for stored in &page.entries {
                let entry = &stored.entry;
                changed.last_write = changed.last_write.max(Some(entry.updated_at));
                changed.first_write = Some(entry.updated_at);
                if !later(entry.updated_at) || changed.entries >= most {
                    return Ok(changed);
                }
                if own.is_none() {
                    own = Some(self.changes_of_runs(since).await?);
                }
                let by_run = own.as_ref().is_some_and(|own: &BTreeSet<ChangeId>| own.contains(&entry.change));
                changed.entries += usize::from(!by_run);
            }
            after = page.next;
            if after.is_none() {
                return Ok(changed);
            }
        }
    }

    /// Counts the worldbuilder's changes after `since` to what stood before, up to `most`: memories that were made under
    /// it may no longer agree with it.
    pub(crate) async fn canon_changes_since(
        &self,
        since: Option<DateTime<Utc>>,
        most: usize,
    ) -> Result<usize, AppError> {
        let revises = |row: &JournalRow| {
            matches!(row.action, Action::Edit | Action::Forget | Action::Restore | Action::Revert)
                && row.undone_by.is_none()
                && since.is_none_or(|since| row.at > since)
        };
        let mut changes = 0;
        for ports in self.session.all_ports() {
            let rows = ports.store.journal(None, Some(ActorKind::Author), JOURNAL_ROWS).await?;
            changes += rows.iter().filter(|row| revises(row)).map(|row| row.entries as usize).sum::<usize>();
        }
        Ok(changes.min(most))
    }

    /// Changes after `since` that a consolidation made, and those that reverted such a change.
    async fn changes_of_runs(&self, since: Option<DateTime<Utc>>) -> Result<BTreeSet<ChangeId>, AppError> {
        let mut own = BTreeSet::new();
        for ports in self.session.all_ports() {
            for row in ports.store.journal(None, None, JOURNAL_ROWS).await? {
                let undone = match row.undoes {
                    Some(change) if since.is_none_or(|since| row.at > since) => {
                        ports.store.change(change).await?
                    }
                    _ => None,
                };
                let action = undone.map_or(row.action, |undone| undone.journal.action);
                if action == Action::Consolidate {
                    own.insert(row.change);
                }
            }
        }
        Ok(own)
    }
}
