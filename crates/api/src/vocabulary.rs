//! API enums that mirror the closed vocabularies of the domain.

use inklings_domain as domain;
use serde::{Deserialize, Serialize};
use specta::Type;

/// Mirrors a domain enum: same variants, snake case in JSON, lossless conversion in both directions.
macro_rules! mirror {
    ($(#[$doc:meta])* $name:ident = $domain:path { $($(#[$vdoc:meta])* $variant:ident),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Type)]
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
        /// Shared by all workspaces.
        Account,
        /// Shared by one workspace.
        Workspace,
        /// Shared by one channel.
        Channel,
        /// Limited to one conversation.
        Conversation,
    }
);
mirror!(
    /// Intended lifetime of an entry.
    Lifetime = domain::scope::MemoryLifetime {
        /// Retained until changed.
        LongTerm,
        /// Provisional.
        ShortTerm,
        /// Tied to one conversation.
        Conversation,
    }
);
mirror!(
    /// The owner of an entry.
    Curator = domain::provenance::Curator {
        /// Owned by the agent.
        Agent,
        /// Owned by the worldbuilder.
        Author,
        /// Imported by the worldbuilder.
        Import,
    }
);
mirror!(
    /// The actor kind of a write.
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
    /// The interface that a write used.
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
    /// The kind of an entry.
    Kind = domain::memory::MemoryKind {
        /// A note.
        Note,
        /// A compacted conversation.
        Archive,
    }
);
mirror!(
    /// A property that filters entries.
    Facet = domain::memory::filter::Facet {
        /// The actor kind that produced it.
        Source,
        /// The owner of the entry.
        Curator,
        /// Intended lifetime.
        Lifetime,
        /// A tag.
        Tag,
        /// "low", "medium" or "high".
        Importance,
        /// Whether it has a vector: "yes" or "no".
        Embedding,
        /// "yes": only forgotten ones; "any": both.
        Forgotten,
        /// The speaker.
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
    /// A kind of searchable documents.
    DocumentKind = domain::search::document::DocumentKind {
        /// Memories.
        Memory,
        /// Messages of conversations.
        Message,
        /// Pages of linked vaults.
        Page,
    }
);
mirror!(
    /// A ranked list that contributes to a search.
    ListName = domain::search::ranking::ListName {
        /// The query contains its exact name.
        Name,
        /// Full-text index.
        Text,
        /// Cosine similarity of vectors.
        Meaning,
        /// The meaning of each word of the query, by the nearest word of the text.
        WordMeaning,
        /// Relevance after decay.
        Freshness,
        /// Tier order.
        Nearness,
        /// The words of the query in what was said and around it.
        AroundText,
        /// The meaning of what was said together with what was said around it.
        AroundMeaning,
        /// The query names the speaker.
        Speaker,
        /// The date of what was said.
        Date,
        /// The day on which it was said or written.
        Days,
        /// Its length, up to that of a full statement.
        Length,
        /// It was said by a person.
        Person,
        /// It follows a question that has words of the query.
        Answer,
        /// It states something, and does not ask.
        Statement,
    }
);
mirror!(
    /// The action of a change set.
    ChangeAction = domain::memory::change_set::Action {
        /// A new entry.
        Create,
        /// New text, importance, tags, lifetime or pin.
        Edit,
        /// Removed from use; can be restored.
        Forget,
        /// Restored after forget.
        Restore,
        /// Moved to another tier, channel or conversation.
        Move,
        /// An import of many entries.
        Import,
        /// An undo of an earlier change.
        Undo,
        /// An earlier version made current again.
        Revert,
        /// A name or alias assigned.
        Name,
        /// Part of a consolidation.
        Consolidate,
        /// Written by persist of a conversation.
        Persist,
        /// A proposal accepted.
        Accept,
        /// Initial contents of a workspace or account.
        Setup,
    }
);
