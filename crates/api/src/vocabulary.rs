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
        Account, Workspace, Channel, Conversation,
    }
);
mirror!(
    /// Intended lifetime of an entry.
    Lifetime = domain::scope::MemoryLifetime {
        LongTerm, ShortTerm, Conversation,
    }
);
mirror!(
    /// The owner of an entry.
    Curator = domain::provenance::Curator {
        Agent, Author, Import,
    }
);
mirror!(
    /// The actor kind of a write.
    ActorKind = domain::provenance::ActorKind {
        Author, Agent, Import, System,
    }
);
mirror!(
    /// The interface that a write used.
    Interface = domain::provenance::Interface {
        Window, Cli, Task, Mcp,
    }
);
mirror!(
    /// The kind of an entry.
    Kind = domain::memory::MemoryKind {
        Note, Archive,
    }
);
mirror!(
    /// A property that filters entries.
    Facet = domain::memory::filter::Facet {
        Source, Curator, Lifetime, Tag, Importance, Embedding, Forgotten, Speaker,
    }
);
mirror!(
    /// The order of a list.
    Sort = domain::memory::filter::Sort {
        UpdatedDesc, CreatedDesc, CreatedAsc, ImportanceDesc,
    }
);
mirror!(
    /// A kind of searchable documents.
    DocumentKind = domain::search::document::DocumentKind {
        Memory, Message, Page,
    }
);
mirror!(
    /// A ranked list that contributes to a search.
    ListName = domain::search::ranking::ListName {
        Name, Text, Meaning, WordMeaning, Freshness, Nearness, AroundText, AroundMeaning, Speaker, Date,
        Days, Length, Person, Answer, Statement,
    }
);
mirror!(
    /// The action of a change set.
    ChangeAction = domain::memory::change_set::Action {
        Create, Edit, Forget, Restore, Move, Import, Undo, Revert, Name, Consolidate, Persist, Accept,
        Setup,
    }
);
