//! Prints proposals as text.

use crate::output::texts::line;
use crate::output::texts::word;
use inklings_api::proposal::view::ProposalView;
use std::fmt::Write as _;

pub fn proposals(proposals: &[ProposalView]) -> String {
    let row = |proposal: &ProposalView| {
        let mut text = format!(
            "{}  {}  {}  by {}: {}",
            proposal.id,
            word(&proposal.kind),
            word(&proposal.state),
            word(&proposal.filed_by),
            proposal.reason
        );
        for subject in &proposal.subjects {
            let since = if subject.changed_since { "  (changed since)" } else { "" };
            let _ = write!(text, "\n    {}  {}{since}", subject.id, line(&subject.content));
        }
        if let Some(makes) = &proposal.makes {
            let _ = write!(text, "\n    a new memory in the {}, by {}", word(&makes.scope), makes.source);
            if let Some(title) = &makes.title {
                let _ = write!(text, "\n    {title}");
            }
        }
        if let Some(content) = &proposal.content {
            let _ = write!(text, "\n  + {}", line(content));
        }
        for mark in &proposal.lost {
            let _ = write!(text, "\n  - loses the {} \"{}\"", word(&mark.kind), mark.text);
        }
        text
    };
    proposals.iter().map(row).collect::<Vec<_>>().join("\n")
}
