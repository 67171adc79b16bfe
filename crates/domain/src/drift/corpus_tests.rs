//! Measures what is found on pairs of invented sentences.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, TimeZone, Utc};
use uuid::Uuid;

use super::{Contradiction, Item, Source, find};
use crate::{
    calendar::span::Span,
    fact::{Fact, FactKey, FactSource},
    ids::{ChangeId, FactId, MemoryId},
    memory::{MemoryDraft, MemoryEntry, Stamp},
    provenance::{Actor, ActorKind, Interface},
    scope::{MemoryLifetime, Place},
};

/// The pairs that the rules were written with.
const TUNED: &str = include_str!("corpus/tuned.tsv");
/// The pairs that were looked at in total only.
const HELD_OUT: &str = include_str!("corpus/held_out.tsv");

struct Pair {
    contradicts: bool,
    kind: &'static str,
    canon: &'static str,
    statement: &'static str,
}

fn pairs(file: &'static str) -> Vec<Pair> {
    let pair = |line: &'static str| {
        let [sign, kind, canon, statement] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        Pair { contradicts: sign == "+", kind, canon, statement }
    };
    file.lines().map(pair).collect()
}

fn at(n: u32) -> DateTime<Utc> {
    Utc.timestamp_opt(1_700_000_000 + i64::from(n), 0).single().expect("a valid time")
}

/// "Mira / eyes = grey" is a fact, "[Mira] Text" the page of a subject, everything else a note.
fn source(text: &str, n: u32, kind: ActorKind) -> Source {
    let uuid = Uuid::from_u128(u128::from(n) + 1);
    if let Some(((category, key), value)) =
        text.split_once(" = ").and_then(|(left, value)| Some((left.split_once(" / ")?, value)))
    {
        let fact = Fact {
            id: FactId::from_uuid(uuid),
            key: FactKey::new(category, key).expect("a key"),
            value: value.to_owned(),
            span: Span::ALWAYS,
            known_by: Vec::new(),
            source: FactSource::of(kind),
            conversation: None,
            created_at: at(n),
            updated_at: at(n),
            version: 1,
            removed_at: None,
        };
        return Source::of_fact(&fact).expect("it stands");
    }
    let (name, content) = match text.strip_prefix('[').and_then(|rest| rest.split_once("] ")) {
        Some((name, content)) => (Some(name.to_owned()), content),
        None => (None, text),
    };
    let draft = MemoryDraft {
        place: Place::Workspace,
        lifetime: MemoryLifetime::LongTerm,
        source: "test".into(),
        title: None,
        keys: Vec::new(),
        content: content.to_owned(),
        importance: 0.5,
        tags: Vec::new(),
        origin: None,
        derivations: Vec::new(),
    };
    let actor =
        Actor::new(kind, Interface::Task, None).or_else(|_| Actor::new(kind, Interface::Window, None));
    let stamp = Stamp { change: ChangeId::from_uuid(uuid), actor: actor.expect("an interface"), at: at(n) };
    let entry = MemoryEntry::create(MemoryId::from_uuid(uuid), draft, stamp).expect("a valid text");
    let subject = name.as_ref().map(|_| "character".to_owned());
    Source::of_entry(&MemoryEntry { name, subject, ..entry }).expect("it stands")
}

fn sources(pairs: &[Pair]) -> Vec<Source> {
    let mut all = Vec::new();
    for pair in pairs {
        let n = u32::try_from(all.len()).expect("few");
        all.push(source(pair.canon, n, ActorKind::Author));
        all.push(source(pair.statement, n + 1, ActorKind::Agent));
    }
    all
}

fn found(sources: &[Source]) -> Vec<Contradiction> {
    let fresh: BTreeSet<Item> = sources.iter().map(|source| source.side.item).collect();
    find(sources, &fresh)
}

#[derive(Debug, Default, Clone, Copy)]
struct Figures {
    found: usize,
    false_alarms: usize,
    missed: usize,
}

impl Figures {
    fn precision(self) -> f64 {
        self.found as f64 / (self.found + self.false_alarms).max(1) as f64
    }

    fn recall(self) -> f64 {
        self.found as f64 / (self.found + self.missed).max(1) as f64
    }
}

fn measure(file: &'static str, show: bool) -> Figures {
    let mut all = Figures::default();
    let mut by_kind: BTreeMap<&str, Figures> = BTreeMap::new();
    for pair in pairs(file) {
        let found = !found(&sources(std::slice::from_ref(&pair))).is_empty();
        for figures in [&mut all, by_kind.entry(pair.kind).or_default()] {
            match (pair.contradicts, found) {
                (true, true) => figures.found += 1,
                (true, false) => figures.missed += 1,
                (false, true) => figures.false_alarms += 1,
                (false, false) => {}
            }
        }
        if show && pair.contradicts != found {
            println!("{}  {}  |  {}", if found { "false" } else { "missed" }, pair.canon, pair.statement);
        }
    }
    println!("{all:?} precision {:.3} recall {:.3}", all.precision(), all.recall());
    if show {
        println!("{by_kind:#?}");
    }
    all
}

#[test]
fn precision_and_recall_hold_on_both_halves_of_the_corpus() {
    let show = std::env::var_os("SHOW_DRIFT").is_some();
    for (file, show) in [(TUNED, show), (HELD_OUT, false)] {
        let pairs = pairs(file);
        let decoys = pairs.iter().filter(|pair| !pair.contradicts).count();
        assert!(pairs.len() >= 100 && decoys * 3 >= pairs.len(), "{} pairs, {decoys} decoys", pairs.len());
        let figures = measure(file, show);
        assert!(figures.precision() >= 0.95, "{figures:?}");
        assert!(figures.recall() >= 0.8, "{figures:?}");
    }
}

#[test]
fn what_belongs_to_another_or_may_be_several_is_no_contradiction() {
    for (canon, statement) in [
        ("Mira lives in Ambry.", "Mira's horse died in 803."),
        ("Toma rules Ambry.", "Mira's brother rules Ambry."),
        ("Mira is a healer and a weaver.", "Mira is a weaver."),
        ("Mira is older than Toma.", "Mira is younger than Ilse."),
        ("Mira's left eye is grey.", "Mira's right eye is brown."),
        ("Mira is 34.", "Mira is third in line."),
        ("Mira made a basket.", "Toma made a basket."),
        ("Mira has a red ribbon.", "Mira has a blue ribbon."),
        ("Mira's weakness is pride.", "Mira's weakness is gambling."),
        ("[Mira] She is a smith.", "[Toma] He is a baker."),
        ("He has grey eyes.", "She has brown eyes."),
        ("The old mill is small.", "The mill of Harrow is huge."),
    ] {
        let pair = Pair { contradicts: false, kind: "", canon, statement };
        assert_eq!(found(&sources(std::slice::from_ref(&pair))), [], "{canon} | {statement}");
    }
}

#[test]
fn an_alias_names_the_same_subject() {
    let mut mira = source("[Mira] She lives in Ambry.", 0, ActorKind::Author);
    mira.names.push("wren".into());
    let statement = source("Wren lives in Tolm.", 1, ActorKind::Agent);
    assert_eq!(found(&[mira, statement]).len(), 1);
}

proptest::proptest! {
    /// Any text is read, and no text contradicts itself.
    #[test]
    fn a_text_never_contradicts_itself(text in "\\PC{1,80}") {
        proptest::prop_assume!(!text.trim().is_empty());
        let Some(sentence) = super::sentence::Sentence::of(&text) else { return Ok(()) };
        proptest::prop_assert!(!super::contrast::contradict(&sentence, &sentence));
        let aliases = super::property::Aliases::new();
        let read = super::property::properties(&sentence, &aliases);
        proptest::prop_assert!(read.iter().all(|one| !one.excludes(one, true)));
    }
}
