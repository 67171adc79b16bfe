//! Tags within a Markdown text: `#house` and `#house/north`.

use super::{MAX_NAME_BYTES, MAX_NAMES, fence::Fences, wiki::outside_code};

/// The tags of a text without `#`, each once. A number alone is no tag, and code has none.
pub fn tags(text: &str) -> Vec<String> {
    let mut tags: Vec<String> = Vec::new();
    let mut fences = Fences::default();
    for line in text.lines() {
        if fences.is_code(line) || !line.contains('#') {
            continue;
        }
        for part in outside_code(line) {
            for word in part.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '(' | ')')) {
                let Some(tag) = word.strip_prefix('#') else { continue };
                let end = tag.find(|c: char| !is_part(c)).unwrap_or(tag.len());
                let tag = tag[..end].trim_matches('/');
                let is_tag = tag.len() <= MAX_NAME_BYTES && tag.chars().any(char::is_alphabetic);
                if is_tag && tags.len() < MAX_NAMES && !tags.iter().any(|known| known == tag) {
                    tags.push(tag.to_owned());
                }
            }
        }
    }
    tags
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_read_outside_of_code_and_headings() {
        let text =
            "# Saltmere\n#city and #house/north, (#old-town) #1042 a#b `#no`\n```\n#no\n```\n#city. ##no";
        assert_eq!(tags(text), ["city", "house/north", "old-town"]);
    }
}
