//! The table of tools. Memory has a tool for each verb; every other subject is one tool with an `action`.

use inklings_domain::{
    client::{Capability, Verb},
    scope::MemoryScope,
};
use serde_json::{Map, Value};

use super::{
    Action, Effect, Need, Tool,
    argument::InvalidArgument,
    arguments::{
        AgentTelemetry, Conversation, Fact, MemoryForget, MemoryGet, MemoryPut, MemorySearch, MemorySwitch,
        MemoryUpdate, Orient, ProposalCreate, Scratchpad, Scrub,
    },
};

/// Declares the call of each tool and its parser.
macro_rules! calls {
    ($($name:literal => $arguments:ident),+ $(,)?) => {
        /// A call of a tool with its arguments.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Call {
            $(#[doc = concat!("A call of `", $name, "`.")] $arguments($arguments),)+
        }

        impl Call {
            /// Parses the arguments of a call.
            ///
            /// # Errors
            /// [`InvalidArgument`] for an unknown tool or invalid arguments.
            pub fn parse(name: &str, arguments: &Map<String, Value>) -> Result<Self, InvalidArgument> {
                match name {
                    $($name => $arguments::parse(arguments).map(Self::$arguments),)+
                    _ => Err(InvalidArgument::UnknownTool),
                }
            }
        }
    };
}

calls! {
    "orient" => Orient,
    "memory_search" => MemorySearch,
    "memory_get" => MemoryGet,
    "memory_put" => MemoryPut,
    "memory_update" => MemoryUpdate,
    "memory_forget" => MemoryForget,
    "fact" => Fact,
    "conversation" => Conversation,
    "scratchpad" => Scratchpad,
    "proposal_create" => ProposalCreate,
    "memory_switch" => MemorySwitch,
    "scrub" => Scrub,
    "agent_telemetry" => AgentTelemetry,
}

const READS: Need = Need { verb: Some(Verb::Read), tier: None, capability: None };
const WRITES: Need = Need { verb: Some(Verb::Write), tier: None, capability: None };

const fn on(verb: Verb, tier: MemoryScope) -> Need {
    Need { verb: Some(verb), tier: Some(tier), capability: None }
}

const fn capable(verb: Option<Verb>, capability: Capability) -> Need {
    Need { verb, tier: None, capability: Some(capability) }
}

/// Pages belong to the workspace tier.
const PAGES: Need = Need {
    verb: Some(Verb::Read),
    tier: Some(MemoryScope::Workspace),
    capability: Some(Capability::ReadPages),
};

/// Telemetry is of no tier.
const TELEMETRY: Need = capable(None, Capability::AgentTelemetry);

/// The only action of a tool.
const fn only(effect: Effect, need: Need) -> Action {
    Action { word: "", effect, need, description: "", world_agent: true }
}

/// A part of a tool with one purpose, which needs a grant of its own.
const fn part(effect: Effect, need: Need, description: &'static str) -> Action {
    Action { word: "", effect, need, description, world_agent: true }
}

const fn action(word: &'static str, effect: Effect, need: Need, description: &'static str) -> Action {
    Action { word, effect, need, description, world_agent: true }
}

impl Action {
    /// As it is, but not for the World Agent.
    const fn of_clients(self) -> Self {
        Self { world_agent: false, ..self }
    }
}

use Effect::{Adds, Reads, Sets, Takes};

/// All tools in list order.
pub const TOOLS: &[Tool] = &[
    Tool {
        name: "orient",
        title: "Orient before a task",
        description: "Call this first. Gives what you should know before you begin: the worldbuilder's standing notes, facts, \
                      and what memory holds about the query, in one document within a budget.",
        actions: &[only(Reads, READS).of_clients()],
        fields: Orient::FIELDS,
    },
    Tool {
        name: "memory_search",
        title: "Search memory",
        description: "Finds memories by words and meaning, best first, each with its id. What it gives was noted before: \
                      candidates to check, not facts.",
        actions: &[
            only(Reads, READS),
            part(Reads, PAGES, "It also finds pages that the worldbuilder wrote elsewhere, each with its id and the part that fits."),
        ],
        fields: MemorySearch::FIELDS,
    },
    Tool {
        name: "memory_get",
        title: "Open one memory",
        description: "Opens one memory by its id.",
        actions: &[
            only(Reads, READS),
            part(
                Reads,
                READS,
                "By its name: a named entry of the worldbuilder (VOICE, SOUL and others). Without arguments: the list of named \
                 entries.",
            )
            .of_clients(),
            part(Reads, PAGES, "By 'page': a page that the worldbuilder wrote elsewhere."),
        ],
        fields: MemoryGet::FIELDS,
    },
    Tool {
        name: "memory_put",
        title: "Remember something new",
        description: "Adds a new memory that will matter later. Refused if it is noted already or can be read elsewhere. What \
                      may be about a world is proposed for the account instead.",
        actions: &[only(Adds, WRITES)],
        fields: MemoryPut::FIELDS,
    },
    Tool {
        name: "memory_update",
        title: "Change a memory",
        description: "Changes an existing memory that an agent wrote. The worldbuilder's own entries are locked; a change to \
                      one can only be proposed.",
        actions: &[only(Takes, WRITES)],
        fields: MemoryUpdate::FIELDS,
    },
    Tool {
        name: "memory_forget",
        title: "Forget a memory",
        description: "Takes a memory that an agent wrote out of use; it can be restored. The worldbuilder's own entries are \
                      locked.",
        actions: &[only(Takes, WRITES)],
        fields: MemoryForget::FIELDS,
    },
    Tool {
        name: "fact",
        title: "Facts of the world",
        description: "Facts: short values by category and key.",
        actions: &[
            action(
                "get",
                Reads,
                on(Verb::Read, MemoryScope::Workspace),
                "get: reads one, or all of a category.",
            ),
            action(
                "set",
                Sets,
                on(Verb::Write, MemoryScope::Workspace),
                "set: records one; one key may have several values, each at a time of its own. What contradicts the worldbuilder's \
                 own word is kept as a claim for them to settle.",
            ),
        ],
        fields: Fact::FIELDS,
    },
    Tool {
        name: "conversation",
        title: "Conversations",
        description: "Conversations that you may read.",
        actions: &[
            action(
                "list",
                Reads,
                on(Verb::Read, MemoryScope::Conversation),
                "list: latest activity first, with reference codes.",
            ),
            action(
                "read",
                Reads,
                on(Verb::Read, MemoryScope::Conversation),
                "read: the last messages, or the last before a position.",
            ),
            action(
                "search",
                Reads,
                on(Verb::Read, MemoryScope::Conversation),
                "search: messages by words and meaning, best first.",
            ),
            action(
                "append",
                Adds,
                on(Verb::Write, MemoryScope::Conversation),
                "append: says something as the agent; only the worldbuilder can take it back.",
            )
            .of_clients(),
        ],
        fields: Conversation::FIELDS,
    },
    Tool {
        name: "scratchpad",
        title: "Working notes",
        description: "Your own working notes in a conversation. They are not memory.",
        actions: &[
            action("read", Reads, on(Verb::Read, MemoryScope::Conversation), "read: one note, or all."),
            action(
                "write",
                Sets,
                on(Verb::Write, MemoryScope::Conversation),
                "write: keeps a value under a key. It is not shown to you unless you read it.",
            ),
            action(
                "clear",
                Takes,
                on(Verb::Write, MemoryScope::Conversation),
                "clear: removes one note, or all.",
            ),
        ],
        fields: Scratchpad::FIELDS,
    },
    Tool {
        name: "proposal_create",
        title: "Propose a change",
        description: "Proposes what you may not do yourself, such as a change of the worldbuilder's own entries. The \
                      worldbuilder decides.",
        actions: &[only(Adds, capable(Some(Verb::Read), Capability::Propose)).of_clients()],
        fields: ProposalCreate::FIELDS,
    },
    Tool {
        name: "memory_switch",
        title: "Switch memory on or off",
        description: "Switches the capture of memory in this workspace on or off.",
        actions: &[only(Sets, capable(None, Capability::MemorySwitch)).of_clients()],
        fields: MemorySwitch::FIELDS,
    },
    Tool {
        name: "scrub",
        title: "Destroy memory for good",
        description: "Permanent removal; it cannot be taken back.",
        actions: &[
            action(
                "preview",
                Reads,
                capable(Some(Verb::Write), Capability::ScrubPreview),
                "preview: counts what would be destroyed, with the hash and phrase that execute needs. Changes nothing.",
            )
            .of_clients(),
            action(
                "execute",
                Takes,
                capable(Some(Verb::Write), Capability::ScrubExecute),
                "execute: destroys it. Refused if anything changed since the preview.",
            )
            .of_clients(),
        ],
        fields: Scrub::FIELDS,
    },
    Tool {
        name: "agent_telemetry",
        title: "How agents work here",
        description: "What calls of tools led to in this workspace: types of actions and outcomes, never text.",
        actions: &[
            action("search", Reads, TELEMETRY, "search: patterns, and sequences of actions by their steps.").of_clients(),
            action(
                "context",
                Reads,
                TELEMETRY,
                "context: before a task, the patterns of your tools and sequences that are like it.",
            )
            .of_clients(),
            action("annotate", Sets, TELEMETRY, "annotate: judges a pattern, or hides it from agents.").of_clients(),
            action(
                "metric_create",
                Adds,
                TELEMETRY,
                "metric_create: counts the actions that match every given part, each day.",
            )
            .of_clients(),
            action("benchmark_get", Reads, TELEMETRY, "benchmark_get: the values of metrics by day.").of_clients(),
        ],
        fields: AgentTelemetry::FIELDS,
    },
];
