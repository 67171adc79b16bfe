//! What can be learnt from what the worldbuilder said: preferences, decisions, corrections, open questions.

use crate::{scope::words, summary::Turn};

/// What kind of thing was observed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ObservationKind {
    /// How the worldbuilder wants things done.
    Preference,
    /// What was settled.
    Decision,
    /// What was put right.
    Correction,
    /// What is still open.
    Question,
}

words!(ObservationKind, "kind of observation", {
    Preference => "preference", Decision => "decision", Correction => "correction", Question => "question",
});

/// Something worth remembering from a talk.
#[derive(Debug, Clone, PartialEq)]
pub struct Observation {
    /// Which kind.
    pub kind: ObservationKind,
    /// The sentence itself, white space normalised; with the one before it where it cannot stand alone.
    pub text: String,
    /// How much it weighs, from 0 to 1.
    pub importance: f64,
    /// The turn it was said in, as an index of what was given.
    pub turn: usize,
}

/// Finds what the worldbuilder stated; the turns are theirs alone. In the order in which it was said.
pub fn observe(turns: &[Turn]) -> Vec<Observation> {
    let _ = turns;
    Vec::new()
}
