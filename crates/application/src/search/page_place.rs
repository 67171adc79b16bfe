//! The place of any page in the order of a search, also of one that the search does not reach.

use inklings_domain::{
    ids::PageId,
    search::{document::DocumentId, query::TextQuery, ranking::Candidate},
};
use inklings_ports::search::store::Asked;

use super::{DocumentSearch, EntryPlace, Fate, MAX_HITS, by_meaning};
use crate::{error::AppError, services::Searcher};

impl Searcher<'_> {
    /// The place of a page in a search of pages. `None` if the filter does not let it through, or if neither its words nor its
    /// meaning match.
    pub(crate) async fn place_of_page(
        &self,
        mut search: DocumentSearch,
        id: PageId,
    ) -> Result<Option<EntryPlace>, AppError> {
        let Some(filter) = search.pages.clone() else { return Ok(None) };
        let strategy = self.strategy(search.strategy.as_deref()).await?;
        let limit = search.limit.clamp(1, MAX_HITS);
        let parsed = search.query.parse();
        if search.embedding.is_none()
            && let Some(embedder) = self.session.embedder.get().filter(|_| parsed.asks_meaning(0))
        {
            search.embedding = by_meaning::embedding(self.session, &*embedder, &parsed.text).await?.ok();
        }
        let mut gathered = self.gather(&parsed, &search).await?;
        let document = DocumentId::Page(id);
        let within_lists = gathered.candidates.iter().any(|candidate| candidate.id == document);
        if !within_lists {
            let TextQuery::Any(_) = parsed.query else { return Ok(None) };
            let vector = gathered.asked.as_ref().map(|(asked, model)| (asked.vector.as_slice(), model));
            let asked = Asked { query: &parsed.query, named: &gathered.named, vector };
            let completed = self.session.workspace.page_search.complete(asked, &filter, &[id]).await?;
            let Some(completed) = completed.into_iter().next() else { return Ok(None) };
            let mut own = Candidate::new(document);
            own.complete(completed.values);
            let is_near = |cosine: f64| parsed.floor().is_none_or(|floor| cosine >= floor);
            if own.text.is_none() && !own.meaning.is_some_and(is_near) {
                return Ok(None);
            }
            gathered.candidates.push(own);
        }
        let fused = self.ordered(&*strategy, &parsed, &search, &mut gathered).await?;
        let ranked = fused.ranked();
        let Some(at) = ranked.iter().position(|ranked| ranked.id == document) else { return Ok(None) };
        let fate = match within_lists {
            false => Fate::BeyondTheLists,
            true if at < limit => Fate::Hit,
            true => Fate::BehindTheHits,
        };
        let (score, contributions) = (ranked[at].score, fused.contributions(&ranked[at]));
        Ok(Some(EntryPlace { rank: at + 1, of: ranked.len(), score, contributions, fate }))
    }
}
