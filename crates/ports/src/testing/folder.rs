//! Data folders for tests: their location, and copies of a prepared template. Migrating an empty database
//! takes longer than most tests.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
    time::UNIX_EPOCH,
};

/// A fast location for temporary folders: in memory if the system supports it.
pub fn fast_place() -> PathBuf {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() }
}

/// Copies the template of this test program to `to`. If there is no template for this build yet, calls `make`
/// to create it; `make` must close whatever it opens there. Templates are in `cache` and shared between test
/// processes.
///
/// # Panics
/// If a file cannot be written.
pub async fn copy_template(cache: &Path, to: &Path, make: impl AsyncFnOnce(PathBuf)) {
    static MADE: AtomicUsize = AtomicUsize::new(0);
    let (program, build) = program();
    let template = cache.join(format!("{program}-{build}"));
    if !template.is_dir() {
        let nth = MADE.fetch_add(1, Ordering::Relaxed);
        let own = cache.join(format!("{program}-made-by-{}-{nth}", std::process::id()));
        fs::create_dir_all(&own).expect("a folder");
        make(own.clone()).await;
        forget_others(cache, &program, &template);
        // If another test created the template first, use that one.
        if fs::rename(&own, &template).is_err() {
            fs::remove_dir_all(&own).expect("removed");
        }
    }
    copy_folder(&template, to).expect("copied");
}

/// Name of the test program, and an identifier of this build.
fn program() -> (String, String) {
    let path = std::env::current_exe().expect("the test program");
    let file = fs::metadata(&path).expect("its file");
    let built = file.modified().expect("a time").duration_since(UNIX_EPOCH).expect("a time after 1970");
    let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
    // The part after the last hyphen is the compiler's hash.
    let name = name.rsplit_once('-').map_or(name.as_str(), |(name, _)| name).to_owned();
    (name, format!("{:x}-{:x}", built.as_nanos(), file.len()))
}

/// Removes templates of earlier builds.
fn forget_others(cache: &Path, program: &str, template: &Path) {
    let there = fs::read_dir(cache).into_iter().flatten().flatten().map(|entry| entry.path());
    let of_program = |path: &PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        name.strip_prefix(program).is_some_and(|rest| rest.starts_with('-') && !rest.starts_with("-made-by-"))
    };
    for path in there.filter(|path| path != template).filter(of_program) {
        // Another process may be removing it at the same time.
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
