//! The JSON form of the links of an entry, in a file and in the database: objects of a role and an id.

use inklings_domain::memory::link::{self, Link};
use serde_json::{Value, json};

use crate::transfer::{store::Fields, text_of};

/// Links as JSON.
pub fn links_value(links: &[Link]) -> Value {
    links.iter().map(|link| json!({ "role": link.role.as_str(), "id": link.target.to_string() })).collect()
}

/// Links from JSON, sorted. `None` if they are no links.
pub fn links_of(value: &Value) -> Option<Vec<Link>> {
    let link = |item: &Value| {
        let item: &Fields = item.as_object()?;
        let (role, id) = (text_of(item, "role")?, text_of(item, "id")?);
        (item.len() == 2).then_some(Link { role: role.parse().ok()?, target: id.parse().ok()? })
    };
    let links: Option<Vec<Link>> = value.as_array()?.iter().map(link).collect();
    link::sorted(links?).ok()
}

/// The links in a row of a file.
pub fn links_in(fields: &Fields) -> Vec<Link> {
    fields.get("links").and_then(links_of).unwrap_or_default()
}
