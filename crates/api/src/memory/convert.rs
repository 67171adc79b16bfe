//! Converts between domain entries and views.

use crate::wire::id;

use inklings_application::{
    memory::{
        decay::{Curve, TierRetention},
        write::Written,
    },
    session::Session,
};
use inklings_domain::{
    ids::{ChangeId, MemoryId},
    memory::{
        change_set::Action,
        decay,
        filter::{self, ScopeFilter},
    },
};

use crate::error::CommandError;
use crate::{
    lens,
    memory::{
        decay::{CurvePoint, DecayCurve, DecayExemption, TierCurve},
        filter::MemoryFilter,
    },
    view::change::Change,
    wire::time,
};

/// Parses a filter.
///
/// # Errors
/// As [`id`]; [`CommandError`] of code `not_found` for the lens, or `invalid` for what is no date.
pub async fn filter(session: &Session, view: MemoryFilter) -> Result<filter::MemoryFilter, CommandError> {
    let lens = lens::resolved(session, view.lens.as_ref()).await?;
    let channel = view.channel_id.as_deref().map(|text| id("channelId", text)).transpose()?;
    let conversation = view.conversation_id.as_deref().map(|text| id("conversationId", text)).transpose()?;
    let scopes: Vec<_> = view.scope.map(Into::into).into_iter().collect();
    let terms = view
        .terms
        .into_iter()
        .map(|term| filter::FacetTerm { facet: term.facet.into(), value: term.value, negated: term.negated })
        .collect();
    let scope_filter = ScopeFilter::new(&scopes, channel, conversation).through(lens);
    Ok(filter::MemoryFilter { scope_filter, terms })
}

/// Converts a write to a change with a summary.
pub fn changed(written: &Written) -> Change {
    change(written.change, written.action, &written.ids)
}

/// A change of entries with a summary.
pub fn change(id: ChangeId, action: Action, ids: &[MemoryId]) -> Change {
    Change {
        change_id: id.to_string(),
        summary: summary(action, ids.len()),
        affected: ids.iter().map(ToString::to_string).collect(),
        undoable: !ids.is_empty(),
    }
}

/// What a change did to a number of entries, for users.
pub fn summary(action: Action, count: usize) -> String {
    let entries = match count {
        1 => "1 memory".to_owned(),
        n => format!("{n} memories"),
    };
    match action {
        Action::Create => format!("Remembered {entries}"),
        Action::Edit => format!("Changed {entries}"),
        Action::Forget => format!("Forgot {entries}"),
        Action::Restore => format!("Restored {entries}"),
        Action::Move => format!("Moved {entries}"),
        Action::Import => format!("Imported {entries}"),
        Action::Undo => format!("Took back a change to {entries}"),
        Action::Revert => format!("Restored an earlier version of {entries}"),
        Action::Name => format!("Named {entries}"),
        Action::Consolidate => format!("Consolidated {entries}"),
        Action::Persist => format!("Kept {entries} of a conversation"),
        Action::Accept => format!("Accepted a proposal about {entries}"),
        Action::Setup => format!("Set up {entries}"),
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
        exempt: curve.exempt.and_then(|exemption| match exemption {
            decay::Exemption::None => None,
            decay::Exemption::OfAuthor => Some(DecayExemption::OfAuthor),
            decay::Exemption::Fixed => Some(DecayExemption::Fixed),
        }),
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
