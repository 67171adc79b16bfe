//! Lines of an import that only a person may admit. Each such row is a line of the plan and is left out
//! unless that line was picked.

use std::collections::BTreeMap;

use inklings_domain::memory::MemoryEntry;
use inklings_ports::transfer::{fields::text_of, file::TransferError, shape::Section, store::Fields};

use super::{
    super::{
        picks::{CLAIMS, Line, LineText, Need, differences, texts},
        plan::Outcome,
        standing::{Claims, without_claims},
    },
    Decided, Pass, Side,
    linking::Linkable,
};

/// Approximate maximum bytes retained per line for content that joins a conversation; more than a line shows.
const SHOWN: usize = 1 << 14;

/// The current row of an import.
#[derive(Debug, Default)]
pub(super) struct Row {
    id: String,
    what: &'static str,
    label: String,
    tier: Option<String>,
    here: Option<inklings_domain::ids::MemoryId>,
    claims: Claims,
    /// True if the row says that fewer know of it than could be said here.
    pub widens: bool,
    /// The existing entry that the row is.
    pub existing: Option<inklings_domain::ids::MemoryId>,
    /// The named entry that the row is after the import.
    pub became: Option<Linkable>,
}

impl Row {
    /// A row identified by its number in its section, starting at 1. The number is the same in every pass,
    /// whatever is picked.
    pub fn new(section: Section, number: u64, label: String, tier: Option<String>) -> Self {
        let id = format!("{}/{number}", section.name());
        Self { id, what: section.what(), label, tier, ..Self::default() }
    }

    /// An unknown member of the file.
    pub fn unknown_member(number: u64, label: String) -> Self {
        Self { id: format!("fields/{number}"), what: "field of the file", label, ..Self::default() }
    }
}

/// The two variants of a row that can be imported.
pub(super) struct RowClaims {
    /// Without raised status claims, unless a person vouches for the whole file.
    pub modest: Fields,
    /// As in the file.
    whole: Fields,
}

impl RowClaims {
    /// The row as a new entry with this id.
    pub fn with_id(mut self, id: &str) -> Self {
        for fields in [&mut self.modest, &mut self.whole] {
            fields.insert("id".to_owned(), id.into());
            fields.remove("external_id");
        }
        self
    }

    /// The row of a picked line.
    pub fn into_whole(self) -> Fields {
        self.whole
    }

    /// The row as in the file.
    pub const fn whole(&self) -> &Fields {
        &self.whole
    }
}

/// Content that a file adds to an existing conversation.
#[derive(Debug, Default)]
pub(super) struct Joined {
    label: String,
    rows: BTreeMap<&'static str, u64>,
    texts: String,
}

/// The line id for content that joins a conversation.
fn joins_id(conversation: &str) -> String {
    format!("joins/{conversation}")
}

/// The key of a row in its section.
pub(super) fn row_id(section: Section, fields: &Fields) -> Vec<String> {
    let part = |name: &str| text_of(fields, name).unwrap_or_default().to_owned();
    match section {
        Section::Scratchpads => vec![part("conversation_id"), part("key")],
        _ => vec![part("id")],
    }
}

impl Pass<'_> {
    /// Separates a row from its status claims.
    pub(super) fn weighed(
        &mut self,
        section: Section,
        fields: Fields,
        current: Option<&MemoryEntry>,
    ) -> RowClaims {
        let mut modest = fields.clone();
        self.row.claims = without_claims(section, &mut modest, current);
        if self.wanted.picks.has(CLAIMS) {
            modest.clone_from(&fields);
        }
        RowClaims { modest, whole: fields }
    }

    /// Drops the status claims of this row, because they have no effect.
    pub(super) fn claims_nothing(&mut self) {
        self.row.claims = Claims::default();
    }

    /// Records the outcome of the row.
    pub(super) fn decided(&mut self, outcome: Outcome) {
        let claims = std::mem::take(&mut self.row.claims);
        if outcome == Outcome::Refuse {
            // A row that could have been picked may now be refused because of another picked line. Its id
            // stays valid.
            self.lines.insert(self.row.id.clone());
        } else {
            self.claims.add(claims);
        }
    }

    pub(super) fn unpicked(&mut self) -> Decided {
        self.claims_nothing();
        Decided(Outcome::Unpicked, "not picked".to_owned())
    }

    /// Lists the row as a line. True if it was picked.
    pub(super) fn picked(&mut self, need: Need, changes: &str, here: Option<&str>, brings: &str) -> bool {
        let id = self.row.id.clone();
        let picked = self.wanted.picks.has(&id);
        let (shown, file) = texts(here, brings, self.wanted.whole.contains(&id));
        let reason =
            if changes.is_empty() { need.would().to_owned() } else { format!("{}: {changes}", need.would()) };
        let line = Line {
            id: id.clone(),
            what: self.row.what,
            tier: self.row.tier.clone(),
            label: self.row.label.clone(),
            entry: self.row.here,
            need,
            reason,
            picked,
            here: shown,
            file,
        };
        self.tally.line(line, here.unwrap_or_default());
        self.lines.insert(id);
        picked
    }

    /// Lists an entry of the file as a line, with the existing entry. True if it was picked.
    pub(super) fn picked_entry(
        &mut self,
        need: Need,
        current: Option<&MemoryEntry>,
        after: Option<&MemoryEntry>,
        fields: &Fields,
    ) -> bool {
        self.row.here = current.map(|current| current.id);
        let changes = current.zip(after).map(|(current, after)| differences(current, after).join(", "));
        let here = current.map(|current| current.content.as_str());
        let picked = self.picked(
            need,
            &changes.unwrap_or_default(),
            here,
            text_of(fields, "content").unwrap_or_default(),
        );
        if picked {
            // A picked entry is imported as in the file, so its claims need no extra line.
            self.claims_nothing();
        }
        picked
    }

    /// Adds a row unless it exists. Its status claims, or content that joins an existing conversation, may
    /// have to be picked.
    pub(super) async fn decide_row(
        &mut self,
        section: Section,
        fields: Fields,
    ) -> Result<Decided, TransferError> {
        let id = row_id(section, &fields);
        let id: Vec<&str> = id.iter().map(String::as_str).collect();
        if self.writer(Side::Workspace).await?.get(section, &id).await?.is_some() {
            return Ok(Decided::skip("it is here already"));
        }
        let claims = self.weighed(section, fields, None);
        if !self.joins(section, &claims.modest).await? {
            return Ok(self.unpicked());
        }
        let decided = self.plain(section, &claims.modest).await?;
        if decided.0 == Outcome::Skip {
            self.claims_nothing();
        }
        Ok(decided)
    }

    /// Records a row that joins an existing conversation. False if what the file adds to that conversation
    /// was not picked.
    async fn joins(&mut self, section: Section, fields: &Fields) -> Result<bool, TransferError> {
        let conversation = text_of(fields, "conversation_id");
        let (Section::Messages | Section::Episodes | Section::Scratchpads, Some(conversation)) =
            (section, conversation)
        else {
            return Ok(true);
        };
        if self.brought.contains(conversation) {
            return Ok(true);
        }
        let found = self.writer(Side::Workspace).await?.get(Section::Conversations, &[conversation]).await?;
        let Some(found) = found else { return Ok(true) };
        let joined = self.joined.entry(conversation.to_owned()).or_insert_with(|| Joined {
            label: text_of(&found, "title").unwrap_or_default().to_owned(),
            ..Joined::default()
        });
        *joined.rows.entry(section.what()).or_default() += 1;
        let words = ["content", "summary", "value"].iter().find_map(|name| text_of(fields, name));
        let id = joins_id(conversation);
        // Limit the retained text, because a file may add more than fits in memory. The full text is retained
        // on request.
        if joined.texts.len() < SHOWN || self.wanted.whole.contains(&id) {
            joined.texts.push_str(words.unwrap_or_default());
            joined.texts.push_str("\n\n");
        }
        Ok(self.wanted.picks.has(&id))
    }

    /// Lists one line per existing conversation that the file would add to.
    fn list_joined(&mut self) {
        for (conversation, joined) in std::mem::take(&mut self.joined) {
            let rows = joined.rows.iter().map(|(what, rows)| format!("{rows} of kind '{what}'"));
            let changes = rows.collect::<Vec<_>>().join(", ");
            self.row = Row {
                id: joins_id(&conversation),
                what: "conversation",
                label: joined.label,
                ..Row::default()
            };
            self.picked(Need::Joins, &changes, None, joined.texts.trim_end());
        }
    }

    /// Lists the line for the status claims of all rows, then checks that all picked lines exist.
    pub(super) fn end_of_lines(&mut self) -> Result<(), TransferError> {
        self.list_joined();
        if !self.claims.is_empty() {
            let description = self.claims.describe();
            let line = Line {
                id: CLAIMS.to_owned(),
                what: "claim",
                tier: None,
                label: "what the file says of its own rows".to_owned(),
                entry: None,
                need: Need::Claims,
                reason: Need::Claims.would().to_owned(),
                picked: self.wanted.picks.has(CLAIMS),
                here: None,
                file: LineText { text: description, whole: true },
            };
            self.lines.insert(line.id.clone());
            self.tally.line(line, "");
        }
        match self.wanted.picks.lines.iter().find(|line| !self.lines.contains(*line)) {
            Some(line) => Err(TransferError::UnknownPick { line: line.clone() }),
            None => Ok(()),
        }
    }
}
