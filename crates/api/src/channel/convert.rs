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

/// A channel.
pub fn channel(summary: &ChannelSummary) -> ChannelView {
    ChannelView {
        id: summary.channel.id.to_string(),
        name: summary.channel.name.as_str().to_owned(),
        description: summary.channel.description.clone(),
        is_default: summary.channel.is_default,
        created_at: time(summary.channel.created_at),
        archived_at: summary.channel.archived_at.map(time),
        memories: count(summary.memories),
        conversations: count(summary.conversations),
        archived_conversations: count(summary.archived_conversations),
    }
}
