//! The layers of an orientation, and what each of them takes of the token budget.

use inklings_domain::{
    self as domain,
    orientation::{LayerUse, LedgerItem, PerLayer},
};
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::{vocabulary::mirror, wire::count};

mirror!(
    /// Source of an item of an orientation, in the order of the document.
    OrientationLayer = domain::orientation::Layer {
        Named, Subjects, Facts, Episodes, Earlier, Conversation, Channel, Workspace, Account, Pages,
        Patterns,
    }
);

/// Token budget and use of a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct LayerBudget {
    pub layer: OrientationLayer,
    /// Tokens allotted to it, including the unused tokens of earlier layers.
    pub budget: u32,
    /// Tokens used.
    pub used: u32,
    /// Number of items selected.
    pub taken: u32,
    /// Number of items left out.
    pub left_out: u32,
    /// True if it could not be read.
    pub failed: bool,
}

/// What each layer took of the budget.
pub(crate) fn layers(used: &PerLayer<LayerUse>, items: &[LedgerItem]) -> Vec<LayerBudget> {
    let budget = |layer: &domain::orientation::Layer| {
        let used = used.get(*layer);
        let items = || items.iter().filter(|item| item.layer == *layer);
        LayerBudget {
            layer: (*layer).into(),
            budget: count(used.budget),
            used: count(used.used),
            taken: count(items().filter(|item| item.left_out.is_none()).count()),
            left_out: count(items().filter(|item| item.left_out.is_some()).count()),
            failed: used.failed,
        }
    };
    domain::orientation::Layer::ALL.iter().map(budget).collect()
}
