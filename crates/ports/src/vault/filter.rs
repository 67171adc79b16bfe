//! Which pages a read may show. Every read of pages takes it.

use inklings_domain::{client::Grants, ids::VaultId, lens::ResolvedLens, memory::filter::ScopeFilter};

/// The pages that a read may show. A page has no knowers: it is the author's own text, and nobody in the story knows it. So
/// through any lens it shows none, and whoever makes a filter has to say which lens there is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageFilter {
    vault: Option<VaultId>,
    shows: bool,
}

impl PageFilter {
    /// The pages that a lens shows.
    pub fn through(lens: Option<&ResolvedLens>) -> Self {
        Self { vault: None, shows: lens.is_none() }
    }

    /// The pages for a reader of memory. They belong to the workspace tier.
    pub fn within(scope_filter: &ScopeFilter) -> Self {
        let shows = scope_filter.lens.is_none() && scope_filter.workspace;
        Self { vault: None, shows }
    }

    /// The pages for a client that reads memory within a filter.
    pub fn granted(grants: &Grants, scope_filter: &ScopeFilter) -> Self {
        let within = Self::within(scope_filter);
        Self { shows: within.shows && grants.may_read_pages(), ..within }
    }

    /// Only those of a vault.
    #[must_use]
    pub fn of_vault(self, vault: VaultId) -> Self {
        Self { vault: Some(vault), ..self }
    }

    /// The vault, if it is limited to one.
    pub const fn vault(&self) -> Option<VaultId> {
        self.vault
    }

    /// False if it lets no page through.
    pub const fn shows(&self) -> bool {
        self.shows
    }
}
