//! A crowd of random entries with many ties, over every place and every facet.

use chrono::TimeDelta;
use inklings_domain::{
    memory::{
        Forgotten, Importance, MemoryEntry, Origin,
        embedding::EmbeddingModel,
        filter::{Facet, FacetTerm, MemoryFilter, ScopeFilter},
    },
    scope::{MemoryLifetime, MemoryScope},
};
use inklings_ports::{
    clock::Clock,
    memory::store::StoredEntry,
    testing::{
        builders::{agent, author, draft, import, noted},
        random::Dice,
    },
};

use super::{Stage, model};

const WORDS: &[&str] = &["gate", "iron", "river", "mira", "toma", "bridge", "salt", "dragon", "vale", "oath"];
const TAGS: &[&str] = &["lore", "plot", "old gods", "map"];
const SOURCES: &[&str] = &["user", "orchestrator", "import"];
const SPEAKERS: &[&str] = &["Mira", "Toma"];
// The bounds of the buckets themselves are where a store goes wrong.
const IMPORTANCE: &[f64] = &[0.0, 0.1, 0.299_999, 0.3, 0.5, 0.699_999, 0.7, 1.0];

/// The model that embedded half of the population.
pub fn crowd_model() -> EmbeddingModel {
    model("crowd", 8)
}

fn dress(dice: &mut Dice, stage: &Stage, entry: MemoryEntry, serial: usize) -> MemoryEntry {
    let now = stage.scribe.clock.now();
    // Few different times, so that ties are the rule.
    let created_at = now - TimeDelta::milliseconds(1_234 * dice.below(6) as i64);
    let updated_at = created_at + TimeDelta::milliseconds(777 * dice.below(3) as i64);
    let speaker = dice.chance(40).then(|| (*dice.pick(SPEAKERS)).to_owned());
    let origin = speaker.map(|speaker| Origin {
        external_id: Some(format!("ext-{serial}")),
        speaker: Some(speaker),
        ..Origin::default()
    });
    let forgotten =
        dice.chance(20).then(|| Forgotten { at: updated_at, reason: noted("no longer true"), run: None });
    MemoryEntry {
        lifetime: *dice.pick(MemoryLifetime::ALL),
        source: (*dice.pick(SOURCES)).to_owned(),
        importance: Importance::new(*dice.pick(IMPORTANCE)).expect("within bounds"),
        tags: TAGS.iter().filter(|_| dice.chance(30)).map(|t| (*t).to_owned()).collect::<Vec<_>>(),
        // An agent pins nothing.
        pinned: dice.chance(10) && entry.curator.is_protected(),
        access_count: dice.below(4) as u64,
        origin,
        forgotten,
        created_at,
        updated_at,
        accessed_at: updated_at,
        ..entry
    }
}

/// Random words.
pub fn babble(dice: &mut Dice, words: usize) -> String {
    (0..words).map(|_| *dice.pick(WORDS)).collect::<Vec<_>>().join(" ")
}

/// Fills the workspace's database with `size` entries, embeds about half, and gives them as they must be stored.
pub async fn populate(stage: &Stage, seed: u64, size: usize) -> Vec<StoredEntry> {
    let mut dice = Dice::new(seed);
    let places = stage.places();
    let mut all = Vec::new();
    for (i, actor) in [author(), agent(), import()].into_iter().enumerate() {
        let stamp = stage.scribe.stamp(actor);
        let mut entries = Vec::new();
        for n in 0..size.div_ceil(3).min(size.saturating_sub(all.len())) {
            let length = 3 + dice.below(9);
            let content = babble(&mut dice, length);
            let entry = stage.scribe.entry(draft(*dice.pick(&places), &content), stamp);
            let mut entry = dress(&mut dice, stage, entry, i * size + n);
            entry.tags.sort();
            entries.push(entry);
        }
        let (change, entries) = stage.scribe.insert_raw(actor, entries);
        stage.commit(&change).await;
        all.extend(entries);
    }
    let model = crowd_model();
    let half: Vec<MemoryEntry> = all.iter().filter(|_| dice.chance(50)).cloned().collect();
    let chosen: Vec<(MemoryEntry, Vec<f32>)> =
        half.into_iter().map(|e| (e, dice.direction(model.dimension))).collect();
    stage.embed(&model, &chosen).await;
    let embedded_by =
        |e: &MemoryEntry| chosen.iter().any(|(c, _)| c.id == e.id).then(|| model.id.to_string());
    all.into_iter().map(|entry| StoredEntry { embedded_by: embedded_by(&entry), entry }).collect()
}

/// Every facet with values that occur, and one that does not.
pub fn facet_choices(facet: Facet) -> &'static [&'static str] {
    match facet {
        Facet::Source => SOURCES,
        Facet::Curator => &["agent", "author", "import"],
        Facet::Lifetime => &["long_term", "short_term", "conversation"],
        Facet::Tag => &["lore", "plot", "old gods", "map", "no such tag"],
        Facet::Importance => &["low", "medium", "high"],
        Facet::Embedding => &["yes", "no"],
        Facet::Forgotten => &["yes", "any"],
        Facet::Speaker => &["Mira", "Toma", "Nobody"],
    }
}

/// A random filter: a scope filter, and up to four conditions.
pub fn random_filter(dice: &mut Dice, stage: &Stage) -> MemoryFilter {
    let scopes: Vec<MemoryScope> = MemoryScope::ALL.iter().copied().filter(|_| dice.chance(60)).collect();
    let channel = dice.chance(30).then(|| *dice.pick(&[stage.general.id, stage.side.id]));
    let conversation =
        dice.chance(20).then(|| *dice.pick(&[stage.conversation.id, stage.side_conversation.id]));
    let terms = (0..dice.below(5))
        .map(|_| {
            let facet = *dice.pick(Facet::ALL);
            let value = (*dice.pick(facet_choices(facet))).to_owned();
            // "Not any" says nothing; the view is chosen, not narrowed.
            FacetTerm { facet, value, negated: facet != Facet::Forgotten && dice.chance(35) }
        })
        .collect();
    MemoryFilter { scope_filter: ScopeFilter::new(&scopes, channel, conversation), terms }
}
