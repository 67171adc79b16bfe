//! Builds FTS5 expressions from queries and scope filters.
//!
//! Every word is quoted, so no input can act as an operator. Tier, channel or conversation, and activity are
//! part of the expression. So the index itself narrows the search, and the top k are the top k within scope.

use std::fmt::{Display, Write as _};

use inklings_domain::{
    ids::{ConversationId, VaultId, WorkspaceId},
    memory::filter::{Activity, ScopeFilter, Selection},
    search::query::{Clause, TextQuery},
    unspaced::{segments, single},
};

/// Selects the text columns of entries and of messages: all columns except `reach`, which holds the words for
/// the scope filter.
const TEXT: &str = "- {reach}";

/// The part of a database that a scope filter covers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Within {
    /// No entry is in scope.
    Nothing,
    /// All entries are in scope.
    All,
    /// The entries that match these words of the `reach` column.
    Words(String),
}

/// The part of a database that is in scope.
pub fn within(scope_filter: &ScopeFilter, workspace: WorkspaceId) -> Within {
    if workspace == WorkspaceId::ACCOUNT {
        return if scope_filter.account { Within::All } else { Within::Nothing };
    }
    let whole = scope_filter.channels == Selection::All
        && scope_filter.conversations == Selection::All
        && scope_filter.conversations_in.is_none();
    if scope_filter.workspace && whole {
        return Within::All;
    }
    let mut words = Vec::new();
    if scope_filter.workspace {
        words.push("\"sworkspace\"".to_owned());
    }
    let channels = ids(&scope_filter.channels, 'c');
    let conversations = ids(&scope_filter.conversations, 'v');
    let only = scope_filter.conversations_in.map(|id| word('c', id));
    match (&scope_filter.channels, &only) {
        // One channel with all its conversations: the word of the channel covers both tiers.
        (Selection::Only(_), Some(only))
            if scope_filter.conversations == Selection::All && channels.as_ref() == Some(only) =>
        {
            words.push(only.clone());
            return Within::Words(words.join(" OR "));
        }
        (Selection::None, _) => {}
        (Selection::All, _) => words.push("\"schannel\"".to_owned()),
        (Selection::Only(_), _) => {
            words.extend(channels.map(|channels| format!("(\"schannel\" AND ({channels}))")));
        }
    }
    let tier = match &scope_filter.conversations {
        Selection::None => None,
        Selection::All => Some("\"sconversation\"".to_owned()),
        Selection::Only(_) => conversations.map(|ids| format!("(\"sconversation\" AND ({ids}))")),
    };
    words.extend(tier.map(|tier| match only {
        Some(channel) => format!("({tier} AND {channel})"),
        None => tier,
    }));
    if words.is_empty() { Within::Nothing } else { Within::Words(words.join(" OR ")) }
}

fn ids<T: Display>(selection: &Selection<T>, prefix: char) -> Option<String> {
    let Selection::Only(ids) = selection else { return None };
    let words: Vec<String> = ids.iter().map(|id| word(prefix, id)).collect();
    (!words.is_empty()).then(|| words.join(" OR "))
}

/// The word of a channel or conversation in the `reach` column of the schema. It ends in a digit, so that the
/// stemmer leaves it unchanged.
fn word(prefix: char, id: impl Display) -> String {
    format!("\"{prefix}{}0\"", id.to_string().replace('-', ""))
}

/// The whole expression; `None` if nothing can match. The phrases of the text come first, in the order of
/// [`phrases`], because the score depends on that order.
pub fn full(query: &TextQuery, within: &Within, activity: Activity) -> Option<String> {
    let text = text(query)?;
    let mut all = match within {
        Within::Nothing => return None,
        Within::All => text,
        Within::Words(words) => format!("({text}) AND (reach : ({words}))"),
    };
    // Forgotten and blank entries are few. Excluding them avoids reading the long list of active entries.
    match activity {
        Activity::Any => all = format!("({all}) NOT (reach : \"blank\")"),
        Activity::Active => all = format!("({all}) NOT (reach : (\"forgotten\" OR \"blank\"))"),
        Activity::Forgotten => all = format!("({all}) AND (reach : \"forgotten\")"),
    }
    Some(all)
}

/// The whole expression over messages, of one conversation or of all; `None` if nothing can match. Unfinished
/// messages are few, so they are excluded.
pub fn over_messages(query: &TextQuery, conversation: Option<ConversationId>) -> Option<String> {
    let text = text(query)?;
    let all = match conversation {
        Some(id) => format!("({text}) AND (reach : {})", word('v', id)),
        None => text,
    };
    Some(format!("({all}) NOT (reach : \"unsaid\")"))
}

/// The whole expression over pages, of one vault or of all; `None` if nothing can match.
pub fn over_pages(query: &TextQuery, vault: Option<VaultId>) -> Option<String> {
    let text = text(query)?;
    Some(match vault {
        Some(id) => format!("({text}) AND (reach : {})", word('v', id)),
        None => text,
    })
}

/// The text part alone; `None` for a query that the index does not answer.
pub fn text(query: &TextQuery) -> Option<String> {
    match query {
        TextQuery::Nothing | TextQuery::Literal(_) => None,
        TextQuery::Any(clauses) => Some(format!("{TEXT} : ({})", any(clauses)?)),
        TextQuery::All { groups, without } => {
            let groups: Option<Vec<String>> =
                groups.iter().map(|group| any(group).map(|group| format!("({group})"))).collect();
            let wanted = groups.filter(|groups| !groups.is_empty())?.join(" AND ");
            Some(match any(without) {
                Some(without) => format!("{TEXT} : (({wanted}) NOT ({without}))"),
                None => format!("{TEXT} : ({wanted})"),
            })
        }
    }
}

/// The phrases of a text expression, in order.
pub fn phrases(query: &TextQuery) -> Vec<String> {
    match query {
        TextQuery::Nothing | TextQuery::Literal(_) => Vec::new(),
        TextQuery::Any(clauses) => clauses.iter().filter_map(phrase).collect(),
        TextQuery::All { groups, without } => {
            groups.iter().flatten().chain(without).filter_map(phrase).collect()
        }
    }
}

/// An expression that matches any of these phrases.
pub fn alternatives(phrases: &[String]) -> String {
    format!("{TEXT} : ({})", phrases.join(" OR "))
}

/// Every phrase that may be marked in a hit, in the format of `inklings_marks`: one line each, with `1` or
/// `0` for whether the last word is a prefix, then the words.
pub fn marks(query: &TextQuery) -> Option<String> {
    let clauses: Vec<&Clause> = match query {
        TextQuery::Nothing | TextQuery::Literal(_) => return None,
        TextQuery::Any(clauses) => clauses.iter().collect(),
        TextQuery::All { groups, .. } => groups.iter().flatten().collect(),
    };
    // Phrases that are not searched for are not marked.
    let clauses: Vec<&Clause> = clauses.into_iter().filter(|clause| has_word(clause)).collect();
    let line = |clause: &Clause| {
        // The line separators also separate words, so a space is equivalent.
        let words = clause.words.join(" ").replace(['\n', '\0'], " ");
        format!("{}{words}", u8::from(is_prefix(clause)))
    };
    (!clauses.is_empty()).then(|| clauses.into_iter().map(line).collect::<Vec<_>>().join("\n"))
}

fn any(clauses: &[Clause]) -> Option<String> {
    let phrases: Vec<String> = clauses.iter().filter_map(phrase).collect();
    (!phrases.is_empty()).then(|| phrases.join(" OR "))
}

/// True if a clause has anything to search for. The tokenizer of the index may treat a symbol as a word where
/// this function does not.
fn has_word(clause: &Clause) -> bool {
    clause.words.iter().any(|word| word.chars().any(char::is_alphanumeric))
}

/// True if the last word may go on. The index has single characters of unspaced scripts as the beginnings of pairs.
fn is_prefix(clause: &Clause) -> bool {
    let last = clause.words.last().and_then(|word| segments(word).last());
    clause.prefix || last.is_some_and(|last| single(last.text).is_some())
}

/// Quotes one phrase.
pub fn phrase(clause: &Clause) -> Option<String> {
    let mut quoted = String::from("\"");
    for (i, word) in clause.words.iter().enumerate() {
        if i > 0 {
            quoted.push(' ');
        }
        // NUL would end the expression early. The query parser removes NUL, but the type allows it.
        let _ = write!(quoted, "{}", word.replace('\0', " ").replace('"', "\"\""));
    }
    quoted.push('"');
    if has_word(clause) {
        if is_prefix(clause) {
            quoted.push_str(" *");
        }
        Some(quoted)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use inklings_domain::{ids::ChannelId, scope::MemoryScope, search::query::parse};
    use uuid::Uuid;

    use super::*;

    fn workspace() -> WorkspaceId {
        WorkspaceId::from_uuid(Uuid::from_u128(1))
    }

    fn words(scope_filter: &ScopeFilter) -> Within {
        within(scope_filter, workspace())
    }

    #[test]
    fn every_word_is_quoted() {
        let query = parse("\"salt gate\" mira OR tom* -bridge").query;
        assert_eq!(
            text(&query).as_deref(),
            Some("- {reach} : (((\"salt gate\") AND (\"mira\" OR \"tom\" *)) NOT (\"bridge\"))")
        );
        assert_eq!(marks(&query).as_deref(), Some("0salt gate\n0mira\n1tom"));
        let hostile = Clause { words: vec!["a\"b".into(), "NEAR(\0".into()], prefix: false };
        assert_eq!(phrase(&hostile).as_deref(), Some("\"a\"\"b NEAR( \""));
    }

    #[test]
    fn a_database_wholly_within_reach_needs_no_words() {
        assert_eq!(words(&ScopeFilter::EVERYTHING), Within::All);
        assert_eq!(within(&ScopeFilter::EVERYTHING, WorkspaceId::ACCOUNT), Within::All);
        let scope_filter = ScopeFilter::new(&[MemoryScope::Account], None, None);
        assert_eq!(words(&scope_filter), Within::Nothing);
        assert_eq!(within(&scope_filter, WorkspaceId::ACCOUNT), Within::All);
    }

    #[test]
    fn channels_and_conversations_become_words_of_the_index() {
        let channel = ChannelId::from_uuid(Uuid::from_u128(0xc));
        let conversation = ConversationId::from_uuid(Uuid::from_u128(0xf));
        let c = "\"c0000000000000000000000000000000c0\"";
        let v = "\"v0000000000000000000000000000000f0\"";
        assert_eq!(
            words(&ScopeFilter::new(&[], Some(channel), None)),
            Within::Words(format!("\"sworkspace\" OR {c}"))
        );
        assert_eq!(
            words(&ScopeFilter::new(&[], Some(channel), Some(conversation))),
            Within::Words(format!(
                "\"sworkspace\" OR (\"schannel\" AND ({c})) OR ((\"sconversation\" AND ({v})) AND {c})"
            ))
        );
        assert_eq!(
            words(&ScopeFilter::new(&[MemoryScope::Channel], None, None)),
            Within::Words("\"schannel\"".into())
        );
        let none =
            ScopeFilter { workspace: false, channels: Selection::Only(vec![]), ..ScopeFilter::EVERYTHING };
        assert_eq!(words(&none), Within::Words("\"sconversation\"".into()));
    }

    #[test]
    fn forgotten_and_empty_entries_are_taken_out_inside_the_index() {
        let query = parse("gate").query;
        assert_eq!(
            full(&query, &Within::All, Activity::Active).as_deref(),
            Some("(- {reach} : (\"gate\" *)) NOT (reach : (\"forgotten\" OR \"blank\"))")
        );
        assert_eq!(
            full(&query, &Within::All, Activity::Any).as_deref(),
            Some("(- {reach} : (\"gate\" *)) NOT (reach : \"blank\")")
        );
        assert_eq!(full(&query, &Within::Nothing, Activity::Any), None);
        assert_eq!(
            over_messages(&query, Some(ConversationId::from_uuid(Uuid::from_u128(0xf)))).as_deref(),
            Some(
                "((- {reach} : (\"gate\" *)) AND (reach : \"v0000000000000000000000000000000f0\")) \
                 NOT (reach : \"unsaid\")"
            )
        );
        assert_eq!(full(&TextQuery::Nothing, &Within::All, Activity::Any), None);
    }
}
