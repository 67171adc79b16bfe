//! The query of a conversation: what is searched for its newest message.
//!
//! A message that goes on from the ones before it ("How old is he?") does not name what it is about. Its query also has what
//! was said before. This is the historical query expansion of Lin et al. (2021) with whole messages instead of keywords.

use std::collections::HashSet;

use super::query::ends;
use crate::{
    conversation::message::{Message, Role},
    language::{Kind, Token, is_function_word, is_shouted, tokens},
    unspaced::words_in,
};

/// A message with as many words of content says what it is about.
const ENOUGH_WORDS: usize = 3;
/// As [`ENOUGH_WORDS`], for a message with a pronoun for somebody who was spoken of.
const ENOUGH_WORDS_WITH_PRONOUN: usize = 6;
/// A text with more bytes says what it is about. Its words are not counted.
const LONG: usize = 1_000;
/// Maximum messages of the worldbuilder that are added.
const MOST_EARLIER: usize = 2;
/// Maximum length of an earlier message of the worldbuilder in the query, in characters.
const EARLIER_CHARS: usize = 300;
/// Maximum length of the World Agent's answer in the query, in characters. An answer begins with its point.
const ANSWER_CHARS: usize = 200;

/// Pronouns that stand for a person or for people. Those that also stand for a clause ("it", "that") or for the reader ("ihr")
/// are left out.
const PRONOUNS: &[&str] = &[
    "he", "she", "him", "her", "his", "hers", "they", "them", "their", "theirs", "er", "sie", "ihm", "ihn",
    "ihnen", "il", "elle", "ils", "elles", "lui", "leur",
];

/// What is searched for in a conversation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ConversationQuery {
    /// The newest message that the worldbuilder typed.
    #[default]
    Newest,
    /// A message that would come next.
    Next(String),
    /// A text as it is, such as a recorded query.
    Exactly(String),
}

impl ConversationQuery {
    /// True if [`Self::text`] depends on the messages.
    pub fn needs_messages(&self) -> bool {
        match self {
            Self::Newest => true,
            Self::Next(text) => !stands_alone(text),
            Self::Exactly(_) => false,
        }
    }

    /// The text to search for, given the messages of the conversation in chronological order: the message, and below it what was
    /// said before if it goes on from there, each from its first character. `None` if there is no message.
    pub fn text<'m>(&self, messages: impl DoubleEndedIterator<Item = &'m Message>) -> Option<String> {
        let mut messages = messages.rev();
        let newest = match self {
            Self::Newest => messages.find(|message| message.is_typed())?.body.content.as_str(),
            Self::Next(text) => text.as_str(),
            Self::Exactly(text) => return Some(text.clone()),
        };
        let mut parts = vec![newest.to_owned()];
        if !stands_alone(newest) {
            parts.extend(before(messages));
        }
        Some(parts.join("\n"))
    }
}

/// The messages that a message goes on from, of those before it with the newest first.
fn before<'m>(messages: impl Iterator<Item = &'m Message>) -> Vec<String> {
    let (mut answer, mut earlier) = (None, Vec::new());
    for message in messages.filter(|message| message.is_speech()) {
        let text = message.body.content.as_str();
        if message.is_typed() {
            earlier.push(ends(text, EARLIER_CHARS));
            if earlier.len() == MOST_EARLIER || stands_alone(text) {
                break;
            }
        } else if message.body.role == Role::Assistant && earlier.is_empty() && answer.is_none() {
            answer = Some(text.chars().take(ANSWER_CHARS).collect());
        }
    }
    earlier.extend(answer);
    earlier
}

/// True if a message says what it is about: it has a name, or enough words of content. Nothing is about nothing.
fn stands_alone(text: &str) -> bool {
    if text.trim().is_empty() || text.len() > LONG {
        return true;
    }
    let (list, shouted) = (tokens(text), is_shouted(text));
    // Any word may stand at the beginning of a sentence with a capital.
    if list.iter().any(|token| !token.opens && token.is_name(shouted)) {
        return true;
    }
    let has_pronoun = list.iter().any(|token| PRONOUNS.contains(&token.folded.as_str()));
    let enough = if has_pronoun { ENOUGH_WORDS_WITH_PRONOUN } else { ENOUGH_WORDS };
    let content: HashSet<&str> = list.iter().filter(|token| has_content(token)).map(Token::bare).collect();
    content.into_iter().map(words_in).sum::<usize>() >= enough
}

fn has_content(token: &Token<'_>) -> bool {
    let word = token.bare();
    token.kind != Kind::Symbol && word.chars().nth(1).is_some() && !is_function_word(word)
}

#[cfg(test)]
mod tests {
    use chrono::{TimeZone, Utc};
    use uuid::Uuid;

    use super::*;
    use crate::{
        conversation::message::NewMessage,
        ids::{ConversationId, MessageId},
    };

    fn messages(turns: &[(Role, &str)]) -> Vec<Message> {
        let at = Utc.timestamp_opt(1_700_000_000, 0).single().expect("a valid time");
        let message = |(n, (role, text)): (u64, &(Role, &str))| Message {
            conversation: ConversationId::from_uuid(Uuid::from_u128(1)),
            position: n,
            body: NewMessage::new(MessageId::from_uuid(Uuid::from_u128(u128::from(n))), *role, text, at)
                .expect("valid"),
            updated_at: at,
            consolidated_at: None,
        };
        (1..).zip(turns).map(message).collect()
    }

    fn query(turns: &[(Role, &str)]) -> Option<String> {
        let (all, last) = (messages(turns), turns.last());
        let query = ConversationQuery::Newest.text(all.iter());
        if let Some((User, text)) = last {
            let next = ConversationQuery::Next((*text).to_owned()).text(all[..all.len() - 1].iter());
            assert_eq!(next, query, "a message is searched before it is said as after it");
        }
        query
    }

    use Role::{Assistant, System, Tool, User};

    #[test]
    fn a_message_that_goes_on_is_searched_with_those_before_it() {
        for newest in [
            "How old is he?",
            "Tell me more.",
            "Why?",
            "yes",
            "And the price?",
            "When did she first cross the river?",
            "Wie alt ist er?",
            "Quel âge a-t-il ?",
            "他几岁",
        ] {
            let turns = [
                (User, "Which bridge did Oda build?"),
                (Assistant, "The one of stone."),
                (User, "Who guards the salt gate?"),
                (Tool, "three entries"),
                (Assistant, "Toma the ferryman guards it."),
                (User, newest),
            ];
            let expected = format!("{newest}\nWho guards the salt gate?\nToma the ferryman guards it.");
            assert_eq!(query(&turns), Some(expected));
        }
    }

    #[test]
    fn a_message_that_says_what_it_is_about_is_searched_alone() {
        for newest in [
            "Who is Mira?",
            "Who guards the salt gate?",
            "Which of the guards told her that the salt gate is open at night in winter?",
            "What did he say to Toma?",
            "谁拿着铁门的钥匙",
        ] {
            let turns =
                [(User, "Which bridge did Oda build?"), (Assistant, "That of stone."), (User, newest)];
            assert_eq!(query(&turns).as_deref(), Some(newest));
        }
    }

    #[test]
    fn a_second_message_that_goes_on_reaches_back_to_the_first_question() {
        let turns = [
            (User, "Who guards the salt gate?"),
            (Assistant, "Toma."),
            (User, "How old is he?"),
            (Assistant, "Sixty."),
            (User, "And his wife?"),
        ];
        let expected = "And his wife?\nHow old is he?\nWho guards the salt gate?\nSixty.";
        assert_eq!(query(&turns).as_deref(), Some(expected));
    }

    #[test]
    fn long_messages_before_it_are_cut() {
        let (long, answer) = ("a tale of salt ".repeat(100), "word ".repeat(1_000));
        let turns = [(User, long.as_str()), (Assistant, answer.as_str()), (User, "Why?")];
        let found = query(&turns).expect("a query");
        assert!(found.chars().count() <= 6 + EARLIER_CHARS + ANSWER_CHARS, "{found}");
    }

    proptest::proptest! {
        #[test]
        fn each_message_is_in_the_query_from_its_first_character_on_a_line_of_its_own(
            turns in proptest::collection::vec(
                (proptest::sample::select(vec![User, Assistant, Tool]), "[a-zé]{1,9}([ \\n][a-zé]{1,120}){0,8}"),
                1..8,
            ),
        ) {
            let turns: Vec<(Role, &str)> = turns.iter().map(|(role, text)| (*role, text.as_str())).collect();
            let newest = turns.iter().rev().find(|(role, _)| *role == User).map(|(_, text)| *text);
            let query = query(&turns);
            proptest::prop_assert_eq!(query.is_some(), newest.is_some());
            let Some((query, newest)) = query.zip(newest) else { return Ok(()) };
            let rest = query.strip_prefix(newest);
            proptest::prop_assert!(rest.is_some(), "{query}");
            let rest = rest.unwrap_or_default();
            let limit = MOST_EARLIER * EARLIER_CHARS + ANSWER_CHARS + MOST_EARLIER + 1;
            proptest::prop_assert!(rest.chars().count() <= limit);
            let begins = |text: &&str| rest.starts_with(&format!("\n{}", text.chars().take(40).collect::<String>()));
            proptest::prop_assert!(rest.is_empty() || turns.iter().map(|(_, text)| text).any(begins));
        }
    }

    #[test]
    fn without_a_typed_message_there_is_no_query() {
        assert_eq!(query(&[(Assistant, "Welcome."), (System, "Started.")]), None);
        assert_eq!(query(&[(Assistant, "Welcome."), (User, "Hello")]).as_deref(), Some("Hello\nWelcome."));
    }
}
