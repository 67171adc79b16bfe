//! Scrubs, the only way to destroy memory. A person sees a manifest first and confirms exactly that manifest.

use sha2::{Digest, Sha256};
use unicode_normalization::UnicodeNormalization;

use crate::{
    digest::hex,
    ids::{ChannelId, ConversationId, MemoryId},
    scope::words,
};

pub use self::phrases::{InvalidSubject, Phrases, SubjectName};

mod phrases;

/// Which entries a scrub keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ScrubMode {
    /// Keeps nothing.
    Full,
    /// Keeps named entries.
    KeepNamed,
}

words!(ScrubMode, "mode", { Full => "full", KeepNamed => "keep_named" });

/// The database that one entry or one subject is scrubbed from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ScrubFile {
    /// The account's database.
    Account,
    /// The database of the open workspace.
    Workspace,
}

/// The target of a scrub.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ScrubTarget {
    /// The entries of a conversation's tier, its working notes and its orientations.
    Conversation(ConversationId),
    /// The entries of a channel's tier.
    Channel(ChannelId),
    /// The entries of the workspace's tier, and its facts.
    Workspace,
    /// The entries of the account's tier.
    Account,
    /// The messages of a conversation and everything derived from them, except entries of the tiers.
    Purge(ConversationId),
    /// One entry with its history.
    Entry(MemoryId, ScrubFile),
    /// Every entry, fact and working note of a database that names a subject, now or in an earlier version.
    Subject(SubjectName, ScrubFile),
}

impl ScrubTarget {
    /// The kind of target, as a word.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Conversation(_) => "conversation",
            Self::Channel(_) => "channel",
            Self::Workspace => "workspace",
            Self::Account => "account",
            Self::Purge(_) => "purge_conversation",
            Self::Entry(..) => "entry",
            Self::Subject(..) => "subject",
        }
    }

    /// The database that contains it.
    pub const fn file(&self) -> ScrubFile {
        match self {
            Self::Account => ScrubFile::Account,
            Self::Entry(_, file) | Self::Subject(_, file) => *file,
            Self::Conversation(_) | Self::Channel(_) | Self::Workspace | Self::Purge(_) => {
                ScrubFile::Workspace
            }
        }
    }

    /// True if named entries are kept. A purge affects no entries, and a single chosen entry is destroyed even if it
    /// is named.
    pub fn keeps_named(&self, mode: ScrubMode) -> bool {
        mode == ScrubMode::KeepNamed && !matches!(self, Self::Purge(_) | Self::Entry(..))
    }

    /// True if it destroys the entries of a tier, by the place that they have.
    pub const fn is_tier(&self) -> bool {
        matches!(self, Self::Conversation(_) | Self::Channel(_) | Self::Workspace | Self::Account)
    }

    /// The id of the channel or conversation, if any.
    pub fn channel_or_conversation_id(&self) -> Option<String> {
        match self {
            Self::Conversation(id) | Self::Purge(id) => Some(id.to_string()),
            Self::Channel(id) => Some(id.to_string()),
            Self::Workspace | Self::Account | Self::Entry(..) | Self::Subject(..) => None,
        }
    }

    /// Kind and id, for the audit log. A subject's name is left out, because the log is permanent.
    pub fn scope(&self) -> String {
        match self {
            Self::Entry(id, _) => format!("{} {id}", self.kind()),
            _ => self
                .channel_or_conversation_id()
                .map_or_else(|| self.kind().to_owned(), |room| format!("{} {room}", self.kind())),
        }
    }

    /// What a row of the audit log of a database says that a scrub destroyed; `None` for a scope that no scrub has.
    pub fn of_scope(scope: &str, file: ScrubFile) -> Option<LoggedScrub> {
        let (kind, id) = scope.split_once(' ').unwrap_or((scope, ""));
        let target = match kind {
            "conversation" => Self::Conversation(id.parse().ok()?),
            "channel" => Self::Channel(id.parse().ok()?),
            "workspace" => Self::Workspace,
            "account" => Self::Account,
            "purge_conversation" => Self::Purge(id.parse().ok()?),
            "entry" => Self::Entry(id.parse().ok()?, file),
            "subject" => return Some(LoggedScrub::Subject),
            _ => return None,
        };
        Some(LoggedScrub::Target(target))
    }

    /// The confirmation phrase that a person must type.
    pub const fn phrase(&self) -> &'static str {
        match self {
            Self::Conversation(_) => "scrub conversation",
            Self::Channel(_) => "scrub channel",
            Self::Workspace => "scrub workspace",
            Self::Account => "scrub account",
            Self::Purge(_) => "purge conversation",
            Self::Entry(..) => "scrub entry",
            Self::Subject(..) => "scrub subject",
        }
    }

    /// True if the typed text is the phrase, ignoring case and surrounding spaces.
    pub fn is_phrase(&self, typed: &str) -> bool {
        typed.trim().eq_ignore_ascii_case(self.phrase())
    }
}

/// A scrub as the audit log tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LoggedScrub {
    Target(ScrubTarget),
    /// A scrub of a subject. The log leaves its name out.
    Subject,
}

/// The kinds of rows that a scrub destroys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ScrubRows {
    /// Memory entries.
    Memories,
    /// Earlier versions of entries.
    Versions,
    /// Vectors of entries and messages.
    Vectors,
    /// Proposals about entries.
    Proposals,
    /// Messages, markers included.
    Messages,
    Episodes,
    /// Facts, earlier values and claims.
    Facts,
    WorkingNotes,
    /// Orientations of the World Agent.
    Orientations,
    RecallTests,
    SavedSearches,
}

words!(ScrubRows, "kind of rows", {
    Memories => "memories", Versions => "versions", Vectors => "vectors", Proposals => "proposals",
    Messages => "messages", Episodes => "episodes", Facts => "facts", WorkingNotes => "workingNotes",
    Orientations => "orientations", RecallTests => "recallTests",
    SavedSearches => "savedSearches",
});

/// Maximum number of ids shown from a manifest.
pub const SAMPLE: usize = 20;

/// The rows that a scrub would destroy, counted by kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    pub target: ScrubTarget,
    /// Which entries are kept.
    pub mode: ScrubMode,
    /// Number of rows by kind, without empty kinds.
    pub counts: Vec<(ScrubRows, u64)>,
    /// Number of entries kept because they are named.
    pub keeps: u64,
    /// Ids of the affected entries, messages and facts.
    pub ids: Vec<String>,
    /// Hash over all rows with their versions, 64 hex digits.
    pub hash: String,
}

impl Manifest {
    /// The first ids, at most [`SAMPLE`].
    pub fn sample(&self) -> &[String] {
        &self.ids[..self.ids.len().min(SAMPLE)]
    }

    /// Total number of rows.
    pub fn total(&self) -> u64 {
        self.counts.iter().map(|(_, rows)| rows).sum()
    }
}

/// Computes the hash of a manifest from its rows.
#[derive(Debug, Clone)]
pub struct RowHash(Sha256);

impl RowHash {
    /// Starts a hash with the target and mode, so that a hash for one target never matches another.
    pub fn new(target: &ScrubTarget, mode: ScrubMode) -> Self {
        let mut hash = Sha256::new();
        hash.update(format!("inklings scrub 1\n{}\n{mode}\n", target.scope()));
        if let ScrubTarget::Subject(name, _) = target {
            hash.update(format!("{}\n", name.words()));
        }
        Self(hash)
    }

    /// Adds a row. The order of the rows must depend on the rows alone.
    pub fn row(&mut self, rows: ScrubRows, id: &str, version: u64) {
        self.0.update(format!("{} {id} {version}\n", rows.as_str()));
    }

    /// The hash, 64 hex digits.
    pub fn finish(self) -> String {
        hex(&self.0.finalize())
    }
}

/// Minimum number of words for a sentence to be distinctive.
const SENTENCE_WORDS: usize = 4;

/// The forms of a text that its fingerprints are computed from: the whole text and each sentence that is long enough,
/// as lower-case words. A text that repeats one of them, with any punctuation, counts as a repetition.
pub fn fingerprint_forms(text: &str) -> Vec<String> {
    let mut forms = Vec::new();
    let whole = words_of(text);
    for sentence in text.split(['.', '!', '?', '\n', '\u{3002}', '\u{ff01}', '\u{ff1f}']) {
        let words = words_of(sentence);
        if words.len() >= SENTENCE_WORDS {
            forms.push(words.join(" "));
        }
    }
    if !whole.is_empty() {
        forms.push(whole.join(" "));
    }
    forms.sort_unstable();
    forms.dedup();
    forms
}

/// The form of a fact that its fingerprint is computed from. The value alone is not distinctive, because it may occur
/// elsewhere.
pub fn fact_form(category: &str, key: &str, value: &str) -> String {
    words_of(&format!("{category} {key} {value}")).join(" ")
}

fn words_of(text: &str) -> Vec<String> {
    let folded = text.nfkc().collect::<String>().to_lowercase();
    folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Minimum length of a word for a search in raw bytes, in letters.
const TELLING: usize = 5;

/// Length in letters of a text that is searched as a whole, because none of its words is distinctive.
const WHOLE: std::ops::RangeInclusive<usize> = 8..=40;

/// Distinctive words of a text for finding its remains, longest first, at most `most`. If all words are short, the
/// beginning of the text itself.
pub fn telling_words(text: &str, most: usize) -> Vec<String> {
    let mut words: Vec<&str> = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.chars().count() >= TELLING && word.chars().any(char::is_alphabetic))
        .collect();
    words.sort_by_key(|word| (std::cmp::Reverse(word.len()), *word));
    words.dedup();
    words.truncate(most);
    let start: String = text.trim().chars().take(*WHOLE.end()).collect();
    if words.is_empty() && start.chars().count() >= *WHOLE.start() {
        return vec![start];
    }
    words.into_iter().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;

    fn hash(target: &ScrubTarget, mode: ScrubMode, rows: &[(ScrubRows, String, u64)]) -> String {
        let mut hash = RowHash::new(target, mode);
        for (kind, id, version) in rows {
            hash.row(*kind, id, *version);
        }
        hash.finish()
    }

    #[test]
    fn the_phrase_depends_only_on_the_kind_and_ignores_case_and_outer_spaces() {
        assert!(ScrubTarget::Workspace.is_phrase("  Scrub Workspace "));
        assert!(!ScrubTarget::Workspace.is_phrase("scrub account"));
        let purge = ScrubTarget::Purge(ConversationId::from_uuid(Uuid::nil()));
        assert!(purge.is_phrase("purge conversation") && !purge.is_phrase("scrub conversation"));
    }

    #[test]
    fn the_audit_log_names_the_target_of_a_scrub_but_not_its_subject() {
        let id = Uuid::from_u128(7);
        for target in [
            ScrubTarget::Conversation(ConversationId::from_uuid(id)),
            ScrubTarget::Channel(ChannelId::from_uuid(id)),
            ScrubTarget::Workspace,
            ScrubTarget::Account,
            ScrubTarget::Purge(ConversationId::from_uuid(id)),
            ScrubTarget::Entry(MemoryId::from_uuid(id), ScrubFile::Account),
        ] {
            let parsed = ScrubTarget::of_scope(&target.scope(), target.file());
            assert_eq!(parsed, Some(LoggedScrub::Target(target)));
        }
        let subject = ScrubTarget::Subject(SubjectName::new("Oskar").expect("a name"), ScrubFile::Workspace);
        assert_eq!(ScrubTarget::of_scope(&subject.scope(), ScrubFile::Workspace), Some(LoggedScrub::Subject));
        for other in ["", "backup 20260301T120212000Z-asked", "entry", "entry x", "conversation"] {
            assert_eq!(ScrubTarget::of_scope(other, ScrubFile::Workspace), None, "{other}");
        }
    }

    #[test]
    fn the_hash_of_a_manifest_depends_on_target_and_mode() {
        let rows = [(ScrubRows::Memories, "a".to_owned(), 1)];
        let full = hash(&ScrubTarget::Workspace, ScrubMode::Full, &rows);
        assert_ne!(full, hash(&ScrubTarget::Workspace, ScrubMode::KeepNamed, &rows));
        assert_ne!(full, hash(&ScrubTarget::Account, ScrubMode::Full, &rows));
    }

    #[test]
    fn a_text_of_short_words_is_searched_for_as_a_whole() {
        assert_eq!(telling_words("The gate is of iron.", 2), ["The gate is of iron."]);
        assert_eq!(telling_words("The gatehouse is of iron.", 2), ["gatehouse"]);
        assert_eq!(telling_words(" yes. ", 2), Vec::<String>::new());
        assert_eq!(telling_words(&"so it is ".repeat(20), 2)[0].chars().count(), 40);
    }

    #[test]
    fn a_repeated_sentence_has_a_fingerprint_of_the_text_whatever_its_punctuation() {
        let text = "Oskar hid the ledger. The Ash Gate opens at dawn!";
        let forms = fingerprint_forms(text);
        for again in ["the ash gate opens at dawn", "The Ash Gate — opens, at dawn.", text] {
            assert!(fingerprint_forms(again).iter().any(|form| forms.contains(form)), "{again}");
        }
        assert!(!fingerprint_forms("The gate opens at dusk.").iter().any(|form| forms.contains(form)));
        assert!(fingerprint_forms(" … ").is_empty());
    }

    #[test]
    fn search_words_of_a_text_are_the_longest_ones() {
        assert_eq!(telling_words("The basilisk of Veyra sleeps, 1234567", 2), ["basilisk", "sleeps"]);
    }

    proptest! {
        #[test]
        fn any_new_missing_or_changed_row_changes_the_hash(
            rows in prop::collection::vec((0usize..9, "[a-f0-9]{8}", 1u64..50), 1..20),
            at in any::<prop::sample::Index>(),
        ) {
            let rows: Vec<_> = rows.into_iter().map(|(kind, id, v)| (ScrubRows::ALL[kind], id, v)).collect();
            let target = ScrubTarget::Workspace;
            let whole = hash(&target, ScrubMode::Full, &rows);
            let place = at.index(rows.len());
            let mut changed = rows.clone();
            changed[place].2 += 1;
            prop_assert_ne!(&whole, &hash(&target, ScrubMode::Full, &changed));
            let mut fewer = rows.clone();
            fewer.remove(place);
            prop_assert_ne!(&whole, &hash(&target, ScrubMode::Full, &fewer));
            let mut more = rows;
            more.push((ScrubRows::Facts, "ffffffff0".into(), 1));
            prop_assert_ne!(&whole, &hash(&target, ScrubMode::Full, &more));
        }
    }
}
