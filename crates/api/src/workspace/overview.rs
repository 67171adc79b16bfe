//! Overview of the memory tiers.

use inklings_application::scrub::Tier;

use crate::{
    commands::WorkspaceCommands,
    error::CommandError,
    wire::{count, time},
    workspace::overview_view::TierOverview,
};

impl WorkspaceCommands<'_> {
    /// The four tiers, narrowest first.
    ///
    /// # Errors
    /// [`CommandError`] if no workspace is open or a database cannot be read.
    pub async fn memory_overview(&self) -> Result<Vec<TierOverview>, CommandError> {
        Ok(self.app.session()?.scrubs().tiers().await?.iter().map(overview).collect())
    }
}

fn overview(tier: &Tier) -> TierOverview {
    let figures = &tier.figures;
    TierOverview {
        scope: figures.scope.into(),
        active: count(figures.active),
        forgotten: count(figures.forgotten),
        by_author: count(figures.by_author),
        by_agent: count(figures.by_agent),
        by_import: count(figures.by_import),
        named: count(figures.named),
        oldest: figures.oldest.map(time),
        newest: figures.newest.map(time),
        bytes: figures.bytes as f64,
        fading: count(tier.fading),
        last_consolidation: tier.last_consolidation.map(time),
    }
}
