use chrono::TimeZone;
use uuid::Uuid;

use super::*;
use crate::provenance::Interface;

fn stamp(actor_kind: ActorKind) -> Stamp {
    Stamp {
        change: ChangeId::from_uuid(Uuid::from_u128(7)),
        actor: Actor::new(actor_kind, Interface::Cli, None).expect("the command line admits every hand"),
        at: Utc.timestamp_opt(1_700_000_000, 0).single().expect("a valid time"),
    }
}

fn draft(content: &str) -> MemoryDraft {
    MemoryDraft {
        place: Place::Workspace,
        lifetime: MemoryLifetime::LongTerm,
        source: "user".into(),
        title: None,
        keys: Vec::new(),
        content: content.into(),
        importance: 0.5,
        tags: vec!["Gate".into()],
        origin: None,
        derivations: Vec::new(),
    }
}

fn entry(actor_kind: ActorKind) -> MemoryEntry {
    let id = MemoryId::from_uuid(Uuid::from_u128(1));
    MemoryEntry::create(id, draft("The gate is iron."), stamp(actor_kind)).expect("a valid draft")
}

#[test]
fn importance_must_be_finite_and_within_bounds() {
    for bad in [f64::NAN, f64::INFINITY, -0.01, 1.01] {
        assert_eq!(Importance::new(bad), Err(InvalidMemory::Importance));
    }
    assert!(Importance::new(0.0).is_ok() && Importance::new(1.0).is_ok());
}

#[test]
fn no_agent_changes_or_retires_entries_of_the_author() {
    for owner in [ActorKind::Author, ActorKind::Import] {
        for intruder in [ActorKind::Agent, ActorKind::System] {
            let entry = entry(owner);
            let patch = MemoryPatch { content: Some("rewritten".into()), ..MemoryPatch::default() };
            assert_eq!(entry.edited(patch, stamp(intruder)), Err(InvalidMemory::Locked));
            assert_eq!(
                entry.forgotten(ForgetReason::Asked(None), stamp(intruder)),
                Err(InvalidMemory::Locked)
            );
        }
    }
    let mut named = entry(ActorKind::Agent);
    named.name = Some("VOICE".into());
    assert_eq!(
        named.forgotten(ForgetReason::Asked(None), stamp(ActorKind::Agent)),
        Err(InvalidMemory::Locked)
    );
}

#[test]
fn an_author_who_rewrites_an_agents_note_makes_it_theirs() {
    let patch = MemoryPatch { content: Some("Mine now.".into()), ..MemoryPatch::default() };
    let edited = entry(ActorKind::Agent).edited(patch, stamp(ActorKind::Author)).expect("the author may");
    assert_eq!((edited.curator, edited.version), (Curator::Author, 2));
    let tagged = MemoryPatch { tags: Some(vec!["x".into()]), ..MemoryPatch::default() };
    let tagged = entry(ActorKind::Agent).edited(tagged, stamp(ActorKind::Author)).expect("the author may");
    assert_eq!(tagged.curator, Curator::Agent);
}

#[test]
fn a_title_and_keys_are_validated_changed_and_removed() {
    let author = stamp(ActorKind::Author);
    let called = |title: &str, keys: &[&str]| MemoryPatch {
        title: Some(title.into()),
        keys: Some(keys.iter().map(|key| (*key).to_owned()).collect()),
        ..MemoryPatch::default()
    };
    let many: Vec<String> = (0..200).map(|n| format!("key {n}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let titled =
        entry(ActorKind::Author).edited(called(" The  Gate ", &many), author).expect("the author may");
    assert_eq!((titled.title.as_deref(), titled.keys.len()), (Some("The Gate"), 200));
    assert_eq!(titled.titled_text(), "The Gate: The gate is iron.");
    let again = titled.edited(called("The Gate", &many), author);
    assert_eq!(again, Err(InvalidMemory::NoChange));
    let bare = titled.edited(called(" ", &[]), author).expect("the author may");
    assert_eq!((bare.title.as_deref(), bare.keys.len()), (None, 0));
    assert!(bare.same_body(&entry(ActorKind::Author)));
    for bad in ["two\nlines", "a\u{202E}b", "nul\0", &"x".repeat(301)] {
        for (patch, field) in [(called(bad, &[]), "title"), (called("The Gate", &[bad]), "key")] {
            let refused = entry(ActorKind::Author).edited(patch, author).expect_err("refused");
            assert_eq!(refused.field(), Some(field), "{bad:?}");
        }
    }
}

#[test]
fn an_agent_that_sets_a_title_becomes_a_source_of_the_text() {
    let title = |title: &str| MemoryPatch { title: Some(title.into()), ..MemoryPatch::default() };
    assert_eq!(
        entry(ActorKind::Author).edited(title("Mine"), stamp(ActorKind::Agent)),
        Err(InvalidMemory::Locked)
    );
    let client = Actor::new(ActorKind::Agent, Interface::Mcp, Some(RunId::from_uuid(Uuid::from_u128(5))))
        .expect("a client");
    let before = entry(ActorKind::Agent);
    let by_client =
        before.edited(title("Theirs"), Stamp { actor: client, ..stamp(ActorKind::Agent) }).expect("it may");
    assert_eq!(by_client.derived_from, TextSource::of(client).into_iter().collect::<Vec<_>>());
    assert!(!by_client.derived_from.is_empty());
}

#[test]
fn forgetting_and_restoring_keeps_every_word() {
    let before = entry(ActorKind::Author);
    let reason = ForgetReason::noted("no longer true").expect("a note");
    let gone = before.forgotten(reason, stamp(ActorKind::Author)).expect("the author may");
    assert!(!gone.is_active());
    let back = gone.restored(stamp(ActorKind::Author)).expect("the author may");
    assert!(back.same_body(&before));
    assert_eq!(back.version, 3);
}

#[test]
fn a_patch_without_effect_makes_no_version() {
    let patch = MemoryPatch { tags: Some(vec!["#GATE".into()]), ..MemoryPatch::default() };
    assert_eq!(
        entry(ActorKind::Author).edited(patch, stamp(ActorKind::Author)),
        Err(InvalidMemory::NoChange)
    );
}

proptest::proptest! {
    #[test]
    fn reverting_an_edit_restores_the_body_and_moves_the_version_on(
        text in "[a-z]{1,40}", importance in 0.0..=1.0f64, pinned: bool
    ) {
        let before = entry(ActorKind::Agent);
        let patch = MemoryPatch {
            content: Some(text), importance: Some(importance), pinned: Some(pinned), ..MemoryPatch::default()
        };
        let after = before.edited(patch, stamp(ActorKind::Author)).expect("the author may");
        let back = after.reverted_to(&before, stamp(ActorKind::Author)).expect("something differs");
        proptest::prop_assert!(back.same_body(&before));
        proptest::prop_assert_eq!(back.version, 3);
    }
}
