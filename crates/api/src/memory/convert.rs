//! Converts between domain entries and views.

use crate::wire::id;
use std::collections::HashMap;

use chrono::DateTime;
use inklings_application::memory::{
    decay::{Curve, TierRetention},
    store::{Cursor, SortKey},
    write::Written,
};
use inklings_domain::{
    conversation::Conversation,
    ids::{ChangeId, ChannelId, ConversationId, MemoryId},
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
    },
    wire::time,
};

/// Maximum characters of content in a list row.
pub const PREVIEW_CHARS: usize = 400;
/// Characters of a snippet before the first match.
pub(crate) const LEAD_CHARS: usize = 80;

/// The first characters of a text.
pub fn head(text: &str, chars: usize) -> String {
    text.char_indices().nth(chars).map_or_else(|| text.to_owned(), |(end, _)| text[..end].to_owned())
}

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

/// Converts a write to a change with a summary.
pub fn changed(written: &Written) -> Change {
    change(written.change, written.action, &written.ids)
}

/// A change of entries with a summary.
pub fn change(id: ChangeId, action: Action, ids: &[MemoryId]) -> Change {
    let entries = match ids.len() {
        1 => "1 memory".to_owned(),
        n => format!("{n} memories"),
    };
    let summary = match action {
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
        change_id: id.to_string(),
        summary,
        affected: ids.iter().map(ToString::to_string).collect(),
        undoable: !ids.is_empty(),
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
