//! Views of search requests and responses, with the explanation of every hit.

use serde::{Deserialize, Serialize};
use specta::Type;
use specta_typescript::Number;

use crate::{
    conversation::view::{ConversationLink, MessageView},
    memory::filter::MemoryFilter,
    search::parts::{Contribution, SearchMode, Span},
    vault::view::PageRow,
    view::{lens::LensSpec, memory::MemoryRow},
    vocabulary::{DocumentKind, Sort},
};

/// A search request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SearchRequest {
    /// The query as typed; any string is valid.
    pub query: String,
    /// Filter of the entries.
    pub filter: MemoryFilter,
    /// Maximum number of hits, at most 200.
    pub limit: u32,
    /// If given, only this many hits are read now; [`SearchResponse::more`] reports whether there are others.
    pub first: Option<u32>,
    /// Name of the fusion strategy; `null` for the chosen one.
    pub strategy: Option<String>,
}

/// Why a hit matched.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    /// Contributions of the lists.
    pub contributions: Vec<Contribution>,
    /// True if the entry is a part of a conversation. The lists about conversations give others the same as a full statement of a
    /// person, which tells nothing about them.
    pub in_conversation: bool,
    /// The query's words in the form that the content has.
    pub matched_terms: Vec<String>,
    /// Relevance after decay.
    #[specta(type = Number)]
    pub relevance: f64,
    /// Active hours since the last access.
    #[specta(type = Number)]
    pub hours_idle: f64,
    /// Share of the relevance that remains after those hours.
    #[specta(type = Number)]
    pub retention: f64,
    /// Boost for frequent use, a factor of at least 1.
    #[specta(type = Number)]
    pub frequency_boost: f64,
}

/// A search hit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SearchHit {
    /// The entry.
    pub row: MemoryRow,
    /// Score; larger is better, comparable within one response only.
    #[specta(type = Number)]
    pub score: f64,
    /// The part of the content to show.
    pub snippet: String,
    /// Ranges of the query's words in the snippet.
    pub spans: Vec<Span>,
    /// The passage of the content that is nearest in meaning, if the content has several.
    pub passage: Option<Span>,
    /// True if the snippet is the beginning of that passage, because none of the query's words is in the content.
    pub shows_passage: bool,
    /// Why the hit matched.
    pub explanation: Explanation,
    /// Ids of duplicate entries that were folded into this hit.
    pub folded: Vec<String>,
}

/// A search response.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SearchResponse {
    /// Hits, best first.
    pub hits: Vec<SearchHit>,
    /// True if there are more hits than were read.
    pub more: bool,
    /// The search methods that were used.
    pub mode: SearchMode,
    /// Why vectors were not used, for users.
    pub mode_reason: Option<String>,
    /// Name of the fusion strategy.
    pub strategy: String,
    /// Duration in milliseconds.
    #[specta(type = Number)]
    pub took_ms: f64,
}

/// A request for a search over documents of every kind, in one order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DocumentSearchRequest {
    /// The query as typed; any string is valid.
    pub query: String,
    /// The kinds to search; all of them if empty.
    pub kinds: Vec<DocumentKind>,
    /// Only this channel: narrows the channel and conversation tiers of memory, and the conversations, to it.
    pub channel_id: Option<String>,
    /// Only pages of this vault, and no other kind.
    pub vault_id: Option<String>,
    /// True to include messages of archived conversations.
    pub archived: bool,
    /// Maximum number of hits, at most 200.
    pub limit: u32,
    /// Name of the fusion strategy; `null` for the chosen one.
    pub strategy: Option<String>,
    /// Whose knowledge is shown, and up to when the story has happened; `null`: everything.
    pub lens: Option<LensSpec>,
}

/// A hit of any kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum DocumentHit {
    Memory(SearchHit),
    Message(MessageHit),
    /// A page of a linked vault.
    Page(PageHit),
}

/// A page that a search found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PageHit {
    pub page: PageRow,
    /// The headings above the snippet, outermost first, joined by ` > `; empty before the first heading.
    pub heading: String,
    /// The part of its text around the first of the query's words, or else the passage nearest in meaning.
    pub snippet: String,
    /// Ranges of the query's words in the snippet.
    pub spans: Vec<Span>,
    /// The passage nearest in meaning, in the text; `null` if its text is one passage.
    pub passage: Option<Span>,
    /// True if the snippet is the beginning of that passage.
    pub shows_passage: bool,
    /// Sum of the contributions.
    pub score: f64,
    /// Score contribution of each list.
    pub parts: Vec<Contribution>,
}

/// Result of a search over documents of every kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DocumentSearch {
    /// Hits, best first.
    pub hits: Vec<DocumentHit>,
    /// The search methods that were used.
    pub mode: SearchMode,
    /// Why vectors were not used, for users.
    pub mode_reason: Option<String>,
    /// Name of the fusion strategy.
    pub strategy: String,
    /// Duration in milliseconds.
    #[specta(type = Number)]
    pub took_ms: f64,
}

/// Request for a search of messages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MessageSearchRequest {
    /// The query as typed; any string is valid.
    pub query: String,
    /// Only this conversation, by id or reference code.
    pub conversation: Option<String>,
    /// Only conversations of this channel.
    pub channel_id: Option<String>,
    /// True to include archived conversations.
    pub archived: bool,
    /// Maximum number of hits, at most 200.
    pub limit: u32,
    /// Name of the fusion strategy; `null` for the chosen one.
    pub strategy: Option<String>,
}

/// A message hit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MessageHit {
    pub message: MessageView,
    pub conversation: ConversationLink,
    /// The part of its text to show.
    pub snippet: String,
    /// Ranges of the query's words in the snippet.
    pub spans: Vec<Span>,
    /// The passage of the text that is nearest in meaning, if the text has several.
    pub passage: Option<Span>,
    /// True if the snippet is the beginning of that passage, because none of the query's words is in the text.
    pub shows_passage: bool,
    /// Score; comparable within one response only.
    #[specta(type = Number)]
    pub score: f64,
    /// Contributions of the ranked lists.
    pub parts: Vec<Contribution>,
}

/// Result of a search of messages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MessageSearch {
    /// Hits, best first.
    pub hits: Vec<MessageHit>,
    /// The search methods that were used.
    pub mode: SearchMode,
    /// Why vectors were not used.
    pub mode_reason: Option<String>,
    /// Duration in milliseconds.
    #[specta(type = Number)]
    pub took_ms: f64,
}

/// Settings of search.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SearchSettings {
    /// Name of the fusion strategy of searches that name none.
    pub strategy: String,
    /// The names to choose from, the default first.
    pub strategies: Vec<String>,
}

/// What a saved search looks for.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SavedView {
    /// The query as typed; `null` for a list.
    pub query: Option<String>,
    /// Filter of the entries.
    pub filter: MemoryFilter,
    /// Order of a list; `null` for the usual one.
    pub sort: Option<Sort>,
}

/// A search that the worldbuilder saved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SavedSearch {
    pub id: String,
    /// Its name, of which there is one in whatever case.
    pub name: String,
    /// What it looks for.
    pub view: SavedView,
}
