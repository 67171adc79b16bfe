//! Subjects and links: read within a filter, kept with the entries that hold them.

use inklings_domain::{
    ids::MemoryId,
    memory::{
        MemoryEntry,
        change_set::{Action, MemoryWrite},
        filter::ScopeFilter,
        link::{Link, LinkRole},
    },
    scope::{MemoryScope, Place},
};
use inklings_ports::{
    subject::{SubjectChoice, SubjectRow},
    testing::builders::{author, draft},
};

use super::{CheckedStage, Stage, ids};

async fn subject(stage: &Stage, name: &str, kind: &str, text: &str) -> MemoryEntry {
    let named = stage.apply(stage.scribe.named(Place::Workspace, name, text)).await;
    stage.apply(stage.scribe.forced(author(), &named, |entry| entry.subject = Some(kind.to_owned()))).await
}

async fn relation(stage: &Stage, place: Place, from: MemoryId, relation: &str, to: MemoryId) -> MemoryEntry {
    let stamp = stage.scribe.stamp(author());
    let entry = stage.scribe.entry(draft(place, &format!("It is {relation}.")), stamp);
    let links = vec![Link::new(LinkRole::From, from), Link::new(LinkRole::To, to)];
    let entry = MemoryEntry { relation: Some(relation.to_owned()), links, ..entry };
    let change = inklings_ports::testing::builders::change(
        stamp,
        Action::Create,
        [MemoryWrite::Insert(entry.clone())],
    );
    stage.apply((change, entry)).await
}

async fn rows(stage: &Stage, which: SubjectChoice<'_>, filter: &ScopeFilter) -> Vec<SubjectRow> {
    stage.workspace.subjects.subjects(which, filter).await.expect("subjects are read")
}

async fn linked(stage: &Stage, target: MemoryId, filter: &ScopeFilter) -> Vec<MemoryId> {
    let found = stage
        .workspace
        .subjects
        .linked_to(&[target], LinkRole::ALL, filter, 100)
        .await
        .expect("links are read");
    ids(found.iter().map(|stored| &stored.entry))
}

const ALL: ScopeFilter = ScopeFilter::EVERYTHING;

#[tokio::test]
async fn subjects_are_listed_by_name_with_their_kind_and_the_number_of_their_links() {
    let stage = CheckedStage::new().await;
    stage.apply(stage.scribe.named(Place::Workspace, "VOICE", "Spare.")).await;
    let toma = subject(&stage, "toma", "character", "").await;
    let mira = subject(&stage, "Mira", "character", "A ferrywoman.").await;
    let weir = subject(&stage, "The weir", "place", "").await;
    relation(&stage, Place::Workspace, mira.id, "sister of", toma.id).await;
    let found = rows(&stage, SubjectChoice::All, &ALL).await;
    let listed: Vec<_> =
        found.iter().map(|row| (row.name.as_str(), row.kind.as_str(), row.has_text, row.links)).collect();
    assert_eq!(
        listed,
        [("Mira", "character", true, 1), ("The weir", "place", false, 0), ("toma", "character", false, 1)]
    );
    let places = rows(&stage, SubjectChoice::Kind("place"), &ALL).await;
    assert_eq!(places.iter().map(|row| row.id).collect::<Vec<_>>(), [weir.id]);
    let some =
        rows(&stage, SubjectChoice::Ids(&[toma.id, MemoryId::from_uuid(uuid::Uuid::nil())]), &ALL).await;
    assert_eq!(some.iter().map(|row| row.id).collect::<Vec<_>>(), [toma.id]);
}

#[tokio::test]
async fn what_a_filter_does_not_hold_is_neither_listed_nor_counted() {
    let stage = CheckedStage::new().await;
    let mira = subject(&stage, "Mira", "character", "").await;
    let toma = subject(&stage, "Toma", "character", "").await;
    let open = relation(&stage, Place::Workspace, mira.id, "sister of", toma.id).await;
    let secret = relation(&stage, Place::Channel(stage.side.id), mira.id, "betrays", toma.id).await;
    let workspace = ScopeFilter::new(&[MemoryScope::Workspace], None, None);
    let channel = ScopeFilter::new(&[MemoryScope::Channel], Some(stage.side.id), None);
    assert_eq!(linked(&stage, toma.id, &ALL).await, ids([&open, &secret]));
    assert_eq!(linked(&stage, toma.id, &workspace).await, [open.id]);
    assert_eq!(linked(&stage, toma.id, &channel).await, [secret.id]);
    assert_eq!(rows(&stage, SubjectChoice::All, &workspace).await[0].links, 1);
    assert_eq!(rows(&stage, SubjectChoice::All, &ALL).await[0].links, 2);
    assert_eq!(rows(&stage, SubjectChoice::All, &channel).await, [], "subjects are of the workspace tier");
}

#[tokio::test]
async fn a_forgotten_subject_or_relation_is_not_listed_and_comes_back_with_its_links() {
    let stage = CheckedStage::new().await;
    let mira = subject(&stage, "Mira", "character", "").await;
    let toma = subject(&stage, "Toma", "character", "").await;
    let knows = relation(&stage, Place::Workspace, mira.id, "knows", toma.id).await;
    let gone = stage.apply(stage.scribe.forget(author(), &knows)).await;
    assert_eq!(linked(&stage, toma.id, &ALL).await, []);
    assert_eq!(rows(&stage, SubjectChoice::All, &ALL).await[0].links, 0);
    let back = stage.apply(stage.scribe.restore(author(), &gone)).await;
    assert_eq!(linked(&stage, toma.id, &ALL).await, [knows.id]);
    assert_eq!(stage.read(knows.id).await.entry, back);
    stage.apply(stage.scribe.forget(author(), &mira)).await;
    assert_eq!(rows(&stage, SubjectChoice::All, &ALL).await.len(), 1);
}

#[tokio::test]
async fn links_follow_every_write_and_every_version_keeps_its_own() {
    let stage = CheckedStage::new().await;
    let mira = subject(&stage, "Mira", "character", "").await;
    let toma = subject(&stage, "Toma", "character", "").await;
    let (created, mut entries) =
        stage.scribe.create(author(), [draft(Place::Workspace, "The ferry leaves at dawn.")]);
    let note = stage.apply((created, entries.remove(0))).await;
    let about = |target| vec![Link::new(LinkRole::About, target)];
    let one = stage.apply(stage.scribe.forced(author(), &note, |e| e.links = about(mira.id))).await;
    let two = stage.apply(stage.scribe.forced(author(), &one, |e| e.links = about(toma.id))).await;
    assert_eq!(linked(&stage, mira.id, &ALL).await, []);
    assert_eq!(linked(&stage, toma.id, &ALL).await, [note.id]);
    let undone = stage.apply(stage.scribe.undo(author(), two.change, &two, &one)).await;
    assert_eq!(linked(&stage, mira.id, &ALL).await, [note.id]);
    let history = stage.store().history(note.id).await.expect("history is read");
    assert_eq!(history.iter().map(|v| v.entry.clone()).collect::<Vec<_>>(), [undone, two, one, note]);
}
