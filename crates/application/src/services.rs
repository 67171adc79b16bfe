//! The use cases by subject. A [`Session`] is the context that they share; each subject has one service on it.

use crate::session::Session;

macro_rules! services {
    ($($(#[$doc:meta])* $name:ident = $accessor:ident;)*) => {
        $(
            $(#[$doc])*
            pub struct $name<'s> {
                pub(crate) session: &'s Session,
            }
        )*

        impl Session {
            $(
                $(#[$doc])*
                pub const fn $accessor(&self) -> $name<'_> {
                    $name { session: self }
                }
            )*
        }
    };
}

services! {
    /// What agents did, kept in the workspace alone.
    AgentTelemetry = agent_telemetry;
    /// Writes of agents and tasks, behind the rules for what may be remembered.
    AgentWrites = agent_writes;
    /// The audit log.
    Audit = audit;
    /// Calendars, the time of entries in the story, and chapters.
    Calendars = calendars;
    /// Channels of the workspace.
    Channels = channels;
    /// What MCP clients wrote, and taking it back.
    ClientWrites = client_writes;
    /// Long conversations, shortened to an archive and their newest turns.
    Compaction = compaction;
    /// Runs that merge, settle and fade memories.
    Consolidation = consolidation;
    /// What of a conversation is sent to a model.
    Contexts = contexts;
    /// Conversations of other programs, read from their exports.
    ConversationImports = conversation_imports;
    /// Conversations, from their start to their end.
    Conversations = conversations;
    /// What entries were made of.
    Derivations = derivations;
    /// Contradictions between what is canon and what is stated elsewhere.
    Drifts = drifts;
    /// Vectors of memories and messages.
    Embeddings = embeddings;
    /// Summaries of old turns.
    Episodes = episodes;
    /// Memories taken from messages by background tasks.
    Extraction = extraction;
    /// Facts and claims against them.
    Facts = facts;
    /// Whose knowledge a read shows, and up to when the story has happened.
    Lenses = lenses;
    /// Memories: lists, writes, versions, undo.
    Memories = memories;
    /// Memories of other programs, read from their files.
    MemoryImports = memory_imports;
    /// Entries that have a name.
    NamedEntries = named_entries;
    /// What a model is told at the start of a turn, and the ledger of what was shown.
    Orientations = orientations;
    /// Proposed changes that wait for the worldbuilder.
    Proposals = proposals;
    /// Questions of the author, with what their orientations must hold.
    RecallTests = recall_tests;
    /// What is checked after changes: contradictions and recall tests.
    Reviews = reviews;
    /// The sample world.
    Samples = samples;
    /// Background tasks and their leases.
    Schedule = schedule;
    /// Working notes of conversations.
    Scratchpad = scratchpad;
    /// Permanent removal of memory text.
    Scrubs = scrubs;
    /// Search in memories and in messages.
    Searcher = search;
    /// Subjects of the world, and relations between them.
    Subjects = subjects;
    /// The memory switch of the workspace.
    Switch = switch;
    /// Messages of conversations.
    Transcripts = transcripts;
    /// Export and import of Inklings files.
    Transfers = transfers;
    /// Turns of the World Agent, and its tools.
    Turns = turns;
    /// Linked vaults and their pages.
    Vaults = vaults;
}
