//! Schema of the Inklings export format: sections, fields and their kinds. A field has the same name as in
//! the database.

use inklings_domain::{
    channel::{Channel, ChannelName},
    conversation::{Conversation, attachment, message},
    fact,
    forget_reason::ForgetReason,
    memory::{PLAIN_TEXTS, PlainText},
    subject,
    text::{self, TextError},
};
use serde_json::Value;

use crate::transfer::store::Fields;

/// The newest format version that this release reads, and the one it writes.
pub const SCHEMA_VERSION: u64 = 1;
/// Member of the retained fields of another program: the data of its file as a whole.
pub const DATA_OF_FILE: &str = "file";

/// Members of the retained fields of another program that tell of the file and not of the entry: the import, the position and the
/// data of the file.
pub const OF_FILE: [&str; 3] = ["book", "at", DATA_OF_FILE];

/// Name of the format.
pub const OWN: &str = "inklings";
/// Stands for the id of the default channel, which differs between workspaces.
pub const DEFAULT_CHANNEL: &str = "default";

/// Field for the text of the forget reason.
pub const REASON: &str = "forgotten_reason";
/// Field for the code of the forget reason, if its text alone would be read as another one.
pub const REASON_CODE: &str = "forgotten_code";

/// Field of a message that was written while memory was off. Nothing is derived from it.
pub const OFF_RECORD: &str = "off_record";
/// Field of a message that a client wrote: the id of the client, as in `derived_from` of an entry.
pub const CLIENT: &str = "client";

/// The lists of vectors of a row: those of texts or their first passages, then those of further passages.
pub const VECTORS: [&str; 2] = ["embeddings", "passages"];

/// Key in a checked row or list item that holds unknown fields. A field of this name in a file would itself
/// be unknown, so it cannot collide.
pub const UNKNOWN_FIELDS: &str = "inklings:beside";

/// A list of rows. In the order of the file, in which referenced rows come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Section {
    Channels,
    Conversations,
    /// Entries without a name, and archives.
    Memories,
    NamedEntries,
    /// Messages and compact markers.
    Messages,
    Episodes,
    /// Facts with their values and claims.
    Facts,
    /// Working notes.
    Scratchpads,
    /// The journal; exported but never imported.
    Journal,
}

impl Section {
    /// All sections, in the order of the file.
    pub const ALL: [Self; 9] = [
        Self::Channels,
        Self::Conversations,
        Self::Memories,
        Self::NamedEntries,
        Self::Messages,
        Self::Episodes,
        Self::Facts,
        Self::Scratchpads,
        Self::Journal,
    ];

    /// Name of the section in the file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Channels => "channels",
            Self::Conversations => "conversations",
            Self::Memories => "memories",
            Self::NamedEntries => "named_entries",
            Self::Messages => "messages",
            Self::Episodes => "episodes",
            Self::Facts => "facts",
            Self::Scratchpads => "scratchpads",
            Self::Journal => "journal",
        }
    }

    /// The section of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|section| section.name() == name)
    }

    /// Name of one of its rows, for display.
    pub const fn what(self) -> &'static str {
        match self {
            Self::Channels => "channel",
            Self::Conversations => "conversation",
            Self::Memories => "memory",
            Self::NamedEntries => "named entry",
            Self::Messages => "message",
            Self::Episodes => "episode",
            Self::Facts => "fact",
            Self::Scratchpads => "working note",
            Self::Journal => "journal row",
        }
    }

    /// True for the sections of entries.
    pub const fn holds_entries(self) -> bool {
        matches!(self, Self::Memories | Self::NamedEntries)
    }

    /// True if the account's database has this section.
    pub const fn of_account(self) -> bool {
        matches!(self, Self::Memories | Self::NamedEntries | Self::Journal)
    }

    /// Fields of its rows.
    pub const fn fields(self) -> &'static [Field] {
        match self {
            Self::Channels => CHANNEL,
            Self::Conversations => CONVERSATION,
            Self::Memories | Self::NamedEntries => MEMORY,
            Self::Messages => MESSAGE,
            Self::Episodes => EPISODE,
            Self::Facts => FACT,
            Self::Scratchpads => SCRATCHPAD,
            Self::Journal => JOURNAL,
        }
    }

    /// Fields of its rows that are columns of its table. The others are marks in tables of their own.
    pub fn columns(self) -> &'static [Field] {
        let marks = if matches!(self, Self::Messages) { MARKS.len() } else { 0 };
        let fields = self.fields();
        &fields[..fields.len() - marks]
    }

    /// Nested lists of its rows, with their fields.
    pub const fn lists(self) -> &'static [(&'static str, &'static [Field])] {
        match self {
            Self::Memories | Self::NamedEntries => {
                &[("history", HISTORY), (VECTORS[0], MEMORY_VECTOR), (VECTORS[1], PASSAGE)]
            }
            Self::Messages => &[(VECTORS[0], MESSAGE_VECTOR), (VECTORS[1], PASSAGE)],
            Self::Facts => &[("values", FACT_VALUE), ("claims", CLAIM)],
            _ => &[],
        }
    }
}

/// Key of an item in its list, independent of its other content: `history/2`.
pub fn part_of(list: &str, item: &Fields) -> String {
    let key = match list {
        "history" | "values" => item.get("version").and_then(Value::as_u64).unwrap_or_default().to_string(),
        "claims" => item.get("id").and_then(Value::as_str).unwrap_or_default().to_owned(),
        "passages" => {
            let model = item.get("model").and_then(Value::as_str).unwrap_or_default();
            format!("{model}/{}", item.get("ordinal").and_then(Value::as_u64).unwrap_or_default())
        }
        _ => item.get("model").and_then(Value::as_str).unwrap_or_default().to_owned(),
    };
    format!("{list}/{key}")
}

/// A validation rule of the domain for a field of this name: returns the normalised text or the error.
pub type Rule = fn(&'static str, &str) -> Result<String, TextError>;

/// The kind of a field's value.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    Id,
    /// The id of a channel, or [`DEFAULT_CHANNEL`].
    Channel,
    /// A machine-generated text of at most this many bytes; tab and line ends are its only control
    /// characters.
    Text(usize),
    /// A text written by people or agents, validated and normalised by a domain rule.
    Rule(Rule),
    /// A JSON text of at most this many bytes.
    Json(usize),
    /// One of these words.
    Word(&'static [&'static str]),
    /// A time: RFC 3339 in UTC with six fractional digits.
    Time,
    /// A non-negative integer.
    Whole,
    /// A number in [0, 1].
    Unit,
    /// A boolean.
    Flag,
    /// A plain text of an entry; its column is `NULL` without one.
    Plain(PlainText),
    /// The keys of an entry; their column is `NULL` without any.
    Keys,
    /// The links of an entry; their column is `NULL` without any.
    Links,
    /// What an entry was made of; the column is `NULL` for nothing.
    Derivations,
    /// Who knows of a fact; the column is `NULL` if everybody does.
    Knowers,
    /// A moment of story time; its column is `NULL` without one.
    Moment,
    /// The definition of a calendar.
    Calendar,
    /// A list of texts.
    Texts,
    /// A list of ids.
    Ids,
    /// A vector: base64 of little-endian 32-bit floats.
    Vector,
}

/// A field of a row.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    pub name: &'static str,
    /// Kind of its value.
    pub kind: Kind,
    /// True if it must be present.
    pub required: bool,
}

const fn must(name: &'static str, kind: Kind) -> Field {
    Field { name, kind, required: true }
}

const fn may(name: &'static str, kind: Kind) -> Field {
    Field { name, kind, required: false }
}

const LABEL: Kind = Kind::Rule(text::label);
const CONTENT: Kind = Kind::Rule(|_, text| text::body(text));
/// Empty if the fact was removed.
const FACT_TEXT: Kind =
    Kind::Rule(|_, text| if text.is_empty() { Ok(String::new()) } else { fact::value(text) });
/// A name or description given by another program.
const GIVEN: Kind = Kind::Rule(|field, text| text::given(field, text, text::MAX_LABEL_CHARS));
const SUBJECT: Kind = Kind::Rule(|_, text| subject::kind(text));
const RELATION: Kind = Kind::Rule(|_, text| subject::relation(text));
const FOREIGN_ID: Kind = Kind::Rule(|field, text| text::given(field, text, 300));
const ACTOR_KINDS: Kind = Kind::Word(&["author", "agent", "import", "system"]);

const CHANNEL: &[Field] = &[
    must("id", Kind::Channel),
    must("name", Kind::Rule(|_, text| ChannelName::new(text).map(|name| name.as_str().to_owned()))),
    may("description", Kind::Rule(|_, text| Channel::description(text))),
    may("created_at", Kind::Time),
    may("archived_at", Kind::Time),
];

const CONVERSATION: &[Field] = &[
    must("id", Kind::Id),
    must("channel_id", Kind::Channel),
    must("ref_code", Kind::Text(11)),
    may("title", Kind::Rule(|_, text| Conversation::title(text))),
    must("status", Kind::Word(&["active", "idle", "archived"])),
    must("started_at", Kind::Time),
    may("ended_at", Kind::Time),
    may("continues_id", Kind::Id),
    must("active_at", Kind::Time),
    may("deleted_at", Kind::Time),
    must("last_position", Kind::Whole),
    may("external_id", FOREIGN_ID),
    may("knower_id", Kind::Id),
    may("as_of", Kind::Moment),
    may("as_of_chapter", Kind::Id),
    may("title_by", Kind::Word(&["person", "message", "model"])),
    may("title_of", Kind::Id),
    may("shares_through", Kind::Whole),
];

/// These fields, and behind them the plain texts of an entry, of which there are `N` together.
const fn with_plain_texts<const N: usize>(fields: &[Field]) -> [Field; N] {
    let mut all = [fields[0]; N];
    let mut at = 0;
    while at < N {
        all[at] = if at < fields.len() {
            fields[at]
        } else {
            let plain = PLAIN_TEXTS[at - fields.len()];
            may(plain.name, Kind::Plain(plain))
        };
        at += 1;
    }
    all
}

const MEMORY: &[Field] = &with_plain_texts::<{ ENTRY.len() + PLAIN_TEXTS.len() }>(ENTRY);

/// An earlier version of an entry: the changeable fields, and the actor.
const HISTORY: &[Field] = &with_plain_texts::<{ VERSION.len() + PLAIN_TEXTS.len() }>(VERSION);

/// The fields of an entry but its plain texts.
const ENTRY: &[Field] = &[
    must("id", Kind::Id),
    must("scope", Kind::Word(&["account", "workspace", "channel", "conversation"])),
    may("channel_id", Kind::Channel),
    may("conversation_id", Kind::Id),
    must("lifetime", Kind::Word(&["long_term", "short_term", "conversation"])),
    must("curator", Kind::Word(&["agent", "author", "import"])),
    must("kind", Kind::Word(&["note", "archive"])),
    must("importance", Kind::Unit),
    may("pinned", Kind::Flag),
    may("forgotten_at", Kind::Time),
    must("source", LABEL),
    may("speaker", GIVEN),
    must("version", Kind::Whole),
    must("written_by", ACTOR_KINDS),
    may("access_count", Kind::Whole),
    must("created_at", Kind::Time),
    must("accessed_at", Kind::Time),
    must("updated_at", Kind::Time),
    may("tags", Kind::Texts),
    may("name", LABEL),
    may("aliases", Kind::Texts),
    may("external_id", FOREIGN_ID),
    may("session", GIVEN),
    may("said_at", GIVEN),
    may("source_conversation_id", Kind::Id),
    may(REASON, LABEL),
    may(REASON_CODE, Kind::Word(ForgetReason::CODES)),
    may("forgotten_run", Kind::Id),
    may("consolidated_into", Kind::Id),
    may("derived_from", Kind::Texts),
    may("keys", Kind::Keys),
    may("subject", SUBJECT),
    may("relation", RELATION),
    may("links", Kind::Links),
    may("holds_from", Kind::Moment),
    may("holds_until", Kind::Moment),
    may("reading_number", Kind::Whole),
    may("calendar", Kind::Calendar),
    may("derivations", Kind::Derivations),
    must("content", CONTENT),
];

/// The fields of an earlier version but its plain texts.
const VERSION: &[Field] = &[
    must("version", Kind::Whole),
    must("lifetime", Kind::Word(&["long_term", "short_term", "conversation"])),
    must("curator", Kind::Word(&["agent", "author", "import"])),
    must("kind", Kind::Word(&["note", "archive"])),
    must("importance", Kind::Unit),
    may("pinned", Kind::Flag),
    may("forgotten_at", Kind::Time),
    must("source", LABEL),
    may("speaker", GIVEN),
    must("written_by", ACTOR_KINDS),
    may("access_count", Kind::Whole),
    must("accessed_at", Kind::Time),
    must("updated_at", Kind::Time),
    may("tags", Kind::Texts),
    may("name", LABEL),
    may("aliases", Kind::Texts),
    may("external_id", FOREIGN_ID),
    may("session", GIVEN),
    may("said_at", GIVEN),
    may("source_conversation_id", Kind::Id),
    may(REASON, LABEL),
    may(REASON_CODE, Kind::Word(ForgetReason::CODES)),
    may("forgotten_run", Kind::Id),
    may("consolidated_into", Kind::Id),
    may("derived_from", Kind::Texts),
    may("keys", Kind::Keys),
    may("subject", SUBJECT),
    may("relation", RELATION),
    may("links", Kind::Links),
    may("holds_from", Kind::Moment),
    may("holds_until", Kind::Moment),
    may("reading_number", Kind::Whole),
    may("calendar", Kind::Calendar),
    may("derivations", Kind::Derivations),
    must("content", CONTENT),
];

const MEMORY_VECTOR: &[Field] = &[
    must("model", Kind::Text(200)),
    must("dimension", Kind::Whole),
    must("version", Kind::Whole),
    may("first_end", Kind::Whole),
    must("vector", Kind::Vector),
];

const MESSAGE_VECTOR: &[Field] = &[
    must("model", Kind::Text(200)),
    must("dimension", Kind::Whole),
    may("first_end", Kind::Whole),
    must("vector", Kind::Vector),
];

/// A passage behind the first.
const PASSAGE: &[Field] = &[
    must("model", Kind::Text(200)),
    must("ordinal", Kind::Whole),
    must("starts", Kind::Whole),
    must("ends", Kind::Whole),
    must("dimension", Kind::Whole),
    must("vector", Kind::Vector),
];

const MESSAGE: &[Field] = &[
    must("id", Kind::Id),
    must("conversation_id", Kind::Id),
    must("position", Kind::Whole),
    must("role", Kind::Word(&["user", "assistant", "tool", "system"])),
    must("delivery", Kind::Word(&["complete", "streaming", "cancelled", "failed"])),
    must("importance", Kind::Unit),
    must("at", Kind::Time),
    must("updated_at", Kind::Time),
    may("consolidated_at", Kind::Time),
    may("tool_call_id", Kind::Text(4_096)),
    may("tool_name", Kind::Text(4_096)),
    may("archive_id", Kind::Id),
    may("archive_name", LABEL),
    may("archived_at", Kind::Time),
    may("through", Kind::Whole),
    may("external_id", FOREIGN_ID),
    may("session", GIVEN),
    may("speaker", GIVEN),
    may("said_at", GIVEN),
    may("tool_calls", Kind::Json(4 << 20)),
    may("attached_name", Kind::Rule(|_, text| attachment::name(text))),
    must("content", Kind::Rule(|_, text| message::stored_text(text))),
    MARKS[0],
    MARKS[1],
];

/// How a message was written.
const MARKS: [Field; 2] = [may(OFF_RECORD, Kind::Flag), may(CLIENT, Kind::Id)];

const EPISODE: &[Field] = &[
    must("id", Kind::Id),
    must("conversation_id", Kind::Id),
    must("maker", Kind::Word(&["extract", "model"])),
    must("turn_count", Kind::Whole),
    must("source_ids", Kind::Ids),
    must("from_at", Kind::Time),
    must("until_at", Kind::Time),
    must("created_at", Kind::Time),
    may("removed_at", Kind::Time),
    must("summary", CONTENT),
];

const FACT: &[Field] = &[
    must("id", Kind::Id),
    must("category", LABEL),
    must("key", LABEL),
    must("source", Kind::Word(&["agent", "user"])),
    must("written_by", Kind::Word(&["agent", "user"])),
    must("version", Kind::Whole),
    may("conversation_id", Kind::Id),
    must("created_at", Kind::Time),
    must("updated_at", Kind::Time),
    may("removed_at", Kind::Time),
    may("holds_from", Kind::Moment),
    may("holds_until", Kind::Moment),
    may("known_by", Kind::Knowers),
    must("value", FACT_TEXT),
];

const FACT_VALUE: &[Field] = &[
    must("version", Kind::Whole),
    must("source", Kind::Word(&["agent", "user"])),
    may("conversation_id", Kind::Id),
    must("from_at", Kind::Time),
    must("until_at", Kind::Time),
    must("removed", Kind::Flag),
    may("holds_from", Kind::Moment),
    may("holds_until", Kind::Moment),
    may("known_by", Kind::Knowers),
    must("value", FACT_TEXT),
];

const CLAIM: &[Field] = &[
    must("id", Kind::Id),
    may("conversation_id", Kind::Id),
    must("at", Kind::Time),
    must("state", Kind::Word(&["open", "accepted", "rejected"])),
    may("settled_at", Kind::Time),
    must("value", FACT_TEXT),
];

const SCRATCHPAD: &[Field] = &[
    must("conversation_id", Kind::Id),
    must("key", LABEL),
    must("created_at", Kind::Time),
    must("updated_at", Kind::Time),
    may("ttl_seconds", Kind::Whole),
    may("expires_at", Kind::Time),
    must("value", Kind::Json(262_144)),
];

const JOURNAL: &[Field] = &[
    must("sequence", Kind::Whole),
    must("id", Kind::Id),
    must("action", Kind::Text(40)),
    must("hand", ACTOR_KINDS),
    must("door", Kind::Text(40)),
    may("run_id", Kind::Id),
    must("at", Kind::Time),
    must("entries", Kind::Whole),
    may("undoes", Kind::Id),
    may("undone_by", Kind::Id),
];
