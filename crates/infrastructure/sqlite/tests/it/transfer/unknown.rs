//! What a later release says, and this one does not know, comes out of it as it went in: of every row, of every item of
//! their lists, and of the file itself.

use std::{fmt::Write as _, sync::OnceLock};

use crate::support::carried::{EVERYTHING, World, parsed, timeless};
use inklings_application::transfer::{Conflicts, Outcome};
use inklings_ports::transfer::shape::{OWN, Section};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// A field where: which of the places of a file, under which name, and what.
type Addition = (usize, String, Value);

fn run<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.expect("a runtime").block_on(work)
}

/// An export of everything, made once.
fn export() -> &'static str {
    static EXPORT: OnceLock<String> = OnceLock::new();
    EXPORT.get_or_init(|| run(async { World::rich(1).await.export(EVERYTHING).await }))
}

/// The objects of a file that a field can be added to: of each row itself and the items of its lists.
fn objects(section: Section, row: &mut Map<String, Value>, visit: &mut dyn FnMut(&mut Map<String, Value>)) {
    for (list, _) in section.lists() {
        let items = row.get_mut(*list).and_then(Value::as_array_mut).into_iter().flatten();
        items.filter_map(Value::as_object_mut).for_each(&mut *visit);
    }
    visit(row);
}

/// The file with what `visit` adds to its objects, and with members of its own. Lines are rows, as in every export.
fn extended(
    text: &str,
    visit: &mut dyn FnMut(&mut Map<String, Value>),
    members: &Map<String, Value>,
) -> String {
    let (mut section, mut lines) = (Section::Channels, Vec::new());
    for line in text.lines() {
        if let Some(name) = line.strip_prefix('"').and_then(|line| line.split_once('"')) {
            section = Section::from_name(name.0).expect("a section");
        }
        match serde_json::from_str(line.trim_end_matches(',')) {
            Ok(Value::Object(mut row)) => {
                objects(section, &mut row, visit);
                let comma = if line.ends_with(',') { "," } else { "" };
                lines.push(format!("{}{comma}", Value::Object(row)));
            }
            _ => lines.push(line.to_owned()),
        }
    }
    let whole = lines.join("\n");
    let mut whole = whole.strip_suffix('}').expect("the end").to_owned();
    for (name, value) in members {
        write!(whole, ",\n{}:{value}", json!(name)).expect("a text takes everything");
    }
    whole + "}\n"
}

/// Into an empty installation and out again.
fn there_and_back(file: &str) -> String {
    run(async {
        let fresh = World::begun(2).await;
        let done = fresh.import(&parsed(file), Conflicts::Newer).await;
        assert_eq!(done.plan.total(Outcome::Refuse), 0, "{:#?}", done.plan.items);
        let again = fresh.preview(&parsed(file), Conflicts::Newer).await;
        let all = again.counts.values().sum::<u64>();
        assert_eq!(again.total(Outcome::Skip), all, "a second time nothing is new: {:#?}", again.items);
        fresh.healthy().await;
        fresh.export(EVERYTHING).await
    })
}

fn assert_same(a: &str, b: &str) {
    for (a, b) in a.lines().zip(b.lines()) {
        assert_eq!(a, b);
    }
    assert_eq!(a, b);
}

#[test]
fn unknown_fields_of_every_row_item_and_file_are_exported_unchanged() {
    let mut n = 0;
    let mut add = |object: &mut Map<String, Value>| {
        n += 1;
        object.insert("zeal".into(), json!({ "n": n, "of": [null, 0.1, "\u{1f409}"] }));
    };
    let members = json!({ "maps": [{ "x": 1 }], "zz": null, "a \"quoted\" name": "text" });
    let file = extended(export(), &mut add, members.as_object().expect("members"));
    assert!(n > 40, "only {n} places");
    assert_same(&timeless(&file), &timeless(&there_and_back(&file)));
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_filter("JSON has no such number", |x| x.is_finite()).prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(any::<String>(), inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// Names that no field of ours has.
fn name() -> impl Strategy<Value = String> {
    prop_oneof![Just(OWN.to_owned()), "later_[a-z]{1,6}", "~\\PC{0,12}"]
}

fn additions() -> impl Strategy<Value = Vec<Addition>> {
    prop::collection::vec((any::<usize>(), name(), value()), 1..40)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_unknown_fields_are_exported_unchanged(
        additions in additions(), members in prop::collection::btree_map(name(), value(), 0..5)
    ) {
        let mut places = 0;
        extended(export(), &mut |_| places += 1, &Map::new());
        let mut at = 0;
        let mut add = |object: &mut Map<String, Value>| {
            for (place, name, value) in additions.iter().filter(|(place, ..)| place % places == at) {
                let _ = place;
                object.insert(name.clone(), value.clone());
            }
            at += 1;
        };
        let file = extended(export(), &mut add, &members.into_iter().collect());
        assert_same(&timeless(&file), &timeless(&there_and_back(&file)));
    }
}
