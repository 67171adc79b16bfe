//! Gathers the candidates of a search from the lists of both databases.

use std::{collections::HashMap, ops::Range, sync::Arc};

use futures::future;
use inklings_domain::{
    ids::MemoryId,
    memory::{
        decay::{DecayInputs, DecayTerms},
        embedding::ModelId,
        filter::MemoryFilter,
    },
    search::{
        query::{ParsedQuery, Route, TextQuery},
        ranking::{Candidate, talk::Named},
    },
};

use super::{MAX_HITS, Mode, POOL, TextOnly, text_only};
use crate::{
    error::AppError,
    memory::store::StoredEntry,
    model::embedding::{EmbedError, Embedder},
    search::store::{Asked, ListHit},
    services::Searcher,
    store_error::StoreError,
    workspace::catalogue::MemoryPorts,
};

/// The candidates with the data read while gathering them.
pub(crate) struct Gathered {
    pub(crate) candidates: Vec<Candidate<MemoryId>>,
    pub(crate) decay: HashMap<MemoryId, DecayTerms>,
    /// Of entries whose text is one passage.
    pub(crate) vectors: HashMap<MemoryId, Vec<f32>>,
    /// The best passage of each other entry of the meaning list.
    pub(crate) passages: HashMap<MemoryId, Range<usize>>,
    pub(crate) model: Option<ModelId>,
    pub(crate) mode: Mode,
}

impl Gathered {
    /// True if the meaning list brought the entry's vector, or none stands for its text.
    pub(super) fn knows_vector(&self, id: &MemoryId) -> bool {
        self.vectors.contains_key(id) || self.passages.contains_key(id)
    }
}

/// Source of the query's vector.
enum Meaning {
    None(TextOnly),
    Given(Vec<f32>, ModelId),
    Asked(Arc<dyn Embedder>),
}

impl Searcher<'_> {
    pub(super) async fn gather(
        &self,
        parsed: &ParsedQuery,
        filter: &MemoryFilter,
        vector: Option<Vec<f32>>,
        limit: usize,
    ) -> Result<Gathered, AppError> {
        // The same for every limit: values are compared within the candidates, so a shorter result would else not be the head
        // of a longer one.
        let pool = POOL.max(MAX_HITS.max(limit));
        let ports = self.session.ports_within(&filter.scope_filter);
        let words = async {
            let text = ports.iter().map(|p| p.search.search_text(&parsed.query, filter, pool));
            let named = ports.iter().map(|ports| named(ports, &parsed.text, filter));
            let called = ports.iter().map(|p| p.search.called(&parsed.text, filter));
            let (text, mut named, called) = future::try_join3(
                future::try_join_all(text),
                future::try_join_all(named),
                future::try_join_all(called),
            )
            .await?;
            named.extend(called);
            Ok((text, named))
        };
        // A short query uses vectors only if its words find few entries; a longer one queries both
        // concurrently.
        let ((text, named), near) = if parsed.route == Route::Hybrid {
            let meaning = self.meaning(None, vector);
            future::try_join(words, self.near(&ports, meaning, parsed, filter, pool)).await?
        } else {
            let words = words.await?;
            let found = words.0.iter().map(Vec::len).sum();
            let meaning = self.meaning(text_only(parsed, found), vector);
            (words, self.near(&ports, meaning, parsed, filter, pool).await?)
        };

        let (decay, now) = (self.session.decay(), self.session.clock.now());
        let room = text.iter().map(Vec::len).sum::<usize>() + near.hits.len();
        let mut pool = Pool::new(room, |inputs| decay.terms(inputs, now));
        for hit in text.into_iter().flatten() {
            pool.candidate(hit.id, &hit.decay).text = Some(hit.score);
        }
        let mut vectors = HashMap::with_capacity(near.hits.len());
        let mut passages = HashMap::new();
        for hit in near.hits {
            pool.candidate(hit.id, &hit.decay).meaning = Some(hit.score);
            vectors.extend(hit.vector.map(|vector| (hit.id, vector)));
            passages.extend(hit.passage.map(|passage| (hit.id, passage)));
        }
        for hit in named.into_iter().flatten() {
            pool.candidate(hit.id, &hit.decay).by_name = true;
        }
        let (mode, query) = (near.mode, near.query);
        if let TextQuery::Any(_) = parsed.query {
            self.complete(&ports, parsed, filter, query.as_ref(), &mut pool).await?;
        }
        let model = query.map(|(_, model)| model);
        Ok(Gathered { candidates: pool.candidates, decay: pool.decay, vectors, passages, model, mode })
    }

    /// Gives every candidate a value in every list, and adds what was said around those that are part of a talk.
    async fn complete<F: Fn(&DecayInputs) -> DecayTerms>(
        &self,
        ports: &[&MemoryPorts],
        parsed: &ParsedQuery,
        filter: &MemoryFilter,
        query: Option<&(Vec<f32>, ModelId)>,
        pool: &mut Pool<F>,
    ) -> Result<(), StoreError> {
        let named = Named::in_query(&parsed.text);
        let vector = query.map(|(vector, model)| (vector.as_slice(), model));
        let asked = Asked { query: &parsed.query, named: &named, vector };
        let ids: Vec<MemoryId> = pool.candidates.iter().map(|candidate| candidate.id).collect();
        let of_ports = ports.iter().map(|ports| ports.search.complete(asked, filter, &ids));
        for completed in future::try_join_all(of_ports).await?.into_iter().flatten() {
            let Some(decay) = completed.decay else { continue };
            let candidate = pool.candidate(completed.id, &decay);
            candidate.complete(completed.text, completed.meaning, completed.talk);
        }
        Ok(())
    }

    fn meaning(&self, text_only: Option<TextOnly>, vector: Option<Vec<f32>>) -> Meaning {
        match (text_only, self.session.embedder.get(), vector) {
            (Some(reason), _, _) => Meaning::None(reason),
            (None, None, _) => Meaning::None(TextOnly::NoModel),
            (None, Some(embedder), Some(vector)) => Meaning::Given(vector, embedder.model().id),
            (None, Some(embedder), None) => Meaning::Asked(embedder),
        }
    }

    async fn near(
        &self,
        ports: &[&MemoryPorts],
        meaning: Meaning,
        parsed: &ParsedQuery,
        filter: &MemoryFilter,
        pool: usize,
    ) -> Result<Near, StoreError> {
        let (vector, model) = match meaning {
            Meaning::None(reason) => return Ok(Near::none(reason)),
            Meaning::Given(vector, model) => (vector, model),
            Meaning::Asked(embedder) => match embedder.embed_query(&parsed.text).await {
                Ok(vector) => (vector, embedder.model().id),
                Err(error) => return Ok(Near::none(failed(&error))),
            },
        };
        // Check readiness before the search. Vectors loaded in between only make the result better than
        // reported.
        let ready = ports.iter().all(|ports| ports.search.meaning_ready(&model));
        let mode = if ready { Mode::Hybrid } else { Mode::Text(TextOnly::VectorsLoading) };
        let lists = ports.iter().map(|p| p.search.search_meaning(&vector, &model, filter, pool));
        let mut hits: Vec<ListHit> = future::try_join_all(lists).await?.into_iter().flatten().collect();
        hits.sort_by(|a, b| b.score.total_cmp(&a.score));
        hits.truncate(pool);
        if let Some(floor) = parsed.floor() {
            hits.retain(|hit| hit.score >= floor);
        }
        Ok(Near { hits, mode, query: Some((vector, model)) })
    }
}

/// The hits of the vector list.
struct Near {
    hits: Vec<ListHit>,
    mode: Mode,
    /// The vector of the query and its model, if there is one.
    query: Option<(Vec<f32>, ModelId)>,
}

impl Near {
    const fn none(reason: TextOnly) -> Self {
        Self { hits: Vec::new(), mode: Mode::Text(reason), query: None }
    }
}

/// The candidates so far, each once.
struct Pool<F> {
    terms: F,
    index: HashMap<MemoryId, usize>,
    candidates: Vec<Candidate<MemoryId>>,
    decay: HashMap<MemoryId, DecayTerms>,
}

impl<F: Fn(&DecayInputs) -> DecayTerms> Pool<F> {
    fn new(room: usize, terms: F) -> Self {
        Self {
            terms,
            index: HashMap::with_capacity(room),
            candidates: Vec::with_capacity(room),
            decay: HashMap::with_capacity(room),
        }
    }

    /// The candidate with this id, added if no other list has found it.
    fn candidate(&mut self, id: MemoryId, decay: &DecayInputs) -> &mut Candidate<MemoryId> {
        let at = *self.index.entry(id).or_insert_with(|| {
            let terms = (self.terms)(decay);
            self.decay.insert(id, terms);
            let (scope, relevance) = (Some(decay.scope), Some(terms.relevance()));
            self.candidates.push(Candidate { scope, relevance, ..Candidate::new(id) });
            self.candidates.len() - 1
        });
        &mut self.candidates[at]
    }
}

/// Entries in the filter whose name occurs in the query. They rank first, whether or not the lists found
/// them, and so do entries whose title or key is the whole query.
async fn named(ports: &MemoryPorts, text: &str, filter: &MemoryFilter) -> Result<Vec<ListHit>, StoreError> {
    let hit = |stored: StoredEntry| ListHit {
        id: stored.entry.id,
        decay: stored.entry.decay_inputs(),
        score: 1.0,
        vector: None,
        passage: None,
    };
    Ok(ports.store.mentioned_in(text, filter).await?.into_iter().map(hit).collect())
}

fn failed(error: &EmbedError) -> TextOnly {
    // The error message names the model or library, never the query.
    tracing::warn!(error = %error, "search by meaning is off for this query");
    TextOnly::ModelFailed
}
