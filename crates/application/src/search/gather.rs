//! Gathers the candidates of a search from the lists of all its sources.

use std::{collections::HashMap, ops::Range, sync::Arc};

use futures::future;
use inklings_domain::{
    ids::MemoryId,
    memory::{
        decay::{DecayInputs, DecayTerms},
        embedding::{Embedding, ModelId},
    },
    search::{
        document::{DocumentId, DocumentKind},
        query::{ParsedQuery, Route, TextQuery},
        ranking::{Candidate, utterance::Named},
    },
};
use inklings_ports::{
    model::embedding::{EmbedError, Embedder},
    search::store::Asked,
    store_error::StoreError,
    vault::filter::PageFilter,
};

use super::{
    DocumentSearch, Mode, POOL, TextOnly, TimeWords, by_meaning,
    source::{Source, SourceHit},
    text_only,
};
use crate::{error::AppError, services::Searcher, session::Session};

/// The candidates with the data read while gathering them.
pub(crate) struct Gathered {
    pub(crate) candidates: Vec<Candidate<DocumentId>>,
    /// Of entries.
    pub(crate) decay: HashMap<MemoryId, DecayTerms>,
    /// Of entries whose text is one passage.
    pub(crate) vectors: HashMap<MemoryId, Vec<f32>>,
    /// The best passage of each other document of the meaning list.
    pub(crate) passages: HashMap<DocumentId, Range<usize>>,
    /// The query's embedding and its model, if there is one.
    pub(crate) asked: Option<(Embedding, ModelId)>,
    pub(crate) mode: Mode,
    /// The filter of pages, if pages were asked for.
    pub(crate) pages: Option<PageFilter>,
    /// What the query names.
    pub(super) named: Named,
}

impl Gathered {
    /// True if the meaning list brought the entry's vector, or none stands for its text.
    pub(super) fn knows_vector(&self, id: MemoryId) -> bool {
        self.vectors.contains_key(&id) || self.passages.contains_key(&DocumentId::Memory(id))
    }
}

/// Source of the query's embedding.
enum Meaning {
    None(TextOnly),
    Given(Embedding, ModelId),
    Asked(Arc<dyn Embedder>),
}

impl Searcher<'_> {
    pub(super) async fn gather(
        &self,
        parsed: &ParsedQuery,
        search: &DocumentSearch,
    ) -> Result<Gathered, AppError> {
        let sources = Source::all(self.session, search);
        let named = self.named_in(&parsed.text, search);
        let words = async {
            let text = sources.iter().map(|source| source.search_text(&parsed.query, POOL));
            let called = sources.iter().map(|source| source.named(&parsed.text));
            future::try_join(future::try_join_all(text), future::try_join_all(called)).await
        };
        // A short query uses vectors only if its words find few documents; a longer one queries both
        // concurrently.
        let ((text, called), near) = if parsed.route == Route::Hybrid {
            let meaning = self.meaning(None, search.embedding.clone());
            future::try_join(words, near(self.session, &sources, meaning, parsed)).await?
        } else {
            let words = words.await?;
            let found = words.0.iter().map(Vec::len).sum();
            let meaning = self.meaning(text_only(parsed, found), search.embedding.clone());
            (words, near(self.session, &sources, meaning, parsed).await?)
        };

        let (decay, now) = (self.session.decay(), self.session.clock.now());
        let count = text.iter().map(Vec::len).sum::<usize>() + near.hits.len();
        let mut pool = Pool::new(count, |inputs| decay.terms(inputs, now));
        for hit in text.into_iter().flatten() {
            pool.candidate(hit.id, hit.decay.as_ref()).text = Some(hit.score);
        }
        let mut vectors = HashMap::with_capacity(near.hits.len());
        let mut passages = HashMap::new();
        for hit in near.hits {
            pool.candidate(hit.id, hit.decay.as_ref()).meaning = Some(hit.score);
            vectors.extend(hit.id.memory().zip(hit.vector));
            passages.extend(hit.passage.map(|passage| (hit.id, passage)));
        }
        for hit in called.into_iter().flatten() {
            // What an exact query does not match is no hit, whatever it is called.
            let is_hit = !matches!(parsed.query, TextQuery::All { .. }) || pool.index.contains_key(&hit.id);
            if is_hit {
                pool.candidate(hit.id, hit.decay.as_ref()).by_name = true;
            }
        }
        let (mode, asked) = (near.mode, near.asked);
        if let TextQuery::Any(_) = parsed.query {
            if let Some(time) = named.time() {
                let in_time = sources.iter().map(|source| source.in_time(time.clone(), POOL));
                for hit in future::try_join_all(in_time).await?.into_iter().flatten() {
                    pool.candidate(hit.id, hit.decay.as_ref());
                }
            }
            complete(&sources, (parsed, &named), asked.as_ref(), &mut pool).await?;
        }
        let (candidates, decay, pages) = (pool.candidates, pool.decay, search.pages.clone());
        Ok(Gathered { candidates, decay, vectors, passages, asked, mode, pages, named })
    }

    fn named_in(&self, text: &str, search: &DocumentSearch) -> Named {
        let clock = &self.session.clock;
        let asked_at = match search.time_words {
            TimeWords::From(at) => at,
            TimeWords::FromNow | TimeWords::Ignored => clock.now(),
        };
        let asked_at = clock.local(asked_at);
        match search.time_words {
            TimeWords::Ignored => Named::in_text(text, asked_at),
            TimeWords::FromNow | TimeWords::From(_) => search.query.names(text, asked_at),
        }
    }

    fn meaning(&self, text_only: Option<TextOnly>, given: Option<Embedding>) -> Meaning {
        match (text_only, self.session.embedder.get(), given) {
            (Some(reason), _, _) => Meaning::None(reason),
            (None, None, _) => Meaning::None(TextOnly::NoModel),
            (None, Some(embedder), Some(given)) => Meaning::Given(given, embedder.model().id),
            (None, Some(embedder), None) => Meaning::Asked(embedder),
        }
    }
}

async fn near(
    session: &Session,
    sources: &[Source<'_>],
    meaning: Meaning,
    parsed: &ParsedQuery,
) -> Result<Near, StoreError> {
    let (asked, model) = match meaning {
        Meaning::None(reason) => return Ok(Near::none(reason)),
        Meaning::Given(asked, model) => (asked, model),
        Meaning::Asked(embedder) => match by_meaning::embedding(session, &*embedder, &parsed.text).await? {
            Ok(asked) => (asked, embedder.model().id),
            Err(error) => return Ok(Near::none(failed(&error))),
        },
    };
    // Check readiness before the search. Vectors loaded in between only make the result better than
    // reported.
    let ready = sources.iter().all(|source| source.meaning_ready(&model));
    let mode = if ready { Mode::Hybrid } else { Mode::Text(TextOnly::VectorsLoading) };
    let lists = sources.iter().map(|source| source.search_meaning(&asked.vector, &model, POOL));
    let mut hits: Vec<SourceHit> = future::try_join_all(lists).await?.into_iter().flatten().collect();
    hits.sort_by(|a, b| b.score.total_cmp(&a.score));
    // As many of each kind as if it were the only one, whatever number of databases it lies in.
    let mut left: Vec<(DocumentKind, usize)> = DocumentKind::ALL.iter().map(|kind| (*kind, POOL)).collect();
    hits.retain(|hit| {
        let Some((_, left)) = left.iter_mut().find(|(kind, _)| *kind == hit.id.kind()) else { return false };
        let keeps = *left > 0;
        *left = left.saturating_sub(1);
        keeps
    });
    if let Some(floor) = parsed.floor() {
        hits.retain(|hit| hit.score >= floor);
    }
    Ok(Near { hits, mode, asked: Some((asked, model)) })
}

/// Gives every candidate a value in every list, and adds what was said around those that are part of a conversation.
async fn complete<F: Fn(&DecayInputs) -> DecayTerms>(
    sources: &[Source<'_>],
    (parsed, named): (&ParsedQuery, &Named),
    asked: Option<&(Embedding, ModelId)>,
    pool: &mut Pool<F>,
) -> Result<(), StoreError> {
    let vector = asked.map(|(asked, model)| (asked.vector.as_slice(), model));
    let asked = Asked { query: &parsed.query, named, vector };
    let of_sources = sources.iter().map(|source| source.complete(asked, &pool.candidates));
    let completed = future::try_join_all(of_sources).await?;
    pool.reserve(completed.iter().map(Vec::len).sum());
    for completed in completed.into_iter().flatten() {
        pool.candidate(completed.id, completed.decay.as_ref()).complete(completed.values);
    }
    Ok(())
}

/// The hits of the vector list.
struct Near {
    hits: Vec<SourceHit>,
    mode: Mode,
    /// The query's embedding and its model, if there is one.
    asked: Option<(Embedding, ModelId)>,
}

impl Near {
    const fn none(reason: TextOnly) -> Self {
        Self { hits: Vec::new(), mode: Mode::Text(reason), asked: None }
    }
}

/// The candidates so far, each once.
struct Pool<F> {
    terms: F,
    index: HashMap<DocumentId, usize>,
    candidates: Vec<Candidate<DocumentId>>,
    decay: HashMap<MemoryId, DecayTerms>,
}

impl<F: Fn(&DecayInputs) -> DecayTerms> Pool<F> {
    fn new(count: usize, terms: F) -> Self {
        Self {
            terms,
            index: HashMap::with_capacity(count),
            candidates: Vec::with_capacity(count),
            decay: HashMap::with_capacity(count),
        }
    }

    /// Makes room for so many candidates in all.
    fn reserve(&mut self, count: usize) {
        let more = count.saturating_sub(self.candidates.len());
        self.index.reserve(more);
        self.candidates.reserve(more);
        self.decay.reserve(more);
    }

    /// The candidate with this id, added if no other list has found it. Entries have decay inputs, messages have none.
    fn candidate(&mut self, id: DocumentId, decay: Option<&DecayInputs>) -> &mut Candidate<DocumentId> {
        let at = *self.index.entry(id).or_insert_with(|| {
            let mut candidate = Candidate::new(id);
            if let Some((id, decay)) = id.memory().zip(decay) {
                let terms = (self.terms)(decay);
                self.decay.insert(id, terms);
                (candidate.scope, candidate.relevance) = (Some(decay.scope), Some(terms.relevance()));
            }
            self.candidates.push(candidate);
            self.candidates.len() - 1
        });
        &mut self.candidates[at]
    }
}

fn failed(error: &EmbedError) -> TextOnly {
    // The error message names the model or library, never the query.
    tracing::warn!(error = %error, "search by meaning is off for this query");
    TextOnly::ModelFailed
}
