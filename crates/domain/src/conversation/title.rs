//! Titles that conversations get by themselves: the first words of a message, or what a model calls it.

use unicode_normalization::UnicodeNormalization;

use crate::{conversation::Conversation, hidden::Invisible, ids::MessageId, scope::words, text};

/// Maximum length of such a title, in characters.
pub const MAX_CHARS: usize = 60;

/// Where a title comes from. One that is made of a message names it, because it goes with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TitleSource {
    /// A person gave it, or took it away. It is never replaced.
    Person,
    /// The first words of this message.
    Message(MessageId),
    /// A model's words for the conversation that begins with this message.
    Model(MessageId),
}

/// The kind of a [`TitleSource`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TitleMaker {
    Person,
    /// The application.
    Message,
    /// A language model.
    Model,
}

words!(TitleMaker, "maker of a title", { Person => "person", Message => "message", Model => "model" });

impl TitleSource {
    /// The source of a kind, with its message. `None` if the two do not go together.
    pub const fn of(maker: TitleMaker, message: Option<MessageId>) -> Option<Self> {
        match (maker, message) {
            (TitleMaker::Person, None) => Some(Self::Person),
            (TitleMaker::Message, Some(id)) => Some(Self::Message(id)),
            (TitleMaker::Model, Some(id)) => Some(Self::Model(id)),
            _ => None,
        }
    }

    /// Its kind.
    pub const fn maker(self) -> TitleMaker {
        match self {
            Self::Person => TitleMaker::Person,
            Self::Message(_) => TitleMaker::Message,
            Self::Model(_) => TitleMaker::Model,
        }
    }

    /// The message that the title was made of.
    pub const fn message(self) -> Option<MessageId> {
        match self {
            Self::Person => None,
            Self::Message(id) | Self::Model(id) => Some(id),
        }
    }
}

/// The first words of a message as a title, without markup. `None` if it has no words.
pub fn of_message(content: &str) -> Option<String> {
    let mut fenced = false;
    let line = content.lines().find_map(|line| {
        if line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~") {
            fenced = !fenced;
            return None;
        }
        let words = without_markup(line);
        (!fenced && words.chars().any(char::is_alphanumeric)).then_some(words)
    })?;
    checked(&line)
}

/// What a model answered as a title: its first line, without the word "title", quotation marks and a full stop. `None` if that
/// is no title.
pub fn of_model(answer: &str) -> Option<String> {
    let line = answer.lines().map(without_markup).find(|line| line.chars().any(char::is_alphanumeric))?;
    let line = match line.split_once(':') {
        Some((word, rest)) if ["title", "titel"].contains(&word.trim().to_lowercase().as_str()) => rest,
        _ => &line,
    };
    let quotes = |c: char| c.is_whitespace() || "\"'“”„‘’‚«»‹›".contains(c);
    checked(line.trim_matches(quotes).trim_end_matches('.').trim_matches(quotes))
}

/// At most [`MAX_CHARS`], cut at a word, and by the rules of every title.
fn checked(words: &str) -> Option<String> {
    let shown = words.chars().filter(|c| Invisible::of(*c).is_none() && !text::is_bidi_control(*c));
    let shown: String = shown.nfc().collect();
    let title = cut(&shown);
    let title = title.trim_end_matches(|c: char| c.is_whitespace() || ",;:–—-([{".contains(c));
    if !title.chars().any(char::is_alphanumeric) {
        return None;
    }
    Conversation::title(title).ok()
}

/// The words that fit. A first word that does not fit is cut: some languages have no spaces.
fn cut(text: &str) -> String {
    let mut title = String::new();
    let mut length = 0;
    for word in text.split_whitespace() {
        let more = word.chars().count() + usize::from(length > 0);
        if length + more > MAX_CHARS {
            if length == 0 {
                title = word.chars().take(MAX_CHARS).collect();
            }
            break;
        }
        if length > 0 {
            title.push(' ');
        }
        title.push_str(word);
        length += more;
    }
    title
}

/// A line of Markdown as its words: no marks of headings, quotes, lists and emphasis, links by their text.
fn without_markup(line: &str) -> String {
    let line = line.trim_start_matches(|c: char| c.is_whitespace() || "#>".contains(c));
    let line = ["- [ ] ", "- [x] ", "- ", "* ", "+ "]
        .iter()
        .find_map(|mark| line.strip_prefix(mark))
        .unwrap_or(line);
    let mut words = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        if let Some((text, after)) = link(rest) {
            words.push_str(text);
            rest = after;
            continue;
        }
        if let Some(after) = tag(rest) {
            rest = after;
            continue;
        }
        // An underscore inside of a word is one of its letters.
        let inside = c == '_'
            && words.ends_with(char::is_alphanumeric)
            && rest[1..].starts_with(char::is_alphanumeric);
        if !"*`~_".contains(c) || inside {
            words.push(if c.is_control() { ' ' } else { c });
        }
        rest = &rest[c.len_utf8()..];
    }
    words.trim().to_owned()
}

/// The text of the link that a text begins with, and what follows it: `[[Name|text]]`, `[text](address)` or a picture.
fn link(text: &str) -> Option<(&str, &str)> {
    if let Some(inner) = text.strip_prefix("[[") {
        let (name, after) = inner.split_once("]]")?;
        return Some((name.rsplit('|').next().unwrap_or(name), after));
    }
    let inner = text.strip_prefix("![").or_else(|| text.strip_prefix('['))?;
    let (shown, after) = inner.split_once("](")?;
    let (_, after) = after.split_once(')')?;
    (!shown.contains('[')).then_some((shown, after))
}

/// What follows the HTML tag that a text begins with.
fn tag(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('<')?;
    let name = inner.strip_prefix('/').unwrap_or(inner);
    let (inside, after) = name.split_once('>')?;
    (inside.starts_with(|c: char| c.is_ascii_alphabetic()) && !inside.contains('<')).then_some(after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_the_first_words_cut_at_a_word() {
        assert_eq!(of_message("Who rules Veyra?").as_deref(), Some("Who rules Veyra?"));
        let long = of_message(
            "The salt road runs from the harbour of Veyra over three passes to the old mines of Karth.",
        );
        assert_eq!(long.as_deref(), Some("The salt road runs from the harbour of Veyra over three"));
        assert_eq!(of_message("雪".repeat(90).as_str()).map(|title| title.chars().count()), Some(MAX_CHARS));
    }

    #[test]
    fn a_title_has_no_markup() {
        for (message, title) in [
            ("# The **salt** road", "The salt road"),
            (
                "> - [ ] _Ask_ [[Mira Dunn|Mira]] about [the mine](https://x.example/a)",
                "Ask Mira about the mine",
            ),
            ("```rust\nfn main() {}\n```\nWhy does `salt_tax` fail?", "Why does salt_tax fail?"),
            ("<b>Who</b> keeps the gate", "Who keeps the gate"),
            ("\n\n---\n3 < 4, says the abbot", "3 < 4, says the abbot"),
        ] {
            assert_eq!(of_message(message).as_deref(), Some(title), "{message}");
        }
    }

    #[test]
    fn what_has_no_words_gives_no_title() {
        for empty in ["", "   \n", "```\ncode\n```", "---", "\u{202e}\u{200b}", "***"] {
            assert_eq!(of_message(empty), None, "{empty:?}");
            assert_eq!(of_model(empty).filter(|_| empty != "```\ncode\n```"), None, "{empty:?}");
        }
    }

    #[test]
    fn a_models_title_loses_its_frame() {
        for answer in
            ["\"The Salt Tax\"", "Title: The Salt Tax.", "**The Salt Tax**", "„The Salt Tax“\nBecause ..."]
        {
            assert_eq!(of_model(answer).as_deref(), Some("The Salt Tax"), "{answer}");
        }
        assert_eq!(of_model("Veyra: the siege").as_deref(), Some("Veyra: the siege"));
    }

    proptest::proptest! {
        /// Whatever a person writes or a model answers, the title passes the rules of titles and shows all of its characters.
        #[test]
        fn every_title_is_valid_short_and_visible(text in "(?s).{0,300}") {
            for title in [of_message(&text), of_model(&text)].into_iter().flatten() {
                proptest::prop_assert_eq!(Conversation::title(&title), Ok(title.clone()));
                proptest::prop_assert!(!title.is_empty() && title.chars().count() <= MAX_CHARS);
                proptest::prop_assert!(title.chars().all(|c| Invisible::of(c).is_none()));
            }
        }
    }
}
