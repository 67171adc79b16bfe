//! A place in the page, as its router writes it.

use std::fmt;

/// The longest place. A search has at most 10,000 characters, which the router escapes.
const MAX_BYTES: usize = 100_000;

/// A path of the page's router with its search, such as `/memory?id=…`. It stands behind the `#` of the page's address, so
/// it leads to no other page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place(String);

impl Place {
    /// Reads a place; `None` if it is none.
    pub fn parse(text: &str) -> Option<Self> {
        let is_path = text.starts_with('/') && !text.starts_with("//");
        let is_plain = !text.contains(|c: char| c.is_control() || c.is_whitespace() || c == '#');
        (is_path && is_plain && text.len() <= MAX_BYTES).then(|| Self(text.to_owned()))
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_path_of_the_page_and_nothing_else() {
        for good in ["/memory", "/memory?id=0190&q=%22two%20words%22", "/conversations/c-4"] {
            assert_eq!(Place::parse(good).expect(good).to_string(), good);
        }
        let long = format!("/{}", "a".repeat(MAX_BYTES));
        for bad in ["", "memory", "//evil.example/", "https://evil.example", "/a#/b", "/a b", "/a\n", &long] {
            assert_eq!(Place::parse(bad), None, "{bad}");
        }
    }
}
