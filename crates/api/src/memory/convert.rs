//! Converts between domain entries and views.

use crate::wire::id;
use std::collections::HashMap;

use chrono::{DateTime, Utc};
use inklings_application::{
    memory::{
        decay::{Curve, TierRetention},
        store::{Cursor, HistoryVersion, SortKey, StoredEntry},
        write::Written,
    },
    session::DecayModel,
};
use inklings_domain::{
    conversation::Conversation,
    ids::{ChannelId, ConversationId},
    memory as domain,
    memory::{
        change_set::Action,
        filter::{self, ScopeFilter},
    },
};

use crate::error::CommandError;
use crate::{
    memory::{
        change::Change,
        decay::{CurvePoint, DecayCurve, TierCurve},
        filter::MemoryFilter,
        view::{Forgotten, HistoryItem, MemoryDetail, MemoryPatch, MemoryRow, Origin},
    },
    wire::{count, time},
};

/// Maximum characters of content in a list row.
pub const PREVIEW_CHARS: usize = 400;
/// Characters of a snippet before the first match.
pub(crate) const LEAD_CHARS: usize = 80;

/// Names of channels and conversations, loaded once for a whole response.
#[derive(Debug, Default)]
pub struct PlaceNames {
    /// Channel names by id.
    pub channels: HashMap<ChannelId, String>,
    /// Conversations by id.
    pub conversations: HashMap<ConversationId, Conversation>,
}

/// Parses a filter.
///
/// # Errors
/// As [`id`].
pub fn filter(view: MemoryFilter) -> Result<filter::MemoryFilter, CommandError> {
    let channel = view.channel_id.as_deref().map(|text| id("channelId", text)).transpose()?;
    let conversation = view.conversation_id.as_deref().map(|text| id("conversationId", text)).transpose()?;
    let scopes: Vec<_> = view.scope.map(Into::into).into_iter().collect();
    let terms = view
        .terms
        .into_iter()
        .map(|term| filter::FacetTerm { facet: term.facet.into(), value: term.value, negated: term.negated })
        .collect();
    Ok(filter::MemoryFilter { scope_filter: ScopeFilter::new(&scopes, channel, conversation), terms })
}

/// Converts a patch from its view.
pub fn patch(view: MemoryPatch) -> domain::MemoryPatch {
    domain::MemoryPatch {
        content: view.content,
        importance: view.importance,
        tags: view.tags,
        lifetime: view.lifetime.map(Into::into),
        pinned: view.pinned,
    }
}

/// The first characters of a text.
pub fn head(text: &str, chars: usize) -> String {
    text.char_indices().nth(chars).map_or_else(|| text.to_owned(), |(end, _)| text[..end].to_owned())
}

/// Converts an entry to a list row.
pub fn row(stored: &StoredEntry, relevance: f64, places: &PlaceNames) -> MemoryRow {
    let entry = &stored.entry;
    let channel = entry.place.channel();
    let conversation = entry.place.conversation();
    MemoryRow {
        id: entry.id.to_string(),
        scope: entry.scope().into(),
        lifetime: entry.lifetime.into(),
        curator: entry.curator.into(),
        source: entry.source.clone(),
        kind: entry.kind.into(),
        name: entry.name.clone(),
        preview: head(&entry.content, PREVIEW_CHARS),
        importance: entry.importance.get(),
        relevance,
        tags: entry.tags.clone(),
        created_at: time(entry.created_at),
        updated_at: time(entry.updated_at),
        accessed_at: time(entry.accessed_at),
        access_count: count(entry.access_count),
        channel_id: channel.map(|id| id.to_string()),
        channel_name: channel.and_then(|id| places.channels.get(&id).cloned()),
        conversation_id: conversation.map(|id| id.to_string()),
        conversation_ref: conversation
            .and_then(|id| places.conversations.get(&id))
            .map(|conversation| conversation.ref_code.to_string()),
        pinned: entry.pinned,
        version: count(entry.version),
        has_embedding: stored.embedded_by.is_some(),
        forgotten_at: entry.forgotten.as_ref().map(|forgotten| time(forgotten.at)),
    }
}

/// Converts an entry with its full content.
pub fn detail(
    stored: &StoredEntry,
    decay: &DecayModel,
    now: DateTime<Utc>,
    places: &PlaceNames,
) -> MemoryDetail {
    let entry = &stored.entry;
    MemoryDetail {
        row: row(stored, decay.terms(&entry.decay_inputs(), now).relevance(), places),
        content: entry.content.clone(),
        written_by: entry.written_by.into(),
        origin: entry.origin.clone().map(|origin| Origin {
            external_id: origin.external_id,
            session: origin.session,
            speaker: origin.speaker,
            said_at: origin.said_at,
        }),
        embedding_model: stored.embedded_by.clone(),
        forgotten: entry.forgotten.as_ref().map(|forgotten| Forgotten {
            at: time(forgotten.at),
            reason: (&forgotten.reason).into(),
            note: forgotten.reason.note().map(str::to_owned),
            run_id: forgotten.run.map(|run| run.to_string()),
        }),
        consolidated_into: entry.consolidated_into.map(|id| id.to_string()),
        derived_from: entry.derived_from.iter().map(ToString::to_string).collect(),
        aliases: entry.aliases.clone(),
        locked: entry.is_locked(),
    }
}

/// Converts a write to a change with a summary.
pub fn change(written: &Written) -> Change {
    let entries = match written.ids.len() {
        1 => "1 memory".to_owned(),
        n => format!("{n} memories"),
    };
    let summary = match written.action {
        Action::Create => format!("Remembered {entries}"),
        Action::Edit => format!("Changed {entries}"),
        Action::Forget => format!("Forgot {entries}"),
        Action::Restore => format!("Restored {entries}"),
        Action::Import => format!("Imported {entries}"),
        Action::Undo => format!("Took back a change to {entries}"),
        Action::Revert => format!("Restored an earlier version of {entries}"),
        Action::Name => format!("Named {entries}"),
        Action::Consolidate => format!("Consolidated {entries}"),
        Action::Persist => format!("Kept {entries} of a conversation"),
        Action::Accept => format!("Accepted a proposal about {entries}"),
        Action::Setup => format!("Set up {entries}"),
    };
    Change {
        change_id: written.change.to_string(),
        summary,
        affected: written.ids.iter().map(ToString::to_string).collect(),
        undoable: !written.ids.is_empty(),
    }
}

/// Converts a version of an entry.
pub fn history_item(item: &HistoryVersion, current: bool) -> HistoryItem {
    HistoryItem {
        version: count(item.entry.version),
        content: item.entry.content.clone(),
        importance: item.entry.importance.get(),
        tags: item.entry.tags.clone(),
        lifetime: item.entry.lifetime.into(),
        forgotten: !item.entry.is_active(),
        pinned: item.entry.pinned,
        action: item.journal.action.into(),
        actor_kind: item.journal.by().into(),
        interface: item.journal.interface.into(),
        run_id: item.journal.run.map(|run| run.to_string()),
        at: time(item.journal.at),
        current,
    }
}

/// Converts a decay curve.
pub fn curve(curve: &Curve) -> DecayCurve {
    DecayCurve {
        points: curve
            .points
            .iter()
            .map(|(at, relevance)| CurvePoint { at: time(*at), relevance: *relevance })
            .collect(),
        now: curve.now.relevance(),
        fades_at: curve.fades_at.map(time),
        rate_per_hour: curve.rate,
        exempt: curve.exempt.then(|| "Pinned and named entries do not fade.".to_owned()),
    }
}

/// Converts the retention of a tier.
pub fn tier_curve(tier: TierRetention) -> TierCurve {
    TierCurve {
        scope: tier.scope.into(),
        rate_per_hour: tier.rate,
        retention7d: tier.after_week,
        points: tier.by_day,
    }
}

/// Encodes a cursor as an opaque text.
pub fn cursor_text(cursor: &Cursor) -> String {
    match cursor.key {
        SortKey::Time(at) => format!("t{}:{}", at.timestamp_micros(), cursor.id),
        // The bit pattern, so that the number is decoded exactly.
        SortKey::Number(number) => format!("n{:016x}:{}", number.to_bits(), cursor.id),
    }
}

/// Decodes a cursor.
///
/// # Errors
/// [`CommandError`] of code `invalid` for a text that is not a cursor.
pub fn cursor(text: &str) -> Result<Cursor, CommandError> {
    let read = || {
        let (key, id) = text.split_once(':')?;
        let id = id.parse().ok()?;
        let key = match key.split_at_checked(1)? {
            ("t", micros) => SortKey::Time(DateTime::from_timestamp_micros(micros.parse().ok()?)?),
            ("n", bits) => SortKey::Number(f64::from_bits(u64::from_str_radix(bits, 16).ok()?)),
            _ => return None,
        };
        Some(Cursor { key, id })
    };
    read().ok_or_else(|| CommandError::invalid("after", "This is not a cursor that a list gave."))
}

#[cfg(test)]
mod tests {
    use inklings_domain::ids::MemoryId;

    use super::*;

    #[test]
    fn a_cursor_reads_back_exactly() {
        let id = MemoryId::from_uuid(uuid::Uuid::from_u128(9));
        let at = DateTime::from_timestamp_micros(1_700_000_000_123_456).expect("a valid time");
        for key in [SortKey::Time(at), SortKey::Number(0.1 + 0.2)] {
            let cursor_given = Cursor { key, id };
            assert_eq!(cursor(&cursor_text(&cursor_given)).ok(), Some(cursor_given));
        }
        for bad in ["", ":", "x1:2", "t:", "né:9", "t1:notanid"] {
            assert!(cursor(bad).is_err(), "{bad:?}");
        }
    }
}
