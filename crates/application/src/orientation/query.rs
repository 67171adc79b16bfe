//! What an orientation searches with.

use inklings_domain::{
    memory::{embedding::Embedding, filter::MemoryFilter},
    scope::Place,
    search::query::QueryText,
};

use super::OrientRequest;
use crate::search::Search;

/// Memories read per tier. Includes a few more than are usually taken, so that the ledger shows what was left
/// out.
pub(super) const LOOKED_AT: usize = 24;

/// The text of a query: a message as a rule, and no message is written as a search.
pub(super) fn query_text(query: &str) -> QueryText {
    QueryText::Plain(query.to_owned())
}

impl OrientRequest<'_> {
    /// The search for the memories of one place.
    pub(super) fn search_in(&self, place: Place, query: &str, embedding: Option<&Embedding>) -> Search {
        Search {
            embedding: embedding.cloned(),
            time_words: self.time_words,
            ..Search::new(query_text(query), MemoryFilter::active(self.of(place)), LOOKED_AT)
        }
    }
}
