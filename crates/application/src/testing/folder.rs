//! Data folders for tests: where they lie, and copies of one that was made once. To migrate an empty database takes longer than
//! most tests.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

/// Where temporary folders are fast: in memory, on systems that have a place for files there.
pub fn fast_place() -> PathBuf {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() }
}

/// Copies the folder `name` into `to`. If this build of the test program has none yet, `make` fills it first; what it opens there
/// it closes. The folders lie in `cache`, and tests in other processes share them.
///
/// # Panics
/// If a file cannot be written.
pub async fn copy_template(cache: &Path, name: &str, to: &Path, make: impl AsyncFnOnce(PathBuf)) {
    let template = cache.join(format!("{name}-{}", build()));
    if !template.is_dir() {
        let own = cache.join(format!("{name}-made-by-{}", std::process::id()));
        fs::create_dir_all(&own).expect("a folder");
        make(own.clone()).await;
        forget_others(cache, name, &template);
        // Where another test was faster, its folder serves.
        if fs::rename(&own, &template).is_err() {
            fs::remove_dir_all(&own).expect("removed");
        }
    }
    copy_folder(&template, to).expect("copied");
}

/// Tells this build of the test program from others.
fn build() -> String {
    let program = std::env::current_exe().and_then(fs::metadata).expect("the test program");
    let built = program.modified().expect("a time").duration_since(UNIX_EPOCH).expect("a time after 1970");
    format!("{:x}-{:x}", built.as_nanos(), program.len())
}

/// Removes the folders of earlier builds.
fn forget_others(cache: &Path, name: &str, template: &Path) {
    let there = fs::read_dir(cache).into_iter().flatten().flatten().map(|entry| entry.path());
    let of_name = |path: &PathBuf| {
        let found = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        found.strip_prefix(name).is_some_and(|rest| rest.starts_with('-') && !rest.starts_with("-made-by-"))
    };
    for path in there.filter(|path| path != template).filter(of_name) {
        // Another process may be at it too.
        let _ = fs::remove_dir_all(path);
    }
}

fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy_folder(&from, &to)?;
        } else {
            fs::copy(&from, &to)?;
        }
    }
    Ok(())
}
