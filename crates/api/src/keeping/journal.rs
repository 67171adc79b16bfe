//! The journal of both databases as one list.

use inklings_domain::{change_set::JournalRow, provenance as domain};

use crate::{
    App,
    error::CommandError,
    views::{
        count,
        runs::{JournalPage, JournalView},
        time,
        vocabulary::{Hand, Scope},
    },
};

const MOST: usize = 500;

impl App {
    /// A page of the journal, the newest first; only what was written in one name if given.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` for a bad cursor.
    pub async fn list_changes(
        &self,
        hand: Option<Hand>,
        after: Option<&str>,
        limit: u32,
    ) -> Result<JournalPage, CommandError> {
        let session = self.session()?;
        let limit = (limit as usize).clamp(1, MOST);
        let [before_workspace, before_account] = after.map_or(Ok([None, None]), cursor)?;
        let hand = hand.map(domain::Hand::from);
        let workspace = session.workspace.memory.store.journal(before_workspace, hand, limit + 1).await?;
        let account = session.account.memory.store.journal(before_account, hand, limit + 1).await?;
        let (mut rows, mut w, mut a) = (Vec::new(), 0, 0);
        while rows.len() < limit && (w < workspace.len() || a < account.len()) {
            // Each journal keeps its own order, whatever the clock said; times only decide between the two.
            let from_account = match (workspace.get(w), account.get(a)) {
                (Some(ours), Some(theirs)) => theirs.at > ours.at,
                (None, _) => true,
                (_, None) => false,
            };
            if from_account {
                rows.push(journal_view(&account[a], Scope::Account));
                a += 1;
            } else {
                rows.push(journal_view(&workspace[w], Scope::Workspace));
                w += 1;
            }
        }
        let more = w < workspace.len() || a < account.len();
        let at = |list: &[JournalRow], seen: usize, before: Option<u64>| {
            seen.checked_sub(1).map(|last| list[last].sequence).or(before)
        };
        let next = more.then(|| {
            let part = |at: Option<u64>| at.map_or_else(|| "-".to_owned(), |at| at.to_string());
            let (w, a) = (at(&workspace, w, before_workspace), at(&account, a, before_account));
            format!("{}.{}", part(w), part(a))
        });
        Ok(JournalPage { rows, next })
    }
}

/// Where each journal goes on.
fn cursor(text: &str) -> Result<[Option<u64>; 2], CommandError> {
    let part = |text: &str| if text == "-" { Some(None) } else { text.parse().ok().map(Some) };
    text.split_once('.')
        .and_then(|(workspace, account)| Some([part(workspace)?, part(account)?]))
        .ok_or_else(|| CommandError::invalid("after", "This is not where a page ended."))
}

/// A row of one journal.
pub(crate) fn journal_view(row: &JournalRow, scope: Scope) -> JournalView {
    JournalView {
        change_id: row.change.to_string(),
        scope,
        action: row.action.into(),
        hand: row.hand.into(),
        door: row.door.into(),
        run_id: row.run.map(|run| run.to_string()),
        at: time(row.at),
        entries: count(row.entries),
        undoes: row.undoes.map(|change| change.to_string()),
        undone_by: row.undone_by.map(|change| change.to_string()),
        wrote: None,
    }
}
