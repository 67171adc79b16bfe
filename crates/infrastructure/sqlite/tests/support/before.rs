//! A data folder as the last release before the first migrations left it (ADR 24), with a backup of all of it and its export.
//! `tests/data/before_0001` was made by that release and is never made again.

use std::{fs, io::Read as _, path::Path, sync::Arc};

use flate2::read::GzDecoder;
use inklings_application::session::{EmbedderSlot, Session};
use inklings_domain::ids::WorkspaceId;
use inklings_ports::{
    testing::{
        builders::Scribe,
        clock::{ManualClock, SequentialIds, start_of_tests},
    },
    workspace::catalogue::Catalogue,
};

use super::{TempFolder, carried::World};

const ACCOUNT: &[u8] = include_bytes!("../data/before_0001/account.db.gz");
const WORKSPACE: &[u8] = include_bytes!("../data/before_0001/workspace.db.gz");
const WORLD: &[u8] = include_bytes!("../data/before_0001/world.db.gz");
const EXPORT: &[u8] = include_bytes!("../data/before_0001/export.json.gz");
const MANIFEST: &str = include_str!("../data/before_0001/manifest.json");
/// The name of the backup.
pub const SET: &str = "20260301T120212000Z-asked";
/// The versions of the two memory databases.
pub const VERSIONS: (i64, i64) = (9, 15);

fn unpacked(json_rows: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    GzDecoder::new(json_rows).read_to_end(&mut bytes).expect("a gzip file");
    bytes
}

/// The workspace in it.
pub fn workspace() -> WorkspaceId {
    "019ca945-0a01-7ddb-938b-4d322c41a86d".parse().expect("an id")
}

/// What the earlier release exported of it, whole.
pub fn export() -> String {
    String::from_utf8(unpacked(EXPORT)).expect("UTF-8")
}

/// Writes the account's database alone.
pub fn write_account(path: &Path) {
    fs::write(path, unpacked(ACCOUNT)).expect("writes");
}

/// The data folder.
pub fn folder() -> TempFolder {
    let folder = TempFolder::new();
    let set = folder.path().join("backups/sets").join(SET);
    for root in [folder.path(), &set] {
        let inside = root.join("workspaces").join(workspace().to_string());
        fs::create_dir_all(&inside).expect("a folder");
        write_account(&root.join("agents.db"));
        fs::write(inside.join("agents.db"), unpacked(WORKSPACE)).expect("writes");
        fs::write(inside.join("inklings.db"), unpacked(WORLD)).expect("writes");
    }
    fs::write(set.join("manifest.json"), MANIFEST).expect("writes");
    folder
}

/// The data folder, opened by this release.
pub async fn opened(folder: TempFolder) -> World {
    let catalogue: Arc<dyn Catalogue> = Arc::new(folder.open());
    let a_year_later = start_of_tests() + chrono::TimeDelta::days(365);
    let clock = Arc::new(ManualClock::at(a_year_later));
    let ids = Arc::new(SequentialIds::seeded(90_001));
    let account = catalogue.account().await.expect("opens");
    let ports = catalogue.open(workspace()).await.expect("opens");
    let session = Session::new(account, ports, clock.clone(), ids.clone(), EmbedderSlot::default());
    World { folder, scribe: Scribe::new(clock, ids), session }
}
