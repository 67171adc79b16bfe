//! Tells Tauri which commands there are, and grants them to the window: Tauri refuses a command that has no permission.

use std::{fs, path::Path};

include!("../crates/commands/src/listed.rs");
include!("src/listed.rs");

/// The labels of the windows that show the page: the first one, those that a page opens, and the quick capture.
const WINDOWS: &[&str] = &["main", "window-*", "capture"];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Tauri watches its usual folder of capabilities alone, and not where a pattern says where they are.
    for path in [
        "../crates/commands/src/listed.rs",
        "../crates/commands/src/registry.rs",
        "src/listed.rs",
        "capabilities",
        "gen/capabilities/commands.json",
        // The compiler watches the files of the page that it embedded: none, if the page was not built yet.
        "../ui/dist",
    ] {
        println!("cargo:rerun-if-changed={path}");
    }
    // The page is built before the app. A check of the Rust code alone gets by with an empty folder.
    let page = Path::new("../ui/dist");
    if !page.exists() {
        fs::create_dir_all(page)?;
    }
    grant(Path::new("gen/capabilities"))?;
    let manifest = tauri_build::AppManifest::new().commands(names().collect::<Vec<_>>().leak());
    let attributes = tauri_build::Attributes::new().app_manifest(manifest);
    tauri_build::try_build(attributes.capabilities_path_pattern("./**/capabilities/*.json"))?;
    Ok(())
}

/// The names of all commands: of the core, and of the shell.
fn names() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().map(|(name, _)| *name).chain(SHELL_COMMANDS.iter().copied())
}

/// Writes the capability with a permission for each command. A file that would be the same is left alone: Cargo runs this
/// script again when it changes.
fn grant(folder: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let quoted = |text: &str| format!("\"{text}\"");
    let windows: Vec<_> = WINDOWS.iter().map(|label| quoted(label)).collect();
    let permissions: Vec<_> =
        names().map(|name| format!("    {}", quoted(&format!("allow-{}", name.replace('_', "-"))))).collect();
    let capability = format!(
        "{{\n  \"identifier\": \"commands\",\n  \"description\": \"Every command, for every window of the page.\",\n  \
         \"windows\": [{}],\n  \"permissions\": [\n{}\n  ]\n}}\n",
        windows.join(", "),
        permissions.join(",\n"),
    );
    let file = folder.join("commands.json");
    fs::create_dir_all(folder)?;
    if fs::read_to_string(&file).unwrap_or_default() != capability {
        fs::write(file, capability)?;
    }
    Ok(())
}
