//! What `registry.rs` lists: the function of each command that a service answers, and the lists of all commands.

use std::path::PathBuf;

use inklings_api::{
    agent_telemetry::view::{
        AgentActionFilter, AgentActionPage, AgentPatternView, AgentSequenceView, AgentTelemetrySettings,
        MetricRequest, MetricSeriesView, PatternAnnotation,
    },
    audit::view::AuditLog,
    backup::view::{BackupSettings, BackupView},
    calendar::view::{
        AgeView, CalendarDefinition, CalendarList, DateReading, NewStoryTime, TickRequest, TickView,
        TimelineRequest, TimelineRow, TimelineView,
    },
    channel::view::ChannelView,
    client::view::{ClientGrants, ClientUndone, ClientView, NewClient},
    conversation::{
        import_view::{ConversationImportPreview, ConversationImportReport},
        view::{
            CompactionPreview, ContextView, ConversationLink, ConversationList, ConversationPage,
            ConversationSettings, ConversationView, EpisodeView, MessagePage, MessageRange, MessageView,
            NoteView, SentMessage,
        },
    },
    drift::view::{DriftPage, DriftRequest, DriftSettlement, DriftView},
    fact::view::{FactList, FactPage, FactValueView, FactView, FactWrite},
    memory::{
        decay::DecayCurve,
        filter::{FacetValues, ListRequest, MemoryFilter, MemoryPage, ScopeCounts},
    },
    named_entry::view::{NamedEntryView, NamedWritten, NewNamedEntry},
    orientation::view::{
        OrientRequest, OrientationPage, OrientationSettings, OrientationView, ReadPage, WhyRequest, WhyView,
    },
    proposal::view::{Decided, Decision, ProposalPage, ProposalRequest},
    recall_test::view::{RecallTestRequest, RecallTestView},
    schedule::view::{ConsolidationPreview, ConsolidationSettings, Reverted, RunItem, RunPage, TaskView},
    scrub::view::{ScrubDone, ScrubManifest, ScrubMode, ScrubRequest, ScrubTarget},
    search::view::{
        DocumentSearch, DocumentSearchRequest, MessageSearch, MessageSearchRequest, SavedSearch, SavedView,
        SearchRequest, SearchResponse, SearchSettings,
    },
    settings::view::{AppStatus, DataFolder, Settings},
    subject::view::{GraphView, NameSuggestion, NewRelation, SubjectList, SubjectView},
    transfer::view::{ExportReport, ExportRequest, ImportDone, ImportPlan, ImportRequest},
    vault::view::{PageList, PageListRequest, PageRow, PageView, VaultStatus, VaultSync, VaultView},
    view::{
        change::{Change, WriteResult},
        chat::{ChatEndpoint, ChatSettings, EndpointTest, TokenUsage},
        journal::JournalPage,
        lens::{KnowerSpec, LensSpec, LensView},
        memory::{BulkProperties, HistoryItem, MemoryDetail, MemoryPatch, MoveTarget},
        model::ModelStatus,
    },
    vocabulary::ActorKind,
    workspace::{overview_view::TierOverview, view::WorkspaceView},
};

use crate::{Answer, Core, backup, client, fact, handler, memory, model, run, settings, update, workspace};

/// Writes the function of one command from the signature of the service's method: the function takes the values that the
/// method borrows. `[…]` collects the parameters of the function, and then the arguments of the method.
macro_rules! command {
    (@ $docs:tt $subject:ident :: $written:ident) => {};
    (@ $docs:tt $service:ident . $name:ident $parameters:tt $(-> $answer:ty)?) => {
        command!(core ($docs $service $name $($answer)?) [] [] $parameters);
    };
    ($core:ident $of:tt [$($taken:tt)*] [$($passed:tt)*] (events: Arc<dyn Events> $(, $($rest:tt)*)?)) => {
        command!($core $of [$($taken)*] [$($passed)* $core.events(),] ($($($rest)*)?));
    };
    ($core:ident $of:tt [$($taken:tt)*] [$($passed:tt)*] ($name:ident: &str $(, $($rest:tt)*)?)) => {
        command!($core $of [$($taken)* $name: String,] [$($passed)* &$name,] ($($($rest)*)?));
    };
    ($core:ident $of:tt [$($taken:tt)*] [$($passed:tt)*] ($name:ident: &Path $(, $($rest:tt)*)?)) => {
        command!($core $of [$($taken)* $name: PathBuf,] [$($passed)* &$name,] ($($($rest)*)?));
    };
    ($core:ident $of:tt [$($taken:tt)*] [$($passed:tt)*] ($name:ident: &[$item:ty] $(, $($rest:tt)*)?)) => {
        command!($core $of [$($taken)* $name: Vec<$item>,] [$($passed)* &$name,] ($($($rest)*)?));
    };
    ($core:ident $of:tt [$($taken:tt)*] [$($passed:tt)*] ($name:ident: &$value:ty $(, $($rest:tt)*)?)) => {
        command!($core $of [$($taken)* $name: $value,] [$($passed)* &$name,] ($($($rest)*)?));
    };
    ($core:ident $of:tt [$($taken:tt)*] [$($passed:tt)*] ($name:ident: Option<&str> $(, $($rest:tt)*)?)) => {
        command!($core $of [$($taken)* $name: Option<String>,] [$($passed)* $name.as_deref(),] ($($($rest)*)?));
    };
    ($core:ident $of:tt [$($taken:tt)*] [$($passed:tt)*] ($name:ident: Option<&$value:ty> $(, $($rest:tt)*)?)) => {
        command!($core $of [$($taken)* $name: Option<$value>,] [$($passed)* $name.as_ref(),] ($($($rest)*)?));
    };
    ($core:ident $of:tt [$($taken:tt)*] [$($passed:tt)*] ($name:ident: $value:ty $(, $($rest:tt)*)?)) => {
        command!($core $of [$($taken)* $name: $value,] [$($passed)* $name,] ($($($rest)*)?));
    };
    ($core:ident ([$(#[$doc:meta])*] $service:ident $name:ident $answer:ty) [$($taken:tt)*] [$($passed:tt)*] ()) => {
        $(#[$doc])*
        #[specta::specta]
        pub(crate) async fn $name($core: Core, $($taken)*) -> Answer<$answer> {
            $core.app()?.$service().$name($($passed)*).await
        }
    };
    ($core:ident ([$(#[$doc:meta])*] $service:ident $name:ident) [$($taken:tt)*] [$($passed:tt)*] ()) => {
        $(#[$doc])*
        #[specta::specta]
        pub(crate) async fn $name($core: Core, $($taken)*) -> Answer<()> {
            $core.app()?.$service().$name($($passed)*);
            Ok(())
        }
    };
}

macro_rules! commands {
    ($(
        $(#[$doc:meta])*
        $effect:ident $subject:ident $(:: $written:ident)? $(. $name:ident ($($parameters:tt)*) $(-> $answer:ty)?)?;
    )*) => {
        $(command!(@ [$(#[$doc])*] $subject $(:: $written)? $(. $name ($($parameters)*) $(-> $answer)?)?);)*

        /// The signatures of all commands in list order; registers the types that they use.
        pub fn functions(types: &mut specta::Types) -> Vec<specta::datatype::Function> {
            specta::function::collect_functions![$($($subject::$written)? $($name)?),*](types)
        }

        /// The effects and handlers of all commands in list order.
        pub fn handlers() -> Vec<(&'static str, handler::Handler)> {
            vec![$((stringify!($effect), handler::handler($($subject::$written)? $($name)?))),*]
        }
    };
}
include!("registry.rs");
