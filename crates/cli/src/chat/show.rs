//! Prints the language model settings as text.

use std::fmt::Write as _;

use inklings_api::view::chat::{ChatSettings, RunningModels, TokenUsage};

pub fn chat(settings: &ChatSettings) -> String {
    let Some(endpoint) = &settings.endpoint else { return "No language model is connected.".to_owned() };
    let key = if settings.has_key { format!("a key in {}", settings.key_place) } else { "no key".to_owned() };
    let summaries = match &endpoint.summary_model {
        Some(model) => format!("; {model} writes summaries"),
        None => String::new(),
    };
    format!(
        "{} at {} ({} tokens, {key}){summaries}",
        endpoint.model, endpoint.base_url, endpoint.context_tokens
    )
}

pub fn running(found: &[RunningModels]) -> String {
    if found.is_empty() {
        return "No program that runs models answers on this machine.".to_owned();
    }
    let program = |it: &RunningModels| {
        format!("{} at {}: {}", it.preset.name, it.preset.base_url, it.models.join(", "))
    };
    found.iter().map(program).collect::<Vec<_>>().join("\n")
}

/// A line for each day and model, and the sum.
pub fn tokens(used: &[TokenUsage]) -> String {
    if used.is_empty() {
        return "No tokens were used.".to_owned();
    }
    let mut text = String::new();
    for row in used {
        let _ = write!(
            text,
            "{}  {}  {} read, {} written, {} answers",
            row.day, row.model, row.input, row.output, row.answers
        );
        if row.unreported > 0.0 {
            let _ = write!(text, " ({} without counts)", row.unreported);
        }
        text.push('\n');
    }
    let sum = |of: fn(&TokenUsage) -> f64| used.iter().map(of).sum::<f64>();
    let _ = write!(text, "{} read, {} written in all", sum(|row| row.input), sum(|row| row.output));
    text
}
