//! What memories were made of: written by every way in, checked when a caller claims it, and read for whoever may see it.

use std::sync::Arc;

use inklings_application::{
    conversation::summarise::Extractive,
    derivation::{Provenance, SourceReader},
    error::{AppError, GuardRefusal},
    extraction::Helpers,
    memory::import::{ImportItem, Lines},
    proposal::subject,
    testing::world::everything,
    turn::{TurnSink, stopper},
};
use inklings_domain::{
    consolidation::run::RunTrigger,
    conversation::{Conversation, message::Role},
    derivation::{
        Derivation,
        axes::{LifecycleAxis, OriginAxis, SourceState, StandingAxis},
    },
    fact::Assertion,
    ids::{MemoryId, MessageId},
    memory::{
        MemoryDraft, MemoryEntry, MemoryKind, Origin,
        filter::{ScopeFilter, Sort},
    },
    proposal::{Decision, ProposalDraft, ProposalKind},
    provenance::{Curator, Interface},
    scope::Place,
};
use inklings_ports::{
    model::chat::ChatModel,
    testing::{
        builders::{agent, author, draft, import, new_text, task},
        chat::{Play, ScriptedModel},
    },
};

use crate::support::World;

struct Unheard;

impl TurnSink for Unheard {
    fn text(&self, _message: MessageId, _piece: &str, _length: usize) {}
    fn tool(&self, _message: MessageId, _name: &str) {}
}

async fn all(world: &World) -> Vec<MemoryEntry> {
    let page =
        world.session.memories().list(&everything(), Sort::CreatedAsc, None, 500).await.expect("a list");
    page.entries.into_iter().map(|stored| stored.entry).collect()
}

async fn worked_up(world: &World, conversation: &Conversation, model: Option<Arc<dyn ChatModel>>) {
    world.session.conversations().set_idle(conversation.id).await.expect("ended");
    let helpers = Helpers { summariser: &Extractive, model };
    world
        .session
        .extraction()
        .pending(&helpers, RunTrigger::Closed, Interface::Task)
        .await
        .expect("worked up");
}

async fn turn(world: &World, conversation: &Conversation, arguments: String) {
    let plays = [Play::Calls("memory_put", arguments), Play::Says(vec!["Noted."])];
    let model: Arc<dyn ChatModel> = Arc::new(ScriptedModel::new(plays));
    let (_stopper, stop) = stopper();
    world.session.turns().answer(conversation, &model, &stop, &Unheard, author()).await.expect("answered");
}

async fn provenance(world: &World, id: MemoryId) -> Provenance {
    let entry = world.entry(id).await;
    world.session.derivations().of_one(&entry, SourceReader::Author).await.expect("reads")
}

#[tokio::test]
async fn what_is_extracted_or_carried_over_names_the_messages_and_the_entry() {
    let world = World::new().await;
    // Extraction by rules, and an entry of the conversation that is carried over.
    let conversation = world.conversation().await;
    let message = world
        .say(&conversation, Role::User, "From now on the harbour of Veyra freezes every third winter.")
        .await;
    let own = Place::Conversation(conversation.channel_id, conversation.id);
    let noted = world
        .remember(
            MemoryDraft { importance: 0.9, ..draft(own, "Mira hid the ledger under the quay.") },
            agent(),
        )
        .await;
    worked_up(&world, &conversation, None).await;
    let made = all(&world).await;
    let of = |text: &str| made.iter().find(|entry| entry.content.contains(text)).expect("made").clone();
    assert_eq!(of("freezes every third").derivations, [Derivation::Message(message.id())]);
    let carried = of("ledger under the quay");
    assert_eq!(carried.derivations, [Derivation::Memory { id: noted, version: 1 }]);

    // Extraction by a model.
    let conversation = world.conversation().await;
    let message =
        world.say(&conversation, Role::User, "The council decided that the lighthouse stays dark.").await;
    world.say(&conversation, Role::Assistant, "I see.").await;
    let answer = r#"[{"kind": "decision", "text": "The lighthouse stays dark by decision of the council."}]"#;
    let model: Arc<dyn ChatModel> = Arc::new(ScriptedModel::new([Play::Says(vec![answer])]));
    worked_up(&world, &conversation, Some(model)).await;
    let made = all(&world).await;
    let of = |text: &str| made.iter().find(|entry| entry.content.contains(text)).expect("made").clone();
    assert_eq!(of("by decision of the council").derivations, [Derivation::Message(message.id())]);
}

#[tokio::test]
async fn what_the_world_agent_writes_names_the_message_it_answers_and_an_archive_names_its_messages() {
    let world = World::new().await;
    let session = &world.session;

    // The World Agent in a turn.
    let conversation = world.conversation().await;
    let message = world.say(&conversation, Role::User, "What would the miller do about the flood?").await;
    turn(
        &world,
        &conversation,
        r#"{"tier": "workspace", "content": "The miller would open the sluice."}"#.to_owned(),
    )
    .await;
    let made = all(&world).await;
    let of = |text: &str| made.iter().find(|entry| entry.content.contains(text)).expect("made").clone();
    assert_eq!(of("open the sluice").derivations, [Derivation::Message(message.id())]);

    // An archive.
    let conversation = world.conversation().await;
    for n in 0..6 {
        world
            .say(
                &conversation,
                Role::User,
                &format!("In the year {} the captain Oskar Lind counted ships.", 1400 + n),
            )
            .await;
    }
    session
        .compaction()
        .compact(&conversation, Some(2), None, &Extractive, author())
        .await
        .expect("compacted");
    let archive =
        all(&world).await.into_iter().find(|entry| entry.kind == MemoryKind::Archive).expect("made");
    assert_eq!(archive.derivations.len(), 4);
    assert!(archive.derivations.iter().all(|source| matches!(source, Derivation::Message(_))));
}

#[tokio::test]
async fn merged_and_imported_texts_name_their_originals_and_their_file() {
    let world = World::new().await;
    let session = &world.session;
    let (one, two) = (
        world.write(Place::Workspace, "The bell tower leans north.").await,
        world.write(Place::Workspace, "The bell tower has nine steps.").await,
    );
    let merge = ProposalDraft {
        kind: ProposalKind::Merge,
        reason: "a test".into(),
        subjects: vec![
            subject(&world.entry(one).await).expect("in use"),
            subject(&world.entry(two).await).expect("in use"),
        ],
        content: Some("The bell tower leans north and has nine steps.".into()),
        makes: None,
        conversation: None,
        derivations: Vec::new(),
    };
    let filed = session.proposals().propose(merge, task(), None).await.expect("filed").expect("new");
    session.proposals().decide(filed.id, Decision::Accept, author()).await.expect("accepted");
    let merged =
        all(&world).await.into_iter().find(|entry| entry.content.contains("and has nine")).expect("made");
    let mut originals =
        [Derivation::Memory { id: one, version: 1 }, Derivation::Memory { id: two, version: 1 }];
    originals.sort();
    assert_eq!(merged.derivations, originals);

    // Lines of a file.
    let file = Derivation::file("lore.jsonl", "a".repeat(64));
    let item = ImportItem {
        line: 1,
        title: None,
        keys: Vec::new(),
        content: "The orchard burned twice.".into(),
        origin: Origin { external_id: Some("1".into()), ..Origin::default() },
        tags: Vec::new(),
        importance: None,
    };
    let lines = Lines { source: "jsonl", file: file.clone(), pick_all: false };
    session.memory_imports().import(Place::Workspace, lines, vec![item], import()).await.expect("imported");

    let typed: Vec<_> = all(&world).await.into_iter().filter(|entry| entry.derivations.is_empty()).collect();
    assert!(typed.iter().all(|entry| entry.curator == Curator::Author), "{typed:?}");
    let imported =
        all(&world).await.into_iter().find(|entry| entry.content.contains("orchard")).expect("made");
    assert_eq!(imported.derivations, file.into_iter().collect::<Vec<_>>());
}

#[tokio::test]
async fn a_text_that_the_worldbuilder_types_anew_has_no_source_and_undo_brings_the_sources_back() {
    let world = World::new().await;
    let source = world.write(Place::Workspace, "The well of Oru is dry.").await;
    let made = vec![world.entry(source).await.as_source()];
    let id = world
        .remember(
            MemoryDraft { derivations: made.clone(), ..draft(Place::Workspace, "Oru has no water.") },
            agent(),
        )
        .await;
    let tagged = inklings_ports::testing::builders::new_tags(&["water"]);
    world.session.memories().edit(id, 1, tagged, author()).await.expect("tagged");
    assert_eq!(world.entry(id).await.derivations, made, "the text stays, and so do its sources");
    let rewritten = world.session.memories().edit(id, 2, new_text("Oru is a salt desert."), author()).await;
    assert_eq!(world.entry(id).await.derivations, []);
    world.session.memories().undo_change(rewritten.expect("edited").change, author()).await.expect("undone");
    assert_eq!(world.entry(id).await.derivations, made);
}

#[tokio::test]
async fn a_claimed_source_is_refused_if_it_does_not_hold_the_words_or_may_not_be_read() {
    let world = World::new().await;
    let derivations = world.session.derivations();
    let source = world.write(Place::Workspace, "Saltmere was founded by Mira Vance in 412.").await;
    let claim = |id: MemoryId| [format!("memory:{id}")];
    let held = derivations.named("Mira Vance founded Saltmere in 412.", &claim(source)).await.expect("held");
    assert_eq!(held, [Derivation::Memory { id: source, version: 1 }]);
    let other = derivations.named("The king of Arden fears the sea.", &claim(source)).await;
    assert!(matches!(other, Err(AppError::Guard(GuardRefusal::NotInSource))), "{other:?}");
    for unknown in
        ["memory:00000000-0000-7000-8000-00000000ffff", "page:00000000-0000-7000-8000-00000000ffff"]
    {
        let missing = derivations.named("Mira Vance founded Saltmere.", &[unknown.to_owned()]).await;
        assert!(matches!(missing, Err(AppError::NotFound { what: "source", .. })), "{missing:?}");
    }
    let nonsense = derivations.named("x", &["dream:1".to_owned()]).await;
    assert!(matches!(nonsense, Err(AppError::Input { field: "sources", .. })), "{nonsense:?}");

    // The World Agent sees no other conversation, so it cannot name one: its answer is that of a missing source.
    let (here, elsewhere) = (world.conversation().await, world.conversation().await);
    let secret = world.say(&elsewhere, Role::User, "The vault code is four swans.").await;
    world.say(&here, Role::User, "Note something.").await;
    let call = format!(
        r#"{{"tier": "workspace", "content": "The vault code is four swans.", "sources": ["message:{}"]}}"#,
        secret.id()
    );
    turn(&world, &here, call).await;
    let answer =
        world.transcript(&here).await.into_iter().find(|(role, ..)| *role == Role::Tool).expect("called").1;
    assert!(answer.contains("source") && answer.contains("error"), "{answer}");
    assert!(!all(&world).await.iter().any(|entry| entry.content.contains("swans")));
}

#[tokio::test]
async fn the_axes_follow_what_becomes_of_the_sources_and_hidden_sources_are_not_counted() {
    let world = World::new().await;
    let source = world.write(Place::Workspace, "The well of Oru is dry.").await;
    let fact = world
        .session
        .facts()
        .assert(Assertion::new("Oru", "water", "none", None).expect("valid"), author())
        .await
        .expect("set");
    let fact = Derivation::Fact { id: fact.fact.fact.id, version: 1 };
    let made = vec![world.entry(source).await.as_source(), fact];
    let id = world
        .remember(MemoryDraft { derivations: made, ..draft(Place::Workspace, "Oru has no water.") }, agent())
        .await;
    let found = provenance(&world, id).await;
    assert_eq!(found.axes.origin, OriginAxis::AgentProduced);
    assert_eq!((found.axes.lifecycle, found.axes.standing), (LifecycleAxis::Active, StandingAxis::Current));
    assert_eq!(found.sources.len(), 2);
    assert_eq!(provenance(&world, source).await.axes.built_on, 1);

    let tagged = inklings_ports::testing::builders::new_tags(&["water"]);
    world.session.memories().edit(source, 1, tagged, author()).await.expect("tagged");
    assert_eq!(provenance(&world, id).await.axes.standing, StandingAxis::Current, "a tag says nothing else");
    world
        .session
        .memories()
        .edit(source, 2, new_text("The well of Oru is full."), author())
        .await
        .expect("edited");
    let found = provenance(&world, id).await;
    assert_eq!(found.axes.standing, StandingAxis::Changed);
    let states: Vec<_> = found.sources.iter().map(|source| source.state).collect();
    assert!(states.contains(&SourceState::Changed) && states.contains(&SourceState::Current));

    // Whoever sees the account alone is told of no source.
    let account = ScopeFilter::of(Place::Account);
    let entry = world.entry(id).await;
    let reader = SourceReader::Agent(&account);
    let hidden = world.session.derivations().of_one(&entry, reader).await.expect("reads");
    assert_eq!((hidden.sources, hidden.axes.standing), (Vec::new(), StandingAxis::Current));

    world.session.memories().forget(&[source], "gone", author()).await.expect("forgotten");
    let found = provenance(&world, id).await;
    assert!(found.sources.iter().any(|source| source.state == SourceState::Gone && source.label.is_none()));
    assert_eq!(found.axes.standing, StandingAxis::Current, "the fact still stands");
}
