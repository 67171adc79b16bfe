//! Converts the reasons and settings of consolidation to views.

use crate::{schedule::view::ConsolidationSettings, wire::count};
use inklings_application::consolidation as use_case;
use inklings_domain::{
    consolidation::{INSTRUCTIONS, run as runs},
    forget_reason::ForgetReason,
};

/// The reason for an effect on an entry, where the run recorded none.
pub fn reason(act: runs::RunAct) -> String {
    match act {
        runs::RunAct::Promoted => "it proved useful".to_owned(),
        runs::RunAct::Faded => ForgetReason::Faded.to_string(),
        runs::RunAct::Capped => ForgetReason::Capped.to_string(),
        runs::RunAct::Merged => ForgetReason::Merged.to_string(),
        runs::RunAct::Rewritten => "it belongs together with others".to_owned(),
        runs::RunAct::Created => "it tells several entries in one text".to_owned(),
    }
}

/// The reason for an entry that a run of persist created.
pub const LEFT_BEHIND: &str = "a conversation left it behind";

/// Converts the consolidation settings to their view.
pub fn consolidation_settings(set: &use_case::ConsolidationSettings) -> ConsolidationSettings {
    ConsolidationSettings {
        automatic: set.automatic,
        idle_minutes: count(set.idle_minutes),
        account_depth: count(set.queue_depths.account),
        workspace_depth: count(set.queue_depths.workspace),
        channel_depth: count(set.queue_depths.channel),
        revision_depth: count(set.revision_depth),
        cap: count(set.cap),
        rewrite: set.rewrite,
        instructions: set.instructions.as_deref().unwrap_or(INSTRUCTIONS).to_owned(),
    }
}

/// Converts the consolidation settings from their view.
pub fn read_consolidation_settings(set: ConsolidationSettings) -> use_case::ConsolidationSettings {
    use_case::ConsolidationSettings {
        automatic: set.automatic,
        idle_minutes: set.idle_minutes.into(),
        queue_depths: use_case::QueueDepths {
            account: set.account_depth as usize,
            workspace: set.workspace_depth as usize,
            channel: set.channel_depth as usize,
        },
        revision_depth: set.revision_depth as usize,
        cap: set.cap as usize,
        rewrite: set.rewrite,
        instructions: Some(set.instructions),
    }
}
