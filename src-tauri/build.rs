//! Tells Tauri which commands there are, and grants them to the window: Tauri refuses a command that has no permission.

use std::{fs, path::Path};

include!("../crates/commands/src/listed.rs");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Tauri watches its usual folder of capabilities alone, and not where a pattern says where they are.
    for path in [
        "../crates/commands/src/listed.rs",
        "../crates/commands/src/registry.rs",
        "capabilities",
        "gen/capabilities/commands.json",
    ] {
        println!("cargo:rerun-if-changed={path}");
    }
    // The page is built before the app. A check of the Rust code alone gets by with an empty folder.
    let page = Path::new("../ui/dist");
    if !page.exists() {
        fs::create_dir_all(page)?;
    }
    grant(Path::new("gen/capabilities"))?;
    let names: Vec<&str> = COMMANDS.iter().map(|(name, _)| *name).collect();
    let manifest = tauri_build::AppManifest::new().commands(names.leak());
    let attributes = tauri_build::Attributes::new().app_manifest(manifest);
    tauri_build::try_build(attributes.capabilities_path_pattern("./**/capabilities/*.json"))?;
    Ok(())
}

/// Writes the capability with a permission for each command. A file that would be the same is left alone: Cargo runs this
/// script again when it changes.
fn grant(folder: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let permissions: Vec<_> =
        COMMANDS.iter().map(|(name, _)| format!("    \"allow-{}\"", name.replace('_', "-"))).collect();
    let capability = format!(
        "{{\n  \"identifier\": \"commands\",\n  \"description\": \"Every command, for the one window.\",\n  \"windows\": [\"main\"],\n  \
         \"permissions\": [\n{}\n  ]\n}}\n",
        permissions.join(",\n"),
    );
    let file = folder.join("commands.json");
    fs::create_dir_all(folder)?;
    if fs::read_to_string(&file).unwrap_or_default() != capability {
        fs::write(file, capability)?;
    }
    Ok(())
}
