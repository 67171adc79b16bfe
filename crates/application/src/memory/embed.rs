//! Background embedding of entries, messages and pages, in small batches so that writes and queries can run in between.

use std::sync::Arc;

use chrono::Duration;
use inklings_domain::{
    ids::{MemoryId, MessageId, PageId},
    memory::embedding::{Embedding, EmbeddingModel, unit},
    search::passage::{Passage, passages},
};
use inklings_ports::{
    conversation::transcript_store::{PendingMessage, TranscriptStore},
    memory::vector_store::{
        EmbeddingCounts, NewVectors, PassageVector, PendingText, TextVectors, VectorStore,
    },
    model::embedding::{EmbedError, Embedder},
    progress::Progress,
    store_error::StoreError,
    vault::store::{NewPageVectors, PageStore, PendingPage},
};

use crate::{error::AppError, services::Embeddings};

/// Entries per batch of a backfill, and passages embedded between two checks whether to stop.
pub const BATCH: usize = 50;
/// Interval between two looks whether the vectors are loaded.
const LOOK_EVERY: Duration = Duration::milliseconds(2);

impl Embeddings<'_> {
    /// Embedding progress for a model in all databases, entries, messages and pages together.
    pub async fn counts(&self, model: &EmbeddingModel) -> Result<EmbeddingCounts, AppError> {
        let mut sum = EmbeddingCounts::default();
        for ports in self.session.all_ports() {
            let part = ports.vectors.counts(model).await?;
            sum.embedded += part.embedded;
            sum.pending += part.pending;
        }
        let messages = self.session.workspace.transcript.vector_counts(model).await?;
        let pages = self.session.workspace.pages.vector_counts(model).await?;
        sum.embedded += messages.embedded + pages.embedded;
        sum.pending += messages.pending + pages.pending;
        Ok(sum)
    }

    /// True if the vectors of the model in use are in memory; starts to load them otherwise. `None` without a model.
    pub fn are_loaded(&self) -> Option<bool> {
        let model = self.session.embedder.get()?.model().id;
        // Collected without short-circuit, so that every database starts to load.
        let ports = self.session.all_ports().into_iter();
        Some(ports.filter(|ports| !ports.search.meaning_ready(&model)).count() == 0)
    }

    /// Waits until the vectors of the model in use are in memory, for `within` at most. False if they are not, and without a
    /// model.
    pub async fn wait_until_loaded(&self, within: Duration) -> bool {
        let end = self.session.clock.now() + within;
        while self.are_loaded() == Some(false) && self.session.clock.now() < end {
            self.session.clock.sleep(LOOK_EVERY).await;
        }
        self.are_loaded() == Some(true)
    }

    /// Embeds all texts that wait for vectors of the current model. Returns how many got theirs. Does nothing without
    /// a model. A text that the model cannot embed is marked and skipped from then on.
    ///
    /// # Errors
    /// [`AppError::Embedding`] if the model itself failed, [`AppError::Store`] if a database did.
    pub async fn pending(&self, progress: &dyn Progress) -> Result<u64, AppError> {
        self.at_most(u64::MAX, progress).await
    }

    /// As [`Self::pending`], but stops after `most` texts.
    pub async fn at_most(&self, most: u64, progress: &dyn Progress) -> Result<u64, AppError> {
        let Some(embedder) = self.session.embedder.get() else { return Ok(0) };
        let done = self.embed(&embedder, most, progress).await?;
        if !progress.cancelled() && done < most {
            self.session.recall_tests().run_after_embedding().await;
        }
        Ok(done)
    }

    async fn embed(
        &self,
        embedder: &Arc<dyn Embedder>,
        most: u64,
        progress: &dyn Progress,
    ) -> Result<u64, AppError> {
        let model = embedder.model();
        let total = self.counts(&model).await?.pending;
        let workspace = &self.session.workspace;
        // Entries before messages and pages, because they are searched most.
        let memories = self.session.all_ports().map(|ports| Waiting::Memories(&*ports.vectors));
        let others = [Waiting::Messages(&*workspace.transcript), Waiting::Pages(&*workspace.pages)];
        let mut done = 0;
        for waiting in memories.into_iter().chain(others) {
            loop {
                if progress.cancelled() || done >= most {
                    return Ok(done);
                }
                let batch = waiting.next(&model).await?;
                if batch.is_empty() {
                    break;
                }
                for group in grouped(batch.into_iter()) {
                    let Some(group) = embedded(embedder, &model, group, progress).await? else {
                        return Ok(done);
                    };
                    done += waiting.put(&model, group).await?;
                    progress.report(done, total.max(done));
                }
            }
        }
        Ok(done)
    }
}

/// Texts of one kind that wait for vectors.
enum Waiting<'s> {
    Memories(&'s dyn VectorStore),
    Messages(&'s dyn TranscriptStore),
    Pages(&'s dyn PageStore),
}

/// Identifies a text as it was when it was read.
enum TextId {
    Memory(MemoryId, u64),
    Message(MessageId),
    Page(PageId, String),
}

impl Waiting<'_> {
    /// The next texts, newest first.
    async fn next(&self, model: &EmbeddingModel) -> Result<Vec<Cut<TextId>>, StoreError> {
        Ok(match self {
            Self::Memories(store) => {
                let cut = |text: PendingText| Cut {
                    passages: passages(text.title.as_deref(), &text.content),
                    of: TextId::Memory(text.id, text.version),
                };
                store.pending(model, BATCH).await?.into_iter().map(cut).collect()
            }
            Self::Messages(store) => {
                let cut = |message: PendingMessage| Cut {
                    passages: passages(None, &message.text),
                    of: TextId::Message(message.id),
                };
                store.pending_vectors(model, BATCH).await?.into_iter().map(cut).collect()
            }
            Self::Pages(store) => {
                let cut = |page: PendingPage| Cut {
                    passages: passages(Some(&page.title), &page.content),
                    of: TextId::Page(page.id, page.hash),
                };
                store.pending_vectors(model, BATCH).await?.into_iter().map(cut).collect()
            }
        })
    }

    /// Stores vectors, and which texts the model could not embed. Returns how many texts got theirs.
    async fn put(
        &self,
        model: &EmbeddingModel,
        group: Vec<(TextId, Result<TextVectors, String>)>,
    ) -> Result<u64, StoreError> {
        let (mut memories, mut messages, mut pages) = (Vec::new(), Vec::new(), Vec::new());
        for (id, vectors) in group {
            match (self, id, vectors) {
                (Self::Memories(_), TextId::Memory(id, version), Ok(vectors)) => {
                    memories.push(NewVectors { id, version, vectors });
                }
                (Self::Memories(store), TextId::Memory(id, version), Err(error)) => {
                    store.mark_failed(model, id, version, &error).await?;
                }
                (Self::Messages(_), TextId::Message(id), Ok(vectors)) => messages.push((id, vectors)),
                (Self::Messages(store), TextId::Message(id), Err(error)) => {
                    store.vector_failed(model, id, &error).await?;
                }
                (Self::Pages(_), TextId::Page(id, hash), Ok(vectors)) => {
                    pages.push(NewPageVectors { id, hash, vectors });
                }
                (Self::Pages(store), TextId::Page(id, _), Err(error)) => {
                    store.vector_failed(model, id, &error).await?;
                }
                // `next` gives each kind its own ids.
                _ => {}
            }
        }
        let stored = match self {
            Self::Memories(store) => store.put(model, &memories).await?,
            Self::Messages(store) => store.put_vectors(model, &messages).await?,
            Self::Pages(store) => store.put_vectors(model, &pages).await?,
        };
        Ok(stored as u64)
    }
}

/// A waiting text, cut into its passages.
struct Cut<K> {
    of: K,
    passages: Vec<Passage>,
}

/// The texts in groups of about [`BATCH`] passages, so that few are embedded again after a kill.
fn grouped<K>(texts: impl Iterator<Item = Cut<K>>) -> Vec<Vec<Cut<K>>> {
    let (mut groups, mut full): (Vec<Vec<Cut<K>>>, usize) = (Vec::new(), BATCH);
    for text in texts {
        if full >= BATCH {
            groups.push(Vec::new());
            full = 0;
        }
        full += text.passages.len();
        if let Some(group) = groups.last_mut() {
            group.push(text);
        }
    }
    groups
}

/// The vectors of each text, or why the model could not embed it; `None` if the run was stopped.
async fn embedded<K>(
    embedder: &Arc<dyn Embedder>,
    model: &EmbeddingModel,
    group: Vec<Cut<K>>,
    progress: &dyn Progress,
) -> Result<Option<Vec<(K, Result<TextVectors, String>)>>, AppError> {
    let texts: Vec<String> =
        group.iter().flat_map(|cut| cut.passages.iter().map(|passage| passage.text.clone())).collect();
    let mut found = Vec::with_capacity(texts.len());
    for part in texts.chunks(BATCH) {
        if progress.cancelled() {
            return Ok(None);
        }
        found.extend(embeddings(embedder, model, part).await?);
    }
    let mut found = found.into_iter();
    let mut of_texts = Vec::with_capacity(group.len());
    for Cut { of, passages } in group {
        let own: Result<Vec<Embedding>, String> = found.by_ref().take(passages.len()).collect();
        of_texts.push((of, own.map(|own| joined(passages, own))));
    }
    Ok(Some(of_texts))
}

fn joined(passages: Vec<Passage>, mut made: Vec<Embedding>) -> TextVectors {
    match made.pop() {
        Some(one) if made.is_empty() => TextVectors::One(one),
        last => {
            let passages = passages.into_iter().zip(made.into_iter().chain(last));
            let vector = |(passage, made): (Passage, Embedding)| PassageVector {
                range: passage.range,
                vector: made.vector,
            };
            TextVectors::Passages(passages.map(vector).collect())
        }
    }
}

/// The embedding of each text with a unit vector, or why the model could not embed it.
async fn embeddings(
    embedder: &Arc<dyn Embedder>,
    model: &EmbeddingModel,
    texts: &[String],
) -> Result<Vec<Result<Embedding, String>>, AppError> {
    let made: Vec<Result<Embedding, String>> = match embedder.embed_documents(texts).await {
        Ok(made) if made.len() == texts.len() => made.into_iter().map(Ok).collect(),
        // One bad text must not block the others. Embed them one by one to find it.
        Ok(_) | Err(EmbedError::Inference(_)) => one_by_one(embedder, texts).await?,
        Err(error) => return Err(error.into()),
    };
    let checked = |made: Embedding| match unit(made.vector, model.dimension) {
        Ok(vector) => Ok(Embedding { vector, words: made.words }),
        Err(error) => Err(error.to_string()),
    };
    Ok(made.into_iter().map(|made| made.and_then(checked)).collect())
}

/// What every model can embed.
const ANY_TEXT: &str = "a text";

async fn one_by_one(
    embedder: &Arc<dyn Embedder>,
    texts: &[String],
) -> Result<Vec<Result<Embedding, String>>, AppError> {
    let mut vectors = Vec::with_capacity(texts.len());
    for text in texts {
        vectors.push(match embedder.embed_documents(std::slice::from_ref(text)).await {
            Ok(mut one) => one.pop().ok_or_else(|| "the model gave no vector".to_owned()),
            Err(EmbedError::Inference(reason)) => Err(reason),
            Err(error) => return Err(error.into()),
        });
    }
    if vectors.iter().all(Result::is_err) {
        // A model that fails on everything has no fault to find in these texts, and they stay to be embedded.
        embedder.embed_documents(&[ANY_TEXT.to_owned()]).await?;
    }
    Ok(vectors)
}
