//! The promises of subjects and relations, kept on SQLite.

use inklings_application::{
    agent_write::remember::Observed,
    error::AppError,
    orientation::OrientRequest,
    subject::{NamedLinks, NewRelation},
};
use inklings_domain::{
    calendar::{Calendar, preset::gregorian},
    conversation::message::Role,
    ids::MemoryId,
    memory::{
        InvalidMemory,
        filter::{ScopeFilter, Selection},
    },
    orientation::{ItemId, Layer},
    scope::{MemoryScope, Place},
    search::conversation_query::ConversationQuery,
};
use inklings_ports::{
    store_error::StoreError,
    testing::builders::{agent, author, draft},
};

use crate::support::World;

const ALL: ScopeFilter = ScopeFilter::EVERYTHING;

async fn subject(world: &World, name: &str, kind: &str, text: &str) -> MemoryId {
    world.session.subjects().add(name, kind, text, author()).await.expect("added").id()
}

fn relation(from: MemoryId, relation: &str, to: MemoryId, place: Place) -> NewRelation {
    NewRelation { from, relation: relation.to_owned(), to, content: None, place }
}

/// Mira, sister of Toma, who holds the lamp, which lies in Calin; and a secret in a channel.
struct Family {
    world: World,
    mira: MemoryId,
    toma: MemoryId,
    lamp: MemoryId,
    sister: MemoryId,
    secret: MemoryId,
    channel: Place,
}

impl Family {
    async fn new() -> Self {
        let world = World::new().await;
        let mira = subject(&world, "Mira", "character", "She rows the night ferry.").await;
        let toma = subject(&world, "Toma", "character", "He keeps the toll house.").await;
        let lamp = subject(&world, "Salt Lamp", "item", "").await;
        let calin = subject(&world, "Calin", "place", "").await;
        let conversation = world.conversation().await;
        let channel = Place::Channel(conversation.channel_id);
        let subjects = world.session.subjects();
        let relate = async |from, word, to, place| {
            let new = relation(from, word, to, place);
            subjects.relate(new, author()).await.expect("related").id()
        };
        let sister = relate(mira, "is the sister of", toma, Place::Workspace).await;
        relate(toma, "holds", lamp, Place::Workspace).await;
        relate(lamp, "lies in", calin, Place::Workspace).await;
        let secret = relate(mira, "betrays", toma, channel).await;
        Self { world, mira, toma, lamp, sister, secret, channel }
    }
}

#[tokio::test]
async fn a_relation_is_a_memory_with_a_sentence_and_is_seen_from_both_ends() {
    let family = Family::new().await;
    let entry = family.world.entry(family.sister).await;
    assert_eq!(entry.content, "Mira is the sister of Toma.");
    for (id, outgoing, other) in [(family.mira, true, "Toma"), (family.toma, false, "Mira")] {
        let seen = family.world.session.subjects().get(id, &ALL).await.expect("a subject");
        let found = seen.relations.iter().find(|seen| seen.stored.entry.id == family.sister);
        let found = found.expect("the relation is seen");
        assert_eq!((found.outgoing, found.other.name.as_str()), (outgoing, other));
    }
}

#[tokio::test]
async fn a_relation_of_a_channel_is_seen_only_by_who_may_read_the_channel() {
    let family = Family::new().await;
    let subjects = family.world.session.subjects();
    let outside = ScopeFilter { channels: Selection::None, ..ALL };
    for (filter, sees) in [(&ALL, true), (&outside, false)] {
        let seen = subjects.get(family.mira, filter).await.expect("a subject");
        let saw = seen.relations.iter().any(|seen| seen.stored.entry.id == family.secret);
        assert_eq!((saw, seen.row.links), (sees, if sees { 2 } else { 1 }));
        let around = subjects.neighbourhood(&[family.mira], filter, 50).await.expect("a neighbourhood");
        assert_eq!(around.iter().any(|near| near.stored.entry.id == family.secret), sees);
    }
    // A filter without the tier of subjects shows none, not even by a relation that it may read.
    let channel = ScopeFilter::of(family.channel);
    assert!(subjects.list(None, &channel).await.expect("a list").is_empty());
    assert!(matches!(subjects.get(family.mira, &channel).await, Err(AppError::NotFound { .. })));
    assert!(subjects.neighbourhood(&[family.mira], &channel, 50).await.expect("nothing").is_empty());
}

#[tokio::test]
async fn the_neighbourhood_reaches_two_relations_far_and_the_nearest_come_first() {
    let family = Family::new().await;
    let subjects = family.world.session.subjects();
    let around = subjects.neighbourhood(&[family.mira], &ALL, 50).await.expect("a neighbourhood");
    let texts: Vec<_> = around.iter().map(|near| (near.hops, near.text.as_str())).collect();
    assert_eq!(texts.len(), 3, "{texts:?}");
    assert!(texts[..2].contains(&(1, "Mira is the sister of Toma.")));
    assert_eq!(texts[2], (2, "Toma holds Salt Lamp."));
    assert_eq!(subjects.neighbourhood(&[family.mira], &ALL, 1).await.expect("one").len(), 1);
}

#[tokio::test]
async fn only_subjects_are_related_and_each_relation_is_noted_once() {
    let family = Family::new().await;
    let subjects = family.world.session.subjects();
    let again = relation(family.mira, "Is the sister  of", family.toma, Place::Workspace);
    let refused = subjects.relate(again, author()).await;
    assert!(matches!(refused, Err(AppError::Input { field: "relation", .. })), "{refused:?}");
    let note = family.world.write(Place::Workspace, "The ferry leaves at dawn.").await;
    let to_a_note = relation(family.mira, "rows", note, Place::Workspace);
    let refused = subjects.relate(to_a_note, author()).await;
    assert!(matches!(refused, Err(AppError::NotFound { what: "subject", .. })), "{refused:?}");
    let to_itself = relation(family.mira, "knows", family.mira, Place::Workspace);
    let refused = subjects.relate(to_itself, author()).await;
    assert!(matches!(refused, Err(AppError::Memory(InvalidMemory::LinkedToItself))), "{refused:?}");
}

#[tokio::test]
async fn two_are_related_again_at_another_time_and_once_at_each() {
    let family = Family::new().await;
    let (world, subjects) = (&family.world, family.world.session.subjects());
    let calendar = Calendar::new(gregorian()).expect("valid");
    world.session.calendars().add("Common", calendar, "", author()).await.expect("added");
    let named = |holds| NamedLinks {
        relation: Some("is married to"),
        from: Some("Mira"),
        to: Some("Toma"),
        holds,
        ..NamedLinks::default()
    };
    let state = async |holds| -> Result<(), AppError> {
        let links = subjects.links_named(&named(holds), Place::Workspace, &ALL).await?;
        let draft = draft(Place::Workspace, "Mira is married to Toma.");
        let observed = Observed { draft, conversation: None, shown: &[], within: None, links };
        world.session.agent_writes().remember(observed, author()).await.map(|_| ())
    };
    state(Some("801 – 805")).await.expect("the first time");
    state(Some("810 –")).await.expect("the second time");
    for holds in [Some("805 – 807"), Some("820"), None] {
        let refused = state(holds).await;
        assert!(matches!(refused, Err(AppError::Input { field: "relation", .. })), "{holds:?}: {refused:?}");
    }
    let always = relation(family.mira, "is married to", family.toma, Place::Workspace);
    assert!(subjects.relate(always, author()).await.is_err());
}

#[tokio::test]
async fn subjects_of_a_kind_are_listed_in_any_case() {
    let family = Family::new().await;
    let names = async |kind| -> Vec<String> {
        let rows = family.world.session.subjects().list(Some(kind), &ALL).await.expect("a list");
        rows.into_iter().map(|row| row.name).collect()
    };
    for kind in ["character", "Character", " CHARACTER "] {
        assert_eq!(names(kind).await, ["Mira", "Toma"], "{kind}");
    }
    assert!(names("ship").await.is_empty());
}

#[tokio::test]
async fn a_named_entry_becomes_a_subject_and_a_name_is_given_once() {
    let world = World::new().await;
    let session = &world.session;
    let named = session.named_entries().add(MemoryScope::Workspace, "Mira", "She rows.", author()).await;
    let named = named.expect("added").id();
    session.subjects().set_kind(named, 1, Some("Character"), author()).await.expect("a subject");
    let found = session.subjects().find("mira", &ALL).await.expect("found by its name");
    assert_eq!((found.id, found.kind.as_str(), found.has_text), (named, "character", true));
    let again = session.subjects().add("MIRA", "place", "", author()).await;
    assert!(matches!(again, Err(AppError::Store(StoreError::AlreadyExists("name")))), "{again:?}");
}

#[tokio::test]
async fn an_agent_makes_no_subject_and_links_only_its_own_memories() {
    let family = Family::new().await;
    let subjects = family.world.session.subjects();
    let version = family.world.entry(family.mira).await.version;
    let kind = subjects.set_kind(family.mira, version, Some("place"), agent()).await;
    assert!(matches!(kind, Err(AppError::Memory(InvalidMemory::Locked))), "{kind:?}");
    let note = family.world.write(Place::Workspace, "The ferry leaves at dawn.").await;
    let about = subjects.set_about(note, 1, &[family.mira], agent()).await;
    assert!(matches!(about, Err(AppError::Memory(InvalidMemory::Locked))), "{about:?}");
    subjects.set_about(note, 1, &[family.mira], author()).await.expect("the author links it");
    let seen = subjects.get(family.mira, &ALL).await.expect("a subject");
    assert_eq!(seen.about.iter().map(|stored| stored.entry.id).collect::<Vec<_>>(), [note]);
}

#[tokio::test]
async fn an_agent_names_only_subjects_that_it_may_read() {
    let family = Family::new().await;
    let subjects = family.world.session.subjects();
    let about = ["Toma".to_owned()];
    let links = NamedLinks {
        relation: Some("envies"),
        from: Some("mira"),
        to: Some("Calin"),
        about: &about,
        holds: None,
    };
    let named = subjects.links_named(&links, family.channel, &ALL).await.expect("all are subjects");
    assert_eq!(named.about, [family.toma]);
    assert!(named.relation.is_some_and(|(_, from, _)| from == family.mira));
    // Where subjects may not be read, one that exists is refused in the words of one that does not.
    let channel = ScopeFilter::of(family.channel);
    let unread = subjects.links_named(&links, family.channel, &channel).await;
    let unknown = NamedLinks { about: &["Nobody".to_owned()], ..links };
    for (refused, name) in
        [(unread, "Toma"), (subjects.links_named(&unknown, family.channel, &ALL).await, "Nobody")]
    {
        let expected = AppError::NotFound { what: "subject", name: name.to_owned() }.to_string();
        assert_eq!(refused.expect_err("refused").to_string(), expected);
    }
    let half = NamedLinks { to: None, ..links };
    let refused = subjects.links_named(&half, family.channel, &ALL).await;
    assert!(matches!(refused, Err(AppError::Input { field: "relation", .. })), "{refused:?}");
}

#[tokio::test]
async fn undo_takes_back_a_relation_and_a_kind() {
    let family = Family::new().await;
    let session = &family.world.session;
    session.memories().undo_last(author()).await.expect("the secret is undone");
    let seen = session.subjects().get(family.mira, &ALL).await.expect("a subject");
    assert!(seen.relations.iter().all(|seen| seen.stored.entry.id != family.secret));
    let version = family.world.entry(family.lamp).await.version;
    let set = session.subjects().set_kind(family.lamp, version, None, author()).await.expect("unset");
    assert!(matches!(session.subjects().get(family.lamp, &ALL).await, Err(AppError::NotFound { .. })));
    session.memories().undo_change(set.change, author()).await.expect("undone");
    assert_eq!(session.subjects().get(family.lamp, &ALL).await.expect("a subject").row.kind, "item");
}

#[tokio::test]
async fn a_subject_is_shown_to_the_agent_where_it_is_named_and_with_its_relations() {
    let family = Family::new().await;
    let orient = async |query: &str| {
        let request =
            OrientRequest { query: ConversationQuery::Next(query.to_owned()), ..OrientRequest::default() };
        family.world.session.orientations().orient(request).await.expect("a document")
    };
    let of_layer = |oriented: &inklings_application::orientation::Oriented, layer| {
        let items = oriented.document.items.iter().filter(|item| item.layer == layer);
        items.map(|item| item.id).collect::<Vec<_>>()
    };
    let named = orient("Where is Mira tonight?").await;
    let subjects = of_layer(&named, Layer::Subjects);
    assert_eq!(subjects[0], ItemId::Memory(family.mira));
    assert!(subjects.contains(&ItemId::Memory(family.sister)), "{}", named.markdown);
    assert!(!subjects.contains(&ItemId::Memory(family.secret)), "no channel is in scope");
    assert!(named.markdown.contains("Mira is the sister of Toma."), "{}", named.markdown);
    // What a layer in front holds is not offered a second time.
    let twice = named.document.items.iter().filter(|item| item.id == ItemId::Memory(family.mira)).count();
    assert_eq!(twice, 1);
    let other = orient("What is the weather?").await;
    assert_eq!(of_layer(&other, Layer::Subjects), []);
    assert_eq!(of_layer(&other, Layer::Named), [], "a subject is no standing note");
}

/// Nothing is made of them by itself.
#[tokio::test]
async fn names_that_recur_are_suggested_until_an_entry_has_them() {
    let world = World::new().await;
    for n in 0..2 {
        world
            .remember(draft(Place::Workspace, &format!("On day {n} they met Brannoch Vale there.")), author())
            .await;
    }
    let suggested = async || -> Vec<(String, u32)> {
        let found = world.session.subjects().suggestions(&ALL).await.expect("an answer");
        found.into_iter().map(|found| (found.name, found.texts)).collect()
    };
    assert_eq!(suggested().await, [], "two texts may be chance");
    let conversation = world.conversation().await;
    let message = "Tell me again how Brannoch Vale lost the ring.";
    world.session.transcripts().add(&conversation, Role::User, message).await.expect("added");
    assert_eq!(suggested().await, [("Brannoch Vale".to_owned(), 3)]);
    // A named entry with a part of the name is meant by it.
    subject(&world, "Brannoch", "character", "").await;
    assert_eq!(suggested().await, []);
}
