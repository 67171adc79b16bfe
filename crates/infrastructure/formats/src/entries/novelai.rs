//! Reads a NovelAI lorebook:
//! `{"lorebookVersion", "entries": [{id, displayName, text, keys, enabled, forceActivation, ...}]}`.

use serde_json::{Map, Value};

use super::{Collection, Format, FormatError, Spot, ThirdPartyEntry, builder::Builder, fields::Fields};
use crate::text::Tally;

/// Reads a lorebook.
///
/// # Errors
/// [`FormatError`] with the entry and the field.
pub fn read(mut top: Map<String, Value>, tally: Tally) -> Result<Collection, FormatError> {
    let mut lore = Builder::new(Format::NovelAi, tally);
    let Some(Value::Array(list)) = top.remove("entries") else {
        return Err(FormatError::broken(Spot::top("entries"), "a list of entries should stand here"));
    };
    for (place, value) in list.into_iter().enumerate() {
        let fields = Fields::new(value, lore.next())?;
        let entry = entry(fields, place, &mut lore.tally)?;
        lore.push(entry)?;
    }
    let mut extra = Map::new();
    extra.insert("fields".into(), top.into());
    lore.finish(extra)
}

fn entry(mut fields: Fields, place: usize, tally: &mut Tally) -> Result<ThirdPartyEntry, FormatError> {
    let id = fields.get("id").and_then(Value::as_str).filter(|id| !id.trim().is_empty()).map(str::to_owned);
    Ok(ThirdPartyEntry {
        external_id: Some(id.unwrap_or_else(|| format!("at {place}"))),
        name: fields.name("displayName", tally),
        aliases: fields.names("keys", tally)?,
        content: fields.content("text")?,
        standing: fields.flag("forceActivation", false, tally),
        enabled: fields.flag("enabled", true, tally),
        updated: fields.moment("lastUpdatedAt"),
        extra: fields.into_extra().into(),
        ..ThirdPartyEntry::default()
    })
}
