//! Gives entries their vectors, in the background: small batches, so that writes and queries go in between.

use std::sync::Arc;

use inklings_domain::memory::embedding::{EmbeddingModel, unit};

use crate::{
    conversation::transcript_store::PendingMessage,
    error::AppError,
    memory::vector_store::{EmbeddingCounts, NewVector, PendingText},
    model::embedding::{EmbedError, Embedder},
    session::Session,
    workspace::catalogue::MemoryPorts,
};

/// Entries per batch of a backfill run (seed 000).
pub const BATCH: usize = 50;

/// Hears how a backfill goes, and can stop it.
pub trait BackfillProgress: Send + Sync {
    /// Entries embedded so far in this run, of how many.
    fn report(&self, done: u64, total: u64);

    /// True once the run should stop after the current batch.
    fn cancelled(&self) -> bool;
}

impl Session {
    /// How far embedding has come in both databases for a model, entries and messages together.
    ///
    /// # Errors
    /// [`AppError::Store`] if a database cannot be read.
    pub async fn embedding_counts(&self, model: &EmbeddingModel) -> Result<EmbeddingCounts, AppError> {
        let mut sum = EmbeddingCounts::default();
        for ports in self.all_ports() {
            let part = ports.vectors.counts(model).await?;
            sum.embedded += part.embedded;
            sum.pending += part.pending;
        }
        let said = self.workspace.transcript.vector_counts(model).await?;
        sum.embedded += said.embedded;
        sum.pending += said.pending;
        Ok(sum)
    }

    /// Embeds everything that waits for a vector of the model in use; returns how many entries got one.
    /// Without a model it does nothing. A text that the model fails on is marked and left out from then on.
    ///
    /// # Errors
    /// [`AppError::Embedding`] if the model itself failed, [`AppError::Store`] if a database did.
    pub async fn embed_pending(&self, progress: &dyn BackfillProgress) -> Result<u64, AppError> {
        self.embed_at_most(u64::MAX, progress).await
    }

    /// As [`Self::embed_pending`], but ends once `most` texts got a vector.
    ///
    /// # Errors
    /// As [`Self::embed_pending`].
    pub async fn embed_at_most(&self, most: u64, progress: &dyn BackfillProgress) -> Result<u64, AppError> {
        let Some(embedder) = self.embedder.get() else { return Ok(0) };
        let model = embedder.model();
        let total = self.embedding_counts(&model).await?.pending;
        let mut done = 0;
        // Entries first: they are searched most. Then what was said.
        for ports in self.all_ports() {
            loop {
                if progress.cancelled() || done >= most {
                    return Ok(done);
                }
                let batch = ports.vectors.pending(&model, BATCH).await?;
                if batch.is_empty() {
                    break;
                }
                done += embed_batch(ports, &embedder, &model, batch).await?;
                progress.report(done, total.max(done));
            }
        }
        loop {
            if progress.cancelled() || done >= most {
                return Ok(done);
            }
            let batch = self.workspace.transcript.pending_vectors(&model, BATCH).await?;
            if batch.is_empty() {
                return Ok(done);
            }
            done += self.embed_messages(&embedder, &model, batch).await?;
            progress.report(done, total.max(done));
        }
    }

    async fn embed_messages(
        &self,
        embedder: &Arc<dyn Embedder>,
        model: &EmbeddingModel,
        batch: Vec<PendingMessage>,
    ) -> Result<u64, AppError> {
        let transcript = &self.workspace.transcript;
        let texts: Vec<String> = batch.iter().map(|pending| pending.text.clone()).collect();
        let mut good = Vec::with_capacity(batch.len());
        for (pending, vector) in batch.into_iter().zip(vectors(embedder, model, &texts).await?) {
            match vector {
                Ok(vector) => good.push((pending.id, vector)),
                Err(error) => transcript.vector_failed(model, pending.id, &error).await?,
            }
        }
        Ok(transcript.put_vectors(model, &good).await? as u64)
    }
}

async fn embed_batch(
    ports: &MemoryPorts,
    embedder: &Arc<dyn Embedder>,
    model: &EmbeddingModel,
    batch: Vec<PendingText>,
) -> Result<u64, AppError> {
    let texts: Vec<String> = batch.iter().map(|pending| pending.text.clone()).collect();
    let mut good = Vec::with_capacity(batch.len());
    for (pending, vector) in batch.into_iter().zip(vectors(embedder, model, &texts).await?) {
        match vector {
            Ok(vector) => good.push(NewVector { id: pending.id, version: pending.version, vector }),
            Err(error) => ports.vectors.mark_failed(model, pending.id, pending.version, &error).await?,
        }
    }
    Ok(ports.vectors.put(model, &good).await? as u64)
}

/// A unit vector for each text, or why the model failed on it.
async fn vectors(
    embedder: &Arc<dyn Embedder>,
    model: &EmbeddingModel,
    texts: &[String],
) -> Result<Vec<Result<Vec<f32>, String>>, AppError> {
    let vectors: Vec<Result<Vec<f32>, String>> = match embedder.embed_documents(texts).await {
        Ok(vectors) if vectors.len() == texts.len() => vectors.into_iter().map(Ok).collect(),
        // One bad text must not hold up the others: find it by embedding them one by one.
        Ok(_) | Err(EmbedError::Inference(_)) => one_by_one(embedder, texts).await?,
        Err(error) => return Err(error.into()),
    };
    let checked = |vector: Vec<f32>| unit(vector, model.dimension).map_err(|error| error.to_string());
    Ok(vectors.into_iter().map(|vector| vector.and_then(checked)).collect())
}

async fn one_by_one(
    embedder: &Arc<dyn Embedder>,
    texts: &[String],
) -> Result<Vec<Result<Vec<f32>, String>>, AppError> {
    let mut vectors = Vec::with_capacity(texts.len());
    for text in texts {
        vectors.push(match embedder.embed_documents(std::slice::from_ref(text)).await {
            Ok(mut one) => one.pop().ok_or_else(|| "the model gave no vector".to_owned()),
            Err(EmbedError::Inference(reason)) => Err(reason),
            Err(error) => return Err(error.into()),
        });
    }
    Ok(vectors)
}
