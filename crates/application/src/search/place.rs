//! The place of any entry in the order of a search, also of one that the search does not reach. The order is that of
//! the search itself; only the candidate that its lists leave out is added to it.

use inklings_domain::{
    ids::MemoryId,
    memory::{MemoryEntry, embedding::Embedding},
    search::{
        document::DocumentId,
        query::{ParsedQuery, TextQuery},
        ranking::{Candidate, Contribution},
    },
};
use inklings_ports::search::store::Asked;

use super::{DocumentHit, DocumentSearch, MAX_HITS, POOL, Search, by_meaning, gather::Gathered};
use crate::{error::AppError, services::Searcher};

/// How much further the list of words is read each time an entry is not in it.
const FURTHER: usize = 10;

/// Where an entry stands in the order of a search.
#[derive(Debug, Clone, PartialEq)]
pub struct EntryPlace {
    /// Its rank, from 1, among the candidates before any are folded.
    pub rank: usize,
    /// Number of candidates, itself included.
    pub of: usize,
    /// Sum of the contributions.
    pub score: f64,
    /// Score contribution of each list.
    pub contributions: Vec<Contribution>,
    /// What becomes of it.
    pub fate: Fate,
}

/// What becomes of an entry in a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    Hit,
    /// It is folded into this hit, which says the same.
    Folded(MemoryId),
    /// It is a candidate, and ranks behind the last hit.
    BehindTheHits,
    /// It matches, but the lists end before it. Its rank is the one it would have among the candidates.
    BeyondTheLists,
}

impl Searcher<'_> {
    /// The place of an entry in a search. `None` if it is beyond the search's scope filter, or if neither its words nor its
    /// meaning match.
    pub async fn place_of(
        &self,
        mut search: Search,
        entry: &MemoryEntry,
    ) -> Result<Option<EntryPlace>, AppError> {
        let strategy = self.strategy(search.strategy.as_deref()).await?;
        if !search.filter.scope_filter.admits(entry) {
            return Ok(None);
        }
        let limit = search.limit.clamp(1, MAX_HITS);
        let parsed = search.query.parse();
        if search.embedding.is_none() {
            search.embedding = self.query_embedding(&parsed).await;
        }
        let id = DocumentId::Memory(entry.id);
        let documents = DocumentSearch::from(search.clone());
        let mut gathered = self.gather(&parsed, &documents).await?;
        let within_lists = gathered.candidates.iter().any(|candidate| candidate.id == id);
        if !within_lists {
            let Some(candidate) = self.candidate(&parsed, &search, &gathered, entry).await? else {
                return Ok(None);
            };
            gathered.candidates.push(candidate);
        }
        let fused = self.ordered(&*strategy, &parsed, &documents, &mut gathered).await?;
        let ranked = fused.ranked();
        let Some(at) = ranked.iter().position(|ranked| ranked.id == id) else { return Ok(None) };
        let fate = if within_lists {
            let hits = self.hits(&fused, &gathered, None, limit).await?;
            fate_among(&hits, entry.id)
        } else {
            Fate::BeyondTheLists
        };
        let (score, contributions) = (ranked[at].score, fused.contributions(&ranked[at]));
        Ok(Some(EntryPlace { rank: at + 1, of: ranked.len(), score, contributions, fate }))
    }

    /// The embedding of a query that is asked by meaning; `None` without a model or if it fails.
    async fn query_embedding(&self, parsed: &ParsedQuery) -> Option<Embedding> {
        let embedder = self.session.embedder.get().filter(|_| parsed.asks_meaning(0))?;
        by_meaning::embedding(self.session, &*embedder, &parsed.text).await.ok()?.ok()
    }

    /// An entry that no list has found, with its own figures; `None` if it has none.
    async fn candidate(
        &self,
        parsed: &ParsedQuery,
        search: &Search,
        gathered: &Gathered,
        entry: &MemoryEntry,
    ) -> Result<Option<Candidate<DocumentId>>, AppError> {
        let terms = self.session.decay().terms(&entry.decay_inputs(), self.session.clock.now());
        let (scope, relevance) = (Some(entry.scope()), Some(terms.relevance()));
        let mut own = Candidate { scope, relevance, ..Candidate::new(DocumentId::Memory(entry.id)) };
        if let TextQuery::Any(_) = parsed.query {
            let vector = gathered.asked.as_ref().map(|(asked, model)| (asked.vector.as_slice(), model));
            let asked = Asked { query: &parsed.query, named: &gathered.named, vector };
            let port = &self.session.ports(entry.scope()).search;
            let completed = port.complete(asked, &search.filter, &[entry.id]).await?;
            let completed = completed.into_iter().find(|completed| completed.id == entry.id);
            let Some(completed) = completed else { return Ok(None) };
            own.complete(completed.values);
        } else {
            own.text = self.text_score(parsed, search, entry).await?;
        }
        let is_near = |cosine: f64| parsed.floor().is_none_or(|floor| cosine >= floor);
        Ok((own.text.is_some() || own.meaning.is_some_and(is_near)).then_some(own))
    }

    /// The score of an entry for a query with operators, whose candidates are compared with its words alone. Reads the list
    /// of words until the entry comes or the list ends.
    async fn text_score(
        &self,
        parsed: &ParsedQuery,
        search: &Search,
        entry: &MemoryEntry,
    ) -> Result<Option<f64>, AppError> {
        let port = &self.session.ports(entry.scope()).search;
        let mut most = POOL * FURTHER;
        loop {
            let list = port.search_text(&parsed.query, &search.filter, most).await?;
            if let Some(hit) = list.iter().find(|hit| hit.id == entry.id) {
                return Ok(Some(hit.score));
            }
            if list.len() < most {
                return Ok(None);
            }
            most = most.saturating_mul(FURTHER);
        }
    }
}

fn fate_among(hits: &[DocumentHit], id: MemoryId) -> Fate {
    let fate = |hit: &DocumentHit| match hit {
        DocumentHit::Memory(hit) if hit.stored.entry.id == id => Some(Fate::Hit),
        DocumentHit::Memory(hit) if hit.folded.contains(&id) => Some(Fate::Folded(hit.stored.entry.id)),
        DocumentHit::Memory(_) | DocumentHit::Message(_) | DocumentHit::Page(_) => None,
    };
    hits.iter().find_map(fate).unwrap_or(Fate::BehindTheHits)
}
