//! The plan of a run: reads, scores and compares entries without writing.

use std::collections::{BTreeMap, BTreeSet};

use inklings_domain::{
    consolidation::{self, Fate, Scored, run::RunAct},
    conversation::summary::Turn,
    ids::MemoryId,
    memory::{
        MemoryEntry,
        coverage::coverage,
        filter::{MemoryFilter, ScopeFilter, Sort},
        similarity::{Likeness, likeness},
    },
    proposal::ProposalKind,
    scope::MemoryScope,
    unspaced::word_count,
};
use inklings_ports::conversation::summariser::{Material, Summariser};

use super::{
    cursor::{Progress, TierProgress},
    near::Neighbourhood,
    settings::ConsolidationSettings,
};
use crate::{error::AppError, services::Consolidation};

/// Conflicts after which a run stops comparing entries; the next run continues.
pub const MOST_CONFLICTS: usize = 50;
/// Clusters merged per run; the next run continues.
pub const MOST_CLUSTERS: usize = 20;
/// Maximum length of a consolidated text by the language model, as a fraction of its originals' words.
const WORDS: (usize, usize) = (7, 10);

/// Planned action for one entry.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedItem {
    /// The action.
    pub act: RunAct,
    pub entry: MemoryEntry,
    /// The entry that replaces it, if there already is one.
    pub into: Option<MemoryId>,
}

/// Entries to be merged into one text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Rewrite {
    /// The originals.
    pub(crate) entries: Vec<MemoryEntry>,
    /// The merged text.
    pub(crate) text: String,
    /// True if the text retains every name, number and negation of the originals. Otherwise it becomes a
    /// proposal.
    pub(crate) complete: bool,
}

/// All actions of a run.
pub(crate) struct Plan {
    pub(crate) scanned: usize,
    pub(crate) fates: Vec<(MemoryEntry, Fate)>,
    pub(crate) conflicts: Vec<(MemoryEntry, MemoryEntry)>,
    pub(crate) clusters: Vec<Vec<MemoryEntry>>,
    /// Comparison progress after the plan has been carried out.
    pub(crate) progress: Progress,
}

/// Two contradicting entries.
type Conflict = (MemoryId, MemoryId);

/// Contradictions among the compared entries.
#[derive(Default)]
struct Conflicts {
    /// Pairs not yet proposed to the worldbuilder.
    new: Vec<Conflict>,
    /// Entries of all pairs.
    entries: BTreeSet<MemoryId>,
}

impl Consolidation<'_> {
    /// Reads and scores all active entries of these tiers, and compares those after `since` with their neighbours.
    pub(crate) async fn plan(
        &self,
        settings: &ConsolidationSettings,
        tiers: &[MemoryScope],
        since: Progress,
    ) -> Result<Plan, AppError> {
        let entries = self.scored(tiers).await?;
        let refused = self.refusals(&entries).await?;
        let fates = consolidation::mechanical(&entries, settings.cap, &refused);
        let by_id: BTreeMap<MemoryId, &MemoryEntry> =
            entries.iter().map(|scored| (scored.entry.id, &scored.entry)).collect();
        // Promoted entries are written by this run, so the next run compares them. A proposal made now would
        // be stale at once.
        let written: BTreeSet<MemoryId> = fates.iter().map(|(id, _)| *id).collect();
        let staying: Vec<&Scored> = entries.iter().filter(|s| !written.contains(&s.entry.id)).collect();
        let (mut near, waiting) = self.neighbourhoods(&staying, &since).await?;
        let Conflicts { new: mut conflicts, entries: contradicting } =
            self.conflicts(&mut near, &by_id).await?;
        let mut clusters = Vec::new();
        if settings.rewrite {
            let mut not = written;
            not.extend(self.session.proposals().awaiting_decision().await?);
            not.extend(refused.iter().filter(|(_, act)| *act == RunAct::Rewritten).map(|(id, _)| *id));
            not.extend(contradicting);
            clusters = clusters_within(&entries, &mut near, &not);
        }
        let pairs: BTreeSet<Conflict> =
            near.iter().flat_map(|n| &n.pairs).map(|(a, b, _)| (*a, *b)).collect();
        conflicts.retain(|pair| pairs.contains(pair));
        let mut progress = since;
        for tier in tiers.iter().copied() {
            let is_in = |id: &MemoryId| by_id[id].scope() == tier;
            let compared: Vec<&Neighbourhood> = near.iter().filter(|near| near.tier == tier).collect();
            let promoted = fates.iter().filter(|(id, fate)| *fate == Fate::Promote && is_in(id)).count();
            let merged = clusters.iter().filter(|ids| ids.first().is_some_and(is_in)).count();
            let waited = waiting.iter().filter(|waiting| **waiting == tier).count();
            let before = progress.of(tier);
            progress.set(
                tier,
                TierProgress {
                    through: compared.last().map(|last| last.at).or(before.through),
                    left: (waited - compared.len() + promoted + merged) as u64,
                    ..before
                },
            );
        }
        let whole = |ids: Vec<MemoryId>| ids.iter().map(|id| by_id[id].clone()).collect::<Vec<_>>();
        Ok(Plan {
            scanned: entries.len(),
            fates: fates.into_iter().map(|(id, fate)| (by_id[&id].clone(), fate)).collect(),
            conflicts: conflicts.into_iter().map(|(a, b)| (by_id[&a].clone(), by_id[&b].clone())).collect(),
            clusters: clusters.into_iter().map(whole).collect(),
            progress,
        })
    }

    /// All active entries of these tiers with their current relevance.
    async fn scored(&self, tiers: &[MemoryScope]) -> Result<Vec<Scored>, AppError> {
        let filter = MemoryFilter::active(ScopeFilter::new(tiers, None, None));
        let (decay, now) = (self.session.decay(), self.session.clock.now());
        let all = self.session.memories().every(&filter, Sort::CreatedAsc).await?;
        let scored = |entry: MemoryEntry| {
            let relevance = decay.terms(&entry.decay_inputs(), now).relevance();
            Scored { entry, relevance }
        };
        Ok(all.into_iter().map(scored).collect())
    }

    /// Finds contradictions. Both entries stay until the worldbuilder decides. Neighbourhoods after the one
    /// that reaches the limit are dropped from this run.
    async fn conflicts(
        &self,
        near: &mut Vec<Neighbourhood>,
        by_id: &BTreeMap<MemoryId, &MemoryEntry>,
    ) -> Result<Conflicts, AppError> {
        let (mut found, mut seen) = (Conflicts::default(), BTreeSet::new());
        let mut looked_at = 0;
        for neighbourhood in near.iter() {
            if found.new.len() >= MOST_CONFLICTS {
                break;
            }
            looked_at += 1;
            for (a, b, _) in &neighbourhood.pairs {
                // Decide by the texts: a small model gives "purple" and "cyan" any cosine from .8 to .97.
                let apart = || {
                    let (a, b) = (by_id[a], by_id[b]);
                    !a.is_titled_otherwise(b) && likeness(&a.content, &b.content, None) == Likeness::Conflict
                };
                if seen.insert((*a, *b)) && apart() {
                    found.entries.extend([*a, *b]);
                    let proposals = self.session.proposals();
                    if !proposals.was_proposed_before(ProposalKind::Conflict, &[*a, *b], None).await?
                        && !self.session.drifts().are_filed(*a, *b).await?
                    {
                        found.new.push((*a, *b));
                    }
                }
            }
        }
        near.truncate(looked_at);
        Ok(found)
    }

    /// Merges a cluster into one text, and checks that no name, number or negation was lost.
    pub(crate) async fn rewrite(
        &self,
        entries: Vec<MemoryEntry>,
        instructions: Option<&str>,
        summariser: &dyn Summariser,
    ) -> Rewrite {
        let mut sorted: Vec<&MemoryEntry> = entries.iter().collect();
        sorted.sort_by_key(|entry| (entry.created_at, entry.id));
        let turns: Vec<Turn> = sorted
            .iter()
            .map(|entry| Turn { speaker: String::new(), text: entry.titled_text().into_owned() })
            .collect();
        let words: usize = turns.iter().map(|turn| word_count(&turn.text)).sum();
        let made = summariser
            .summarise(Material::Memories(instructions), &turns, (words * WORDS.0 / WORDS.1).max(40))
            .await;
        let originals: Vec<&str> = entries.iter().map(|entry| entry.content.as_str()).collect();
        let complete = coverage(&originals, &made.text).is_complete();
        Rewrite { entries, text: made.text, complete }
    }
}

/// Clusters to merge from these neighbourhoods. If there are more than one run merges, drops the last
/// neighbourhoods until there are not.
fn clusters_within(
    entries: &[Scored],
    near: &mut Vec<Neighbourhood>,
    not: &BTreeSet<MemoryId>,
) -> Vec<Vec<MemoryId>> {
    loop {
        let mut cosines: BTreeMap<Conflict, f32> = BTreeMap::new();
        for (a, b, cosine) in near.iter().flat_map(|neighbourhood| &neighbourhood.pairs) {
            if let Some(cosine) = cosine {
                cosines.insert((*a, *b), *cosine);
            }
        }
        let pairs: Vec<_> = cosines.into_iter().map(|((a, b), cosine)| (a, b, cosine)).collect();
        let clusters = consolidation::clusters(entries, &pairs, not);
        if clusters.len() <= MOST_CLUSTERS || near.len() <= 1 {
            return clusters;
        }
        // Each neighbourhood yields at most one cluster.
        near.truncate(
            (near.len() * MOST_CLUSTERS / clusters.len())
                .clamp(MOST_CLUSTERS.min(near.len() - 1), near.len() - 1),
        );
    }
}

impl Plan {
    /// Actions of the mechanical pass, one per entry.
    pub(crate) fn items(&self) -> impl Iterator<Item = PlannedItem> {
        self.fates.iter().map(|(entry, fate)| {
            let into = if let Fate::Merge(into) = fate { Some(*into) } else { None };
            PlannedItem { act: act(fate), entry: entry.clone(), into }
        })
    }
}

/// The reported action for a fate.
pub(crate) const fn act(fate: &Fate) -> RunAct {
    match fate {
        Fate::Promote => RunAct::Promoted,
        Fate::Fade => RunAct::Faded,
        Fate::Merge(_) => RunAct::Merged,
        Fate::Cap => RunAct::Capped,
    }
}
