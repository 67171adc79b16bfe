//! Converts orientations and the ledger to views.

use crate::{
    layer::layers,
    orientation::view::{
        LeftOutRule, OrientationItem, OrientationKind, OrientationSettings, OrientationShares,
        OrientationSummary, OrientationView,
    },
    search::convert::contribution,
    wire::{count, time},
};
use inklings_application::orientation as application;
use inklings_domain::{
    lens::Withheld,
    orientation as domain,
    orientation::{Layer, LeftOut, PerLayer},
};

/// Maximum characters of a query in a list.
pub(crate) const QUERY_CHARS: usize = 200;

/// Converts an orientation, with a label for each item.
pub fn orientation(
    orientation: &domain::Orientation,
    labels: &dyn Fn(&domain::ItemId) -> String,
) -> OrientationView {
    OrientationView {
        id: None,
        conversation_id: orientation.conversation.map(|id| id.to_string()),
        message_id: orientation.message.map(|id| id.to_string()),
        query: orientation.query.clone(),
        at: time(orientation.at),
        budget: count(orientation.budget),
        tokens: count(orientation.tokens),
        layers: layers(&orientation.layers, &orientation.items),
        items: orientation.items.iter().map(|item| ledger_item(item, labels(&item.id))).collect(),
        thinned: orientation.thinned,
        markdown: None,
    }
}

pub(crate) fn ledger_item(item: &domain::LedgerItem, label: String) -> OrientationItem {
    let (rule, repeats) = match item.left_out {
        None => (None, None),
        Some(LeftOut::Budget) => (Some(LeftOutRule::Budget), None),
        Some(LeftOut::Limit) => (Some(LeftOutRule::Limit), None),
        Some(LeftOut::Refined) => (Some(LeftOutRule::Refined), None),
        Some(LeftOut::Withheld(Withheld::Unknown)) => (Some(LeftOutRule::Unknown), None),
        Some(LeftOut::Withheld(Withheld::NotThen)) => (Some(LeftOutRule::NotThen), None),
        Some(LeftOut::Repeats(other)) => (Some(LeftOutRule::Repeats), Some(other.id())),
    };
    OrientationItem {
        layer: item.layer.into(),
        kind: match item.id {
            domain::ItemId::Memory(_) => OrientationKind::Memory,
            domain::ItemId::Fact(_) => OrientationKind::Fact,
            domain::ItemId::Episode(_) => OrientationKind::Episode,
            domain::ItemId::Message(_) => OrientationKind::Message,
            domain::ItemId::Pattern(_) => OrientationKind::Pattern,
            domain::ItemId::Page(_) => OrientationKind::Page,
        },
        id: item.id.id(),
        label,
        curator: item.framing.curator.map(Into::into),
        importance: item.framing.importance,
        relevance: item.framing.relevance,
        age_days: item.framing.age_days.map(count),
        tokens: count(item.tokens),
        taken: item.left_out.is_none(),
        shortened: item.shortened,
        rule,
        repeats,
        score: item.score,
        parts: item.parts.iter().map(contribution).collect(),
    }
}

/// Converts an orientation to a list row.
pub fn orientation_summary(orientation: &domain::Orientation) -> OrientationSummary {
    let taken = orientation.items.iter().filter(|item| item.left_out.is_none()).count();
    OrientationSummary {
        id: orientation.id.to_string(),
        message_id: orientation.message.map(|id| id.to_string()),
        query: domain::one_line(&orientation.query, QUERY_CHARS).0,
        at: time(orientation.at),
        tokens: count(orientation.tokens),
        budget: count(orientation.budget),
        taken: count(taken),
        left_out: count(orientation.items.len() - taken),
    }
}

/// Converts the orientation settings to their view.
pub fn orientation_settings(set: &application::OrientationSettings) -> OrientationSettings {
    let share = |layer| count(*set.shares.get(layer));
    OrientationSettings {
        budget: count(set.budget),
        named: count(set.named),
        shares: OrientationShares {
            subjects: share(Layer::Subjects),
            facts: share(Layer::Facts),
            episodes: share(Layer::Episodes),
            earlier: share(Layer::Earlier),
            conversation: share(Layer::Conversation),
            channel: share(Layer::Channel),
            workspace: share(Layer::Workspace),
            account: share(Layer::Account),
            pages: share(Layer::Pages),
            patterns: share(Layer::Patterns),
        },
        refine: set.refine,
    }
}

/// Converts the orientation settings from their view.
pub fn read_orientation_settings(set: &OrientationSettings) -> application::OrientationSettings {
    let shares = set.shares;
    application::OrientationSettings {
        budget: set.budget.into(),
        named: set.named.into(),
        shares: PerLayer::from_fn(|layer| {
            u64::from(match layer {
                Layer::Named => 0,
                Layer::Subjects => shares.subjects,
                Layer::Facts => shares.facts,
                Layer::Episodes => shares.episodes,
                Layer::Earlier => shares.earlier,
                Layer::Conversation => shares.conversation,
                Layer::Channel => shares.channel,
                Layer::Workspace => shares.workspace,
                Layer::Account => shares.account,
                Layer::Pages => shares.pages,
                Layer::Patterns => shares.patterns,
            })
        }),
        refine: set.refine,
    }
}
