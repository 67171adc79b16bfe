//! Prints recall tests as text.

use std::fmt::Write as _;

use inklings_api::recall_test::view::{
    RecallCause, RecallExpectation, RecallMust, RecallTestView, RecallTurned,
};

use crate::{
    orientation::show::rule,
    output::{minute, texts::line},
};

pub fn tests(views: &[RecallTestView]) -> String {
    if views.is_empty() {
        return "No recall tests.".to_owned();
    }
    views.iter().map(test).collect::<Vec<_>>().join("\n")
}

fn test(view: &RecallTestView) -> String {
    let state = match view.passed {
        None => "not run",
        Some(true) => "passed",
        Some(false) => "FAILED",
    };
    let mut text = format!("{state:<7}  {}  {}", view.id, line(&view.question));
    if let Some(lens) = &view.lens {
        let knower = lens.knower.as_deref().map(|name| format!("as {}", line(name)));
        let at = lens.at.as_deref().map(|at| format!("at {}", line(at)));
        let _ = write!(text, "  ({})", [knower, at].into_iter().flatten().collect::<Vec<_>>().join(", "));
    }
    if let Some(channel) = &view.channel {
        let _ = write!(text, "  #{}", line(channel));
    }
    for expected in &view.expects {
        let _ = write!(text, "\n  {}", expectation(expected));
    }
    if let Some(turned) = &view.turned {
        let _ = write!(text, "\n  {}", cause(turned));
    }
    text
}

fn expectation(expected: &RecallExpectation) -> String {
    let must = match expected.must {
        RecallMust::Come => "must come up",
        RecallMust::StayAway => "must not come up",
    };
    let label = if expected.label.is_empty() { "(gone)".to_owned() } else { line(&expected.label) };
    let mut text = format!("{must}  {}  {label}", expected.id);
    if let Some(failure) = &expected.failure {
        let _ = write!(text, "\n    {}", rule(failure.rule));
        if let Some(rank) = failure.rank {
            let of = failure.of.map(|of| format!(" of {of}")).unwrap_or_default();
            let _ = write!(text, ", rank {rank}{of}");
        }
    }
    text
}

fn cause(turned: &RecallTurned) -> String {
    let by = match turned.by {
        RecallCause::Asked => "the run",
        RecallCause::Consolidation => "a consolidation",
        RecallCause::Revert => "a revert",
        RecallCause::Import => "an import",
        RecallCause::Model => "another embedding model",
        RecallCause::Decay => "other rates of decay",
        RecallCause::Change => "a change of memory or settings",
    };
    let mut text = format!("It passed before {by} at {}.", minute(&turned.at));
    if let Some(run) = &turned.run_id {
        let _ = write!(text, " To take that back: inklings consolidate revert {run}");
    }
    text
}
