use chrono::{Duration, TimeZone, Utc};
use uuid::Uuid;

use super::*;
use crate::{
    ids::ChangeId,
    memory::{
        Importance, MemoryDraft, Stamp,
        link::{Link, LinkRole},
    },
    provenance::{Actor, ActorKind, Interface},
};

fn scored(n: u128, actor_kind: ActorKind, text: &str, relevance: f64) -> Scored {
    let at = Utc.timestamp_opt(1_700_000_000 + n as i64, 0).single().expect("a valid time");
    let stamp = Stamp {
        change: ChangeId::from_uuid(Uuid::from_u128(n)),
        actor: Actor::new(actor_kind, Interface::Cli, None).expect("the command line admits every hand"),
        at,
    };
    let draft = MemoryDraft {
        place: Place::Workspace,
        lifetime: MemoryLifetime::ShortTerm,
        source: "orchestrator".into(),
        title: None,
        keys: Vec::new(),
        content: text.into(),
        importance: 0.5,
        tags: vec![],
        origin: None,
        derivations: Vec::new(),
    };
    let entry = MemoryEntry::create(MemoryId::from_uuid(Uuid::from_u128(n)), draft, stamp).expect("valid");
    Scored { entry, relevance }
}

fn fate(fates: &[(MemoryId, Fate)], n: u128) -> Option<Fate> {
    fates.iter().find(|(id, _)| *id == MemoryId::from_uuid(Uuid::from_u128(n))).map(|(_, fate)| *fate)
}

#[test]
fn entries_that_are_linked_to_different_subjects_are_not_merged() {
    let about = |n| vec![Link::new(LinkRole::About, MemoryId::from_uuid(Uuid::from_u128(n)))];
    let linked = |n, links| {
        let scored = scored(n, ActorKind::Agent, "Rows the night ferry.", 0.5);
        Scored { entry: MemoryEntry { links, ..scored.entry }, ..scored }
    };
    let nothing = Refusals::new();
    let apart = [linked(1, about(8)), linked(2, about(9)), linked(3, Vec::new())];
    assert_eq!(mechanical(&apart, 0, &nothing), []);
    let alike = [linked(1, about(8)), linked(2, about(8))];
    assert_eq!(mechanical(&alike, 0, &nothing).len(), 1);
}

#[test]
fn an_entry_with_a_tag_of_its_own_is_not_merged() {
    let tagged = |n, tags: &[&str]| {
        let mut scored = scored(n, ActorKind::Agent, "Rows the night ferry.", 0.5);
        scored.entry.tags = tags.iter().map(|tag| (*tag).to_owned()).collect();
        scored
    };
    let nothing = Refusals::new();
    // Of two equal entries the newer one stays.
    assert_eq!(mechanical(&[tagged(1, &["ferry"]), tagged(2, &["night"])], 0, &nothing), []);
    let fates = mechanical(&[tagged(1, &["ferry"]), tagged(2, &["ferry", "night"])], 0, &nothing);
    assert_eq!(
        fates,
        [(MemoryId::from_uuid(Uuid::from_u128(1)), Fate::Merge(MemoryId::from_uuid(Uuid::from_u128(2))))]
    );
}

#[test]
fn an_entry_is_promoted_above_both_limits_and_not_at_them() {
    let mut entries: Vec<Scored> =
        (1..=4).map(|n| scored(n, ActorKind::Agent, &format!("Note {n}."), 0.71)).collect();
    entries[0].entry.access_count = 4;
    entries[1].entry.access_count = 3;
    entries[2].entry.access_count = 4;
    entries[2].relevance = 0.7;
    entries[3].entry.access_count = 4;
    entries[3].entry.lifetime = MemoryLifetime::LongTerm;
    let fates = mechanical(&entries, 0, &Refusals::new());
    assert_eq!(fates, [(entries[0].entry.id, Fate::Promote)]);
}

#[test]
fn long_term_entries_do_not_fade() {
    let mut entries: Vec<Scored> =
        (1..=3).map(|n| scored(n, ActorKind::Agent, &format!("Note {n}."), 0.009)).collect();
    entries[1].entry.lifetime = MemoryLifetime::LongTerm;
    entries[2].entry.lifetime = MemoryLifetime::LongTerm;
    entries[2].entry.importance = Importance::new(0.9).expect("in range");
    let fates = mechanical(&entries, 0, &Refusals::new());
    assert_eq!(
        (fate(&fates, 1), fate(&fates, 2), fate(&fates, 3)),
        (Some(Fate::Fade), Some(Fate::Fade), None)
    );
    entries[0].relevance = FADED;
    assert_eq!(fate(&mechanical(&entries, 0, &Refusals::new()), 1), None, "at the line it stays");
}

#[test]
fn of_two_equal_entries_the_agents_is_merged_into_the_authors() {
    let entries = [
        scored(1, ActorKind::Author, "The gate is iron.", 0.0),
        scored(2, ActorKind::Agent, "the gate is iron", 0.9),
        scored(3, ActorKind::Agent, "The gate is bronze.", 0.9),
    ];
    let fates = mechanical(&entries, 0, &Refusals::new());
    assert_eq!(fates, [(entries[1].entry.id, Fate::Merge(entries[0].entry.id))]);
}

#[test]
fn a_full_tier_forgets_its_least_relevant_ordinary_entries() {
    let mut entries: Vec<Scored> =
        (1..=6).map(|n| scored(n, ActorKind::Agent, &format!("Note {n}."), n as f64 / 10.0)).collect();
    entries[0].entry.pinned = true;
    let fates = mechanical(&entries, 4, &Refusals::new());
    assert_eq!(fates.iter().map(|(_, fate)| *fate).collect::<Vec<_>>(), [Fate::Cap, Fate::Cap]);
    assert!(fate(&fates, 1).is_none(), "pinned");
    assert!(fate(&fates, 2).is_some() && fate(&fates, 3).is_some());
}

#[test]
fn only_three_or_more_entries_of_one_place_form_a_cluster() {
    let mut entries: Vec<Scored> =
        (1..=5).map(|n| scored(n, ActorKind::Agent, &format!("Note {n}."), 0.5)).collect();
    entries[4].entry.source = SOURCE.to_owned();
    let id = |n: usize| entries[n].entry.id;
    let near = [(id(0), id(1), 0.9), (id(0), id(2), 0.85), (id(0), id(3), 0.7), (id(0), id(4), 0.95)];
    assert_eq!(clusters(&entries, &near, &BTreeSet::new()), [vec![id(0), id(1), id(2)]]);
    assert!(clusters(&entries, &near, &BTreeSet::from([id(2)])).is_empty());
}

proptest::proptest! {
    /// Entries of the author are never changed, and the pass is idempotent.
    #[test]
    fn entries_of_the_author_are_unchanged_and_a_second_pass_finds_nothing(
        given in proptest::collection::vec((0u8..5, 0u8..4, 0.0..1.0f64, 0u64..6, 0.0..1.0f64), 0..30), cap in 0usize..12
    ) {
        let mut entries: Vec<Scored> = given
            .iter()
            .enumerate()
            .map(|(n, (whose, text, relevance, used, importance))| {
                let actor_kind = [ActorKind::Agent, ActorKind::Author, ActorKind::Import, ActorKind::Agent, ActorKind::Agent][*whose as usize];
                let mut made = scored(n as u128 + 1, actor_kind, &format!("Note {text} stands."), *relevance);
                made.entry.pinned = *whose == 3;
                made.entry.name = (*whose == 4).then(|| format!("N{n}"));
                made.entry.access_count = *used;
                made.entry.importance = Importance::new(*importance).expect("in range");
                made
            })
            .collect();
        let fates = mechanical(&entries, cap, &Refusals::new());
        for (id, fate) in &fates {
            let scored = entries.iter_mut().find(|scored| scored.entry.id == *id).expect("one of them");
            proptest::prop_assert!(!scored.entry.is_locked());
            if *fate == Fate::Promote {
                scored.entry.lifetime = MemoryLifetime::LongTerm;
            } else {
                let at = scored.entry.updated_at + Duration::seconds(1);
                scored.entry.forgotten = Some(crate::memory::Forgotten { at, reason: crate::forget_reason::ForgetReason::Faded, run: None });
            }
        }
        proptest::prop_assert_eq!(mechanical(&entries, cap, &Refusals::new()), vec![]);
    }
}
