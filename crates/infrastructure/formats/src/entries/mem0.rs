//! Reads the response of Mem0's `get_all`:
//! `{"results": [{id, memory, metadata, categories, created_at, updated_at, ...}]}`, or only the list.

use serde_json::{Map, Value};

use super::{
    Collection, Format, FormatError, Spot, ThirdPartyEntry,
    builder::Builder,
    fields::{Fields, clean_names},
};
use crate::text::Tally;

/// Reads a response.
///
/// # Errors
/// [`FormatError`] with the entry and the field.
pub fn read(value: Value, tally: Tally) -> Result<Collection, FormatError> {
    let (list, rest) = match value {
        Value::Array(list) => (list, Map::new()),
        Value::Object(mut top) => {
            let list = top.remove("results").or_else(|| top.remove("memories"));
            let Some(Value::Array(list)) = list else {
                return Err(FormatError::broken(
                    Spot::top("results"),
                    "a list of memories should stand here",
                ));
            };
            (list, top)
        }
        _ => return Err(FormatError::broken(Spot::default(), "a list of memories should stand here")),
    };
    let mut made = Builder::new(Format::Mem0, tally);
    for value in list {
        let fields = Fields::new(value, made.next())?;
        let entry = entry(fields, &mut made.tally)?;
        made.push(entry)?;
    }
    let mut extra = Map::new();
    extra.insert("fields".into(), rest.into());
    made.finish(extra)
}

fn entry(mut fields: Fields, tally: &mut Tally) -> Result<ThirdPartyEntry, FormatError> {
    let id = match fields.get("id") {
        Some(Value::String(id)) if !id.trim().is_empty() => Some(id.clone()),
        Some(Value::Number(id)) => Some(id.to_string()),
        Some(Value::String(_) | Value::Null) | None => None,
        Some(_) => {
            tally.add("an id that is none", 1);
            None
        }
    };
    let key =
        ["memory", "text", "data"].into_iter().find(|key| fields.get(key).is_some()).unwrap_or("memory");
    Ok(ThirdPartyEntry {
        external_id: id,
        content: fields.content(key)?,
        tags: fields.get("categories").map_or_else(Vec::new, |tags| clean_names(tags).0),
        created: fields.moment("created_at"),
        updated: fields.moment("updated_at"),
        extra: fields.into_extra().into(),
        ..ThirdPartyEntry::default()
    })
}
