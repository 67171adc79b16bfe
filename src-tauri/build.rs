//! Tells Tauri which commands there are, so that the window can call those it was granted and no others.

use std::{fs, path::Path};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo:rerun-if-changed=commands.list");
    // The page is built before the app. A check of the Rust code alone gets by with an empty folder.
    let page = Path::new("../ui/dist");
    if !page.exists() {
        fs::create_dir_all(page)?;
    }
    let commands: Vec<&'static str> =
        fs::read_to_string("commands.list")?.lines().map(|line| &*line.to_owned().leak()).collect();
    let manifest = tauri_build::AppManifest::new().commands(commands.leak());
    tauri_build::try_build(tauri_build::Attributes::new().app_manifest(manifest))?;
    Ok(())
}
