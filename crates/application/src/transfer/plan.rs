//! The plan of an import: the outcome of each item.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use inklings_domain::memory::link::LinkRole;

use super::picks::Line;

/// Maximum items listed individually, besides the refused ones.
const NAMED: usize = 500;
/// Maximum refused items listed individually. They need eyes, so the others do not take their place.
const REFUSED: usize = 5_000;

/// How conflicts with existing content are resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conflicts {
    /// The one that was changed last wins.
    Newer,
    /// The existing one stays.
    Mine,
    /// The one in the file is added as a separate one.
    Both,
}

/// The outcome for one item of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// It is added.
    Add,
    /// An existing one is replaced by it.
    Change,
    /// It is left out, because it is unchanged or the existing one stays.
    Skip,
    /// It cannot be imported.
    Refuse,
    /// It is left out, because its line was not picked.
    Unpicked,
}

impl Outcome {
    /// Stable name.
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

/// One item of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanItem {
    pub outcome: Outcome,
    /// Kind of the item: "memory", "conversation".
    pub what: &'static str,
    /// Where it is in the file: a path in a folder or an archive, or the number of the entry. May be empty.
    pub place: String,
    /// Label for display: a name, or the beginning of its text.
    pub label: String,
    /// Reason for the outcome; may be empty.
    pub reason: String,
    /// Kind of the subject that it is.
    pub subject: Option<String>,
    /// What it states of two entries.
    pub relation: Option<String>,
    /// Entries that it is linked to, for a third-party entry.
    pub links: Vec<PlanLink>,
}

impl PlanItem {
    /// An item of which only the outcome is known.
    pub const fn of(outcome: Outcome) -> Self {
        Self {
            outcome,
            what: "",
            place: String::new(),
            label: String::new(),
            reason: String::new(),
            subject: None,
            relation: None,
            links: Vec::new(),
        }
    }
}

/// A link of an item to an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanLink {
    /// What the entry is to the item.
    pub role: LinkRole,
    /// Name of the entry after the import.
    pub name: String,
    /// Since when a knower knows of the item, as the file says it.
    pub since: Option<String>,
}

/// The outcome of an import or preview.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    /// Number of items by outcome and kind.
    pub counts: BTreeMap<(Outcome, &'static str), u64>,
    /// The refused items first, then those that change something here, then those that are added, and last those that
    /// change nothing: of these three, the first ones. Of dependent items (messages), only those refused are listed.
    pub items: Vec<PlanItem>,
    /// All lines that need to be picked, whether picked or not.
    pub lines: Vec<Line>,
    /// Changed items of which nothing differs but their settings in the other program.
    pub settings: u64,
    /// Hash of the file, of the outcome for each item, and of the picked lines.
    pub hash: String,
}

impl Plan {
    /// Number of items with this outcome.
    pub fn total(&self, outcome: Outcome) -> u64 {
        self.counts.iter().filter(|((of, _), _)| *of == outcome).map(|(_, rows)| rows).sum()
    }
}

/// Builds a plan.
#[derive(Default)]
pub struct Tally {
    plan: Plan,
    refused: Vec<PlanItem>,
    changed: Vec<PlanItem>,
    added: Vec<PlanItem>,
    unchanged: Vec<PlanItem>,
    digest: Sha256,
}

impl Tally {
    fn digest(&mut self, parts: &[&str]) {
        for part in parts {
            self.digest.update((part.len() as u64).to_le_bytes());
            self.digest.update(part.as_bytes());
        }
    }

    /// Adds a line that needs to be picked. The hash includes the full existing text `here`, because the pick
    /// was made on it.
    pub fn line(&mut self, line: Line, here: &str) {
        let picked = if line.picked { "picked" } else { "" };
        self.digest(&["line", &line.id, line.need.as_str(), &line.reason, picked, here]);
        self.plan.lines.push(line);
    }

    /// Adds an item. `identity` identifies it and its content, for the hash.
    pub fn note(&mut self, item: PlanItem, identity: &str, along: bool) {
        self.digest(&[item.outcome.as_str(), item.what, &item.reason, identity]);
        *self.plan.counts.entry((item.outcome, item.what)).or_default() += 1;
        let (list, most) = match item.outcome {
            Outcome::Refuse => (&mut self.refused, REFUSED),
            Outcome::Change => (&mut self.changed, NAMED),
            Outcome::Add => (&mut self.added, NAMED),
            Outcome::Skip | Outcome::Unpicked => (&mut self.unchanged, NAMED),
        };
        if list.len() < most && (item.outcome == Outcome::Refuse || !along) {
            list.push(item);
        }
    }

    /// Counts an item of which only the settings in the other program change.
    pub fn note_settings(&mut self) {
        self.plan.settings += 1;
    }

    /// The finished plan.
    pub fn done(self) -> Plan {
        use std::fmt::Write as _;
        let mut plan = self.plan;
        let others = self.changed.into_iter().chain(self.added).chain(self.unchanged).take(NAMED);
        plan.items = self.refused.into_iter().chain(others).collect();
        for byte in self.digest.finalize() {
            let _ = write!(plan.hash, "{byte:02x}");
        }
        plan
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(outcome: Outcome, label: String) -> PlanItem {
        PlanItem { what: "memory", label, ..PlanItem::of(outcome) }
    }

    #[test]
    fn a_plan_lists_changes_even_after_many_added_and_skipped_rows() {
        let mut tally = Tally::default();
        for n in 0..NAMED {
            tally.note(item(Outcome::Skip, n.to_string()), "", false);
        }
        for n in 0..NAMED / 2 {
            tally.note(item(Outcome::Add, n.to_string()), "", false);
        }
        tally.note(item(Outcome::Change, "the last".to_owned()), "", false);
        let items = tally.done().items;
        assert_eq!((items.len(), items[0].label.as_str()), (NAMED, "the last"));
        let outcomes: Vec<Outcome> = items.iter().map(|item| item.outcome).collect();
        assert!(outcomes[1..=NAMED / 2].iter().all(|outcome| *outcome == Outcome::Add));
        assert!(outcomes[NAMED / 2 + 1..].iter().all(|outcome| *outcome == Outcome::Skip));
    }

    #[test]
    fn a_plan_lists_all_refused_rows_first() {
        let mut tally = Tally::default();
        for n in 0..2 * NAMED {
            tally.note(item(Outcome::Add, n.to_string()), "", false);
        }
        for n in 0..=NAMED {
            tally.note(item(Outcome::Refuse, n.to_string()), "", n % 2 == 0);
        }
        let plan = tally.done();
        assert_eq!(plan.total(Outcome::Refuse), NAMED as u64 + 1);
        assert_eq!(plan.items.len(), 2 * NAMED + 1);
        assert!(plan.items[..=NAMED].iter().all(|item| item.outcome == Outcome::Refuse));
        assert_eq!(plan.items[NAMED].label, NAMED.to_string(), "the last of them too");
    }
}
