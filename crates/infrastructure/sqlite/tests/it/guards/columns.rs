//! The columns of an entry that are guarded.

/// Every column of an entry that only a declared write may change, with a value that differs.
pub(super) const WRITERS_COLUMNS: &[(&str, &str)] = &[
    ("lifetime", "'short_term'"),
    ("kind", "'archive'"),
    ("importance", "0.99"),
    ("pinned", "1"),
    ("source", "'somebody else'"),
    ("speaker", "'Nobody'"),
    ("tags", "'[\"stolen\"]'"),
    ("external_id", "'X'"),
    ("session", "'S'"),
    ("said_at", "'never'"),
    ("source_conversation_id", "'00000000-0000-7000-8000-000000000000'"),
    ("consolidated_into", "'00000000-0000-7000-8000-000000000000'"),
    ("derived_from", "'[\"agent\"]'"),
    ("content", "'rewritten'"),
    ("title", "'Rewritten'"),
    ("keys", "'[\"rewritten\"]'"),
    ("subject", "'place'"),
    ("links", LINKS),
    ("links = NULL, relation", "'knows'"),
    ("holds_from", "10000"),
    ("holds_until", "20001"),
    ("reading_number", "1"),
    ("calendar", "'{}'"),
    ("derivations", DERIVATIONS),
    ("updated_at", "updated_at + 1"),
    ("checksum", "1"),
    ("version", "version + 1"),
    ("written_by", "CASE written_by WHEN 'agent' THEN 'author' ELSE 'agent' END"),
    ("change_id", "'00000000-0000-7000-8000-000000000000'"),
    ("curator", "CASE curator WHEN 'agent' THEN 'author' ELSE 'agent' END"),
    ("forgotten_at = 1, forgotten_reason", "'gone'"),
    ("forgotten_code", "'faded'"),
    ("name_folded = 'mine', name", "'Mine'"),
    ("name_folded = 'mine', name = 'Mine', aliases_folded = '[\"me\"]', aliases", "'[\"Me\"]'"),
];

/// A message as a source.
const DERIVATIONS: &str = r#"'[{"kind":"message","id":"00000000-0000-7000-8000-00000000000f"}]'"#;

/// Links of no relation.
pub(super) const LINKS: &str = r#"'[{"role":"about","id":"00000000-0000-7000-8000-00000000000f"}]'"#;
