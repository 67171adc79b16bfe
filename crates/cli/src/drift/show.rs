//! Prints contradictions as text.

use crate::output::texts::{line, word};
use inklings_api::drift::view::{DriftSide, DriftView};

pub fn drifts(drifts: &[DriftView]) -> String {
    let row = |drift: &DriftView| {
        let decision =
            drift.decision.as_ref().map(|decision| format!(": {}", word(decision))).unwrap_or_default();
        format!(
            "{}  {}{decision}\n    canon      {}\n    statement  {}",
            drift.id,
            word(&drift.state),
            side(&drift.canon),
            side(&drift.statement)
        )
    };
    drifts.iter().map(row).collect::<Vec<_>>().join("\n")
}

fn side(side: &DriftSide) -> String {
    let since = if side.changed_since { "  (changed since)" } else { "" };
    let text = match &side.fact {
        Some(fact) => format!("{} / {}: {}", fact.category, fact.key, side.text),
        None => side.text.clone(),
    };
    format!("{} {}  {}{since}", word(&side.kind), side.id, line(&text))
}
