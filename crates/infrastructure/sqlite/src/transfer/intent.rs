//! The intent of an import that writes to two files: the account's and a workspace's. The run, which the
//! workspace's commit writes, decides. Before that, the account's part is stored in `.import/RUN.jsonl`: a
//! head, then one line per row, then the changes of the later versions.

use inklings_domain::ids::WorkspaceId;
use inklings_ports::{
    store_error::StoreError,
    transfer::{
        shape::Section,
        store::{Fields, ImportStamp},
    },
};
use serde_json::{Value, json};

use super::write::Writer;
use crate::{
    error::DbResult,
    intent::{self, Lines, broken, is_decided, layout_of},
    layout::Layout,
    rows::{micros, moment, parsed},
    store::SqliteStore,
};

/// Checks whether a run is committed.
const DECIDED: &str = "SELECT EXISTS (SELECT 1 FROM runs WHERE id = ?)";

/// Records what an import writes to the account, in case it is interrupted. Deleted with it unless it was
/// prepared.
pub struct Intent {
    stamp: ImportStamp,
    file: intent::Intent,
}

impl Intent {
    /// `None` for an import that follows no other.
    pub fn of(store: &SqliteStore, stamp: ImportStamp) -> Option<Self> {
        stamp.follows?;
        Some(Self { stamp, file: intent::Intent::new(layout_of(store).importing(), stamp.run.to_string()) })
    }

    fn line(&mut self, line: &Value) -> DbResult<()> {
        if !self.file.is_begun() {
            let ImportStamp { change, run, interface, at, follows } = self.stamp;
            let follows = follows.map(|id| id.to_string());
            self.file
                .line(&json!({ "run": run.to_string(), "workspace": follows, "change": change.to_string(),
                                    "door": interface.as_str(), "at": micros(at) }))?;
        }
        self.file.line(line)
    }

    pub fn added(&mut self, section: Section, row: &Fields) -> DbResult<()> {
        self.line(&json!({ "add": section.name(), "row": row }))
    }

    /// Records the new state of a changed entry.
    pub fn changed(&mut self, row: &Fields) -> DbResult<()> {
        self.line(&json!({ "change": row }))
    }

    /// Records the fields of other programs for an existing entry.
    pub fn third_party(&mut self, id: &str, formats: &Fields) -> DbResult<()> {
        self.line(&json!({ "foreign": id, "formats": formats }))
    }

    pub fn member(&mut self, name: &str, value: &Value) -> DbResult<()> {
        self.line(&json!({ "member": name, "value": value }))
    }

    /// Makes the intent durable. From now on the run decides.
    pub fn prepare(&mut self, changes: &[String]) -> DbResult<()> {
        if !self.file.is_begun() {
            return Ok(());
        }
        self.line(&json!({ "changes": changes }))?;
        self.file.make_last()
    }

    /// Deletes the intent after completion.
    pub fn fulfilled(self) {
        self.file.settled();
    }
}

/// Completes the account's part of an interrupted import, if its run is committed in the workspace.
pub async fn carry_out(account: &SqliteStore, layout: &Layout, mut lines: Lines<'_>) -> DbResult<()> {
    if lines.sound == Some(false) {
        return Err(broken());
    }
    let head = lines.next()?.ok_or_else(broken)?;
    let word = |name: &str| head[name].as_str().unwrap_or_default();
    let workspace: WorkspaceId = parsed(word("workspace"), "workspace")?;
    let stamp = ImportStamp {
        change: parsed(word("change"), "change")?,
        run: parsed(word("run"), "run")?,
        interface: parsed(word("door"), "door")?,
        at: moment(head["at"].as_i64().ok_or_else(broken)?, "at")?,
        follows: None,
    };
    // Under the account's write lock, so the importing process has committed or rolled back by now.
    let mut writer = Writer::begin(account, stamp).await?;
    if writer.is_done().await? || !is_decided(layout, workspace, DECIDED, &stamp.run.to_string()).await? {
        return Ok(());
    }
    let mut left_out = 0_u32;
    while let Some(line) = lines.next()? {
        if let Some(changes) = line["changes"].as_array() {
            let changes: Vec<String> =
                changes.iter().filter_map(|id| id.as_str().map(str::to_owned)).collect();
            writer.end_writing(&changes).await?;
            writer.end().await?;
            tracing::info!(left_out, "an import that was cut off is done");
            return Ok(());
        }
        let done = match (line["add"].as_str().and_then(Section::from_name), &line["row"], &line["change"]) {
            (Some(section), Value::Object(row), _) => writer.add_row(section, row).await,
            (_, _, Value::Object(row)) => writer.change_to(row).await,
            _ if line["foreign"].is_string() => {
                let (id, formats) = (line["foreign"].as_str(), line["formats"].as_object());
                let (id, formats) = id.zip(formats).ok_or_else(broken)?;
                writer.put_third_party(id, formats).await
            }
            _ => {
                writer
                    .put_member_with_intent(line["member"].as_str().ok_or_else(broken)?, &line["value"])
                    .await
            }
        };
        match done.map_err(|error| account.db.fail(error)) {
            Ok(()) => {}
            // Another writer changed the account since: its change stays.
            Err(
                StoreError::Refused(_)
                | StoreError::AlreadyExists(_)
                | StoreError::Stale { .. }
                | StoreError::Moved(_)
                | StoreError::Locked(_)
                | StoreError::NotFound(_),
            ) => left_out += 1,
            Err(error) => return Err(error.into()),
        }
    }
    Err(broken())
}
