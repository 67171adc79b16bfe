//! Which pages a read may show. Every read of pages takes it.

use inklings_domain::{ids::VaultId, lens::ResolvedLens, memory::filter::ScopeFilter};

/// The pages that a read may show. A page has no knowers: it is the author's own text, and nobody in the story knows it. So
/// through any lens it shows none, and whoever makes a filter has to say which lens there is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageFilter {
    vault: Option<VaultId>,
    shows: bool,
}

impl PageFilter {
    /// The pages that a lens shows to the worldbuilder.
    pub fn through(lens: Option<&ResolvedLens>) -> Self {
        Self { vault: None, shows: lens.is_none() }
    }

    /// The pages for a reader of memory. The filter of a client knows whether its grants include pages.
    pub const fn within(scope_filter: &ScopeFilter) -> Self {
        Self { vault: None, shows: scope_filter.shows_pages() }
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
