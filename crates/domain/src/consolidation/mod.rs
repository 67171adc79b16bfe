//! Consolidation promotes, fades, merges and caps entries. It never changes entries that belong to the author, are
//! named or are pinned, and every entry it forgets can be restored.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::{
    consolidation::run::RunAct,
    ids::MemoryId,
    memory::{MemoryEntry, decay::FADED, similarity::near_identical},
    scope::{MemoryLifetime, MemoryScope, Place},
    words::words,
};

/// Relevance above which a short-term entry may become long-term.
pub const PROMOTE_RELEVANCE: f64 = 0.7;
/// Number of accesses above which a short-term entry may become long-term.
pub const PROMOTE_ACCESSES: u64 = 3;
/// Importance from which a long-term entry does not fade.
pub const KEEP_IMPORTANCE: f64 = 0.9;
/// Default maximum number of ordinary entries per tier.
pub const CAP: usize = 10_000;
/// Minimum cosine between entries that may be merged into one text.
pub const CLUSTER_COSINE: f32 = 0.8;
/// Minimum number of entries in a cluster.
pub const LEAST_CLUSTER: usize = 3;
/// Maximum number of entries in a cluster.
pub const MOST_CLUSTER: usize = 12;
/// What a language model is to do with memories that become one text, unless the worldbuilder says otherwise.
pub const INSTRUCTIONS: &str = "Write the notes below as one text in the third person. Keep every name, every number, \
every decision and every negation. Add nothing. Where two notes differ, keep both statements.";
/// Maximum characters of the worldbuilder's own instructions.
pub const MOST_INSTRUCTIONS: usize = 4_000;
/// Source of a consolidated text. Such texts are not consolidated again, because each rewriting loses detail.
pub const SOURCE: &str = "consolidation";

/// The action on an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// Makes a short-term entry long-term.
    Promote,
    /// Forgets the entry: its relevance has fallen below [`FADED`].
    Fade,
    /// Forgets the entry: the other entry says the same.
    Merge(MemoryId),
    /// Forgets the entry: its tier is full, and the other entries rank higher.
    Cap,
}

/// Acts of earlier runs that the worldbuilder reverted, by entry. No run repeats such an act while the entry's text
/// is unchanged.
pub type Refusals = BTreeSet<(MemoryId, RunAct)>;

/// An entry with its current relevance.
#[derive(Debug, Clone, PartialEq)]
pub struct Scored {
    /// The entry itself.
    pub entry: MemoryEntry,
    /// Relevance after decay.
    pub relevance: f64,
}

impl Scored {
    /// True if automatic work may change the entry.
    pub const fn is_ordinary(&self) -> bool {
        !self.entry.is_locked() && self.entry.is_active()
    }

    const fn promotes(&self) -> bool {
        matches!(self.entry.lifetime, MemoryLifetime::ShortTerm)
            && self.relevance > PROMOTE_RELEVANCE
            && self.entry.access_count > PROMOTE_ACCESSES
    }

    const fn fades(&self) -> bool {
        let long_lived = matches!(self.entry.lifetime, MemoryLifetime::LongTerm)
            && self.entry.importance.get() >= KEEP_IMPORTANCE;
        self.relevance < FADED && !long_lived
    }
}

/// The mechanical pass over active entries: promote, fade, merge duplicates, cap. Deterministic; a second pass over
/// its result changes nothing. `cap`: maximum number of ordinary entries per tier; 0 means no limit.
pub fn mechanical(entries: &[Scored], cap: usize, refused: &Refusals) -> Vec<(MemoryId, Fate)> {
    let mut fates: BTreeMap<MemoryId, Fate> = BTreeMap::new();
    let may = |scored: &Scored, act: RunAct| !refused.contains(&(scored.entry.id, act));
    for scored in entries.iter().filter(|scored| scored.is_ordinary()) {
        if scored.fades() && may(scored, RunAct::Faded) {
            fates.insert(scored.entry.id, Fate::Fade);
        } else if scored.promotes() && may(scored, RunAct::Promoted) {
            fates.insert(scored.entry.id, Fate::Promote);
        }
    }
    merge(entries, refused, &mut fates);
    if cap > 0 {
        cap_tiers(entries, cap, refused, &mut fates);
    }
    fates.into_iter().collect()
}

const fn leaves(fate: Option<&Fate>) -> bool {
    matches!(fate, Some(Fate::Fade | Fate::Merge(_) | Fate::Cap))
}

/// Merges duplicates of one place into one entry. An entry of the author is preferred to the agent's, the agent's to
/// a client's, then the more important, then the newer. An entry whose merge was reverted is neither merged nor a
/// merge target.
fn merge(entries: &[Scored], refused: &Refusals, fates: &mut BTreeMap<MemoryId, Fate>) {
    let mut alike: HashMap<(Place, Vec<String>), Vec<&Scored>> = HashMap::new();
    let may =
        |scored: &&Scored| scored.entry.is_active() && !refused.contains(&(scored.entry.id, RunAct::Merged));
    for scored in entries.iter().filter(may) {
        if !leaves(fates.get(&scored.entry.id)) {
            let key = words(&scored.entry.content).into_iter().filter(|word| !is_article(word)).collect();
            alike.entry((scored.entry.place, key)).or_default().push(scored);
        }
    }
    for mut group in alike.into_values().filter(|group| group.len() > 1) {
        group.sort_by(|a, b| {
            let rank = |s: &Scored| {
                let entry = &s.entry;
                let own = !entry.holds_client_words();
                (entry.is_locked(), own, entry.importance.get(), entry.updated_at, entry.id)
            };
            rank(b).partial_cmp(&rank(a)).unwrap_or(std::cmp::Ordering::Equal)
        });
        let mut chosen: Vec<&Scored> = Vec::new();
        for scored in group {
            let same = chosen.iter().find(|other| repeats(&scored.entry, &other.entry));
            match same {
                Some(other) if scored.is_ordinary() => {
                    fates.insert(scored.entry.id, Fate::Merge(other.entry.id));
                }
                _ => chosen.push(scored),
            }
        }
    }
}

/// True if an entry says nothing that the other does not say, its title, keys and tags included.
fn repeats(entry: &MemoryEntry, other: &MemoryEntry) -> bool {
    entry.has_links_and_span_of(other)
        && near_identical(&other.content, &entry.content)
        && (entry.title.is_none() || entry.title == other.title)
        && entry.keys.iter().all(|key| other.keys.contains(key))
        && entry.tags.iter().all(|tag| other.tags.contains(tag))
}

fn is_article(word: &str) -> bool {
    matches!(word, "a" | "an" | "the")
}

fn cap_tiers(entries: &[Scored], cap: usize, refused: &Refusals, fates: &mut BTreeMap<MemoryId, Fate>) {
    for scope in MemoryScope::ALL {
        let tier: Vec<&Scored> = entries
            .iter()
            .filter(|s| s.entry.scope() == *scope && s.entry.is_active() && s.entry.name.is_none())
            .filter(|s| !leaves(fates.get(&s.entry.id)))
            .collect();
        let may =
            |scored: &&&Scored| scored.is_ordinary() && !refused.contains(&(scored.entry.id, RunAct::Capped));
        let mut ordinary: Vec<_> = tier.iter().filter(may).collect();
        ordinary.sort_by(|a, b| a.relevance.total_cmp(&b.relevance).then(a.entry.id.cmp(&b.entry.id)));
        for scored in ordinary.into_iter().take(tier.len().saturating_sub(cap)) {
            fates.insert(scored.entry.id, Fate::Cap);
        }
    }
}

/// Groups ordinary entries of one place with similar meaning; each group is merged into one text. `near` holds pairs
/// with their cosine. Entries in `not` (in a conflict, or about to be forgotten) and consolidated texts are left out.
pub fn clusters(
    entries: &[Scored],
    near: &[(MemoryId, MemoryId, f32)],
    not: &BTreeSet<MemoryId>,
) -> Vec<Vec<MemoryId>> {
    let may = |scored: &&Scored| {
        scored.is_ordinary() && scored.entry.source != SOURCE && !not.contains(&scored.entry.id)
    };
    let places: BTreeMap<MemoryId, Place> =
        entries.iter().filter(may).map(|scored| (scored.entry.id, scored.entry.place)).collect();
    let mut neighbours: BTreeMap<MemoryId, BTreeMap<MemoryId, f32>> = BTreeMap::new();
    for (a, b, cosine) in near.iter().filter(|(_, _, cosine)| *cosine >= CLUSTER_COSINE) {
        if a != b && places.get(a).is_some_and(|place| places.get(b) == Some(place)) {
            neighbours.entry(*a).or_default().insert(*b, *cosine);
            neighbours.entry(*b).or_default().insert(*a, *cosine);
        }
    }
    let mut order: Vec<MemoryId> = neighbours.keys().copied().collect();
    // Best connected entries first; each entry joins at most one cluster.
    order.sort_by_key(|id| (std::cmp::Reverse(neighbours[id].len()), *id));
    let mut reported: BTreeSet<MemoryId> = BTreeSet::new();
    let mut clusters = Vec::new();
    for seed in order {
        if reported.contains(&seed) {
            continue;
        }
        let mut near: Vec<(MemoryId, f32)> = neighbours[&seed]
            .iter()
            .filter(|(id, _)| !reported.contains(id))
            .map(|(id, c)| (*id, *c))
            .collect();
        near.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        near.truncate(MOST_CLUSTER - 1);
        if near.len() + 1 < LEAST_CLUSTER {
            continue;
        }
        let mut cluster: Vec<MemoryId> =
            std::iter::once(seed).chain(near.into_iter().map(|(id, _)| id)).collect();
        cluster.sort_unstable();
        reported.extend(&cluster);
        clusters.push(cluster);
    }
    clusters
}

pub mod run;
#[cfg(test)]
mod tests;
