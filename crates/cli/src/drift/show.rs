//! Prints contradictions as text.

use crate::{
    fact,
    output::texts::{line, word},
};
use inklings_api::{
    drift::view::{DriftPage, DriftSide, DriftView},
    fact::view::FactView,
};

pub fn page(page: &DriftPage) -> String {
    let claims = (!page.claimed.is_empty()).then(|| claims(&page.claimed));
    let parts = [claims, (!page.rows.is_empty()).then(|| drifts(&page.rows))];
    parts.into_iter().flatten().collect::<Vec<_>>().join("\n")
}

fn claims(facts: &[FactView]) -> String {
    format!("{}\n    to decide: inklings fact settle CLAIM accept|reject", fact::show::facts(facts))
}

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
    // Of a long text, what contradicts the other side.
    let text = if side.sentences.is_empty() { side.text.clone() } else { side.sentences.join(". ") };
    let text = match &side.fact {
        Some(fact) => format!("{} / {}: {}", fact.category, fact.key, side.text),
        None => match &side.page {
            Some(title) => format!("'{title}' has changed; nearest now: {text}"),
            None => text,
        },
    };
    format!("{} {}  {}{since}", word(&side.kind), side.id, line(&text))
}
