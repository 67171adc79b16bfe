//! The four tiers of memory, places in them, and the macro for the stable words of enums.

/// A word does not name any variant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{given}' is not a {what}; choose one of: {expected}")]
pub struct UnknownWord {
    /// The expected kind of word, e.g. "tier".
    pub what: &'static str,
    /// The given word (typed by the caller, never memory text).
    pub given: String,
    /// The allowed words.
    pub expected: String,
}

/// Gives an enum its stable lower-case words: one table for storage, command line and messages.
macro_rules! words {
    ($type:ident, $what:literal, { $($variant:ident => $word:literal),+ $(,)? }) => {
        impl $type {
            /// Every variant, in its natural order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The stable lower-case word for this variant (storage, wire and command line).
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::scope::UnknownWord;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                match text {
                    $($word => Ok(Self::$variant),)+
                    other => Err($crate::scope::UnknownWord {
                        what: $what,
                        given: other.chars().take(64).collect(),
                        expected: [$($word),+].join(", "),
                    }),
                }
            }
        }
    };
}
pub(crate) use words;

/// The tier of an entry, which defines its visibility and intended lifetime. Only the worldbuilder changes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MemoryScope {
    /// Preferences and procedures of the person, across workspaces. Never world content.
    Account,
    /// Knowledge about one workspace.
    Workspace,
    /// One topic inside a workspace.
    Channel,
    /// One conversation inside a channel.
    Conversation,
}

words!(MemoryScope, "tier", {
    Account => "account", Workspace => "workspace", Channel => "channel", Conversation => "conversation",
});

impl MemoryScope {
    /// Distance from the current conversation: 0 is the nearest tier. Used by the nearness list.
    pub const fn distance(self) -> usize {
        match self {
            Self::Conversation => 0,
            Self::Channel => 1,
            Self::Workspace => 2,
            Self::Account => 3,
        }
    }
}

/// The location of an entry: its tier with the channel or conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// The account tier.
    Account,
    /// The workspace tier.
    Workspace,
    Channel(crate::ids::ChannelId),
    /// One conversation, inside its channel.
    Conversation(crate::ids::ChannelId, crate::ids::ConversationId),
}

impl Place {
    /// The tier of this place.
    pub const fn scope(self) -> MemoryScope {
        match self {
            Self::Account => MemoryScope::Account,
            Self::Workspace => MemoryScope::Workspace,
            Self::Channel(_) => MemoryScope::Channel,
            Self::Conversation(..) => MemoryScope::Conversation,
        }
    }

    /// True for the same place, and for the same conversation, whose channel may have changed.
    pub fn is_still(self, earlier: Self) -> bool {
        match (self, earlier) {
            (Self::Conversation(_, now), Self::Conversation(_, earlier)) => now == earlier,
            (now, earlier) => now == earlier,
        }
    }

    /// The channel that contains this place, if any.
    pub const fn channel(self) -> Option<crate::ids::ChannelId> {
        match self {
            Self::Channel(channel) | Self::Conversation(channel, _) => Some(channel),
            Self::Account | Self::Workspace => None,
        }
    }

    /// The conversation, if this place is in the conversation tier.
    pub const fn conversation(self) -> Option<crate::ids::ConversationId> {
        match self {
            Self::Conversation(_, conversation) => Some(conversation),
            Self::Account | Self::Workspace | Self::Channel(_) => None,
        }
    }
}

/// The intended lifetime of an entry. Consolidation promotes short-term entries to long-term.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MemoryLifetime {
    /// Kept until somebody changes it.
    LongTerm,
    /// Temporary: promoted if used, faded if not.
    ShortTerm,
    /// Tied to one conversation.
    Conversation,
}

words!(MemoryLifetime, "lifetime", {
    LongTerm => "long_term", ShortTerm => "short_term", Conversation => "conversation",
});

/// A value for every tier.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PerTier<T> {
    /// Value of the account tier.
    pub account: T,
    /// Value of the workspace tier.
    pub workspace: T,
    /// Value of the channel tier.
    pub channel: T,
    /// Value of the conversation tier.
    pub conversation: T,
}

impl<T> PerTier<T> {
    /// The value of one tier.
    pub const fn get(&self, scope: MemoryScope) -> &T {
        match scope {
            MemoryScope::Account => &self.account,
            MemoryScope::Workspace => &self.workspace,
            MemoryScope::Channel => &self.channel,
            MemoryScope::Conversation => &self.conversation,
        }
    }

    /// Builds the four values by calling a function for each tier.
    pub fn from_fn(mut value: impl FnMut(MemoryScope) -> T) -> Self {
        Self {
            account: value(MemoryScope::Account),
            workspace: value(MemoryScope::Workspace),
            channel: value(MemoryScope::Channel),
            conversation: value(MemoryScope::Conversation),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_reads_back_as_its_variant() {
        for scope in MemoryScope::ALL {
            assert_eq!(scope.as_str().parse(), Ok(*scope));
        }
        for lifetime in MemoryLifetime::ALL {
            assert_eq!(lifetime.as_str().parse(), Ok(*lifetime));
        }
    }

    #[test]
    fn an_unknown_tier_names_the_choices() {
        let error = "planet".parse::<MemoryScope>().expect_err("no such tier");
        assert_eq!(
            error.to_string(),
            "'planet' is not a tier; choose one of: account, workspace, channel, conversation"
        );
    }
}
