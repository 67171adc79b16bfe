//! Full-text search and its highlights. A store may stem words; no check forbids or asks for it.

use inklings_domain::{
    ids::MemoryId,
    memory::{
        MemoryEntry,
        filter::{Facet, MemoryFilter, ScopeFilter, Selection},
    },
    scope::{MemoryScope, Place},
    search::query::{self, Clause, TextQuery},
    words::words,
};
use inklings_ports::{
    search::store::ListHit,
    testing::{
        builders::{author, draft, everywhere, except, new_text, only},
        oracle,
        random::Dice,
    },
};

use super::{CheckedStage, Stage, population};

async fn search(stage: &Stage, query: &TextQuery, filter: &MemoryFilter, limit: usize) -> Vec<ListHit> {
    let hits = stage.memory().search.search_text(query, filter, limit).await.expect("search answers");
    assert!(hits.len() <= limit, "{} hits where {limit} were asked for", hits.len());
    assert!(hits.is_sorted_by(|a, b| a.score >= b.score), "the best come first");
    hits
}

/// The ids found for what somebody typed, best first.
pub async fn found(stage: &Stage, typed: &str) -> Vec<MemoryId> {
    let hits = search(stage, &query::parse(typed).query, &everywhere(Vec::new()), 50).await;
    hits.into_iter().map(|hit| hit.id).collect()
}

pub async fn finds(stage: &Stage, typed: &str, expected: &[&MemoryEntry]) {
    let mut hits = found(stage, typed).await;
    hits.sort_unstable();
    assert_eq!(hits, super::ids(expected.iter().copied()), "{typed}");
}

pub async fn notes<const N: usize>(stage: &Stage, contents: [&str; N]) -> Vec<MemoryEntry> {
    stage.write(author(), contents.map(|content| draft(Place::Workspace, content))).await
}

/// A clause of whole words.
fn clause(words: &[&str], prefix: bool) -> Clause {
    Clause { words: words.iter().map(|w| (*w).to_owned()).collect(), prefix }
}

/// Words next to punctuation, in any case, in the middle of a text.
#[tokio::test]
async fn words_are_found_regardless_of_case() {
    let stage = CheckedStage::new().await;
    let made =
        notes(&stage, ["The IRON gate.", "(iron)", "Something about salt.", "Ein Eisenherz, Überall"]).await;
    finds(&stage, "Iron", &[&made[0], &made[1]]).await;
    finds(&stage, "überall", &[&made[3]]).await;
    finds(&stage, "dragon", &[]).await;
}

/// An entry is found by its name, too.
#[tokio::test]
async fn names_are_searched_too() {
    let stage = CheckedStage::new().await;
    let made = notes(&stage, ["Write plainly.", "Write in rhymes."]).await;
    let named = stage.scribe.forced(author(), &made[0], |e| e.name = Some("Narrator".into()));
    let named = stage.apply(named).await;
    finds(&stage, "narrator", &[&named]).await;
    let nameless = stage.apply(stage.scribe.forced(author(), &named, |e| e.name = None)).await;
    finds(&stage, "narrator", &[]).await;
    finds(&stage, "plainly", &[&nameless]).await;
}

/// Of texts of one length, the one with more of the words comes first.
#[tokio::test]
async fn the_more_words_match_the_better() {
    let stage = CheckedStage::new().await;
    let made = notes(
        &stage,
        ["mira guards harbour town alone", "mira guards castle town alone", "toma paints castle walls alone"],
    )
    .await;
    let any = TextQuery::Any(vec![
        clause(&["mira"], false),
        clause(&["guards"], false),
        clause(&["castle"], false),
    ]);
    let hits = search(&stage, &any, &everywhere(Vec::new()), 50).await;
    let order: Vec<MemoryId> = hits.iter().map(|hit| hit.id).collect();
    assert_eq!(order, [made[1].id, made[0].id, made[2].id]);
}

/// A word that few entries have tells more than one that many have.
#[tokio::test]
async fn the_rarer_word_weighs_more() {
    let stage = CheckedStage::new().await;
    // In the middle, so that neither the oldest nor the newest wins by chance.
    let many = || (0..10).map(|n| draft(Place::Workspace, &format!("gate number {n}")));
    stage.write(author(), many()).await;
    let rare = notes(&stage, ["dragon number 99"]).await;
    stage.write(author(), many()).await;
    let any = TextQuery::Any(vec![clause(&["gate"], false), clause(&["dragon"], false)]);
    let hits = search(&stage, &any, &everywhere(Vec::new()), 1).await;
    assert_eq!(hits[0].id, rare[0].id);
}

/// The words of a phrase stand side by side in their order.
#[tokio::test]
async fn phrases_are_found_in_their_order() {
    let stage = CheckedStage::new().await;
    let made = notes(
        &stage,
        [
            "Behind the salt gate lies the sea.",
            "The gate salt is white.",
            "Salt lies at the gate.",
            "The Salt-Gate, again.",
        ],
    )
    .await;
    finds(&stage, "\"salt gate\"", &[&made[0], &made[3]]).await;
    finds(&stage, "\"salt gate lies\"", &[&made[0]]).await;
    finds(&stage, "\"gate lies salt\"", &[]).await;
}

/// A word that is being typed finds what it may become.
#[tokio::test]
async fn the_last_word_matches_as_a_prefix() {
    let stage = CheckedStage::new().await;
    let made =
        notes(&stage, ["A dragonfly.", "The dragon king.", "A dram of gin.", "Salt dragged north."]).await;
    finds(&stage, "drag*", &[&made[0], &made[1], &made[3]]).await;
    finds(&stage, "drago", &[&made[0], &made[1]]).await;
    let open_phrase = TextQuery::Any(vec![clause(&["dragon", "ki"], true)]);
    let hits = search(&stage, &open_phrase, &everywhere(Vec::new()), 50).await;
    assert_eq!(hits.iter().map(|h| h.id).collect::<Vec<_>>(), [made[1].id]);
}

/// `OR`, `-word`, and several words that must all be there.
#[tokio::test]
async fn alternatives_and_exclusions_are_applied() {
    let stage = CheckedStage::new().await;
    let made = notes(
        &stage,
        ["Mira at the bridge.", "Mira at the tower.", "Toma at the bridge.", "Nobody at the well."],
    )
    .await;
    finds(&stage, "mira -bridge", &[&made[1]]).await;
    finds(&stage, "mira AND bridge", &[&made[0]]).await;
    finds(&stage, "mira OR toma", &[&made[0], &made[1], &made[2]]).await;
    finds(&stage, "bridge mira OR toma -tower", &[&made[0], &made[2]]).await;
    finds(&stage, "mira NOT \"at the tower\"", &[&made[0]]).await;
    finds(&stage, "mira -mira", &[]).await;
}

/// What has no words is found by its characters, and so is a script without spaces between words.
#[tokio::test]
async fn symbols_and_unspaced_scripts_are_found() {
    let stage = CheckedStage::new().await;
    let made =
        notes(&stage, ["A 🐉 sleeps.", "世界の門は閉じている。", "100 % iron_ore", "x^2 :-) done"]).await;
    finds(&stage, "🐉", &[&made[0]]).await;
    finds(&stage, "世界の門", &[&made[1]]).await;
    finds(&stage, "門", &[&made[1]]).await;
    finds(&stage, "%", &[&made[2]]).await;
    finds(&stage, "_", &[&made[2]]).await;
    finds(&stage, ":-)", &[&made[3]]).await;
    finds(&stage, "🦄", &[]).await;
}

/// `%`, `_`, `*`, `?`, `\` stand for themselves.
#[tokio::test]
async fn wildcards_of_the_database_are_literals() {
    let stage = CheckedStage::new().await;
    let made = notes(&stage, ["Plain words.", "One \\ slash", "Star * light", "What? Now!", "[a-z]"]).await;
    finds(&stage, "%%", &[]).await;
    finds(&stage, "\\", &[&made[1]]).await;
    finds(&stage, "*", &[&made[2]]).await;
    finds(&stage, "?", &[&made[3]]).await;
    finds(&stage, "[", &[&made[4]]).await;
}

/// The limit cuts what is reachable, not what there is.
#[tokio::test]
async fn the_limit_of_text_search_applies_within_the_scope_filter() {
    let stage = CheckedStage::new().await;
    let elsewhere = (0..60).map(|_| draft(Place::Channel(stage.general.id), "gate gate gate"));
    stage.write(author(), elsewhere).await;
    let weak = "A long text about many other things, and at its very end about a gate.";
    let mut near = Vec::new();
    for place in
        [Place::Channel(stage.side.id), Place::Conversation(stage.side.id, stage.side_conversation.id)]
    {
        near.push(stage.write_one(author(), draft(place, weak)).await);
    }
    let any = TextQuery::Any(vec![clause(&["gate"], false)]);
    let literal = TextQuery::Literal("gate".into());
    for query in [any, literal] {
        let side = MemoryFilter::active(ScopeFilter {
            account: false,
            workspace: false,
            ..ScopeFilter::new(&[], Some(stage.side.id), None)
        });
        let hits = search(&stage, &query, &side, 2).await;
        let mut ids: Vec<MemoryId> = hits.iter().map(|h| h.id).collect();
        ids.sort_unstable();
        assert_eq!(ids, super::ids(&near));
        let one = Selection::Only(vec![stage.side_conversation.id]);
        let conversation = MemoryFilter::active(ScopeFilter {
            channels: Selection::None,
            conversations: one,
            ..side.scope_filter.clone()
        });
        let hits = search(&stage, &query, &conversation, 1).await;
        assert_eq!(hits.iter().map(|h| h.id).collect::<Vec<_>>(), [near[1].id]);
        let account = MemoryFilter::active(ScopeFilter::new(&[MemoryScope::Account], None, None));
        assert_eq!(search(&stage, &query, &account, 5).await, []);
    }
}

/// Random filters: what is found is what the filter lets through of what answers.
#[tokio::test]
async fn text_search_respects_every_filter() {
    let stage = CheckedStage::new().await;
    let all = population::populate(&stage, 21, 80).await;
    let mut dice = Dice::new(22);
    for typed in ["mira", "\"iron gate\"", "river OR salt -dragon", "br*"] {
        let query = query::parse(typed).query;
        for _ in 0..15 {
            let filter = population::random_filter(&mut dice, &stage);
            let mut ids: Vec<MemoryId> =
                search(&stage, &query, &filter, 500).await.into_iter().map(|h| h.id).collect();
            ids.sort_unstable();
            let expected =
                all.iter().filter(|r| oracle::lets_through(&filter, r) && oracle::answers(&r.entry, &query));
            assert_eq!(ids, super::ids(expected.map(|r| &r.entry)), "{typed} with {filter:?}");
        }
    }
}

/// By default only entries in use; "yes" finds the forgotten ones, "any" both.
#[tokio::test]
async fn forgotten_entries_are_not_found_unless_asked_for() {
    let stage = CheckedStage::new().await;
    let made = notes(&stage, ["The gate is iron.", "The gate is oak."]).await;
    let gone = stage.apply(stage.scribe.forget(author(), &made[0])).await;
    let query = query::parse("gate").query;
    for (terms, expected) in [
        (vec![], vec![&made[1]]),
        (vec![only(Facet::Forgotten, "yes")], vec![&gone]),
        (vec![only(Facet::Forgotten, "any")], vec![&gone, &made[1]]),
        (vec![only(Facet::Forgotten, "any"), except(Facet::Curator, "author")], vec![]),
    ] {
        let mut ids: Vec<MemoryId> =
            search(&stage, &query, &everywhere(terms.clone()), 50).await.into_iter().map(|h| h.id).collect();
        ids.sort_unstable();
        assert_eq!(ids, super::ids(expected), "{terms:?}");
    }
    let back = stage.apply(stage.scribe.restore(author(), &gone)).await;
    finds(&stage, "iron", &[&back]).await;
}

/// Old words lead nowhere, new ones to the entry; a change of tags changes nothing.
#[tokio::test]
async fn an_edit_changes_what_is_found() {
    let stage = CheckedStage::new().await;
    let made = notes(&stage, ["The gate is iron."]).await;
    let edited = stage.apply(stage.scribe.edit(author(), &made[0], new_text("The bridge is oak."))).await;
    finds(&stage, "iron", &[]).await;
    finds(&stage, "oak", &[&edited]).await;
    let tagged = stage
        .apply(stage.scribe.edit(author(), &edited, inklings_ports::testing::builders::new_tags(&["tag"])))
        .await;
    finds(&stage, "oak", &[&tagged]).await;
}

/// Tier, importance, uses and exemption as they are now.
#[tokio::test]
async fn hits_by_text_contain_the_inputs_of_decay() {
    let stage = CheckedStage::new().await;
    let all = population::populate(&stage, 23, 60).await;
    let hits = search(&stage, &query::parse("mira OR gate").query, &everywhere(Vec::new()), 500).await;
    assert!(!hits.is_empty());
    for hit in hits {
        let row = all.iter().find(|r| r.entry.id == hit.id).expect("a known entry");
        assert_eq!(hit.decay, row.entry.decay_inputs());
        assert!(hit.score.is_finite());
    }
}

/// Quotes, operators, wildcards, emoji, ten thousand characters: an answer, never an error.
#[tokio::test]
async fn any_string_is_a_valid_query() {
    let stage = CheckedStage::new().await;
    let made = notes(&stage, ["The iron gate.", "NEAR AND OR NOT \" ' ( ) * ^ : - + { } [ ]"]).await;
    let ids = super::ids(&made);
    let mut typed: Vec<String> = [
        "\"",
        "\"\"",
        "\"\"\"",
        "'",
        "''",
        "\"iron",
        "iron\"",
        "iron\" gate",
        "(",
        ")",
        "((iron",
        "*",
        "iron*",
        "**",
        "^iron",
        "^",
        ":",
        "content:iron",
        "name:",
        "reach:active",
        "sworkspace",
        "active",
        "-",
        "--",
        "-iron",
        "NOT",
        "AND",
        "OR",
        "NEAR",
        "NEAR(iron gate)",
        "iron NEAR/2 gate",
        "iron AND",
        "OR iron",
        "NOT NOT iron",
        "%",
        "_",
        "%_*\"()^:-",
        "{iron}",
        "+iron",
        "iron + gate",
        "a\u{301}",
        "🐉",
        "👩‍🚀",
        "\u{202E}iron",
        "\u{0}",
        "\t\n",
        "';--",
        "iron\u{0}gate",
        "世界",
        "שלום",
        "ß",
        "İ",
        "\u{FEFF}",
    ]
    .map(str::to_owned)
    .to_vec();
    typed.push("iron ".repeat(2_000));
    typed.push("x".repeat(10_000));
    typed.push("\"".repeat(10_000));
    typed.push((0..500).map(|n| format!("w{n}")).collect::<Vec<_>>().join(" "));
    let mut dice = Dice::new(24);
    let pieces =
        ["iron", "gate", "\"", "*", "-", "(", ")", " ", " OR ", " NOT ", ":", "^", "é", "🐉", "'", "%"];
    for _ in 0..150 {
        typed.push((0..dice.below(9)).map(|_| *dice.pick(&pieces)).collect());
    }
    for typed in typed {
        let query = query::parse(&typed).query;
        let filter = everywhere(Vec::new());
        let hits = stage.memory().search.search_text(&query, &filter, 10).await;
        assert!(hits.is_ok(), "{typed:.80?} as {query:.200?}: {hits:?}");
        let spans = stage.memory().search.highlights(&query, &ids).await;
        assert!(spans.is_ok(), "{typed:.80?} as {query:.200?}: {spans:?}");
    }
    finds(&stage, "reach:active", &[]).await;
    finds(&stage, "sworkspace", &[]).await;
}

/// An empty query has no answer; a limit of 0 neither.
#[tokio::test]
async fn an_empty_query_or_limit_finds_nothing() {
    let stage = CheckedStage::new().await;
    notes(&stage, ["The iron gate."]).await;
    let filter = everywhere(Vec::new());
    assert_eq!(search(&stage, &TextQuery::Nothing, &filter, 10).await, []);
    assert_eq!(search(&stage, &TextQuery::Any(Vec::new()), &filter, 10).await, []);
    assert_eq!(search(&stage, &query::parse("iron").query, &filter, 0).await, []);
}

/// The highlighted pieces of an entry's content, having checked that they are well formed.
pub async fn highlighted(stage: &Stage, query: &TextQuery, entry: &MemoryEntry) -> Vec<String> {
    let all = stage.memory().search.highlights(query, &[entry.id]).await.expect("highlights are found");
    assert!(all.iter().all(|h| h.id == entry.id) && all.len() <= 1);
    let spans = all.into_iter().next().map(|h| h.spans).unwrap_or_default();
    assert!(spans.is_sorted_by(|a, b| a.end <= b.start), "rising, not overlapping: {spans:?}");
    let piece = |span: &std::ops::Range<usize>| {
        let piece = entry.content.get(span.clone());
        piece.unwrap_or_else(|| panic!("{span:?} is not on character boundaries")).to_owned()
    };
    spans.iter().map(piece).collect()
}

/// Single words, between characters of many bytes.
#[tokio::test]
async fn highlights_cover_the_words_and_nothing_else() {
    let stage = CheckedStage::new().await;
    let made =
        notes(&stage, ["Ünder the 🐉 IRON gate: iron, Ä iron🐉 — ironwood, environ", "Nothing here."]).await;
    let word = TextQuery::Any(vec![clause(&["iron"], false), clause(&["dragon"], false)]);
    assert_eq!(highlighted(&stage, &word, &made[0]).await, ["IRON", "iron", "iron"]);
    assert_eq!(highlighted(&stage, &word, &made[1]).await, [""; 0]);
    let without = query::parse("iron -nothing").query;
    assert_eq!(highlighted(&stage, &without, &made[0]).await.len(), 3);
    let open = TextQuery::Any(vec![clause(&["ün"], true)]);
    let pieces = highlighted(&stage, &open, &made[0]).await;
    assert!(pieces.len() == 1 && pieces[0].starts_with("Ün"), "{pieces:?}");
}

/// A phrase as a whole, in one piece or word by word; its words elsewhere stay plain.
#[tokio::test]
async fn highlights_cover_phrases() {
    let stage = CheckedStage::new().await;
    let made = notes(&stage, ["A gate. The salt gate, and salt, and the Salt-Gate."]).await;
    let phrase = TextQuery::All { groups: vec![vec![clause(&["salt", "gate"], false)]], without: vec![] };
    let pieces = highlighted(&stage, &phrase, &made[0]).await.join(" ");
    assert_eq!(words(&pieces), ["salt", "gate", "salt", "gate"]);
}

/// Emoji of several code points, and scripts without spaces.
#[tokio::test]
async fn highlights_of_symbols_are_on_character_boundaries() {
    let stage = CheckedStage::new().await;
    let made = notes(&stage, ["ÄÖ 🐉🐉 世界の門。門 İß"]).await;
    for (typed, expected) in [("🐉", 2), ("門", 2), ("世界の門", 1)] {
        let pieces = highlighted(&stage, &query::parse(typed).query, &made[0]).await;
        assert_eq!(pieces.concat(), typed.repeat(expected), "{typed}");
    }
}
