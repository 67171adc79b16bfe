//! Filters that select entries for a list, a count or a search.

use std::sync::Arc;

use crate::{
    ids::{ChannelId, ConversationId},
    lens::ResolvedLens,
    scope::{MemoryScope, Place, words},
};

/// A selection of channels or conversations.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Selection<T> {
    /// None of them.
    None,
    /// All of them.
    #[default]
    All,
    /// Only these.
    Only(Vec<T>),
}

impl<T: PartialEq> Selection<T> {
    /// True if the selection contains the id.
    pub fn holds(&self, item: &T) -> bool {
        match self {
            Self::None => false,
            Self::All => true,
            Self::Only(items) => items.contains(item),
        }
    }
}

/// The tiers, channels and conversations that a query may access. It is part of every query, so that the top k are
/// computed among accessible entries only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScopeFilter {
    /// Includes the account tier.
    pub account: bool,
    /// Includes the workspace tier.
    pub workspace: bool,
    /// Channels whose entries are included.
    pub channels: Selection<ChannelId>,
    /// Conversations whose entries are included.
    pub conversations: Selection<ConversationId>,
    /// If set, only conversations of this channel are included.
    pub conversations_in: Option<ChannelId>,
    /// Includes the pages of linked vaults, with the workspace tier. A client needs a capability for them.
    pub pages: bool,
    /// If set, only what the lens shows is included.
    pub lens: Option<Arc<ResolvedLens>>,
}

impl ScopeFilter {
    /// All tiers, channels and conversations.
    pub const EVERYTHING: Self = Self {
        account: true,
        workspace: true,
        channels: Selection::All,
        conversations: Selection::All,
        conversations_in: None,
        pages: true,
        lens: None,
    };

    /// The given tiers, or all four if none is given. A channel limits the channel and conversation tiers to itself;
    /// a conversation limits the conversation tier.
    pub fn new(
        scopes: &[MemoryScope],
        channel: Option<ChannelId>,
        conversation: Option<ConversationId>,
    ) -> Self {
        let wants = |scope| scopes.is_empty() || scopes.contains(&scope);
        let channels = match channel {
            _ if !wants(MemoryScope::Channel) => Selection::None,
            Some(id) => Selection::Only(vec![id]),
            None => Selection::All,
        };
        let conversations = match conversation {
            _ if !wants(MemoryScope::Conversation) => Selection::None,
            Some(id) => Selection::Only(vec![id]),
            None => Selection::All,
        };
        Self {
            account: wants(MemoryScope::Account),
            workspace: wants(MemoryScope::Workspace),
            channels,
            conversations,
            conversations_in: channel,
            pages: true,
            lens: None,
        }
    }

    /// The filter with a lens; with `None`, as it is.
    #[must_use]
    pub fn through(self, lens: Option<Arc<ResolvedLens>>) -> Self {
        Self { lens: lens.or(self.lens), ..self }
    }

    /// Only the given place.
    pub fn of(place: Place) -> Self {
        Self::new(&[place.scope()], place.channel(), place.conversation())
    }

    /// Everything visible from a place: its own tier and the wider ones.
    pub fn seen_from(place: Place) -> Self {
        match place {
            Place::Account => Self::new(&[MemoryScope::Account], None, None),
            Place::Workspace => Self::new(&[MemoryScope::Account, MemoryScope::Workspace], None, None),
            Place::Channel(_) => {
                Self { conversations: Selection::None, ..Self::new(&[], place.channel(), None) }
            }
            Place::Conversation(channel, conversation) => Self::new(&[], Some(channel), Some(conversation)),
        }
    }

    /// True if the filter includes a place.
    pub fn holds(&self, place: Place) -> bool {
        match place {
            Place::Account => self.account,
            Place::Workspace => self.workspace,
            Place::Channel(channel) => self.channels.holds(&channel),
            Place::Conversation(channel, conversation) => {
                self.conversations.holds(&conversation)
                    && self.conversations_in.is_none_or(|only| only == channel)
                    && self.lens.as_ref().is_none_or(|lens| lens.holds_conversation(conversation))
            }
        }
    }

    /// True if the filter includes pages of linked vaults. They belong to the workspace tier, and have no knowers: nobody in
    /// the story knows them, so a lens shows none.
    pub const fn shows_pages(&self) -> bool {
        self.pages && self.workspace && self.lens.is_none()
    }

    /// True if the filter includes anything in the workspace's database.
    pub fn touches_workspace_database(&self) -> bool {
        self.workspace || self.channels != Selection::None || self.conversations != Selection::None
    }

    /// True if the filter includes only entries of certain conversations from the workspace's database. These are
    /// few, whatever the size of the database.
    pub fn few_conversations(&self) -> bool {
        let others = self.workspace || self.channels != Selection::None;
        !others && matches!(self.conversations, Selection::Only(_))
    }
}

/// A property to filter entries by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Facet {
    /// The actor that produced it.
    Source,
    /// The curator of the entry.
    Curator,
    /// The intended lifetime.
    Lifetime,
    Tag,
    /// Low (below .3), medium, high (from .7).
    Importance,
    /// Whether it has a vector: "yes" or "no".
    Embedding,
    /// "yes": only forgotten entries; "any": all entries. Without this facet only active entries match.
    Forgotten,
    /// The speaker, for imported conversations.
    Speaker,
}

words!(Facet, "facet", {
    Source => "source", Curator => "curator", Lifetime => "lifetime", Tag => "tag", Importance => "importance",
    Embedding => "embedding", Forgotten => "forgotten", Speaker => "speaker",
});

/// Lower bound of "medium" importance.
pub const MEDIUM_IMPORTANCE: f64 = 0.3;
/// Lower bound of "high" importance.
pub const HIGH_IMPORTANCE: f64 = 0.7;

/// One condition. Values of the same facet are alternatives, different facets are combined with "and", and negated
/// values exclude.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FacetTerm {
    /// The property to compare.
    pub facet: Facet,
    /// The value to compare with.
    pub value: String,
    /// True to exclude the value.
    pub negated: bool,
}

/// Which entries match with regard to forgetting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Activity {
    /// Only active entries.
    Active,
    /// Only forgotten entries.
    Forgotten,
    /// Both.
    Any,
}

impl Activity {
    /// True if it includes an entry that is active or forgotten.
    pub const fn lets_through(self, is_active: bool) -> bool {
        match self {
            Self::Active => is_active,
            Self::Forgotten => !is_active,
            Self::Any => true,
        }
    }
}

/// A scope filter combined with facet conditions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryFilter {
    /// Tiers, channels and conversations.
    pub scope_filter: ScopeFilter,
    /// Facet conditions.
    pub terms: Vec<FacetTerm>,
}

impl MemoryFilter {
    /// All entries of a scope filter, including forgotten ones.
    pub fn with_forgotten(scope_filter: ScopeFilter) -> Self {
        let any = FacetTerm { facet: Facet::Forgotten, value: "any".to_owned(), negated: false };
        Self { scope_filter, terms: vec![any] }
    }

    /// All active entries of a scope filter.
    pub const fn active(scope_filter: ScopeFilter) -> Self {
        Self { scope_filter, terms: Vec::new() }
    }

    /// Which entries the terms select with regard to forgetting.
    pub fn activity(&self) -> Activity {
        let mut activity = Activity::Active;
        for term in self.terms.iter().filter(|t| t.facet == Facet::Forgotten) {
            activity = match (term.value.as_str(), term.negated) {
                ("any", false) => Activity::Any,
                ("yes", false) | ("no", true) => Activity::Forgotten,
                _ => activity,
            };
        }
        activity
    }

    /// True if it selects by more than tiers, channels, conversations and forgetting, so that the entry has to be looked at.
    pub fn is_conditional(&self) -> bool {
        self.scope_filter.lens.is_some() || self.conditions().next().is_some()
    }

    /// The terms other than `forgotten`.
    pub fn conditions(&self) -> impl Iterator<Item = &FacetTerm> {
        self.terms.iter().filter(|t| t.facet != Facet::Forgotten)
    }
}

/// The order of a list. Ties are broken by id, so that every order is total and supports keyset paging.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Sort {
    /// Last changed first.
    #[default]
    UpdatedDesc,
    /// Newest first.
    CreatedDesc,
    /// Oldest first.
    CreatedAsc,
    /// Most important first.
    ImportanceDesc,
}

words!(Sort, "order", {
    UpdatedDesc => "updated_desc", CreatedDesc => "created_desc", CreatedAsc => "created_asc",
    ImportanceDesc => "importance_desc",
});

#[cfg(test)]
mod tests {
    use super::*;

    fn term(value: &str, negated: bool) -> FacetTerm {
        FacetTerm { facet: Facet::Forgotten, value: value.into(), negated }
    }

    #[test]
    fn only_active_entries_are_in_view_unless_asked() {
        let with = |terms| MemoryFilter { scope_filter: ScopeFilter::EVERYTHING, terms }.activity();
        assert_eq!(with(vec![]), Activity::Active);
        assert_eq!(with(vec![term("yes", true)]), Activity::Active);
        assert_eq!(with(vec![term("yes", false)]), Activity::Forgotten);
        assert_eq!(with(vec![term("any", false)]), Activity::Any);
    }

    #[test]
    fn a_channel_narrows_its_own_tier_and_its_conversations_only() {
        let channel = ChannelId::from_uuid(uuid::Uuid::from_u128(5));
        let scope_filter = ScopeFilter::new(&[], Some(channel), None);
        assert!(scope_filter.account && scope_filter.workspace);
        assert_eq!(scope_filter.channels, Selection::Only(vec![channel]));
        assert_eq!(scope_filter.conversations_in, Some(channel));
    }
}
