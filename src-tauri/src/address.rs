//! Addresses of things in a world, and the links that carry them from other programs: `inklings://memory/ID?world=ID`.
//!
//! A link comes from anywhere. It can show something and do nothing else, and whatever is not exactly an address is
//! refused.

use serde::{Deserialize, Serialize};
use specta::Type;
use tauri::Url;

/// The scheme of links.
pub const SCHEME: &str = "inklings";
/// The longest link.
const MAX_LINK: usize = 8_000;
/// The longest reference: an id or a short reference has fewer letters.
const MAX_REFERENCE: usize = 64;
/// The longest query of a search.
const MAX_QUERY: usize = 1_000;

/// What a link leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// A memory, by its id.
    Memory,
    /// A conversation, by its reference.
    Conversation,
    /// A subject, by its id.
    Subject,
    /// The results of a search, by its query.
    Search,
}

/// A thing in a world.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Address {
    /// What it is.
    pub target: Target,
    /// Its reference, or the query of a search.
    pub value: String,
    /// Id of its world; `null`: the world that is open.
    pub world: Option<String>,
}

/// Why something is no address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// It is no link of this program.
    NotALink,
    /// It is longer than any link that this program makes.
    TooLong,
    /// It leads to nothing that links can lead to.
    UnknownTarget,
    /// Its reference is missing, or has signs that no reference has.
    BadReference,
    /// It has a part that links do not have.
    UnknownPart,
}

impl Address {
    /// Reads a link.
    ///
    /// # Errors
    /// [`Refusal`] if it is not exactly an address.
    pub fn parse(link: &str) -> Result<Self, Refusal> {
        if link.len() > MAX_LINK {
            return Err(Refusal::TooLong);
        }
        let url = Url::parse(link).map_err(|_| Refusal::NotALink)?;
        if url.scheme() != SCHEME {
            return Err(Refusal::NotALink);
        }
        if !url.username().is_empty()
            || url.password().is_some()
            || url.port().is_some()
            || url.fragment().is_some()
        {
            return Err(Refusal::UnknownPart);
        }
        let target = match url.host_str() {
            Some("memory") => Target::Memory,
            Some("conversation") => Target::Conversation,
            Some("subject") => Target::Subject,
            Some("search") => Target::Search,
            _ => return Err(Refusal::UnknownTarget),
        };
        let (mut world, mut query) = (None, None);
        for (name, value) in url.query_pairs() {
            let part = match &*name {
                "world" => &mut world,
                "q" if target == Target::Search => &mut query,
                _ => return Err(Refusal::UnknownPart),
            };
            if part.replace(value.into_owned()).is_some() {
                return Err(Refusal::UnknownPart);
            }
        }
        let path = url.path().strip_prefix('/').unwrap_or_default();
        let value = if target == Target::Search {
            if !path.is_empty() {
                return Err(Refusal::UnknownPart);
            }
            query.filter(|query| is_query(query)).ok_or(Refusal::BadReference)?
        } else {
            Some(path).filter(|path| is_reference(path)).ok_or(Refusal::BadReference)?.to_owned()
        };
        if world.as_deref().is_some_and(|world| !is_reference(world)) {
            return Err(Refusal::BadReference);
        }
        Ok(Self { target, value, world })
    }
}

/// True for what an id or a reference can be.
fn is_reference(text: &str) -> bool {
    let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    !text.is_empty() && text.len() <= MAX_REFERENCE && text.bytes().all(is_sign)
}

/// True for what can be searched for: some words in one line.
fn is_query(text: &str) -> bool {
    !text.trim().is_empty() && text.chars().count() <= MAX_QUERY && !text.contains(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "0190a5c6-8f2e-7c3d-9b1a-5e4f3a2b1c0d";

    fn address(target: Target, value: &str, world: Option<&str>) -> Address {
        Address { target, value: value.to_owned(), world: world.map(str::to_owned) }
    }

    #[test]
    fn each_kind_of_link_is_read_as_its_address() {
        let memory = format!("inklings://memory/{ID}");
        assert_eq!(Address::parse(&memory), Ok(address(Target::Memory, ID, None)));
        let there = format!("inklings://memory/{ID}?world=0190");
        assert_eq!(Address::parse(&there), Ok(address(Target::Memory, ID, Some("0190"))));
        let subject = format!("INKLINGS://subject/{ID}");
        assert_eq!(Address::parse(&subject), Ok(address(Target::Subject, ID, None)));
        let conversation = "inklings://conversation/C-0042";
        assert_eq!(Address::parse(conversation), Ok(address(Target::Conversation, "C-0042", None)));
        let search = "inklings://search?q=salt%20%22by%20night%22+%C3%A4&world=0190";
        assert_eq!(Address::parse(search), Ok(address(Target::Search, "salt \"by night\" ä", Some("0190"))));
        assert_eq!(Address::parse("inklings://search/?q=salt"), Ok(address(Target::Search, "salt", None)));
    }

    #[test]
    fn whatever_is_not_exactly_an_address_is_refused() {
        let long = format!("inklings://search?q={}", "a".repeat(MAX_LINK));
        let query = format!("inklings://search?q={}", "a".repeat(MAX_QUERY + 1));
        let reference = format!("inklings://memory/{}", "a".repeat(MAX_REFERENCE + 1));
        let cases = [
            ("", Refusal::NotALink),
            ("memory", Refusal::NotALink),
            ("/etc/passwd", Refusal::NotALink),
            ("file:///etc/passwd", Refusal::NotALink),
            ("javascript:alert(1)", Refusal::NotALink),
            ("https://memory/1", Refusal::NotALink),
            (&long, Refusal::TooLong),
            ("inklings:memory/1", Refusal::UnknownTarget),
            ("inklings://", Refusal::UnknownTarget),
            ("inklings:///memory/1", Refusal::UnknownTarget),
            ("inklings://settings/access", Refusal::UnknownTarget),
            ("inklings://import?path=/etc/passwd", Refusal::UnknownTarget),
            ("inklings://memory", Refusal::BadReference),
            ("inklings://memory/", Refusal::BadReference),
            ("inklings://memory/..%2f..%2fetc", Refusal::BadReference),
            ("inklings://memory/1/2", Refusal::BadReference),
            ("inklings://memory/<script>", Refusal::BadReference),
            ("inklings://memory/1?world=../other", Refusal::BadReference),
            ("inklings://memory/1?world=", Refusal::BadReference),
            (&reference, Refusal::BadReference),
            ("inklings://search", Refusal::BadReference),
            ("inklings://search?q=%20", Refusal::BadReference),
            ("inklings://search?q=a%00b", Refusal::BadReference),
            (&query, Refusal::BadReference),
            ("inklings://memory/1?q=salt", Refusal::UnknownPart),
            ("inklings://memory/1?edit=true", Refusal::UnknownPart),
            ("inklings://memory/1?world=2&world=3", Refusal::UnknownPart),
            ("inklings://memory/1#/settings", Refusal::UnknownPart),
            ("inklings://me@memory/1", Refusal::UnknownPart),
            ("inklings://memory:80/1", Refusal::UnknownPart),
            ("inklings://search/path?q=salt", Refusal::UnknownPart),
        ];
        for (link, why) in cases {
            assert_eq!(Address::parse(link), Err(why), "{link}");
        }
    }
}
