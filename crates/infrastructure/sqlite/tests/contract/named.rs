//! Named entries: one space of names and aliases a tier, and entries that nothing was written into yet.

use inklings_domain::{
    ids::MemoryId,
    memory::{
        MemoryEntry, MemoryKind,
        filter::{Facet, FacetTerm, MemoryFilter, ScopeFilter, Sort},
    },
    scope::{MemoryScope, Place},
    search::query,
};
use inklings_ports::{
    store_error::StoreError,
    testing::{
        builders::{author, draft, everywhere, new_text},
        oracle,
        random::Dice,
    },
};

use super::{CheckedStage, Stage, model, population::random_filter, refused, together};

async fn named(stage: &Stage, place: Place, name: &str, content: &str) -> MemoryEntry {
    stage.apply(stage.scribe.named(place, name, content)).await
}

async fn with_alias(stage: &Stage, entry: &MemoryEntry, alias: &str) -> MemoryEntry {
    stage.apply(stage.scribe.forced(author(), entry, |e| e.aliases.push(alias.into()))).await
}

async fn names(stage: &Stage) -> Vec<String> {
    let found = stage.store().names().await.expect("names are read");
    let mut names: Vec<String> = found.into_iter().map(|(name, _)| name).collect();
    names.sort();
    names
}

/// Regardless of case: no alias is another entry's name, no name another entry's alias, and no alias is given twice.
#[tokio::test]
async fn names_and_aliases_are_unique_together() {
    let stage = CheckedStage::new().await;
    let voice = named(&stage, Place::Workspace, "VOICE", "Spare.").await;
    with_alias(&stage, &voice, "Tön").await;
    let rules = named(&stage, Place::Workspace, "Rules", "Few.").await;
    for taken in ["voice", "TÖN", "tön"] {
        let (twin, _) = stage.scribe.named(Place::Workspace, taken, "");
        refused!(stage.store().commit(&twin).await, StoreError::AlreadyExists("name"));
        let (renamed, _) = stage.scribe.forced(author(), &rules, |e| e.name = Some(taken.into()));
        refused!(stage.store().commit(&renamed).await, StoreError::AlreadyExists("name"));
        let (aliased, _) = stage.scribe.forced(author(), &rules, |e| e.aliases.push(taken.into()));
        refused!(stage.store().commit(&aliased).await, StoreError::AlreadyExists("name"));
    }
    for doubled in [["rules", "Law"], ["Law", "LAW"]] {
        let doubled = doubled.map(str::to_owned).to_vec();
        let (change, _) = stage.scribe.forced(author(), &rules, |e| e.aliases = doubled);
        refused!(stage.store().commit(&change).await, StoreError::AlreadyExists("name"));
    }
    // Another tier has a space of its own.
    named(&stage, Place::Channel(stage.side.id), "Tön", "Loud.").await;
    assert_eq!(stage.read(rules.id).await.entry, rules);
    assert_eq!(names(&stage).await, ["Rules", "Tön", "Tön", "VOICE"]);
}

/// In the order in which they were given, in every version. A forgotten entry's are free; once they are another's it does
/// not come back.
#[tokio::test]
async fn aliases_are_stored_in_order_and_freed_with_their_entry() {
    let stage = CheckedStage::new().await;
    let voice = named(&stage, Place::Workspace, "VOICE", "Spare.").await;
    let one = with_alias(&stage, &voice, "Zunge \"1\"").await;
    let two = with_alias(&stage, &one, "Air").await;
    assert_eq!(stage.read(voice.id).await.entry.aliases, ["Zunge \"1\"", "Air"]);
    let history = stage.store().history(voice.id).await.expect("history is read");
    assert_eq!(history.iter().map(|v| v.entry.clone()).collect::<Vec<_>>(), [two.clone(), one, voice]);
    let renamed = stage.scribe.forced(author(), &two, |e| {
        e.aliases = vec!["VOICE".into(), "Air".into()];
        e.name = Some("Tone".into());
    });
    let renamed = stage.apply(renamed).await;
    assert_eq!(names(&stage).await, ["Air", "Tone", "VOICE"]);
    let gone = stage.apply(stage.scribe.forget(author(), &renamed)).await;
    assert_eq!(names(&stage).await, Vec::<String>::new());
    named(&stage, Place::Workspace, "AIR", "Thin.").await;
    let (back, _) = stage.scribe.restore(author(), &gone);
    refused!(stage.store().commit(&back).await, StoreError::AlreadyExists("name"));
    assert_eq!(stage.read(gone.id).await.entry, gone);
}

/// A change may take a name from one entry and give it to another, in that order.
#[tokio::test]
async fn one_change_may_move_a_name_to_another_entry() {
    let stage = CheckedStage::new().await;
    let voice = named(&stage, Place::Workspace, "VOICE", "Spare.").await;
    let voice = with_alias(&stage, &voice, "Tone").await;
    let rules = named(&stage, Place::Workspace, "Rules", "Few.").await;
    let (taken, _) = stage.scribe.forced(author(), &voice, |e| e.aliases.clear());
    let (given, _) = stage.scribe.forced(author(), &rules, |e| e.aliases.push("Tone".into()));
    let backwards = together(given.clone(), &taken);
    refused!(stage.store().commit(&backwards).await, StoreError::AlreadyExists("name"));
    stage.commit(&together(taken, &given)).await;
    assert_eq!(stage.read(rules.id).await.entry.aliases, ["Tone"]);
    // Two new entries of one name never fit into one change.
    let (one, _) = stage.scribe.named(Place::Workspace, "Twin", "");
    let (two, _) = stage.scribe.named(Place::Workspace, "twin", "");
    refused!(stage.store().commit(&together(one, &two)).await, StoreError::AlreadyExists("name"));
    assert_eq!(names(&stage).await, ["Rules", "Tone", "VOICE"]);
}

/// By tier, then by name regardless of case; archives and forgotten entries are not among them.
#[tokio::test]
async fn named_entries_are_listed_by_tier_and_name() {
    let stage = CheckedStage::new().await;
    stage.write_one(author(), draft(Place::Workspace, "Without a name.")).await;
    let gone = named(&stage, Place::Workspace, "Gone", "Once.").await;
    stage.apply(stage.scribe.forget(author(), &gone)).await;
    let archive = stage.scribe.named(Place::Workspace, "Old talk", "They talked.").1;
    let (archived, _) =
        stage.scribe.insert_raw(author(), [MemoryEntry { kind: MemoryKind::Archive, ..archive }]);
    stage.commit(&archived).await;
    let mut expected = Vec::new();
    for (place, name, content) in [
        (Place::Workspace, "alpha", "First."),
        (Place::Workspace, "Beta", ""),
        (Place::Workspace, "VOICE", "Spare."),
        (Place::Channel(stage.side.id), "Aside", ""),
        (Place::Conversation(stage.general.id, stage.conversation.id), "a plan", "To the gate."),
    ] {
        expected.push(named(&stage, place, name, content).await);
    }
    let found = stage.store().named().await.expect("named entries are read");
    assert_eq!(found, expected);
    let (change, soul) = stage.scribe.named(Place::Account, "SOUL", "");
    stage.account.memory.store.commit(&change).await.expect("the change is committed");
    let found = stage.account.memory.store.named().await.expect("named entries are read");
    assert_eq!(found, [soul]);
}

struct Seen {
    listed: usize,
    counted: u64,
    facets: u64,
    found: usize,
    pending: usize,
    unembedded: u64,
    in_rooms: u64,
}

async fn seen(stage: &Stage, view: Option<&str>) -> Seen {
    let terms = view.map(|value| FacetTerm { facet: Facet::Forgotten, value: value.into(), negated: false });
    let filter = MemoryFilter { scope_filter: ScopeFilter::EVERYTHING, terms: terms.into_iter().collect() };
    let memory = stage.memory();
    let model = model("contract", 2);
    let listed = memory.store.list(&filter, Sort::UpdatedDesc, None, 100).await.expect("entries are listed");
    let counted = memory.store.count(&filter).await.expect("entries are counted");
    let facets = memory.store.facets(&filter, None).await.expect("facets are counted");
    let sources = facets.into_iter().find(|f| f.facet == Facet::Source).expect("every facet is there");
    let text = query::parse("voice").query;
    let found = memory.search.search_text(&text, &filter, 100).await.expect("search answers");
    let narrow = FacetTerm { facet: Facet::Source, value: "user".into(), negated: false };
    let narrow = MemoryFilter { terms: [filter.terms.clone(), vec![narrow]].concat(), ..filter };
    let narrowed = memory.search.search_text(&text, &narrow, 100).await.expect("search answers");
    assert_eq!(narrowed.len(), found.len());
    let pending = memory.vectors.pending(&model, 100).await.expect("texts are read");
    let embedding = memory.vectors.counts(&model).await.expect("vectors are counted");
    let places = stage.workspace.conversations.channels().await.expect("channels are read");
    let conversation =
        stage.workspace.conversations.conversation_summary(stage.conversation.id).await.expect("it is read");
    Seen {
        listed: listed.len(),
        counted: MemoryScope::ALL.iter().map(|scope| counted.get(*scope)).sum(),
        facets: sources.values.iter().map(|(_, n)| n).sum(),
        found: found.len(),
        pending: pending.len(),
        unembedded: embedding.pending,
        in_rooms: places.iter().map(|r| r.memories).sum::<u64>()
            + conversation.expect("it is there").memories,
    }
}

async fn sees_nothing(stage: &Stage, view: Option<&str>) {
    let Seen { listed, counted, facets, found, pending, unembedded, in_rooms } = seen(stage, view).await;
    let all = (listed, counted, facets, found, pending, unembedded, in_rooms);
    assert_eq!(all, (0, 0, 0, 0, 0, 0, 0), "{view:?}");
}

/// It is in no list, count, facet or search and waits for no vector; by its id, by its name and in history it is there.
#[tokio::test]
async fn an_empty_entry_is_in_no_list_count_or_search() {
    let stage = CheckedStage::new().await;
    let place = Place::Conversation(stage.general.id, stage.conversation.id);
    let blank = named(&stage, place, "VOICE", "").await;
    for view in [None, Some("any"), Some("yes")] {
        sees_nothing(&stage, view).await;
    }
    assert_eq!(stage.read(blank.id).await.entry, blank);
    let named = stage.store().named().await.expect("named entries are read");
    assert_eq!(named, std::slice::from_ref(&blank));
    let written = stage.apply(stage.scribe.edit(author(), &blank, new_text("Spare."))).await;
    let now = seen(&stage, None).await;
    assert_eq!((now.listed, now.counted, now.facets, now.found), (1, 1, 1, 1));
    assert_eq!((now.pending, now.unembedded, now.in_rooms), (1, 1, 2));
    stage.embed(&model("contract", 2), &[(written.clone(), vec![1.0, 0.0])]).await;
    let emptied = stage.apply(stage.scribe.edit(author(), &written, new_text(""))).await;
    sees_nothing(&stage, None).await;
    assert_eq!(stage.read(blank.id).await.embedded_by, None);
    let (model, anywhere) = (model("contract", 2), everywhere(Vec::new()));
    let near = stage.memory().search.search_meaning(&[1.0, 0.0], &model.id, &anywhere, 9).await;
    assert_eq!(near.expect("search answers").len(), 0);
    let forgotten = stage.apply(stage.scribe.forget(author(), &emptied)).await;
    for view in [None, Some("any"), Some("yes")] {
        sees_nothing(&stage, view).await;
    }
    let history = stage.store().history(blank.id).await.expect("history is read");
    let versions: Vec<MemoryEntry> = history.into_iter().map(|version| version.entry).collect();
    assert_eq!(versions, [forgotten, emptied, written, blank]);
}

/// An entry without a name has a text, and no aliases.
#[tokio::test]
async fn only_a_named_entry_is_empty() {
    let stage = CheckedStage::new().await;
    let plain = stage.write_one(author(), draft(Place::Workspace, "Plain.")).await;
    let (empty, _) = stage.scribe.forced(author(), &plain, |e| e.content.clear());
    refused!(stage.store().commit(&empty).await, StoreError::Refused(_));
    let (aliased, _) = stage.scribe.forced(author(), &plain, |e| e.aliases.push("Tone".into()));
    refused!(stage.store().commit(&aliased).await, StoreError::Refused(_));
    let blank = named(&stage, Place::Workspace, "VOICE", "").await;
    let (nameless, _) = stage.scribe.forced(author(), &blank, |e| e.name = None);
    refused!(stage.store().commit(&nameless).await, StoreError::Refused(_));
    assert_eq!(stage.read(plain.id).await.entry, plain);
    assert_eq!(stage.read(blank.id).await.entry, blank);
}

async fn mentioned(stage: &Stage, text: &str, filter: &MemoryFilter) -> Vec<MemoryId> {
    let found = stage.store().mentioned_in(text, filter).await.expect("names are read");
    let mut ids: Vec<MemoryId> = found.into_iter().map(|stored| stored.entry.id).collect();
    ids.sort_unstable();
    ids
}

/// By name or alias, whole words, regardless of case. The filter decides as for any list; forgotten entries and empty ones
/// are not found.
#[tokio::test]
async fn names_in_a_text_are_found_within_the_filter() {
    let stage = CheckedStage::new().await;
    let (mut all, mut text) = (Vec::new(), "Tell me of VESPER GONE, Vesper Blank".to_owned());
    for (n, place) in stage.places().into_iter().enumerate() {
        let made = named(&stage, place, &format!("Vesper {n}"), "She rings the bell.").await;
        let made = with_alias(&stage, &made, &format!("Old Bell {n}")).await;
        all.push(stage.read(made.id).await);
        text = format!("{text}, vesper-{n}");
    }
    let gone = named(&stage, Place::Workspace, "Vesper Gone", "Once.").await;
    stage.apply(stage.scribe.forget(author(), &gone)).await;
    named(&stage, Place::Workspace, "Vesper Blank", "").await;
    let anywhere = everywhere(Vec::new());
    assert_eq!(mentioned(&stage, "Who is \"old  bell 3\"?", &anywhere).await, [all[3].entry.id]);
    for unnamed in ["", "vesper", "Vesper 33", "bell 3", "3 Vesper"] {
        assert_eq!(mentioned(&stage, unnamed, &anywhere).await, [], "{unnamed}");
    }
    let mut dice = Dice::new(20);
    for _ in 0..150 {
        let filter = random_filter(&mut dice, &stage);
        let expected = all.iter().filter(|stored| oracle::lets_through(&filter, stored));
        let mut expected: Vec<MemoryId> = expected.map(|stored| stored.entry.id).collect();
        expected.sort_unstable();
        assert_eq!(mentioned(&stage, &text, &filter).await, expected, "{filter:?}");
    }
}
