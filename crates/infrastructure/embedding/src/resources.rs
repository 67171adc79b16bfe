//! Locates the files shipped with the app.

use std::env;
use std::path::{Path, PathBuf};

/// Environment variable for the resources folder; takes precedence over every other place.
const VARIABLE: &str = "INKLINGS_RESOURCES";

/// The folder of the shipped resources (`onnxruntime/`, `models/`). `$INKLINGS_RESOURCES` is used unchanged.
/// Otherwise it is the first existing one of `resources/` beside the executable, the folder used by installed
/// packages, and the source tree. If none exists, it is the path beside the executable, so that an error can name it.
pub fn resources_dir() -> PathBuf {
    if let Some(named) = env::var_os(VARIABLE).filter(|value| !value.is_empty()) {
        return PathBuf::from(named);
    }
    let executable = env::current_exe().and_then(|path| path.canonicalize()).unwrap_or_default();
    let candidates = candidates(&executable);
    candidates.iter().find(|place| is_resources(place)).or(candidates.first()).cloned().unwrap_or_default()
}

/// The path of the ONNX Runtime library inside a resources folder, with this system's file name.
pub fn library_path(resources: &Path) -> PathBuf {
    let name = if cfg!(target_os = "windows") {
        "onnxruntime.dll"
    } else if cfg!(target_os = "macos") {
        "libonnxruntime.dylib"
    } else {
        "libonnxruntime.so"
    };
    resources.join("onnxruntime").join(name)
}

fn candidates(executable: &Path) -> Vec<PathBuf> {
    let program_folder = executable.parent().unwrap_or(Path::new("."));
    let mut places = vec![
        program_folder.join("resources"),
        program_folder.join("../lib/Inklings/resources"), // Linux packages
        program_folder.join("../Resources/resources"),    // macOS bundles
    ];
    // A development build runs from a target folder below the source tree.
    places.extend(program_folder.ancestors().skip(1).map(|folder| folder.join("src-tauri/resources")));
    places.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../src-tauri/resources"));
    places
}

fn is_resources(folder: &Path) -> bool {
    folder.join("onnxruntime").is_dir() || folder.join("models").is_dir()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_next_to_the_executable_is_tried_first() {
        let places = candidates(Path::new("/opt/app/bin/inklings"));
        assert_eq!(places[0], Path::new("/opt/app/bin/resources"));
        assert!(places.contains(&PathBuf::from("/opt/app/bin/../lib/Inklings/resources")));
    }

    #[test]
    fn a_build_below_the_source_tree_finds_it() {
        let places = candidates(Path::new("/src/inklings/target/debug/inklings"));
        assert!(places.contains(&PathBuf::from("/src/inklings/src-tauri/resources")));
    }
}
