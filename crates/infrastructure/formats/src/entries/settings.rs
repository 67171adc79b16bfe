//! The further settings of an entry that lorebooks and cards have in common, under the two names that each has, and what
//! is left of an entry besides everything that goes from one format to another.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use inklings_application::markdown::front;

use super::{Format, fields::Out, knowers, mcp};

/// A setting that `SillyTavern` knows.
struct Setting {
    /// Its name in World Info.
    world: &'static str,
    /// Its name in the `extensions` of an entry of a card.
    card: &'static str,
    /// True if "no" says something else than nothing: it overrides a setting of the program.
    no_is_given: bool,
}

const fn setting(world: &'static str, card: &'static str) -> Setting {
    Setting { world, card, no_is_given: false }
}

const fn choice(world: &'static str, card: &'static str) -> Setting {
    Setting { world, card, no_is_given: true }
}

const SETTINGS: &[Setting] = &[
    setting("excludeRecursion", "exclude_recursion"),
    setting("preventRecursion", "prevent_recursion"),
    setting("delayUntilRecursion", "delay_until_recursion"),
    choice("scanDepth", "scan_depth"),
    choice("caseSensitive", CASE_SENSITIVE),
    choice("matchWholeWords", "match_whole_words"),
    choice("useGroupScoring", "use_group_scoring"),
    setting("group", "group"),
    setting("groupOverride", "group_override"),
    setting("groupWeight", "group_weight"),
    setting("automationId", "automation_id"),
    setting("role", "role"),
    setting("vectorized", "vectorized"),
    setting("sticky", "sticky"),
    setting("cooldown", "cooldown"),
    setting("delay", "delay"),
    setting("ignoreBudget", "ignore_budget"),
    setting("outletName", "outlet_name"),
    setting("triggers", "triggers"),
    setting("matchPersonaDescription", "match_persona_description"),
    setting("matchCharacterDescription", "match_character_description"),
    setting("matchCharacterPersonality", "match_character_personality"),
    setting("matchCharacterDepthPrompt", "match_character_depth_prompt"),
    setting("matchScenario", "match_scenario"),
    setting("matchCreatorNotes", "match_creator_notes"),
];

/// The one setting that the specification of cards has a field of its own for.
const CASE_SENSITIVE: &str = "case_sensitive";

/// Weight of an entry in its group that has none.
const PLAIN_WEIGHT: u64 = 100;

/// True for a value that says nothing.
pub(super) fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(flag) => !flag,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.trim().is_empty(),
        Value::Array(list) => list.iter().all(is_nothing),
        Value::Object(map) => map.values().all(is_nothing),
    }
}

impl Setting {
    fn is_given(&self, value: &Value) -> bool {
        let plain_weight = self.card == "group_weight" && *value == json!(PLAIN_WEIGHT);
        !plain_weight && if self.no_is_given { !value.is_null() } else { !is_nothing(value) }
    }
}

/// The settings of an entry by their names in World Info, of whatever format its fields are.
pub fn of(
    fields: &Map<String, Value>,
    extensions: Option<&Map<String, Value>>,
) -> BTreeMap<&'static str, Value> {
    let places = [Some(fields), extensions];
    let found = |setting: &Setting| {
        let mut values =
            places.iter().flatten().flat_map(|place| [place.get(setting.world), place.get(setting.card)]);
        values.find_map(|value| value.filter(|value| setting.is_given(value)).cloned())
    };
    SETTINGS.iter().filter_map(|setting| Some((setting.world, found(setting)?))).collect()
}

/// Puts settings into a fresh entry of World Info.
pub fn put_into_world_info(settings: &BTreeMap<&'static str, Value>, out: &mut Out) {
    for (name, value) in settings {
        out.put(name, value.clone());
    }
}

/// Puts settings into the `extensions` of a fresh entry of a card's book, where `SillyTavern` puts them.
pub fn put_into_book(
    settings: &BTreeMap<&'static str, Value>,
    extensions: &mut Map<String, Value>,
    out: &mut Out,
) {
    for setting in SETTINGS {
        let Some(value) = settings.get(setting.world) else { continue };
        extensions.insert(setting.card.to_owned(), value.clone());
        if setting.card == CASE_SENSITIVE && value.is_boolean() {
            out.put(CASE_SENSITIVE, value.clone());
        }
    }
}

/// Fields that have a place in the neutral form of an entry, or that say nothing outside of their own program: numbers of
/// entries, copies of other fields, the order of a list on the screen.
const UNDERSTOOD: &[&str] = &[
    "_id",
    "_type",
    "addMemo",
    "comment",
    "constant",
    "content",
    "contextConfig",
    "createdAt",
    "created_at",
    "depth",
    "disable",
    "displayIndex",
    "displayName",
    "display_index",
    "enabled",
    "extensions",
    "hash",
    "id",
    "insertion_order",
    "insertionOrder",
    "insertorder",
    "key",
    "keys",
    "keysRaw",
    "keysecondary",
    "keysecondaryRaw",
    "keywords",
    "lastUpdatedAt",
    "name",
    "observations",
    "order",
    "position",
    "probability",
    "secondary_keys",
    "secondaryKeys",
    "secondkey",
    "selective",
    "selectiveLogic",
    "selective_logic",
    "text",
    "uid",
    "updatedAt",
    "updated_at",
    "useProbability",
    "useRegex",
    "use_regex",
];

/// The fields of a format that became tags, kinds or relations.
const fn words_of(format: Format) -> &'static [&'static str] {
    match format {
        Format::McpJsonl => &["entityType", "entity_type", "from", "relationType", "relation_type", "to"],
        Format::AiDungeon => &["type"],
        Format::JanitorAi => &["tags"],
        _ => &[],
    }
}

/// Keys of the front matter that have a place in the neutral form of an entry.
const UNDERSTOOD_HEAD: &[&str] = &[
    "about",
    "alias",
    "aliases",
    "created",
    "enabled",
    "from",
    "id",
    "importance",
    "known_by",
    "name",
    "relation",
    "standing",
    "tag",
    "tags",
    "title",
    "to",
    "type",
    "updated",
];

fn has_other_fields(fields: &Map<String, Value>, format: Format) -> bool {
    let is_setting = |key: &str| SETTINGS.iter().any(|setting| setting.world == key || setting.card == key);
    fields.iter().any(|(key, value)| match (key.as_str(), value) {
        ("extensions", Value::Object(inner)) => has_other_fields(inner, format),
        (key, value) if knowers::is_filter(key) => knowers::says_more(value),
        (key, _) if UNDERSTOOD.contains(&key) || words_of(format).contains(&key) || is_setting(key) => false,
        (_, value) => !is_nothing(value),
    })
}

fn has_other_keys(head: &str) -> bool {
    let whole = format!("---\n{head}---\n");
    let blocks = front::split(&whole).map(|(head, _)| head.blocks).unwrap_or_default();
    blocks.iter().any(|block| {
        !block.key.is_empty() && !UNDERSTOOD_HEAD.contains(&block.key.as_str()) && !block.is_nothing()
    })
}

/// True if an entry has more to say in its own format than any other one takes along: fields of its program, other keys of
/// a front matter, its folder, the two ends of a relation that says nothing.
pub fn has_more_fields(extra: &Value, format: Format) -> bool {
    let object = |value: &Value| value.as_object().is_some_and(|fields| has_other_fields(fields, format));
    let text = |key: &str| extra.get(key).and_then(Value::as_str);
    let outer = extra.get("outer").and_then(|outer| outer.get("fields"));
    extra.get("fields").into_iter().chain(outer).any(object)
        || text("front").is_some_and(has_other_keys)
        || text("head").is_some_and(has_other_keys)
        || text("kind").is_some()
        || (format == Format::Markdown && text("path").is_some_and(|path| path.contains('/')))
        || (extra.get("relation").is_some() && !extra.get("fields").is_some_and(mcp::is_named_relation))
}

/// Data of a file besides its entries that says how to write it again, or only what it is.
const UNDERSTOOD_OF_FILE: &[&str] = &[
    "_id",
    "absent",
    "flat",
    "kind",
    "lorebookVersion",
    "name",
    "repeated",
    "slots",
    "spec",
    "spec_version",
    "type",
    "ver",
];

/// True if a file has more to say besides its entries than another format takes along, such as the creator of a card or how
/// far a book is searched for.
pub fn file_has_more_fields(extra: &Value) -> bool {
    let more =
        |(key, value): (&String, &Value)| !UNDERSTOOD_OF_FILE.contains(&key.as_str()) && !is_nothing(value);
    let part = |(key, value): (&String, &Value)| match value {
        Value::Object(inner) if key != "slots" => inner.iter().any(more),
        _ => more((key, value)),
    };
    extra.as_object().is_some_and(|parts| parts.iter().any(part))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::entries as samples;

    fn of_sample(entry: &Value) -> BTreeMap<&'static str, Value> {
        let fields = entry.as_object().expect("an entry");
        of(fields, fields.get("extensions").and_then(Value::as_object))
    }

    #[test]
    fn a_new_world_info_entry_has_no_settings_and_no_further_fields() {
        let entry = samples::world_entry(0, "Ama", &["Ama"], "Rules.", false);
        assert_eq!(of_sample(&entry), BTreeMap::new());
        assert!(!has_more_fields(&json!({ "fields": entry }), Format::SillyTavern));
    }

    #[test]
    fn every_setting_is_read_under_both_names_and_names_are_unambiguous() {
        for setting in SETTINGS {
            let wanted = BTreeMap::from([(setting.world, json!(7))]);
            assert_eq!(of_sample(&json!({ setting.world: 7 })), wanted);
            assert_eq!(of_sample(&json!({ "extensions": { setting.card: 7 } })), wanted);
            assert!(!has_more_fields(
                &json!({ "fields": { "extensions": { setting.card: 7 } } }),
                Format::CharacterCard
            ));
            assert!(!UNDERSTOOD.contains(&setting.world) && !UNDERSTOOD.contains(&setting.card));
        }
        let no =
            of_sample(&json!({ "caseSensitive": false, "vectorized": false, "groupWeight": 100, "role": 0 }));
        assert_eq!(no, BTreeMap::from([("caseSensitive", json!(false))]));
    }

    #[test]
    fn fields_that_no_other_format_supports_are_detected() {
        let more = [
            (
                Format::SillyTavern,
                json!({ "fields": { "characterFilter": { "isExclude": true, "names": ["Ama"] } } }),
            ),
            (
                Format::SillyTavern,
                json!({ "fields": { "characterFilter": { "names": ["Ama"], "tags": ["queen"] } } }),
            ),
            (Format::LorebookV3, json!({ "fields": { "extensions": { "weight": 0.25 } } })),
            (Format::Markdown, json!({ "path": "a.md", "front": "mood: stern\n" })),
            (Format::Markdown, json!({ "path": "people/a.md" })),
            (Format::Novelcrafter, json!({ "kind": "characters", "path": "characters/ama" })),
            (Format::Novelcrafter, json!({ "outer": { "fields": { "color": "red" } } })),
            (Format::McpJsonl, json!({ "fields": { "from": "a", "to": "b" }, "relation": true })),
            (Format::SillyTavern, json!({ "fields": { "type": "place" } })),
        ];
        for (format, extra) in more {
            assert!(has_more_fields(&extra, format), "{format:?} {extra}");
        }
        let none = [
            (
                Format::SillyTavern,
                json!({ "fields": { "characterFilter": { "names": [], "isExclude": false } } }),
            ),
            (Format::SillyTavern, json!({ "fields": { "characterFilter": { "names": ["Ama"] } } })),
            (
                Format::Markdown,
                json!({ "path": "a.md", "front": "# note\naliases: [b]\nmood:\n", "returns": true }),
            ),
            (Format::AiDungeon, json!({ "fields": { "type": "place", "description": " " } })),
            (Format::McpJsonl, json!({ "fields": { "entityType": "town" }, "absent": ["type"] })),
            (
                Format::McpJsonl,
                json!({ "fields": { "from": "a", "to": "b", "relationType": "x" }, "relation": true }),
            ),
            (Format::Mem0, json!(null)),
        ];
        for (format, extra) in none {
            assert!(!has_more_fields(&extra, format), "{format:?} {extra}");
        }
    }

    #[test]
    fn files_with_settings_of_their_own_are_detected() {
        for more in [
            json!({ "fields": { "lorebookVersion": 5, "settings": { "orderByKeyLocations": true } } }),
            json!({ "top": {}, "fields": { "creator": "somebody" }, "flat": false }),
            json!({ "lines": [{ "type": "note" }] }),
        ] {
            assert!(file_has_more_fields(&more), "{more}");
        }
        for none in [
            json!(null),
            json!({ "fields": { "name": "Aldmoor", "originalData": null } }),
            json!({ "top": { "spec": "chara_card_v2" }, "repeated": ["name"], "slots": { "alternate_greetings": [null] }, "flat": true }),
        ] {
            assert!(!file_has_more_fields(&none), "{none}");
        }
    }
}
