//! Folds hits with the same content into one, with the newest on top; the others stay accessible.
//!
//! Vectors decide only between texts of one passage each. No vector stands for a longer text, and two that share a passage
//! may differ in all others, so a longer text is folded only with one that says the same in the same words.

use std::{
    borrow::Cow,
    cell::OnceCell,
    collections::{HashMap, HashSet},
    ops::Range,
};

use futures::future;
use inklings_domain::{
    ids::MemoryId,
    memory::{
        MemoryEntry,
        embedding::dot,
        similarity::{self, FOLD_COSINE, Identity},
    },
    scope::MemoryScope,
    search::{
        query::{self, TextQuery},
        ranking::Ranked,
    },
    text,
};

use super::{Hit, gather::Gathered};
use crate::{
    error::AppError, memory::store::StoredEntry, search::store::Highlight, services::Searcher,
    store_error::StoreError, workspace::catalogue::MemoryPorts,
};

/// Entries read beyond the last place, because entries with the same content often rank close behind a hit
/// and the newest of them goes on top.
const BEYOND: usize = 6;

impl Searcher<'_> {
    /// The first `limit` hits after folding, with their entries, and with the positions of the words of
    /// `marked`.
    pub(crate) async fn folded_hits(
        &self,
        ranked: Vec<Ranked<MemoryId>>,
        gathered: &Gathered,
        marked: Option<&TextQuery>,
        limit: usize,
    ) -> Result<Vec<Hit>, AppError> {
        let mut hits: Vec<Hit> = Vec::with_capacity(limit);
        // Precomputed comparison data per hit, because the comparison is quadratic in the hits.
        let mut sides: Vec<Side<'_>> = Vec::with_capacity(limit);
        let mut spans = Spans::new();
        let mut ranked = ranked.into_iter();
        while hits.len() < limit {
            let batch: Vec<Ranked<MemoryId>> = ranked.by_ref().take(limit - hits.len() + BEYOND).collect();
            if batch.is_empty() {
                break;
            }
            let ids: Vec<MemoryId> = batch.iter().map(|hit| hit.id).collect();
            let (entries, marked, mut vectors) = self.read(&ids, gathered, marked).await?;
            spans.extend(marked);
            let mut entries: HashMap<MemoryId, StoredEntry> =
                entries.into_iter().map(|stored| (stored.entry.id, stored)).collect();
            for rank in batch {
                // Only a purge can remove an entry between the list query and this read; skip it.
                let Some(stored) = entries.remove(&rank.id) else { continue };
                let known = gathered.vectors.get(&rank.id).map(|vector| Cow::Borrowed(vector.as_slice()));
                let vector = known.or_else(|| vectors.remove(&rank.id).map(Cow::Owned));
                let side = Side::new(&stored.entry.content, vector);
                let twin = hits.iter().zip(&sides).position(|(hit, other)| {
                    let (a, b) = (&hit.stored.entry, &stored.entry);
                    same_room(a, b)
                        && (other.says_the_same(&a.content, &side, &b.content)
                            || other.may_fold(&a.content, &side, &b.content))
                });
                if let Some(twin) = twin {
                    if fold_into(&mut hits[twin], stored, gathered) {
                        sides[twin] = side;
                    }
                } else if hits.len() < limit {
                    hits.push(Hit {
                        decay: gathered.decay[&rank.id],
                        score: rank.score,
                        contributions: rank.contributions,
                        spans: Vec::new(),
                        passage: None,
                        folded: Vec::new(),
                        stored,
                    });
                    sides.push(side);
                }
            }
        }
        for hit in &mut hits {
            hit.spans = spans.remove(&hit.stored.entry.id).unwrap_or_default();
            hit.passage = gathered.passages.get(&hit.stored.entry.id).cloned();
        }
        Ok(hits)
    }

    /// Entries with the positions of the query's words, and vectors of entries that only the text search
    /// found. Reads them concurrently, and each id only from the database that holds it.
    async fn read(
        &self,
        ids: &[MemoryId],
        gathered: &Gathered,
        marked: Option<&TextQuery>,
    ) -> Result<(Vec<StoredEntry>, Spans, Vectors), AppError> {
        let account: HashSet<MemoryId> = gathered
            .candidates
            .iter()
            .filter(|candidate| candidate.scope == Some(MemoryScope::Account))
            .map(|candidate| candidate.id)
            .collect();
        let (account, workspace): (Vec<MemoryId>, Vec<MemoryId>) =
            ids.iter().partition(|id| account.contains(id));
        let parts = [(&self.session.account.memory, account), (&self.session.workspace.memory, workspace)];
        let parts = parts.iter().filter(|(_, ids)| !ids.is_empty()).map(|(ports, ids)| async move {
            future::try_join3(
                ports.store.get(ids),
                highlights(ports, ids, marked),
                missing_vectors(ports, ids, gathered),
            )
            .await
        });
        let (mut entries, mut spans, mut vectors) = (Vec::new(), Spans::new(), Vectors::new());
        for (found, marked, missing) in future::try_join_all(parts).await? {
            entries.extend(found);
            spans.extend(marked.into_iter().map(|highlight| (highlight.id, highlight.spans)));
            vectors.extend(missing);
        }
        Ok((entries, spans, vectors))
    }
}

/// Comparison data of a hit.
struct Side<'v> {
    /// Folded content.
    text: String,
    /// Words of the content without articles; equal for the same statement.
    words: Vec<String>,
    vector: Option<Cow<'v, [f32]>>,
    /// Computed from the content on first use.
    identity: OnceCell<Identity>,
}

impl<'v> Side<'v> {
    fn new(content: &str, vector: Option<Cow<'v, [f32]>>) -> Self {
        let mut words = query::words(content);
        words.retain(|word| !matches!(word.as_str(), "a" | "an" | "the"));
        Self { text: text::fold(content), words, vector, identity: OnceCell::new() }
    }

    /// True for the same statement, ignoring case, punctuation and articles. Needs no vector.
    fn says_the_same(&self, content: &str, other: &Side<'_>, other_content: &str) -> bool {
        self.text == other.text
            || self.words == other.words && similarity::near_identical(content, other_content)
    }

    /// As [`similarity::may_fold`], without parsing both texts again for each pair.
    fn may_fold(&self, content: &str, other: &Side<'_>, other_content: &str) -> bool {
        let cosine = self.vector.as_ref().zip(other.vector.as_ref()).map(|(a, b)| dot(a, b));
        cosine.is_some_and(|cosine| cosine > FOLD_COSINE)
            && self.identity(content) == other.identity(other_content)
            && !similarity::swaps_a_word(content, other_content)
    }

    fn identity(&self, content: &str) -> &Identity {
        self.identity.get_or_init(|| Identity::of(content))
    }
}

type Spans = HashMap<MemoryId, Vec<Range<usize>>>;
type Vectors = HashMap<MemoryId, Vec<f32>>;

async fn highlights(
    ports: &MemoryPorts,
    ids: &[MemoryId],
    marked: Option<&TextQuery>,
) -> Result<Vec<Highlight>, StoreError> {
    match marked {
        Some(query) => ports.search.highlights(query, ids).await,
        None => Ok(Vec::new()),
    }
}

/// Vectors of hits that only the text search found.
async fn missing_vectors(
    ports: &MemoryPorts,
    ids: &[MemoryId],
    gathered: &Gathered,
) -> Result<Vec<(MemoryId, Vec<f32>)>, StoreError> {
    let Some(model) = &gathered.model else { return Ok(Vec::new()) };
    let missing: Vec<MemoryId> = ids.iter().filter(|id| !gathered.knows_vector(id)).copied().collect();
    if missing.is_empty() { Ok(Vec::new()) } else { ports.search.vectors(&missing, model).await }
}

/// Only entries of the same place are folded: the same words in two channels or conversations are two facts, and so are
/// the same words under two titles.
fn same_room(a: &MemoryEntry, b: &MemoryEntry) -> bool {
    a.place == b.place && a.is_active() == b.is_active() && !a.is_titled_otherwise(b)
}

/// Puts the newer of two similar entries on top; true if that is `other`. Rank and score of the better hit
/// stay.
fn fold_into(hit: &mut Hit, other: StoredEntry, gathered: &Gathered) -> bool {
    let newer = other.entry.updated_at > hit.stored.entry.updated_at;
    let older = if newer {
        hit.decay = gathered.decay[&other.entry.id];
        std::mem::replace(&mut hit.stored, other)
    } else {
        other
    };
    hit.folded.push(older.entry.id);
    newer
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn hits_are_folded_as_their_texts_alone_would_be(
            words in proptest::collection::vec((0..8usize, 0..10usize), 1..6),
            cosine in 0.85f32..1.0,
        ) {
            const WORDS: [&str; 8] = ["Mira", "gate", "not", "7", "open", "opened", "Toma", "grey"];
            let text = |swap: usize| {
                let pick = |(word, change): &(usize, usize)| WORDS[(word + usize::from(*change < swap)) % WORDS.len()];
                words.iter().map(pick).collect::<Vec<_>>().join(" ")
            };
            let (a, b) = (text(0), text(1));
            let vectors = [vec![1.0, 0.0], vec![cosine, (1.0 - cosine * cosine).sqrt()]];
            let of = |n: usize| Some(Cow::Borrowed(vectors[n].as_slice()));
            let (one, two) = (Side::new(&a, of(0)), Side::new(&b, of(1)));
            let plain = similarity::may_fold(&a, &b, Some(dot(&vectors[0], &vectors[1])));
            proptest::prop_assert_eq!(one.may_fold(&a, &two, &b), plain);
            proptest::prop_assert_eq!(two.may_fold(&b, &one, &a), plain);
            proptest::prop_assert!(!one.may_fold(&a, &Side::new(&b, None), &b));
        }
    }
}
