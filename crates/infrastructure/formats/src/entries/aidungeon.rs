//! Reads story cards and world info of AI Dungeon: a list of `{keys, value | entry, type, title, description, ...}`, alone
//! or in a scenario `{prompt, memory, authorsNote, storyCards | worldInfo, ...}`.

use serde_json::{Map, Value};

use super::{
    Collection, Format, FormatError, Spot,
    builder::Builder,
    fields::Fields,
    listed::{self, NOTHING, Shape},
};
use crate::text::Tally;

const SHAPE: Shape = Shape {
    id: Some("id"),
    name: &["title", "name"],
    content: &["value", "entry"],
    tags: Some("type"),
    updated: Some("updatedAt"),
    ..NOTHING
};

/// The lists of a scenario.
const LISTS: [&str; 2] = ["storyCards", "worldInfo"];

/// The texts of a scenario that are always shown, with their names in Inklings.
const TEXTS: [(&str, &str); 2] = [("memory", "plot essentials"), ("authorsNote", "author's note")];

/// True for a story card or an entry of world info.
pub fn is_card(value: &Value) -> bool {
    let text = |key| value.get(key).is_some_and(Value::is_string);
    text("keys") && (text("value") || text("entry"))
}

/// True for a scenario.
pub fn is_scenario(top: &Map<String, Value>) -> bool {
    let list = |key: &&str| top.get(*key).and_then(Value::as_array);
    LISTS.iter().filter_map(list).any(|list| list.iter().any(is_card))
}

/// Reads a list of cards.
///
/// # Errors
/// [`FormatError`] with the entry and the field.
pub fn read(list: Vec<Value>, tally: Tally) -> Result<Collection, FormatError> {
    let mut made = Builder::new(Format::AiDungeon, tally);
    listed::read(list, &SHAPE, "", &mut made)?;
    made.finish(Map::new())
}

/// Reads a scenario.
pub fn read_scenario(mut top: Map<String, Value>, tally: Tally) -> Result<Collection, FormatError> {
    let mut made = Builder::new(Format::AiDungeon, tally);
    let mut found = false;
    for field in LISTS {
        match top.remove(field) {
            Some(Value::Array(list)) => {
                listed::read(list, &SHAPE, "", &mut made)?;
                found = true;
            }
            None | Some(Value::Null) => {}
            Some(_) => {
                return Err(FormatError::broken(Spot::top(field), "a list of cards should stand here"));
            }
        }
    }
    if !found {
        return Err(FormatError::broken(Spot::top("storyCards"), "a list of cards should stand here"));
    }
    let mut fields = Fields::new(top.into(), made.next())?;
    let title = fields.get("title").and_then(Value::as_str).filter(|title| !title.trim().is_empty());
    made.name = title.map(str::to_owned);
    for (field, what) in TEXTS {
        let content = fields.content(field)?;
        if !content.trim().is_empty() {
            let name = made.name.as_ref().map_or_else(|| what.to_owned(), |title| format!("{title}: {what}"));
            made.push(listed::whole_text(&format!("scenario:{field}"), name, content))?;
        }
    }
    let mut extra = fields.into_extra();
    if let Some(Value::Object(top)) = extra.remove("fields") {
        let rest = listed::rest(top, &[("actions", "story"), ("prompt", "story")], &mut made);
        extra.insert("fields".into(), rest.into());
    }
    made.finish(extra)
}
