//! The audit log of irreversible acts. The log is append-only, and each row's hash covers the hash of the row before.
//!
//! A row's hash is SHA-256 over its canonical bytes: the words `inklings audit 1`, then workspace, sequence, act,
//! scope, mode, manifest, operator, interface, time and the hash of the previous row, in this order. Each field is
//! preceded by its length in bytes as a big-endian `u64`, so that different rows never have the same bytes. Numbers
//! are decimal, the time is in microseconds since 1970, and an absent mode is the empty text. The previous hash of
//! the first row is 64 zeros.

use chrono::{DateTime, Utc};
use sha2::{Digest, Sha256};

use crate::{digest::hex, ids::WorkspaceId, provenance::Interface, scope::words, scrub::ScrubMode};

/// An irreversible act that the log records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AuditAct {
    /// A tier was scrubbed.
    Scrub,
    /// A conversation was purged.
    Purge,
    /// A backup was restored.
    Restore,
    /// A backup was destroyed.
    PurgeBackup,
}

words!(AuditAct, "act", {
    Scrub => "scrub", Purge => "purge", Restore => "restore", PurgeBackup => "purge_backup",
});

/// The previous hash of the first row.
pub const BEGINNING: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// The content of an audit row. Holds no memory text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    /// The act that was done.
    pub act: AuditAct,
    /// The kind and id of the object acted on, 1 to 120 characters.
    pub scope: String,
    /// The mode of a scrub; `None` for other acts.
    pub mode: Option<ScrubMode>,
    /// Counts and the hash of the affected rows, as JSON.
    pub manifest: String,
    /// The person or program that did it, 1 to 120 characters.
    pub operator: String,
    /// The interface the act came through.
    pub interface: Interface,
    /// The time of the act, with microsecond precision.
    pub at: DateTime<Utc>,
}

/// One row of the audit log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditRow {
    /// Position in the log, from 1 without gaps.
    pub sequence: u64,
    /// The recorded act.
    pub entry: AuditEntry,
    /// The hash of the previous row, 64 hex digits.
    pub previous: String,
    /// The hash of this row, 64 hex digits.
    pub hash: String,
}

impl AuditRow {
    /// Builds the row that follows `last` in the log of a workspace.
    pub fn sealed(workspace: WorkspaceId, last: Option<(u64, &str)>, entry: AuditEntry) -> Self {
        let (sequence, previous) = last.map_or((1, BEGINNING), |(sequence, hash)| (sequence + 1, hash));
        let hash = seal(workspace, sequence, &entry, previous);
        Self { sequence, entry, previous: previous.to_owned(), hash }
    }
}

/// Appends a length-prefixed text, so that field boundaries are unambiguous.
fn field(bytes: &mut Vec<u8>, text: &str) {
    bytes.extend_from_slice(&(text.len() as u64).to_be_bytes());
    bytes.extend_from_slice(text.as_bytes());
}

/// The bytes that a row's hash covers.
pub fn canonical(workspace: WorkspaceId, sequence: u64, entry: &AuditEntry, previous: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(256 + entry.manifest.len());
    field(&mut bytes, "inklings audit 1");
    field(&mut bytes, &workspace.to_string());
    field(&mut bytes, &sequence.to_string());
    field(&mut bytes, entry.act.as_str());
    field(&mut bytes, &entry.scope);
    field(&mut bytes, entry.mode.map_or("", ScrubMode::as_str));
    field(&mut bytes, &entry.manifest);
    field(&mut bytes, &entry.operator);
    field(&mut bytes, entry.interface.as_str());
    field(&mut bytes, &entry.at.timestamp_micros().to_string());
    field(&mut bytes, previous);
    bytes
}

/// Computes the hash of a row, as 64 hex digits.
pub fn seal(workspace: WorkspaceId, sequence: u64, entry: &AuditEntry, previous: &str) -> String {
    hex(&Sha256::digest(canonical(workspace, sequence, entry, previous)))
}

/// The result of checking a chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainState {
    /// Number of rows in the log.
    pub rows: u64,
    /// The sequence of the first invalid row; `None` if the chain is valid.
    pub broken_at: Option<u64>,
}

/// Checks a chain from its first row. `head` is the recorded end of the log (sequence and hash; `None` for an empty
/// log). It is stored apart from the rows, so that missing rows at the end are detected.
pub fn verify(workspace: WorkspaceId, rows: &[AuditRow], head: Option<(u64, &str)>) -> ChainState {
    let count = rows.len() as u64;
    let mut previous = BEGINNING;
    for (expected, row) in (1..).zip(rows) {
        let fits = row.sequence == expected
            && row.previous == previous
            && row.hash == seal(workspace, row.sequence, &row.entry, &row.previous);
        if !fits {
            return ChainState { rows: count, broken_at: Some(expected) };
        }
        previous = &row.hash;
    }
    let end = rows.last().map(|row| (row.sequence, row.hash.as_str()));
    ChainState { rows: count, broken_at: (end != head).then_some(count + 1) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;

    fn home() -> WorkspaceId {
        WorkspaceId::from_uuid(Uuid::from_u128(7))
    }

    fn entry(number: u64) -> AuditEntry {
        AuditEntry {
            act: AuditAct::Scrub,
            scope: format!("channel {number}"),
            mode: Some(ScrubMode::KeepNamed),
            manifest: format!("{{\"total\":{number}}}"),
            operator: "author".into(),
            interface: Interface::Cli,
            at: DateTime::from_timestamp_micros(1_800_000_000_000_000 + number as i64).unwrap_or_default(),
        }
    }

    fn chain(length: u64) -> Vec<AuditRow> {
        let mut rows: Vec<AuditRow> = Vec::new();
        for number in 0..length {
            let last = rows.last().map(|row| (row.sequence, row.hash.clone()));
            let last = last.as_ref().map(|(sequence, hash)| (*sequence, hash.as_str()));
            rows.push(AuditRow::sealed(home(), last, entry(number)));
        }
        rows
    }

    fn head(rows: &[AuditRow]) -> Option<(u64, &str)> {
        rows.last().map(|row| (row.sequence, row.hash.as_str()))
    }

    fn alter(row: &mut AuditRow, what: usize) {
        match what {
            0 => row.entry.act = AuditAct::Purge,
            1 => row.entry.scope.push('x'),
            2 => row.entry.mode = None,
            3 => row.entry.manifest.push(' '),
            4 => row.entry.operator = "agent".into(),
            5 => row.entry.interface = Interface::Mcp,
            6 => row.entry.at += chrono::TimeDelta::microseconds(1),
            7 => row.sequence += 1,
            8 => row.previous = row.hash.clone(),
            _ => row.hash = BEGINNING.into(),
        }
    }

    #[test]
    fn an_unmodified_chain_is_valid_even_if_it_is_empty() {
        for length in [0, 1, 5] {
            let rows = chain(length);
            assert_eq!(verify(home(), &rows, head(&rows)), ChainState { rows: length, broken_at: None });
        }
    }

    #[test]
    fn a_chain_of_another_database_is_invalid() {
        let rows = chain(2);
        let other = WorkspaceId::from_uuid(Uuid::from_u128(8));
        assert_eq!(verify(other, &rows, head(&rows)).broken_at, Some(1));
    }

    #[test]
    fn the_canonical_form_separates_fields_unambiguously() {
        let (mut a, mut b) = (entry(1), entry(1));
        (a.manifest, a.operator) = ("1".into(), "2author".into());
        (b.manifest, b.operator) = ("12".into(), "author".into());
        assert_ne!(canonical(home(), 1, &a, BEGINNING), canonical(home(), 1, &b, BEGINNING));
    }

    proptest! {
        #[test]
        fn any_change_of_any_row_is_detected(length in 1u64..8, at in any::<prop::sample::Index>(), what in 0usize..10) {
            let whole = chain(length);
            let mut rows = whole.clone();
            let place = at.index(rows.len());
            alter(&mut rows[place], what);
            let found = verify(home(), &rows, head(&whole)).broken_at;
            prop_assert!(found.is_some_and(|sequence| sequence <= place as u64 + 2));
        }

        #[test]
        fn a_resealed_row_is_detected_at_the_next_row_or_the_end(length in 1u64..8, at in any::<prop::sample::Index>()) {
            let whole = chain(length);
            let mut rows = whole.clone();
            let place = at.index(rows.len());
            rows[place].entry.scope.push('x');
            let row = &mut rows[place];
            row.hash = seal(home(), row.sequence, &row.entry, &row.previous);
            prop_assert!(verify(home(), &rows, head(&whole)).broken_at.is_some());
        }

        #[test]
        fn any_removal_is_detected_including_the_last_row(length in 1u64..8, from in any::<prop::sample::Index>(), many in 1usize..4) {
            let whole = chain(length);
            let mut rows = whole.clone();
            let from = from.index(rows.len());
            rows.drain(from..(from + many).min(rows.len()));
            prop_assert!(verify(home(), &rows, head(&whole)).broken_at.is_some());
        }

        #[test]
        fn any_swap_of_rows_is_detected(length in 2u64..8, a in any::<prop::sample::Index>(), b in any::<prop::sample::Index>()) {
            let whole = chain(length);
            let mut rows = whole.clone();
            let (a, b) = (a.index(rows.len()), b.index(rows.len()));
            prop_assume!(a != b);
            rows.swap(a, b);
            prop_assert!(verify(home(), &rows, head(&whole)).broken_at.is_some());
        }
    }
}
