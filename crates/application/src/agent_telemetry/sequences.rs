//! Search in sequences, by the meaning and the words of their summaries.

use std::collections::{HashMap, HashSet};

use inklings_domain::{
    agent_telemetry::sequence::{AgentSequence, word_match},
    memory::embedding::{dot, unit},
};

use crate::{
    error::AppError,
    memory::{browse::MAX_PAGE, embed::BATCH},
    search::by_meaning,
    services::AgentTelemetry,
};

/// Summaries that one search embeds at most; the rest wait for the next one.
const MOST_EMBEDDED: usize = 200;
/// Similarity below which a summary counts as no match.
const LEAST_SIMILARITY: f64 = 0.2;
/// Weight of the similarity of vectors; words have the rest.
const WEIGHT_OF_MEANING: f64 = 0.6;

/// A sequence that a search found.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundSequence {
    pub sequence: AgentSequence,
    /// How well it matches, from 0 to 1.
    pub score: f64,
}

impl AgentTelemetry<'_> {
    /// The sequences whose summaries match a query, best first and then newest first; the newest ones for an empty query.
    ///
    /// # Errors
    /// [`AppError::Store`] if the database cannot be read. A failing model is no error: words alone are compared then.
    pub async fn search_sequences(&self, query: &str, limit: usize) -> Result<Vec<FoundSequence>, AppError> {
        let limit = limit.clamp(1, MAX_PAGE);
        let store = &self.session.workspace.agent_telemetry;
        let summaries = store.summaries().await?;
        if query.trim().is_empty() {
            let newest = store.sequences(&summaries, limit).await?;
            return Ok(newest.into_iter().map(|sequence| FoundSequence { sequence, score: 0.0 }).collect());
        }
        let meaning = self.similarities(query).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "sequences are searched by words alone");
            HashMap::new()
        });
        let mut best: Vec<(String, f64)> = Vec::new();
        for summary in summaries {
            let words = word_match(&summary, query);
            let rating = meaning.get(&summary).map_or(words, |similarity| {
                WEIGHT_OF_MEANING * similarity + (1.0 - WEIGHT_OF_MEANING) * words
            });
            if rating >= LEAST_SIMILARITY {
                best.push((summary, rating));
            }
        }
        best.sort_by(|(one, a), (other, b)| b.total_cmp(a).then(one.cmp(other)));
        best.truncate(limit);
        let by_summary: HashMap<&str, f64> =
            best.iter().map(|(summary, rating)| (summary.as_str(), *rating)).collect();
        let matching: Vec<String> = best.iter().map(|(summary, _)| summary.clone()).collect();
        let rows = store.sequences(&matching, MAX_PAGE).await?;
        let mut found: Vec<FoundSequence> = Vec::with_capacity(rows.len());
        for sequence in rows {
            let rating = by_summary.get(sequence.summary.as_str()).copied().unwrap_or_default();
            found.push(FoundSequence { sequence, score: rating });
        }
        // Stable, so that equal scores stay newest first.
        found.sort_by(|a, b| b.score.total_cmp(&a.score));
        found.truncate(limit);
        Ok(found)
    }

    /// The similarity of each embedded summary to a query. Empty without a model.
    async fn similarities(&self, query: &str) -> Result<HashMap<String, f64>, AppError> {
        let Some(embedder) = self.session.embedder.get() else { return Ok(HashMap::new()) };
        self.embed_summaries(MOST_EMBEDDED).await?;
        let model = embedder.model();
        let asked = by_meaning::embedding(self.session, &*embedder, query).await??;
        let Ok(asked) = unit(asked.vector, model.dimension) else { return Ok(HashMap::new()) };
        let vectors = self.session.workspace.agent_telemetry.summary_vectors(&model).await?;
        let similarity = |vector: &[f32]| f64::from(dot(&asked, vector)).clamp(0.0, 1.0);
        Ok(vectors.into_iter().map(|(summary, vector)| (summary, similarity(&vector))).collect())
    }

    /// Embeds summaries that have no vector of the current model, at most as many as given. Returns how many it embedded.
    ///
    /// # Errors
    /// [`AppError::Embedding`] if the model fails, [`AppError::Store`] if the database does.
    pub async fn embed_summaries(&self, most: usize) -> Result<usize, AppError> {
        let Some(embedder) = self.session.embedder.get() else { return Ok(0) };
        let (store, model) = (&self.session.workspace.agent_telemetry, embedder.model());
        let have: HashSet<String> =
            store.summary_vectors(&model).await?.into_iter().map(|(summary, _)| summary).collect();
        let mut waiting = store.summaries().await?;
        waiting.retain(|summary| !have.contains(summary));
        waiting.truncate(most);
        for batch in waiting.chunks(BATCH) {
            // Underscores join words that the model knows only apart.
            let texts: Vec<String> = batch.iter().map(|summary| summary.replace(['_', '.'], " ")).collect();
            let made = embedder.embed_documents(&texts).await?;
            let good: Vec<(String, Vec<f32>)> = batch
                .iter()
                .zip(made)
                .filter_map(|(summary, made)| {
                    Some((summary.clone(), unit(made.vector, model.dimension).ok()?))
                })
                .collect();
            store.put_summary_vectors(&model, &good).await?;
        }
        Ok(waiting.len())
    }
}
