//! Reads the content of an export page by page.

use inklings_ports::transfer::{
    file::TransferError,
    shape::Section,
    store::{Fields, TransferRow, TransferSnapshot, Within},
};

use super::ExportScope;
use crate::services::Transfers;

/// A snapshot of one database.
pub struct ExportSource {
    /// True for the account's database.
    pub account: bool,
    within: Within,
    snapshot: Box<dyn TransferSnapshot>,
}

impl Transfers<'_> {
    /// Snapshots of the databases that the scope covers, the account's first.
    ///
    /// # Errors
    /// [`TransferError::NothingChosen`], [`TransferError::Store`].
    pub async fn export_sources(&self, scope: &ExportScope) -> Result<Vec<ExportSource>, TransferError> {
        let mut sources = Vec::new();
        if scope.account {
            let snapshot = self.session.account.transfer.snapshot(self.session.clock.now()).await?;
            sources.push(ExportSource { account: true, within: Within::All, snapshot });
        }
        if let Some(within) = scope.within() {
            let snapshot = self.session.workspace.transfer.snapshot(self.session.clock.now()).await?;
            sources.push(ExportSource { account: false, within, snapshot });
        }
        if sources.is_empty() { Err(TransferError::NothingChosen) } else { Ok(sources) }
    }
}

impl ExportSource {
    /// True if the database can contain rows of a section.
    pub const fn has(&self, section: Section) -> bool {
        section.of_account() || !self.account
    }

    /// Number of exported rows in a section.
    ///
    /// # Errors
    /// [`TransferError::Store`].
    pub async fn count(&mut self, section: Section) -> Result<u64, TransferError> {
        if !self.has(section) {
            return Ok(0);
        }
        Ok(self.snapshot.count(section, self.within).await?)
    }

    /// Passes the rows of a section to `take` in order, at most `limit` at a time.
    ///
    /// # Errors
    /// [`TransferError::Store`], and the errors of `take`.
    pub async fn pages(
        &mut self,
        section: Section,
        limit: usize,
        embeddings: bool,
        take: &mut (dyn FnMut(Vec<TransferRow>) -> Result<(), TransferError> + Send),
    ) -> Result<(), TransferError> {
        let mut after: Option<Vec<String>> = None;
        while self.has(section) {
            let rows = self.snapshot.page(section, self.within, after.as_deref(), limit, embeddings).await?;
            let Some(last) = rows.last() else { break };
            after = Some(last.key.clone());
            take(rows)?;
        }
        Ok(())
    }

    /// Unknown members retained from imported files. Empty for an export of one channel or conversation,
    /// because they describe a whole file.
    ///
    /// # Errors
    /// [`TransferError::Store`].
    pub async fn members(&mut self) -> Result<Fields, TransferError> {
        if self.within == Within::All { Ok(self.snapshot.members().await?) } else { Ok(Fields::new()) }
    }
}
