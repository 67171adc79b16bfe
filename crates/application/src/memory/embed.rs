//! Background embedding of entries, in small batches so that writes and queries can run in between.

use std::sync::Arc;

use inklings_domain::memory::embedding::{EmbeddingModel, unit};

use crate::{
    conversation::transcript_store::PendingMessage,
    error::AppError,
    memory::vector_store::{EmbeddingCounts, NewVector, PendingText},
    model::embedding::{EmbedError, Embedder},
    services::Embeddings,
    workspace::catalogue::MemoryPorts,
};

/// Entries per batch of a backfill.
pub const BATCH: usize = 50;

/// Receives the progress of a backfill and can stop it.
pub trait BackfillProgress: Send + Sync {
    /// Entries embedded so far in this run, and the total.
    fn report(&self, done: u64, total: u64);

    /// True once the run should stop after the current batch.
    fn cancelled(&self) -> bool;
}

impl Embeddings<'_> {
    /// Embedding progress for a model in both databases, entries and messages together.
    ///
    /// # Errors
    /// [`AppError::Store`] if a database cannot be read.
    pub async fn counts(&self, model: &EmbeddingModel) -> Result<EmbeddingCounts, AppError> {
        let mut sum = EmbeddingCounts::default();
        for ports in self.session.all_ports() {
            let part = ports.vectors.counts(model).await?;
            sum.embedded += part.embedded;
            sum.pending += part.pending;
        }
        let said = self.session.workspace.transcript.vector_counts(model).await?;
        sum.embedded += said.embedded;
        sum.pending += said.pending;
        Ok(sum)
    }

    /// Embeds all texts without a vector of the current model. Returns how many got one. Does nothing without
    /// a model. A text that the model cannot embed is marked and skipped from then on.
    ///
    /// # Errors
    /// [`AppError::Embedding`] if the model itself failed, [`AppError::Store`] if a database did.
    pub async fn pending(&self, progress: &dyn BackfillProgress) -> Result<u64, AppError> {
        self.at_most(u64::MAX, progress).await
    }

    /// As [`Self::pending`], but stops after `most` texts.
    ///
    /// # Errors
    /// As [`Self::pending`].
    pub async fn at_most(&self, most: u64, progress: &dyn BackfillProgress) -> Result<u64, AppError> {
        let Some(embedder) = self.session.embedder.get() else { return Ok(0) };
        let model = embedder.model();
        let total = self.counts(&model).await?.pending;
        let mut done = 0;
        // Embed entries before messages, because they are searched most.
        for ports in self.session.all_ports() {
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
            let batch = self.session.workspace.transcript.pending_vectors(&model, BATCH).await?;
            if batch.is_empty() {
                return Ok(done);
            }
            done += self.messages(&embedder, &model, batch).await?;
            progress.report(done, total.max(done));
        }
    }

    async fn messages(
        &self,
        embedder: &Arc<dyn Embedder>,
        model: &EmbeddingModel,
        batch: Vec<PendingMessage>,
    ) -> Result<u64, AppError> {
        let transcript = &self.session.workspace.transcript;
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

/// A unit vector for each text, or why the model could not embed it.
async fn vectors(
    embedder: &Arc<dyn Embedder>,
    model: &EmbeddingModel,
    texts: &[String],
) -> Result<Vec<Result<Vec<f32>, String>>, AppError> {
    let vectors: Vec<Result<Vec<f32>, String>> = match embedder.embed_documents(texts).await {
        Ok(vectors) if vectors.len() == texts.len() => vectors.into_iter().map(Ok).collect(),
        // One bad text must not block the others. Embed them one by one to find it.
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
