//! What a lorebook says of when and where an entry is put before its model, in one neutral form. An entry that goes from
//! one format to another takes along what the other format has a place for; the rest is counted.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{
    Format, ThirdPartyEntry,
    fields::{Out, clean_names, is_pattern},
    graphml, settings,
};

/// Names of fields in the formats that are read, and inside `extensions` of a card.
const SECONDARY: &[&str] = &["keysecondary", "secondary_keys", "secondaryKeys", "secondkey"];
const KEYS: &[&str] = &["key", "keys", "keywords"];
const ORDER: &[&str] = &["order", "insertion_order", "insertionOrder", "insertorder"];
const LOGIC: &[&str] = &["selectiveLogic", "selective_logic"];

/// The position of text before and after the description of the character, as `SillyTavern` numbers it.
const BEFORE: i64 = 0;
const AFTER: i64 = 1;

/// When and where an entry is put before the model. A value that the source does not give is `None` or empty.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Placement {
    /// Keys that are regular expressions: `/.../` with flags.
    pub patterns: Vec<String>,
    /// Further keys that must or must not occur as well.
    pub secondary_keys: Vec<String>,
    /// How the further keys count, as `SillyTavern` numbers it: 0 any of them, 1 not all, 2 none, 3 all.
    pub logic: Option<i64>,
    /// False if the further keys are there and do not count.
    pub selective: Option<bool>,
    /// Entries with a higher number stand nearer to the end of the context.
    pub order: Option<i64>,
    /// Where in the context, as `SillyTavern` numbers it.
    pub position: Option<i64>,
    /// Number of messages before the end of the context, for an entry between messages.
    pub depth: Option<i64>,
    /// Probability in percent; `None` if it always applies.
    pub probability: Option<f64>,
    /// Further settings by their names in World Info: recursion, groups, timing.
    pub settings: BTreeMap<&'static str, Value>,
}

/// A part of a placement.
struct Part {
    /// Name for display, in the plural.
    what: &'static str,
    /// The formats that have a place for it.
    places: &'static [Format],
    is_given: fn(&Placement) -> bool,
}

const BOOKS: &[Format] = &[Format::SillyTavern, Format::CharacterCard, Format::LorebookV3];
const BOOKS_AND_NOVELAI: &[Format] =
    &[Format::SillyTavern, Format::CharacterCard, Format::LorebookV3, Format::NovelAi];

const PARTS: &[Part] = &[
    Part { what: "key patterns", places: BOOKS_AND_NOVELAI, is_given: |it| !it.patterns.is_empty() },
    Part { what: "secondary keys", places: BOOKS, is_given: |it| !it.secondary_keys.is_empty() },
    Part { what: "orders", places: BOOKS_AND_NOVELAI, is_given: |it| it.order.is_some() },
    Part { what: "positions", places: BOOKS, is_given: |it| it.position.is_some() },
    Part { what: "depths", places: BOOKS, is_given: |it| it.depth.is_some() },
    Part { what: "probabilities", places: BOOKS, is_given: |it| it.probability.is_some() },
    Part { what: "further settings", places: BOOKS, is_given: |it| !it.settings.is_empty() },
];

impl Placement {
    /// Reads the placement from the retained fields of an entry of any format.
    pub fn of(extra: &Value) -> Self {
        let Some(fields) = extra.get("fields").and_then(Value::as_object) else { return Self::default() };
        let extensions = fields.get("extensions").and_then(Value::as_object);
        let find = |names: &[&str]| {
            let own = names.iter().find_map(|name| fields.get(*name));
            own.or_else(|| names.iter().find_map(|name| extensions?.get(*name)))
        };
        let number = |names: &[&str]| find(names).and_then(whole);
        let secondary_keys = find(SECONDARY).map(|list| texts(list).0).unwrap_or_default();
        let context = fields.get("contextConfig").and_then(Value::as_object);
        let chance = find(&["probability"]).and_then(amount);
        let chance = chance.filter(|chance| (0.0..100.0).contains(chance));
        Self {
            patterns: find(KEYS).map(|list| texts(list).1).unwrap_or_default(),
            logic: number(LOGIC).filter(|_| !secondary_keys.is_empty()),
            selective: find(&["selective"]).and_then(Value::as_bool).filter(|_| !secondary_keys.is_empty()),
            secondary_keys,
            order: number(ORDER).or_else(|| context?.get("budgetPriority").and_then(whole)),
            position: extensions
                .and_then(|extensions| extensions.get("position"))
                .or_else(|| fields.get("position"))
                .and_then(position),
            depth: number(&["depth"]),
            probability: chance
                .filter(|_| find(&["useProbability"]).and_then(Value::as_bool).unwrap_or(true)),
            settings: settings::of(fields, extensions),
        }
    }

    /// The parts that a format has no place for.
    fn lost_in(&self, format: Format) -> impl Iterator<Item = &'static str> {
        PARTS
            .iter()
            .filter(move |part| !part.places.contains(&format) && (part.is_given)(self))
            .map(|part| part.what)
    }

    /// The keys with the patterns behind them.
    fn keys(&self, names: &[String]) -> Value {
        names.iter().chain(&self.patterns).map(String::as_str).collect()
    }

    /// Puts it into a fresh entry of World Info.
    pub(super) fn put_into_world_info(&self, out: &mut Out, names: &[String]) {
        if !self.patterns.is_empty() {
            out.put("key", self.keys(names));
        }
        out.put("keysecondary", json!(self.secondary_keys));
        out.put("selectiveLogic", json!(self.logic.unwrap_or(0)));
        out.put("selective", self.selective.unwrap_or(true).into());
        let numbers = [("order", self.order), ("position", self.position), ("depth", self.depth)];
        for (field, number) in numbers {
            if let Some(number) = number {
                out.put(field, number.into());
            }
        }
        if let Some(chance) = self.probability {
            out.put("probability", json!(chance));
            out.put("useProbability", true.into());
        }
        settings::put_into_world_info(&self.settings, out);
    }

    /// Puts it into a fresh entry of a card's book or a standalone lorebook. What the specification has no field for goes
    /// where `SillyTavern` puts it.
    pub(super) fn put_into_book(&self, out: &mut Out, names: &[String]) {
        if !self.patterns.is_empty() {
            out.put("keys", self.keys(names));
            out.put("use_regex", true.into());
        }
        out.put("secondary_keys", json!(self.secondary_keys));
        out.put("selective", (!self.secondary_keys.is_empty() && self.selective.unwrap_or(true)).into());
        if let Some(order) = self.order {
            out.put("insertion_order", order.into());
        }
        let word = if self.position.unwrap_or(BEFORE) == BEFORE { "before_char" } else { "after_char" };
        out.put("position", word.into());
        let mut more = Map::new();
        // Before and after the character are words of the specification; every other position is only a number.
        let other = self.position.filter(|position| !matches!(*position, BEFORE | AFTER));
        let numbers = [("position", other), ("depth", self.depth), ("selectiveLogic", self.logic)];
        for (field, number) in numbers {
            if let Some(number) = number {
                more.insert(field.to_owned(), number.into());
            }
        }
        if let Some(chance) = self.probability {
            more.insert("probability".to_owned(), json!(chance));
            more.insert("useProbability".to_owned(), true.into());
        }
        settings::put_into_book(&self.settings, &mut more, out);
        out.put("extensions", more.into());
    }

    /// Puts it into a fresh entry of a NovelAI lorebook.
    pub(super) fn put_into_novelai(&self, out: &mut Out, names: &[String]) {
        if !self.patterns.is_empty() {
            out.put("keys", self.keys(names));
        }
        if let Some(order) = self.order {
            out.put(
                "contextConfig",
                json!({
                    "prefix": "", "suffix": "\n", "tokenBudget": 1, "reservedTokens": 0, "budgetPriority": order,
                    "trimDirection": "trimBottom", "insertionType": "newline", "maximumTrimType": "sentence",
                    "insertionPosition": -1,
                }),
            );
        }
    }
}

/// An entry for a lorebook, which shows an entry only if one of its keys occurs. Without any, its title becomes its key,
/// because it would never be shown.
pub fn with_firing_key(mut entry: ThirdPartyEntry) -> ThirdPartyEntry {
    // A subject is shown when its name occurs.
    let name = entry
        .name
        .clone()
        .filter(|name| !entry.standing && entry.subject.is_some() && !name.trim().is_empty());
    if let Some(name) = name.filter(|name| !entry.aliases.contains(name)) {
        entry.aliases.insert(0, name);
    }
    let is_shown = entry.standing || !entry.aliases.is_empty() || !entry.placement.patterns.is_empty();
    if let Some(name) = entry.name.as_ref().filter(|name| !is_shown && !name.trim().is_empty()) {
        entry.aliases.push(name.clone());
    }
    entry
}

/// What entries from other formats lose in a format: the parts that it has no place for, each with the number of entries.
pub fn losses(entries: &[ThirdPartyEntry], format: Format) -> Vec<(&'static str, u64)> {
    let count = |part: &Part| {
        let loses = |entry: &&ThirdPartyEntry| entry.placement.lost_in(format).any(|what| what == part.what);
        (part.what, entries.iter().filter(loses).count() as u64)
    };
    let outside = if format == Format::GraphMl { graphml::left_out(entries) } else { 0 };
    let outside = ("entries that are no part of a graph", outside);
    PARTS.iter().map(count).chain([outside]).filter(|(_, count)| *count > 0).collect()
}

/// A number, also one that is written as text.
fn amount(value: &Value) -> Option<f64> {
    match value {
        Value::String(text) => text.trim().parse().ok(),
        value => value.as_f64(),
    }
}

/// A whole number, also one that is written as text.
fn whole(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => number.as_i64().or_else(|| number.as_f64().map(|number| number as i64)),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

fn position(value: &Value) -> Option<i64> {
    match value.as_str() {
        Some("before_char") => Some(BEFORE),
        Some("after_char") => Some(AFTER),
        _ => whole(value),
    }
}

/// The names of a list, and its patterns.
fn texts(list: &Value) -> (Vec<String>, Vec<String>) {
    let given: Vec<&str> = match list {
        Value::Array(list) => list.iter().filter_map(Value::as_str).collect(),
        Value::String(one) => vec![one],
        _ => Vec::new(),
    };
    let patterns = given.into_iter().map(str::trim).filter(|text| is_pattern(text)).map(str::to_owned);
    (clean_names(list).0, patterns.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn full() -> Placement {
        Placement {
            patterns: vec!["/ama|amy/i".into()],
            secondary_keys: vec!["throne".into(), "queen".into()],
            logic: Some(3),
            order: Some(42),
            position: Some(4),
            depth: Some(7),
            probability: Some(35.0),
            selective: Some(false),
            settings: BTreeMap::from([("group", json!("weather")), ("caseSensitive", json!(false))]),
        }
    }

    fn read_back(put: impl Fn(&Placement, &mut Out, &[String]), placement: &Placement) -> Placement {
        let mut out = Out::new(&Value::Null);
        put(placement, &mut out, &["Ama".to_owned()]);
        Placement::of(&json!({ "fields": out.into_value() }))
    }

    #[test]
    fn every_part_is_read_back_from_the_formats_that_support_it() {
        for position in [0, 1, 4] {
            let placement = Placement { position: Some(position), ..full() };
            assert_eq!(read_back(Placement::put_into_world_info, &placement), placement);
            assert_eq!(read_back(Placement::put_into_book, &placement), placement);
        }
        let read = read_back(Placement::put_into_novelai, &full());
        assert_eq!(read, Placement { patterns: full().patterns, order: Some(42), ..Placement::default() });
    }

    #[test]
    fn parts_that_a_format_does_not_support_are_counted() {
        let entries = [
            ThirdPartyEntry { placement: full(), ..ThirdPartyEntry::default() },
            ThirdPartyEntry {
                placement: Placement { order: Some(1), ..Placement::default() },
                ..ThirdPartyEntry::default()
            },
            ThirdPartyEntry::default(),
        ];
        for format in BOOKS {
            assert_eq!(losses(&entries, *format), []);
        }
        assert_eq!(
            losses(&entries, Format::NovelAi),
            [
                ("secondary keys", 1),
                ("positions", 1),
                ("depths", 1),
                ("probabilities", 1),
                ("further settings", 1)
            ]
        );
        assert_eq!(
            losses(&entries, Format::Markdown),
            [
                ("key patterns", 1),
                ("secondary keys", 1),
                ("orders", 2),
                ("positions", 1),
                ("depths", 1),
                ("probabilities", 1),
                ("further settings", 1)
            ]
        );
    }

    #[test]
    fn odd_values_are_no_placement() {
        let odd = json!({ "fields": {
            "order": "soon", "position": [], "depth": null, "probability": 100, "keysecondary": 7, "selectiveLogic": 2
        } });
        assert_eq!(Placement::of(&odd), Placement::default());
        let text = json!({ "fields": { "probability": "40" } });
        assert_eq!(Placement::of(&text).probability, Some(40.0));
        let off = json!({ "fields": { "probability": 20, "useProbability": false } });
        assert_eq!(Placement::of(&off), Placement::default());
        assert_eq!(Placement::of(&Value::Null), Placement::default());
    }
}
