//! The JSON form of the links of an entry, and of those who know of a fact, in a file and in the database: objects of a role and an id, and for a knower the time
//! since when.

use inklings_domain::{
    calendar::{moment::Moment, story_point::StoryPoint},
    memory::link::{self, Link, LinkRole},
};
use serde_json::{Value, json};

use crate::transfer::{fields::text_of, store::Fields};

/// Links as JSON.
pub fn links_value(links: &[Link]) -> Value {
    let value = |link: &Link| {
        let mut value = json!({ "role": link.role.as_str(), "id": link.target.to_string() });
        match link.since {
            None => {}
            Some(StoryPoint::Moment(moment)) => value["since"] = moment.value().into(),
            Some(StoryPoint::Chapter(id)) => value["since_chapter"] = id.to_string().into(),
        }
        value
    };
    links.iter().map(value).collect()
}

/// Links from JSON, sorted. `None` if they are no links.
pub fn links_of(value: &Value) -> Option<Vec<Link>> {
    let link = |item: &Value| {
        let item: &Fields = item.as_object()?;
        let (role, id) = (text_of(item, "role")?, text_of(item, "id")?);
        let role: LinkRole = role.parse().ok()?;
        let since = match (item.get("since"), item.get("since_chapter")) {
            (None, None) => None,
            (Some(moment), None) => Some(StoryPoint::Moment(Moment::from_value(moment.as_i64()?).ok()?)),
            (None, Some(chapter)) => Some(StoryPoint::Chapter(chapter.as_str()?.parse().ok()?)),
            (Some(_), Some(_)) => return None,
        };
        let is_known = item.len() == 2 + usize::from(since.is_some());
        let may_have_time = since.is_none() || role == LinkRole::KnownBy;
        (is_known && may_have_time).then_some(Link { role, target: id.parse().ok()?, since })
    };
    let links: Option<Vec<Link>> = value.as_array()?.iter().map(link).collect();
    link::sorted(links?).ok()
}

/// Who knows of something, from JSON, sorted. `None` if one is of another role.
pub fn knowers_of(value: &Value) -> Option<Vec<Link>> {
    links_of(value).filter(|links| links.iter().all(|link| link.role == LinkRole::KnownBy))
}

/// The links in a row of a file.
pub fn links_in(fields: &Fields) -> Vec<Link> {
    fields.get("links").and_then(links_of).unwrap_or_default()
}
