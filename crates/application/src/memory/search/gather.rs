//! Collects the candidates of a search from the lists of both databases.

use std::{collections::HashMap, sync::Arc};

use futures::future;
use inklings_domain::{
    decay::DecayTerms,
    embedding::ModelId,
    filter::MemoryFilter,
    ids::MemoryId,
    query::{self, ParsedQuery},
    ranking::Candidate,
};

use super::{Mode, POOL, TextOnly, text_only};
use crate::{
    error::AppError,
    ports::{
        catalogue::MemoryPorts,
        embedding::{EmbedError, Embedder},
        error::StoreError,
        memory_search::ListHit,
    },
    session::Session,
};

/// The candidates with what was learned while collecting them.
pub(super) struct Gathered {
    pub(super) candidates: Vec<Candidate>,
    pub(super) decay: HashMap<MemoryId, DecayTerms>,
    pub(super) vectors: HashMap<MemoryId, Vec<f32>>,
    pub(super) model: Option<ModelId>,
    pub(super) mode: Mode,
}

/// Where the query's vector comes from.
enum Meaning {
    None(TextOnly),
    Given(Vec<f32>, ModelId),
    Asked(Arc<dyn Embedder>),
}

impl Session {
    pub(super) async fn gather(
        &self,
        parsed: &ParsedQuery,
        filter: &MemoryFilter,
        vector: Option<Vec<f32>>,
        limit: usize,
    ) -> Result<Gathered, AppError> {
        let pool = POOL.max(limit * 2);
        let ports = self.ports_within(&filter.reach);
        let meaning = match (text_only(parsed.route), self.embedder.get(), vector) {
            (Some(reason), _, _) => Meaning::None(reason),
            (None, None, _) => Meaning::None(TextOnly::NoModel),
            (None, Some(embedder), Some(vector)) => Meaning::Given(vector, embedder.model().id),
            (None, Some(embedder), None) => Meaning::Asked(embedder),
        };
        let text =
            future::try_join_all(ports.iter().map(|p| p.search.search_text(&parsed.query, filter, pool)));
        let near = self.near(&ports, meaning, &parsed.text, filter, pool);
        let (text, (near, mode, model)) = future::try_join(text, near).await?;

        let mut gathered =
            Gathered { candidates: Vec::new(), decay: HashMap::new(), vectors: HashMap::new(), model, mode };
        let mut index = HashMap::new();
        for hit in text.into_iter().flatten() {
            self.candidate(&mut gathered, &mut index, &hit).text = Some(hit.score);
        }
        for hit in near {
            self.candidate(&mut gathered, &mut index, &hit).meaning = Some(hit.score);
            gathered.vectors.extend(hit.vector.map(|vector| (hit.id, vector)));
        }
        self.resolve_names(&mut gathered, &mut index, &ports, &parsed.text).await?;
        Ok(gathered)
    }

    async fn near(
        &self,
        ports: &[&MemoryPorts],
        meaning: Meaning,
        text: &str,
        filter: &MemoryFilter,
        pool: usize,
    ) -> Result<(Vec<ListHit>, Mode, Option<ModelId>), StoreError> {
        let (vector, model) = match meaning {
            Meaning::None(reason) => return Ok((Vec::new(), Mode::Text(reason), None)),
            Meaning::Given(vector, model) => (vector, model),
            Meaning::Asked(embedder) => match embedder.embed_query(text).await {
                Ok(vector) => (vector, embedder.model().id),
                Err(error) => return Ok((Vec::new(), Mode::Text(failed(&error)), None)),
            },
        };
        // Asked before the search: vectors that arrive in between make the answer better than it says, never worse.
        let ready = ports.iter().all(|ports| ports.search.meaning_ready(&model));
        let mode = if ready { Mode::Hybrid } else { Mode::Text(TextOnly::VectorsLoading) };
        let lists = ports.iter().map(|p| p.search.search_meaning(&vector, &model, filter, pool));
        let mut near: Vec<ListHit> = future::try_join_all(lists).await?.into_iter().flatten().collect();
        near.sort_by(|a, b| b.score.total_cmp(&a.score));
        near.truncate(pool);
        Ok((near, mode, Some(model)))
    }

    fn candidate<'g>(
        &self,
        gathered: &'g mut Gathered,
        index: &mut HashMap<MemoryId, usize>,
        hit: &ListHit,
    ) -> &'g mut Candidate {
        let at = *index.entry(hit.id).or_insert_with(|| {
            let terms = self.decay().terms(&hit.decay, self.clock.now());
            gathered.decay.insert(hit.id, terms);
            gathered.candidates.push(Candidate {
                id: hit.id,
                scope: hit.decay.scope,
                text: None,
                meaning: None,
                relevance: terms.relevance(),
                by_name: false,
            });
            gathered.candidates.len() - 1
        });
        &mut gathered.candidates[at]
    }

    /// Entries whose name stands in the query come first, found by the lists or not.
    async fn resolve_names(
        &self,
        gathered: &mut Gathered,
        index: &mut HashMap<MemoryId, usize>,
        ports: &[&MemoryPorts],
        text: &str,
    ) -> Result<(), AppError> {
        let spoken = format!(" {} ", query::words(text).join(" "));
        for ports in ports {
            let named: Vec<MemoryId> = ports
                .store
                .names()
                .await?
                .into_iter()
                .filter(|(name, _)| {
                    let name = query::words(name).join(" ");
                    !name.is_empty() && spoken.contains(&format!(" {name} "))
                })
                .map(|(_, id)| id)
                .collect();
            for stored in ports.store.get(&named).await? {
                let (id, decay) = (stored.entry.id, stored.entry.decay_inputs());
                let hit = ListHit { id, decay, score: 1.0, vector: None };
                self.candidate(gathered, index, &hit).by_name = true;
            }
        }
        Ok(())
    }
}

fn failed(error: &EmbedError) -> TextOnly {
    // The message names the model or library, never the query.
    tracing::warn!(error = %error, "search by meaning is off for this query");
    TextOnly::ModelFailed
}
