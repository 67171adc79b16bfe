//! Who knows of an entry: names with the time since when. `SillyTavern` calls it a filter of characters.
//!
//! A filter can say more than that: whom an entry is kept from, and tags of characters. Such an entry is marked as known by
//! fewer than it names, so that an import does not widen who knows.

use inklings_application::markdown::wiki::{as_link, from_link};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{
    Format,
    fields::{Fields, Out, clean_names},
    settings::is_nothing,
};
use crate::text::Tally;

/// Somebody who knows of an entry, which not everybody does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Knower {
    /// Name of the entry that describes them.
    pub name: String,
    /// Since when: a date, or the name of a chapter. `None`: always.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
}

impl Knower {
    /// One who always knew.
    pub const fn always(name: String) -> Self {
        Self { name, since: None }
    }

    /// As JSON: the name alone, if there is no time.
    pub(super) fn written(&self) -> Value {
        match &self.since {
            None => json!(self.name),
            Some(since) => json!({ "name": self.name, "since": since }),
        }
    }

    /// A knower from JSON as [`Self::written`] makes it.
    pub(super) fn of(value: &Value) -> Option<Self> {
        let found = match value {
            Value::String(name) => Self::always(name.clone()),
            value => serde_json::from_value(value.clone()).ok()?,
        };
        (found.written() == *value).then_some(found)
    }

    /// As an item of a list in front matter: `[[Name]]`, `[[Name]] since The Trial`, or JSON if these would say something
    /// else.
    pub(super) fn as_item(&self) -> String {
        let link = as_link(&self.name);
        let item = match &self.since {
            None => link,
            Some(since) => format!("{link}{SINCE}{since}"),
        };
        if Self::of_item(&item) == *self {
            return item;
        }
        json!({ "name": self.name, "since": self.since }).to_string()
    }

    /// A knower from an item of a list in front matter.
    pub(super) fn of_item(item: &str) -> Self {
        if item.starts_with('{')
            && let Ok(found) = serde_json::from_str::<Self>(item)
        {
            return found;
        }
        let after_link = item.find(END_OF_LINK).filter(|_| item.starts_with("[["));
        match after_link.map(|at| item.split_at(at + END_OF_LINK.len())) {
            Some((link, since)) if !since.trim().is_empty() => {
                Self { name: from_link(&link[..link.len() - SINCE.len()]), since: Some(since.to_owned()) }
            }
            _ => Self::always(from_link(item)),
        }
    }
}

/// Between a link and the time since when.
const SINCE: &str = " since ";
const END_OF_LINK: &str = "]] since ";

impl Format {
    /// True if other programs of the format show an entry only to those who are named.
    pub const fn has_knowers(self) -> bool {
        matches!(self, Self::SillyTavern | Self::Markdown)
    }

    /// True if it says since when somebody knows of an entry.
    pub const fn has_times_of_knowers(self) -> bool {
        matches!(self, Self::Markdown)
    }
}

/// The names of the filter in World Info and in the book of a card.
const FILTERS: [&str; 2] = ["characterFilter", "character_filter"];
pub(super) const IN_WORLD_INFO: &str = FILTERS[0];
pub(super) const IN_BOOK: &str = FILTERS[1];

/// True for the name of a filter.
pub(super) fn is_filter(key: &str) -> bool {
    FILTERS.contains(&key)
}

/// What a filter says.
#[derive(Debug, Default, PartialEq, Eq)]
struct Filter {
    /// The characters that an entry is shown to.
    names: Vec<String>,
    /// True if it is shown to fewer.
    fewer: bool,
}

impl Filter {
    fn of(value: &Value) -> Self {
        if says_nothing(value) {
            return Self::default();
        }
        let Some(fields) = value.as_object() else { return Self { names: Vec::new(), fewer: true } };
        let is_include =
            fields.get("isExclude").is_none_or(|flag| matches!(flag, Value::Bool(false) | Value::Null));
        let names = fields.get("names").filter(|_| is_include).map(|names| clean_names(names).0);
        let names = names.unwrap_or_default();
        let is_known = |(key, value): (&String, &Value)| match key.as_str() {
            "isExclude" | "names" => true,
            _ => is_nothing(value),
        };
        Self { fewer: !is_include || names.is_empty() || !fields.iter().all(is_known), names }
    }

    /// The filter of an entry. Of several, each may keep somebody out.
    fn of_entry<'f>(get: &impl Fn(&str) -> Option<&'f Value>) -> Self {
        let extensions = get("extensions").and_then(Value::as_object);
        let outer = FILTERS.iter().filter_map(|key| get(key));
        let inner = FILTERS.iter().filter_map(|key| extensions?.get(*key));
        let mut given = outer.chain(inner).filter(|value| !says_nothing(value));
        let first = given.next().map(Self::of).unwrap_or_default();
        let differs = given.any(|value| Self::of(value) != first);
        Self { fewer: first.fewer || differs, ..first }
    }
}

/// True for a filter without names and tags: it keeps nobody out.
fn says_nothing(value: &Value) -> bool {
    let is_flag = |(key, value): (&String, &Value)| key == "isExclude" && value.is_boolean();
    let is_empty = |field: (&String, &Value)| is_flag(field) || is_nothing(field.1);
    is_nothing(value) || value.as_object().is_some_and(|fields| fields.iter().all(is_empty))
}

/// True for a filter that says more than who knows of an entry.
pub(super) fn says_more(value: &Value) -> bool {
    Filter::of(value).fewer
}

/// Reads who knows of an entry from its filter, which stays among its other fields: the knowers, and whether it is fewer.
pub(super) fn of_filter(fields: &Fields, tally: &mut Tally) -> (Vec<Knower>, bool) {
    let Filter { names, fewer } = Filter::of_entry(&|key| fields.get(key));
    tally.add(FEWER, u64::from(fewer));
    (names.into_iter().map(Knower::always).collect(), fewer)
}

/// Reported for an entry that is known by fewer than it names.
pub(super) const FEWER: &str = "a filter that cannot be kept as who knows of an entry";

/// Sets the filter of an entry, unless the one that it has says the same. `usual` is its name in a new entry.
pub(super) fn put_filter(out: &mut Out, known_by: &[Knower], usual: &str) {
    let now = Filter::of_entry(&|key| out.get(key));
    let names: Vec<&str> = known_by.iter().map(|knower| knower.name.as_str()).collect();
    if now.names == names {
        return;
    }
    let mut extensions = out.get("extensions").and_then(Value::as_object).cloned();
    let mut found = false;
    for key in FILTERS {
        if let Some(value) = out.get(key).cloned() {
            out.put(key, with_names(&value, &names));
            found = true;
        }
        if let Some(value) = extensions.as_mut().and_then(|inner| inner.get_mut(key)) {
            *value = with_names(value, &names);
            found = true;
        }
    }
    if let Some(extensions) = extensions.filter(|_| found) {
        out.put("extensions", extensions.into());
    }
    if !found {
        out.put(usual, with_names(&Value::Null, &names));
    }
}

/// A filter of names. Tags that the file had besides names stay; the tags of an exclusion mean the opposite and go.
fn with_names(old: &Value, names: &[&str]) -> Value {
    let was_include = old.get("isExclude").is_none_or(|flag| *flag == Value::Bool(false));
    let mut filter =
        old.as_object().filter(|_| was_include && !names.is_empty()).cloned().unwrap_or_else(Map::new);
    filter.insert("isExclude".to_owned(), false.into());
    filter.insert("names".to_owned(), json!(names));
    filter.entry("tags").or_insert_with(|| json!([]));
    filter.into()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(filter: &Value) -> (Vec<String>, bool) {
        let fields = Fields::new(json!({ "characterFilter": filter }), 1).expect("an entry");
        let (known_by, fewer) = of_filter(&fields, &mut Tally::default());
        (known_by.into_iter().map(|knower| knower.name).collect(), fewer)
    }

    #[test]
    fn a_filter_of_names_says_who_knows_and_every_other_one_is_marked() {
        let named =
            |names: &[&str], fewer| (names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>(), fewer);
        for (filter, expected) in [
            (json!({"isExclude": false, "names": ["Ama", "Sel"], "tags": []}), named(&["Ama", "Sel"], false)),
            (json!({"names": ["Ama"]}), named(&["Ama"], false)),
            (json!({"isExclude": false, "names": ["Ama"], "tags": ["t"]}), named(&["Ama"], true)),
            (json!({"isExclude": false, "names": [], "tags": ["t"]}), named(&[], true)),
            (json!({"isExclude": true, "names": ["Ama"], "tags": []}), named(&[], true)),
            (json!({"isExclude": "no", "names": ["Ama"]}), named(&[], true)),
            (json!({"names": ["Ama"], "guild": "salt"}), named(&["Ama"], true)),
            (json!({"names": [7]}), named(&[], true)),
            (json!({"names": ["/a/i"]}), named(&[], true)),
            (json!("Ama"), named(&[], true)),
            (json!({"isExclude": true, "names": [], "tags": []}), named(&[], false)),
            (json!({"isExclude": false, "names": [" "], "tags": []}), named(&[], false)),
            (json!(null), named(&[], false)),
        ] {
            assert_eq!(read(&filter), expected, "{filter}");
        }
    }

    #[test]
    fn two_filters_of_one_entry_are_never_taken_for_the_wider_one() {
        let entry = json!({"character_filter": {"names": ["Ama"]}, "extensions": {"character_filter": {"names": ["Sel"]}}});
        let fields = Fields::new(entry, 1).expect("an entry");
        assert_eq!(of_filter(&fields, &mut Tally::default()), (vec![Knower::always("Ama".to_owned())], true));
    }

    #[test]
    fn a_changed_filter_is_set_where_it_was_and_keeps_what_narrows_it() {
        let knowers =
            |names: &[&str]| names.iter().map(|name| Knower::always((*name).to_owned())).collect::<Vec<_>>();
        for (old, names, expected) in [
            (
                json!({"isExclude": false, "names": ["Ama"], "tags": ["t"]}),
                &["Sel"][..],
                json!({"isExclude": false, "names": ["Sel"], "tags": ["t"]}),
            ),
            (
                json!({"isExclude": true, "names": ["Ama"], "tags": ["t"]}),
                &["Sel"],
                json!({"isExclude": false, "names": ["Sel"], "tags": []}),
            ),
            (
                json!({"names": ["Ama"], "tags": ["t"]}),
                &[],
                json!({"isExclude": false, "names": [], "tags": []}),
            ),
            (json!({"isExclude": true, "names": ["Ama"]}), &[], json!({"isExclude": true, "names": ["Ama"]})),
        ] {
            let entry = json!({ "fields": { "extensions": { "character_filter": old } } });
            let mut out = Out::new(&entry);
            put_filter(&mut out, &knowers(names), IN_BOOK);
            assert_eq!(out.into_value(), json!({ "extensions": { "character_filter": expected } }));
        }
    }

    proptest! {
        #[test]
        fn any_knower_is_read_back_from_an_item_of_a_list_and_from_json(
            name in prop_oneof!["\\PC{0,12}", "[\\[\\]{}\"|#^a\\\\ ]{0,9}", Just("[[a]] since b".to_owned()),
                Just("{\"name\":\"a\"}".to_owned())],
            since in prop::option::of(prop_oneof!["\\PC{0,12}", "(\\]\\] since |[a@ ]){1,3}"]),
        ) {
            let knower = Knower { name, since };
            prop_assert_eq!(&Knower::of_item(&knower.as_item()), &knower);
            prop_assert_eq!(Knower::of(&knower.written()), Some(knower));
        }
    }
}
