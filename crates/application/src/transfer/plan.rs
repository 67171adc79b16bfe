//! What an import comes to, item by item.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use super::picks::Line;

/// Items that a plan names one by one.
const NAMED: usize = 500;

/// What happens where something is here already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conflicts {
    /// Whichever was changed last.
    Newer,
    /// What is here stays.
    Mine,
    /// What comes in is added beside it.
    Both,
}

/// What happens to one thing in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// It is new.
    Add,
    /// Something that is here becomes as it is in the file.
    Change,
    /// It is left out because nothing is to be done, or because what is here stays.
    Skip,
    /// It cannot be taken in.
    Refuse,
    /// It is left out because nobody picked it.
    Unpicked,
}

impl Outcome {
    /// Its stable word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Change => "change",
            Self::Skip => "skip",
            Self::Refuse => "refuse",
            Self::Unpicked => "unpicked",
        }
    }
}

/// One thing in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanItem {
    /// What happens to it.
    pub outcome: Outcome,
    /// What it is: "memory", "conversation".
    pub what: &'static str,
    /// How people know it: a name, or how its text begins.
    pub label: String,
    /// Why; empty where nothing needs to be said.
    pub reason: String,
}

/// What an import would do, or did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    /// How often what happens to what.
    pub counts: BTreeMap<(Outcome, &'static str), u64>,
    /// The first of them, one by one; of what only comes along (messages) those alone that are refused.
    pub items: Vec<PlanItem>,
    /// What is done only where a person picked that very line, all of it, picked or not.
    pub lines: Vec<Line>,
    /// Stands for the file, for what would be done with each thing in it, and for the lines that were picked.
    pub hash: String,
}

impl Plan {
    /// How many things have this outcome.
    pub fn total(&self, outcome: Outcome) -> u64 {
        self.counts.iter().filter(|((of, _), _)| *of == outcome).map(|(_, rows)| rows).sum()
    }
}

/// A plan that is being made.
#[derive(Default)]
pub struct Tally {
    plan: Plan,
    digest: Sha256,
}

impl Tally {
    fn digest(&mut self, parts: &[&str]) {
        for part in parts {
            self.digest.update((part.len() as u64).to_le_bytes());
            self.digest.update(part.as_bytes());
        }
    }

    /// Notes a line that needs to be picked. `here` is the whole of what stands here: who picks a line saw that.
    pub fn line(&mut self, line: Line, here: &str) {
        let picked = if line.picked { "picked" } else { "" };
        self.digest(&["line", &line.id, line.need.as_str(), &line.reason, picked, here]);
        self.plan.lines.push(line);
    }

    /// Notes one thing. `identity` tells it from all others and says what it holds.
    pub fn note(&mut self, item: PlanItem, identity: &str, along: bool) {
        self.digest(&[item.outcome.as_str(), item.what, &item.reason, identity]);
        *self.plan.counts.entry((item.outcome, item.what)).or_default() += 1;
        if self.plan.items.len() < NAMED && (!along || item.outcome == Outcome::Refuse) {
            self.plan.items.push(item);
        }
    }

    /// The plan.
    pub fn done(self) -> Plan {
        use std::fmt::Write as _;
        let mut plan = self.plan;
        for byte in self.digest.finalize() {
            let _ = write!(plan.hash, "{byte:02x}");
        }
        plan
    }
}
