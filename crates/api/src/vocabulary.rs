//! The closed sets of words of the domain, as they cross the boundary.

use inklings_domain as domain;
use serde::{Deserialize, Serialize};
use specta::Type;

/// Mirrors a domain enum: same variants, snake-case on the wire, converted both ways without loss.
macro_rules! mirror {
    ($(#[$doc:meta])* $name:ident = $domain:path { $($(#[$vdoc:meta])* $variant:ident),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $($(#[$vdoc])* $variant),+ }

        impl From<$domain> for $name {
            fn from(value: $domain) -> Self {
                use $domain as D;
                match value { $(D::$variant => Self::$variant),+ }
            }
        }

        impl From<$name> for $domain {
            fn from(value: $name) -> Self {
                use $domain as D;
                match value { $($name::$variant => D::$variant),+ }
            }
        }
    };
}

pub(crate) use mirror;

mirror!(
    /// The tier of an entry.
    Scope = domain::scope::MemoryScope {
        /// Across workspaces.
        Account,
        /// One workspace.
        Workspace,
        /// One channel.
        Channel,
        /// One conversation.
        Conversation,
    }
);
mirror!(
    /// How long an entry is meant to matter.
    Lifetime = domain::scope::MemoryLifetime {
        /// Kept until changed.
        LongTerm,
        /// On trial.
        ShortTerm,
        /// Tied to one conversation.
        Conversation,
    }
);
mirror!(
    /// Whose entry it is.
    Curator = domain::provenance::Curator {
        /// The agent's.
        Agent,
        /// The worldbuilder's.
        Author,
        /// The worldbuilder's imported material.
        Import,
    }
);
mirror!(
    /// In whose name a write was made.
    ActorKind = domain::provenance::ActorKind {
        /// The worldbuilder.
        Author,
        /// An agent.
        Agent,
        /// An import.
        Import,
        /// A background task.
        System,
    }
);
mirror!(
    /// Through which interface a write came.
    Interface = domain::provenance::Interface {
        /// The window.
        Window,
        /// The command line.
        Cli,
        /// A background task.
        Task,
        /// An MCP client.
        Mcp,
    }
);
mirror!(
    /// What an entry holds.
    Kind = domain::memory::MemoryKind {
        /// A note.
        Note,
        /// A compacted conversation.
        Archive,
    }
);
mirror!(
    /// A property by which entries are narrowed down.
    Facet = domain::memory::filter::Facet {
        /// The actor that produced it.
        Source,
        /// Whose entry it is.
        Curator,
        /// How long it is meant to matter.
        Lifetime,
        /// A tag.
        Tag,
        /// "low", "medium" or "high".
        Importance,
        /// Whether it has a vector: "yes" or "no".
        Embedding,
        /// "yes": only forgotten ones; "any": both.
        Forgotten,
        /// Who said it.
        Speaker,
    }
);
mirror!(
    /// The order of a list.
    Sort = domain::memory::filter::Sort {
        /// Last changed first.
        UpdatedDesc,
        /// Newest first.
        CreatedDesc,
        /// Oldest first.
        CreatedAsc,
        /// Most important first.
        ImportanceDesc,
    }
);
mirror!(
    /// A list that a search hit can stand in.
    ListName = domain::search::ranking::ListName {
        /// Its exact name stands in the query.
        Name,
        /// Full-text search.
        Text,
        /// Cosine of embeddings.
        Meaning,
        /// Relevance after decay.
        Freshness,
        /// Tier order.
        Nearness,
    }
);
mirror!(
    /// What kind of change it was.
    ChangeAction = domain::memory::change_set::Action {
        /// A new entry.
        Create,
        /// New text, importance, tags, lifetime or pin.
        Edit,
        /// Taken out of use.
        Forget,
        /// Brought back into use.
        Restore,
        /// Many entries brought in at once.
        Import,
        /// An earlier change taken back.
        Undo,
        /// An earlier version made current again.
        Revert,
        /// A name or alias given.
        Name,
        /// A part of a consolidation.
        Consolidate,
        /// What a conversation left behind.
        Persist,
        /// A proposal accepted.
        Accept,
        /// What a workspace or account begins with.
        Setup,
    }
);
