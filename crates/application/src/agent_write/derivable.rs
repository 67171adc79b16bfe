//! Texts that a page of a linked vault says already. Such a text is not stored as a memory.

use inklings_domain::{
    memory::{filter::ScopeFilter, guard::says_the_same},
    search::query,
};
use inklings_ports::vault::filter::PageFilter;

use crate::{
    error::{AppError, Passage},
    services::AgentWrites,
    vault::page::page_text,
};

/// Pages that are compared with a text.
const COMPARED: usize = 8;

impl AgentWrites<'_> {
    /// What of the pages says the text already, as far as a filter shows it.
    pub(crate) async fn in_content(
        &self,
        text: &str,
        filter: &ScopeFilter,
    ) -> Result<Option<Passage>, AppError> {
        let filter = PageFilter::within(filter);
        if !filter.shows() {
            return Ok(None);
        }
        let query = query::parse_plain(text).query;
        let ports = &self.session.workspace;
        let hits = ports.page_search.search_text(&query, &filter, COMPARED).await?;
        let ids: Vec<_> = hits.iter().map(|hit| hit.id).collect();
        if ids.is_empty() {
            return Ok(None);
        }
        for stored in ports.pages.pages(&filter, &ids).await? {
            let read = page_text(&stored);
            let found =
                read.blocks.iter().find(|block| says_the_same(text, &read.content[block.range.clone()]));
            if let Some(block) = found {
                let place = if block.heading.is_empty() {
                    format!("page '{}'", read.title)
                } else {
                    format!("page '{}' > {}", read.title, block.heading)
                };
                return Ok(Some(Passage::of(place, &read.content[block.range.clone()], text)));
            }
        }
        Ok(None)
    }
}
