//! What a run would do: read, weighed and compared, nothing written.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use inklings_domain::{
    consolidation::{self, Fate, Scored},
    coverage::coverage,
    filter::{MemoryFilter, Reach, Sort},
    ids::MemoryId,
    memory::MemoryEntry,
    run::RunAct,
    similarity::{Likeness, likeness},
    summary::Turn,
};

use super::{near::Pair, settings::ConsolidationSettings};
use crate::{error::AppError, ports::summariser::Summariser, session::Session};

/// Conflicts that one run files; the next one files others.
const MOST_CONFLICTS: usize = 50;
/// Clusters that one run tells anew.
const MOST_CLUSTERS: usize = 20;
/// Share of the words of its originals that a language model may use for a consolidated text, as a fraction.
const WORDS: (usize, usize) = (7, 10);

/// One entry's part of a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedItem {
    /// What would happen to it.
    pub act: RunAct,
    /// The entry as it is now.
    pub entry: MemoryEntry,
    /// The entry that would stand for it, where there is one already.
    pub into: Option<MemoryId>,
}

/// Entries that would be told in one text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rewrite {
    /// The originals.
    pub(super) entries: Vec<MemoryEntry>,
    /// The text.
    pub(super) text: String,
    /// True if it holds every name, number and negation of its originals. If not, it becomes a proposal.
    pub(super) complete: bool,
}

/// Everything a run would do.
pub(super) struct Plan {
    pub(super) scanned: usize,
    pub(super) fates: Vec<(MemoryEntry, Fate)>,
    pub(super) conflicts: Vec<(MemoryEntry, MemoryEntry)>,
    pub(super) clusters: Vec<Vec<MemoryEntry>>,
}

impl Session {
    /// Reads everything in use and weighs it. `since`: entries written before were compared with their neighbours then.
    pub(super) async fn plan(
        &self,
        settings: &ConsolidationSettings,
        since: Option<DateTime<Utc>>,
    ) -> Result<Plan, AppError> {
        let entries = self.scored().await?;
        let fates = consolidation::mechanical(&entries, settings.cap);
        let leaving: BTreeSet<MemoryId> =
            fates.iter().filter(|(_, fate)| *fate != Fate::Promote).map(|(id, _)| *id).collect();
        let by_id: BTreeMap<MemoryId, &MemoryEntry> =
            entries.iter().map(|scored| (scored.entry.id, &scored.entry)).collect();
        let staying: Vec<&Scored> = entries.iter().filter(|s| !leaving.contains(&s.entry.id)).collect();
        let pairs = self.near_pairs(&staying, since).await?;
        let conflicts = conflicts(&pairs, &by_id);
        let clusters = if settings.rewrite {
            let mut not = leaving;
            not.extend(conflicts.iter().flat_map(|(a, b)| [a.id, b.id]));
            let near: Vec<_> = pairs.iter().filter_map(|(a, b, cosine)| Some((*a, *b, (*cosine)?))).collect();
            consolidation::clusters(&entries, &near, &not)
        } else {
            Vec::new()
        };
        let whole = |ids: Vec<MemoryId>| ids.iter().map(|id| by_id[id].clone()).collect::<Vec<_>>();
        Ok(Plan {
            scanned: entries.len(),
            fates: fates.into_iter().map(|(id, fate)| (by_id[&id].clone(), fate)).collect(),
            conflicts,
            clusters: clusters.into_iter().take(MOST_CLUSTERS).map(whole).collect(),
        })
    }

    /// Every entry in use with its relevance now.
    async fn scored(&self) -> Result<Vec<Scored>, AppError> {
        let (decay, now) = (self.decay(), self.clock.now());
        let all = self.every_memory(&MemoryFilter::active(Reach::EVERYTHING), Sort::CreatedAsc).await?;
        let scored = |entry: MemoryEntry| {
            let relevance = decay.terms(&entry.decay_inputs(), now).relevance();
            Scored { entry, relevance }
        };
        Ok(all.into_iter().map(scored).collect())
    }

    /// Tells a cluster in one text, and looks whether anything that matters was lost.
    pub(super) async fn rewrite(&self, entries: Vec<MemoryEntry>, summariser: &dyn Summariser) -> Rewrite {
        let mut told: Vec<&MemoryEntry> = entries.iter().collect();
        told.sort_by_key(|entry| (entry.created_at, entry.id));
        let turns: Vec<Turn> =
            told.iter().map(|entry| Turn { speaker: String::new(), text: entry.content.clone() }).collect();
        let words: usize = turns.iter().map(|turn| turn.text.split_whitespace().count()).sum();
        let made = summariser.summarise(&turns, (words * WORDS.0 / WORDS.1).max(40)).await;
        let originals: Vec<&str> = entries.iter().map(|entry| entry.content.as_str()).collect();
        let complete = coverage(&originals, &made.text).is_complete();
        Rewrite { entries, text: made.text, complete }
    }
}

/// Pairs that contradict each other. Both stay until the worldbuilder decides.
fn conflicts(pairs: &[Pair], by_id: &BTreeMap<MemoryId, &MemoryEntry>) -> Vec<(MemoryEntry, MemoryEntry)> {
    pairs
        .iter()
        .map(|(a, b, _)| (by_id[a], by_id[b]))
        // The texts decide: a small model puts "purple" and "cyan" anywhere from .8 to .97.
        .filter(|(a, b)| likeness(&a.content, &b.content, None) == Likeness::Conflict)
        .take(MOST_CONFLICTS)
        .map(|(a, b)| (a.clone(), b.clone()))
        .collect()
}

impl Plan {
    /// The mechanical part, entry by entry.
    pub(super) fn items(&self) -> impl Iterator<Item = PlannedItem> {
        self.fates.iter().map(|(entry, fate)| {
            let into = if let Fate::Merge(into) = fate { Some(*into) } else { None };
            PlannedItem { act: act(fate), entry: entry.clone(), into }
        })
    }
}

/// A fate, as a run tells it.
pub(super) const fn act(fate: &Fate) -> RunAct {
    match fate {
        Fate::Promote => RunAct::Promoted,
        Fate::Fade => RunAct::Faded,
        Fate::Merge(_) => RunAct::Merged,
        Fate::Cap => RunAct::Capped,
    }
}
