//! Clients: external programs that access memory through the MCP server, and their grants.

pub mod write;

use std::{collections::BTreeSet, sync::Arc};

use chrono::{DateTime, Utc};

use crate::{
    ids::{ChannelId, ClientId, ConversationId, WorkspaceId},
    lens::{Lens, ResolvedLens},
    memory::{
        MemoryEntry,
        filter::{ScopeFilter, Selection},
    },
    scope::{MemoryScope, PerTier, Place, words},
    text::{self, TextError},
};

/// The maximum length of a client's name, in characters.
pub const MAX_NAME_CHARS: usize = 60;
/// Length of a token in characters: 32 random bytes as lower-case hex.
pub const TOKEN_CHARS: usize = 64;

/// The kind of access to a tier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verb {
    /// Reads entries.
    Read,
    /// Adds, changes and forgets entries.
    Write,
}

words!(Verb, "verb", { Read => "read", Write => "write" });

/// A permission besides reading and writing tiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Capability {
    /// File proposals for the worldbuilder to decide.
    Propose,
    /// Preview what a scrub would destroy.
    ScrubPreview,
    ScrubExecute,
    /// Switch the capture of memory on and off.
    MemorySwitch,
    /// Read the telemetry of agents, judge patterns and define metrics.
    AgentTelemetry,
    /// Read pages of linked vaults, as far as the workspace tier may be read.
    ReadPages,
}

words!(Capability, "capability", {
    Propose => "propose", ScrubPreview => "scrub_preview", ScrubExecute => "scrub_execute", MemorySwitch => "memory_switch",
    AgentTelemetry => "agent_telemetry", ReadPages => "read_pages",
});

/// The grant on one tier. Writing requires reading, because the answer to a write reveals content: that an equal
/// entry exists, that an entry is locked, how many entries were affected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TierGrant {
    /// Allows reading.
    pub read: bool,
    /// Allows adding and changing.
    pub write: bool,
}

impl TierGrant {
    /// Whether the grant includes the access.
    pub const fn allows(self, verb: Verb) -> bool {
        match verb {
            Verb::Read => self.read,
            Verb::Write => self.read && self.write,
        }
    }
}

/// Whose knowledge a client's reads show.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Sight {
    /// Everything that the grants allow.
    #[default]
    Whole,
    /// What a lens shows. It is not resolved yet, so nothing is allowed.
    Bound(Lens),
    /// What a resolved lens shows.
    Through(Arc<ResolvedLens>),
}

impl Sight {
    /// Sight through a lens, or whole without one.
    pub fn of(lens: Lens) -> Self {
        if lens.is_none() { Self::Whole } else { Self::Bound(lens) }
    }

    /// The lens as it was chosen.
    pub fn lens(&self) -> Lens {
        match self {
            Self::Whole => Lens::NONE,
            Self::Bound(lens) => *lens,
            Self::Through(resolved) => resolved.lens,
        }
    }

    /// True if what was said in a conversation may be shown.
    fn shows(&self, conversation: ConversationId) -> bool {
        match self {
            Self::Whole => true,
            Self::Bound(_) => false,
            Self::Through(lens) => lens.holds_conversation(conversation),
        }
    }

    /// The lens that reads go through; `None` without one, and for one that is not resolved: nothing is allowed then.
    pub fn resolved(&self) -> Option<Arc<ResolvedLens>> {
        match self {
            Self::Through(resolved) => Some(Arc::clone(resolved)),
            Self::Whole | Self::Bound(_) => None,
        }
    }
}

/// All grants of a client.
#[derive(Debug, Clone, PartialEq)]
pub struct Grants {
    pub tiers: PerTier<TierGrant>,
    /// The channels the client may access. Grants on the channel tier apply only to these.
    pub channels: BTreeSet<ChannelId>,
    /// The conversations the client may access, in any channel. Grants on the conversation tier apply only to these:
    /// access to a channel does not include its conversations.
    pub conversations: BTreeSet<ConversationId>,
    /// Further permissions.
    pub capabilities: BTreeSet<Capability>,
    /// Whose knowledge its reads show.
    pub sight: Sight,
}

impl Grants {
    /// No grants.
    pub const NOTHING: Self = Self {
        tiers: PerTier {
            account: TierGrant { read: false, write: false },
            workspace: TierGrant { read: false, write: false },
            channel: TierGrant { read: false, write: false },
            conversation: TierGrant { read: false, write: false },
        },
        channels: BTreeSet::new(),
        conversations: BTreeSet::new(),
        capabilities: BTreeSet::new(),
        sight: Sight::Whole,
    };

    /// Whether the access is allowed at a place. A lens shows no conversation that was held without it.
    pub fn may(&self, verb: Verb, place: Place) -> bool {
        self.allows(verb, place.scope())
            && match place {
                Place::Account | Place::Workspace => true,
                Place::Channel(channel) => self.channels.contains(&channel),
                Place::Conversation(_, conversation) => {
                    self.conversations.contains(&conversation) && self.sight.shows(conversation)
                }
            }
    }

    /// Whether an entry may be read.
    pub fn may_read(&self, entry: &MemoryEntry) -> bool {
        self.may(Verb::Read, entry.place)
            && self.sight.resolved().is_none_or(|lens| lens.withholds(entry).is_none())
    }

    /// Whether the access is allowed on a tier, perhaps in none of its channels or conversations.
    pub fn allows(&self, verb: Verb, scope: MemoryScope) -> bool {
        self.tiers.get(scope).allows(verb) && !matches!(self.sight, Sight::Bound(_))
    }

    /// Whether the access is allowed in at least one channel or conversation of a tier.
    pub fn may_somewhere(&self, verb: Verb, scope: MemoryScope) -> bool {
        self.allows(verb, scope)
            && match scope {
                MemoryScope::Account | MemoryScope::Workspace => true,
                MemoryScope::Channel => !self.channels.is_empty(),
                MemoryScope::Conversation => self.readable_conversations().next().is_some(),
            }
    }

    /// The conversations that may be read, if the tier is granted.
    pub fn readable_conversations(&self) -> impl Iterator<Item = ConversationId> {
        self.conversations.iter().copied().filter(|id| self.sight.shows(*id))
    }

    /// The missing grant when an access to a tier is refused.
    pub const fn missing(&self, verb: Verb, scope: MemoryScope) -> Verb {
        match (verb, self.tiers.get(scope)) {
            (Verb::Write, TierGrant { read: false, write: true }) => Verb::Read,
            _ => verb,
        }
    }

    /// Whether a capability is granted. A scrub and telemetry look at everything, and nobody in the story knows a page, so they are
    /// not for a client with a lens.
    pub fn can(&self, capability: Capability) -> bool {
        let looks_at_everything = matches!(
            capability,
            Capability::ScrubPreview
                | Capability::ScrubExecute
                | Capability::AgentTelemetry
                | Capability::ReadPages
        );
        let fits_sight = match self.sight {
            Sight::Whole => true,
            Sight::Bound(_) => false,
            Sight::Through(_) => !looks_at_everything,
        };
        self.capabilities.contains(&capability) && fits_sight
    }

    /// Whether pages of linked vaults may be read. They belong to the workspace tier.
    pub fn may_read_pages(&self) -> bool {
        self.can(Capability::ReadPages) && self.may(Verb::Read, Place::Workspace)
    }

    /// The scope filter for reading from a place: its own tier and the wider ones, each only if granted.
    pub fn scope_filter_from(&self, place: Place) -> ScopeFilter {
        let reads = |place| self.may(Verb::Read, place);
        let channels = match place.channel() {
            Some(channel) if reads(Place::Channel(channel)) => Selection::Only(vec![channel]),
            _ => Selection::None,
        };
        let conversations = match place {
            Place::Conversation(_, conversation) if reads(place) => Selection::Only(vec![conversation]),
            _ => Selection::None,
        };
        ScopeFilter {
            account: reads(Place::Account),
            workspace: place != Place::Account && reads(Place::Workspace),
            channels,
            conversations,
            conversations_in: None,
            pages: self.may_read_pages(),
            lens: self.sight.resolved(),
        }
    }

    /// The scope filter of all that may be read on some tiers.
    pub fn scope_filter_of_tiers(&self, tiers: &[MemoryScope]) -> ScopeFilter {
        let reads = |tier| tiers.contains(&tier) && self.may_somewhere(Verb::Read, tier);
        ScopeFilter {
            account: reads(MemoryScope::Account),
            workspace: reads(MemoryScope::Workspace),
            channels: if reads(MemoryScope::Channel) {
                Selection::Only(self.channels.iter().copied().collect())
            } else {
                Selection::None
            },
            conversations: if reads(MemoryScope::Conversation) {
                Selection::Only(self.readable_conversations().collect())
            } else {
                Selection::None
            },
            conversations_in: None,
            pages: self.may_read_pages(),
            lens: self.sight.resolved(),
        }
    }

    /// The scope filter of one place alone; `None` if it may not be read.
    pub fn scope_filter_of_place(&self, place: Place) -> Option<ScopeFilter> {
        let only: Option<ConversationId> = place.conversation();
        let filter = || ScopeFilter {
            pages: self.may_read_pages(),
            ..ScopeFilter::new(&[place.scope()], place.channel(), only)
        };
        self.may(Verb::Read, place).then(|| filter().through(self.sight.resolved()))
    }
}

impl Default for Grants {
    /// The grants of a new client: reading the workspace tier.
    fn default() -> Self {
        let mut grants = Self::NOTHING;
        grants.tiers.workspace.read = true;
        grants
    }
}

/// An external program with access through the MCP server.
#[derive(Debug, Clone, PartialEq)]
pub struct Client {
    /// Unique id. The run of all its writes has the same UUID.
    pub id: ClientId,
    /// Name, unique regardless of case.
    pub name: String,
    /// The one workspace it may access.
    pub workspace: WorkspaceId,
    /// Its grants in the workspace.
    pub grants: Grants,
    /// SHA-256 of its token as lower-case hex; `None` if it has no token and connects only over standard input.
    pub token_hash: Option<String>,
    /// The time it was added.
    pub created_at: DateTime<Utc>,
    /// The time of its last request, to the minute.
    pub seen_at: Option<DateTime<Utc>>,
    /// The time the worldbuilder revoked its access.
    pub revoked_at: Option<DateTime<Utc>>,
}

impl Client {
    /// Checks and normalises a name.
    ///
    /// # Errors
    /// [`TextError`] if it is empty, longer than [`MAX_NAME_CHARS`], or holds control characters.
    pub fn name(text: &str) -> Result<String, TextError> {
        let name = text::label("name", text)?;
        match name.chars().count() {
            actual if actual > MAX_NAME_CHARS => {
                Err(TextError::TooLong { field: "name", actual, limit: MAX_NAME_CHARS, unit: "characters" })
            }
            _ => Ok(name),
        }
    }

    /// True until the client is revoked.
    pub const fn is_admitted(&self) -> bool {
        self.revoked_at.is_none()
    }
}

/// Compares two hashes in constant time.
pub fn same_hash(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    a.len() == b.len() && std::hint::black_box(a.iter().zip(b).fold(0, |all, (x, y)| all | (x ^ y))) == 0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;
    use crate::ids::MemoryId;

    fn channel(n: u8) -> ChannelId {
        ChannelId::from_uuid(Uuid::from_u128(u128::from(n)))
    }

    fn conversation(n: u8) -> ConversationId {
        ConversationId::from_uuid(Uuid::from_u128(100 + u128::from(n)))
    }

    fn places() -> impl Strategy<Value = Place> {
        prop_oneof![
            Just(Place::Account),
            Just(Place::Workspace),
            (0..4u8).prop_map(|n| Place::Channel(channel(n))),
            (0..4u8, 0..4u8).prop_map(|(n, m)| Place::Conversation(channel(n), conversation(m))),
        ]
    }

    fn verbs() -> impl Strategy<Value = Verb> {
        prop_oneof![Just(Verb::Read), Just(Verb::Write)]
    }

    prop_compose! {
        fn grants()(
            bits in proptest::array::uniform8(any::<bool>()),
            ids in proptest::collection::btree_set(0..4u8, 0..4),
            conversations in proptest::collection::btree_set(0..4u8, 0..4),
            capabilities in proptest::collection::btree_set(0..4usize, 0..4),
        ) -> Grants {
            let mut bits = bits.into_iter();
            let mut next = || bits.next().unwrap_or_default();
            Grants {
                tiers: PerTier::from_fn(|_| TierGrant { read: next(), write: next() }),
                channels: ids.into_iter().map(channel).collect(),
                conversations: conversations.into_iter().map(conversation).collect(),
                capabilities: capabilities.into_iter().map(|n| Capability::ALL[n]).collect(),
                sight: Sight::Whole,
            }
        }
    }

    proptest! {
        #[test]
        fn without_grants_nothing_is_allowed(verb in verbs(), place in places()) {
            prop_assert!(!Grants::NOTHING.may(verb, place));
            prop_assert!(Grants::NOTHING.scope_filter_of_place(place).is_none());
            prop_assert!(!Grants::NOTHING.scope_filter_from(place).touches_workspace_database());
            prop_assert!(!Grants::NOTHING.scope_filter_from(place).account);
        }

        #[test]
        fn the_account_needs_its_own_grant(mut granted in grants(), verb in verbs()) {
            granted.tiers.account = TierGrant::default();
            prop_assert!(!granted.may(verb, Place::Account));
            prop_assert!(!granted.scope_filter_from(Place::Workspace).account);
        }

        #[test]
        fn only_channels_and_conversations_the_client_takes_part_in_are_allowed(granted in grants(), verb in verbs(), place in places()) {
            let takes_part = match place {
                Place::Account | Place::Workspace => true,
                Place::Channel(id) => granted.channels.contains(&id),
                Place::Conversation(_, id) => granted.conversations.contains(&id),
            };
            prop_assert!(takes_part || !granted.may(verb, place));
        }

        #[test]
        fn taking_a_grant_away_never_allows_more(granted in grants(), verb in verbs(), place in places(), tier in 0..4usize) {
            let mut less = granted.clone();
            less.tiers = PerTier::from_fn(|scope| {
                if scope == MemoryScope::ALL[tier] { TierGrant::default() } else { *granted.tiers.get(scope) }
            });
            prop_assert!(!less.may(verb, place) || granted.may(verb, place));
        }

        #[test]
        fn everything_within_the_scope_filter_may_be_read(granted in grants(), place in places()) {
            let scope_filter = granted.scope_filter_from(place);
            prop_assert!(!scope_filter.account || granted.may(Verb::Read, Place::Account));
            prop_assert!(!scope_filter.workspace || granted.may(Verb::Read, Place::Workspace));
            if let Selection::Only(rooms) = &scope_filter.channels {
                prop_assert!(rooms.iter().all(|channel_id| granted.may(Verb::Read, Place::Channel(*channel_id))));
            }
            prop_assert!(scope_filter.channels != Selection::All && scope_filter.conversations != Selection::All);
            prop_assert_eq!(scope_filter.conversations != Selection::None, place.conversation().is_some() && granted.may(Verb::Read, place));
        }

        #[test]
        fn every_scope_filter_of_a_client_shows_pages_only_if_it_may_read_them(mut granted in grants(), place in places(), pages in any::<bool>()) {
            granted.capabilities.remove(&Capability::ReadPages);
            if pages {
                granted.capabilities.insert(Capability::ReadPages);
            }
            let all = granted.scope_filter_of_tiers(MemoryScope::ALL);
            prop_assert_eq!(all.shows_pages(), granted.may_read_pages());
            let others = [Some(granted.scope_filter_from(place)), granted.scope_filter_of_place(place)];
            prop_assert!(others.into_iter().flatten().all(|filter| filter.pages == granted.may_read_pages()));
        }

        #[test]
        fn the_scope_filter_of_tiers_holds_exactly_the_readable_places(
            granted in grants(), place in places(), wanted in proptest::collection::btree_set(0..4usize, 0..4),
        ) {
            let tiers: Vec<MemoryScope> = wanted.into_iter().map(|n| MemoryScope::ALL[n]).collect();
            let readable = tiers.contains(&place.scope()) && granted.may(Verb::Read, place);
            prop_assert_eq!(granted.scope_filter_of_tiers(&tiers).holds(place), readable);
        }

        #[test]
        fn a_lens_that_is_not_resolved_allows_nothing(mut granted in grants(), verb in verbs(), place in places()) {
            granted.capabilities = Capability::ALL.iter().copied().collect();
            let knower = MemoryId::from_uuid(Uuid::from_u128(7));
            granted.sight = Sight::of(Lens { knower: Some(knower), ..Lens::NONE });
            prop_assert!(!granted.may(verb, place) && !granted.may_somewhere(verb, place.scope()));
            prop_assert!(!granted.allows(verb, place.scope()));
            prop_assert!(granted.readable_conversations().next().is_none());
            prop_assert!(Capability::ALL.iter().all(|capability| !granted.can(*capability)));
            prop_assert!(!granted.may_read_pages() && granted.scope_filter_of_place(place).is_none());
            for filter in [granted.scope_filter_from(place), granted.scope_filter_of_tiers(MemoryScope::ALL)] {
                prop_assert!(!filter.account && !filter.touches_workspace_database() && !filter.shows_pages());
            }
        }

        #[test]
        fn hashes_are_the_same_if_and_only_if_their_texts_are(a in "[0-9a-f]{0,6}", b in "[0-9a-f]{0,6}") {
            prop_assert_eq!(same_hash(&a, &b), a == b);
        }
    }

    #[test]
    fn a_new_client_may_read_the_workspace_and_nothing_else() {
        let granted = Grants::default();
        assert!(granted.may(Verb::Read, Place::Workspace));
        for place in [Place::Account, Place::Workspace, Place::Channel(channel(1))] {
            assert!(!granted.may(Verb::Write, place));
        }
        assert!(!granted.may(Verb::Read, Place::Account));
        assert!(Capability::ALL.iter().all(|capability| !granted.can(*capability)));
    }
}
