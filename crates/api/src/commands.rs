//! What the shells call, by subject. An [`App`] is the context that they share; each subject has its commands on it.
//! A method has the name of the command of the window that calls it.

use crate::app::App;

macro_rules! commands {
    ($($(#[$doc:meta])* $name:ident = $accessor:ident;)*) => {
        $(
            $(#[$doc])*
            pub struct $name<'a> {
                pub(crate) app: &'a App,
            }
        )*

        impl App {
            $(
                $(#[$doc])*
                pub const fn $accessor(&self) -> $name<'_> {
                    $name { app: self }
                }
            )*
        }
    };
}

commands! {
    /// What agents did, kept in the workspace alone.
    AgentTelemetryCommands = agent_telemetry;
    /// The audit log.
    AuditCommands = audit;
    /// Backups, restores and what is damaged.
    BackupCommands = backup;
    /// Bulk writes and reads of the benchmarks.
    BenchCommands = bench;
    /// Calendars, the time of entries in the story, and chapters.
    CalendarCommands = calendar;
    /// Channels.
    ChannelCommands = channel;
    /// MCP clients, their permissions and what they wrote.
    ClientCommands = client;
    /// Runs of consolidation and their settings.
    ConsolidationCommands = consolidation;
    /// Conversations, messages, turns and context.
    ConversationCommands = conversation;
    /// Contradictions between what is canon and what is stated elsewhere.
    DriftCommands = drift;
    /// Facts and claims.
    FactCommands = fact;
    /// Who knows of what, and whose knowledge a conversation shows.
    LensCommands = lens;
    /// Memories: lists, search, writes, versions, undo.
    MemoryCommands = memory;
    /// Embedding models and the language model.
    ModelCommands = model;
    /// Entries that have a name.
    NamedEntryCommands = named_entry;
    /// What a model is told, and the ledger.
    OrientationCommands = orientation;
    /// Proposed changes that wait for the worldbuilder.
    ProposalCommands = proposal;
    /// Recall tests of the worldbuilder.
    RecallTestCommands = recall_test;
    /// Background tasks.
    ScheduleCommands = schedule;
    /// Working notes.
    ScratchpadCommands = scratchpad;
    /// Permanent removal of text.
    ScrubCommands = scrub;
    /// Search over documents of every kind.
    SearchCommands = search;
    /// Settings and the state of the program.
    SettingsCommands = settings;
    /// Export and import.
    TransferCommands = transfer;
    /// Subjects of the world, and relations between them.
    SubjectCommands = subject;
    /// Newer releases.
    UpdateCommands = update;
    /// Linked vaults and their pages.
    VaultCommands = vault;
    /// Workspaces, their overview and the sample world.
    WorkspaceCommands = workspace;
}
