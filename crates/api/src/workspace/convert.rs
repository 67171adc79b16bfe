//! Convert.

use crate::error::CommandError;
use crate::wire::id;
use crate::{
    memory::{
        change::Change,
        decay::{CurvePoint, DecayCurve, TierCurve},
        filter::MemoryFilter,
        view::{Forgotten, HistoryItem, MemoryDetail, MemoryPatch, MemoryRow, Origin},
    },
    search::view::{Contribution, Explanation, SearchHit, SearchMode, SearchResponse, Span},
    wire::{count, time},
    workspace::view::{ChannelView, WayOut, WorkspaceDamage, WorkspaceFault, WorkspaceView},
};
use chrono::{DateTime, Utc};
use inklings_application::{
    backup::store::BackupSet,
    conversation::store::ChannelSummary,
    memory::{
        decay::{Curve, TierRetention},
        store::{Cursor, HistoryVersion, SortKey, StoredEntry},
        write::Written,
    },
    search::{Found, Hit, Mode, TextOnly},
    session::DecayModel,
};
use inklings_domain::{
    conversation::Conversation,
    ids::{ChannelId, ConversationId, MemoryId},
    memory as domain,
    memory::{
        change_set::Action,
        decay::DecayTerms,
        filter::{self, ScopeFilter},
    },
    search::query::TextReason,
    workspace::{Workspace, WorkspaceFault as Fault},
};
use std::{collections::HashMap, ops::Range};

/// A workspace.
pub fn workspace(workspace: &Workspace, current: bool) -> WorkspaceView {
    WorkspaceView {
        id: workspace.id.to_string(),
        name: workspace.name.as_str().to_owned(),
        created_at: time(workspace.created_at),
        current,
        damaged: None,
    }
}

/// A workspace that cannot be opened, with the newest backup of it.
pub fn damage(fault: Fault, newest: Option<&BackupSet>) -> WorkspaceDamage {
    let (fault, own) = match fault {
        Fault::Name => (WorkspaceFault::Name, Some(WayOut::Rename)),
        Fault::Missing => (WorkspaceFault::Missing, None),
        Fault::Damaged => (WorkspaceFault::Damaged, None),
        Fault::ThirdParty => (WorkspaceFault::ThirdParty, None),
        Fault::Newer => (WorkspaceFault::Newer, None),
        Fault::Older => (WorkspaceFault::Older, None),
        Fault::Link => (WorkspaceFault::Link, None),
    };
    let restore = newest.map(|_| WayOut::Restore);
    WorkspaceDamage {
        fault,
        ways_out: own.into_iter().chain(restore).chain([WayOut::SetAside, WayOut::Doctor]).collect(),
        newest_backup: newest.map(|set| set.id.to_string()),
    }
}
