//! Orders the candidates of a search. The best of a first order are compared with the query word by word, which orders them anew.

use std::collections::HashMap;

use futures::future;
use inklings_domain::search::{
    document::DocumentId,
    query::{ParsedQuery, Route, TextQuery},
    ranking::{Candidate, Fused, FusionStrategy, ListName, WordComparison, fuse, fuse_words_first},
};
use inklings_ports::store_error::StoreError;

use super::{DocumentSearch, gather::Gathered, source::Source};
use crate::services::Searcher;

/// The best candidates whose words are compared. With twice as many, recall is the same.
const COMPARED: usize = 100;

impl Searcher<'_> {
    /// The candidates in the order of the search. Every order of a search is made here.
    pub(super) async fn ordered<'s>(
        &self,
        strategy: &'s dyn FusionStrategy,
        parsed: &ParsedQuery,
        search: &DocumentSearch,
        gathered: &mut Gathered,
    ) -> Result<Fused<'s, DocumentId>, StoreError> {
        let first = order(strategy, parsed, &gathered.candidates);
        let asked = gathered.asked.as_ref().filter(|(asked, _)| !asked.words.is_empty());
        let asks_words = matches!(parsed.query, TextQuery::Any(_));
        let counts = strategy.weight(ListName::WordMeaning) > 0.0 && asks_words;
        let Some((asked, model)) = asked.filter(|_| counts) else { return Ok(first) };
        let best = || first.ranked().iter().take(COMPARED).map(|ranked| &gathered.candidates[ranked.at]);
        let sources = Source::all(self.session, search);
        let compare = sources.iter().map(|source| source.compare_words(&asked.words, model, best()));
        let compared: HashMap<DocumentId, WordComparison> =
            future::try_join_all(compare).await?.into_iter().flatten().collect();
        if compared.is_empty() {
            return Ok(first);
        }
        for candidate in &mut gathered.candidates {
            if let Some(compared) = compared.get(&candidate.id) {
                candidate.compare_words(*compared);
            }
        }
        Ok(order(strategy, parsed, &gathered.candidates))
    }
}

fn order<'s>(
    strategy: &'s dyn FusionStrategy,
    parsed: &ParsedQuery,
    candidates: &[Candidate<DocumentId>],
) -> Fused<'s, DocumentId> {
    // For a short query, rank hits by words before hits by vector only.
    if parsed.route == Route::Hybrid {
        fuse(strategy, candidates)
    } else {
        fuse_words_first(strategy, candidates)
    }
}
