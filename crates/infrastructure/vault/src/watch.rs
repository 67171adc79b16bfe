//! Notices that something in a folder may have changed. What changed is found by the next scan.

use std::{
    collections::{HashMap, HashSet},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use inklings_domain::vault::placeholder_of;
use inklings_files::identity;
use notify::{
    Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _,
    event::{AccessKind, AccessMode, ModifyKind},
};
use tokio::sync::Notify;

/// Watches the folders of vaults.
#[derive(Debug, Clone)]
pub struct VaultWatch(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    watched: Mutex<Watched>,
    changed: Arc<Changed>,
}

#[derive(Debug, Default)]
struct Watched {
    /// `None` if the system gives none.
    watcher: Option<RecommendedWatcher>,
    /// Each with its identity when it began to be watched: another folder at its path sends no events, such as that of a drive
    /// which is connected again.
    roots: HashMap<PathBuf, Option<(u64, u64)>>,
}

/// The folders in which something may have changed.
#[derive(Debug, Default)]
struct Changed {
    paths: Mutex<HashSet<PathBuf>>,
    /// Those that were removed or renamed.
    gone: Mutex<HashSet<PathBuf>>,
    /// True if events were lost: anything may have changed.
    all: Mutex<bool>,
    notify: Notify,
}

impl Default for VaultWatch {
    fn default() -> Self {
        let changed = Arc::new(Changed::default());
        let sink = Arc::clone(&changed);
        let watcher = notify::recommended_watcher(move |event| sink.note(event));
        let watcher = watcher.inspect_err(warn).ok();
        Self(Arc::new(Shared { watched: Mutex::new(Watched { watcher, roots: HashMap::new() }), changed }))
    }
}

/// The message of an error could have a path.
fn warn(error: &notify::Error) {
    let kind = match error.kind {
        notify::ErrorKind::MaxFilesWatch => "the limit of watched folders is reached",
        notify::ErrorKind::PathNotFound => "the folder is not there",
        _ => "the system refused",
    };
    tracing::warn!(kind, "a vault is not watched; it is scanned from time to time");
}

impl VaultWatch {
    /// Watches these folders and no others, and returns those that it did not watch before: what was changed in them until now
    /// was not noticed. It may take a while for a large folder.
    pub fn follow(&self, wanted: &[String]) -> Vec<String> {
        let gone = std::mem::take(&mut *self.0.changed.gone.lock().unwrap_or_else(PoisonError::into_inner));
        let mut state = self.0.watched.lock().unwrap_or_else(PoisonError::into_inner);
        let Watched { watcher, roots } = &mut *state;
        let Some(watcher) = watcher.as_mut() else { return Vec::new() };
        roots.retain(|root, known| {
            let stays = wanted.iter().any(|path| Path::new(path) == root)
                && root.is_dir()
                && !gone.contains(root)
                && identity(root) == *known;
            if !stays {
                // A folder that is gone is not watched any more in any case.
                let _ = watcher.unwatch(root);
            }
            stays
        });
        let mut added = Vec::new();
        for path in wanted {
            let root = PathBuf::from(path);
            if roots.contains_key(&root) {
                continue;
            }
            // Before it is watched: if another folder takes its place meanwhile, that one is watched the next time.
            let known = identity(&root);
            match watcher.watch(&root, RecursiveMode::Recursive) {
                Ok(()) => {
                    roots.insert(root, known);
                    added.push(path.clone());
                }
                Err(error) => warn(&error),
            }
        }
        added
    }

    /// Waits until something may have changed in a folder.
    pub async fn changed(&self) {
        self.0.changed.notify.notified().await;
    }

    /// True if something may have changed in a folder since the last call for it.
    pub fn take(&self, root: &str) -> bool {
        let changed = &self.0.changed;
        let mut paths = changed.paths.lock().unwrap_or_else(PoisonError::into_inner);
        let mut may_change = false;
        paths.retain(|path| match path.strip_prefix(root) {
            Ok(inside) => {
                may_change |= !is_hidden(inside);
                false
            }
            Err(_) => true,
        });
        may_change
    }

    /// True if changes may have been missed since the last call.
    pub fn take_missed(&self) -> bool {
        std::mem::take(&mut *self.0.changed.all.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Changed {
    fn note(&self, event: notify::Result<Event>) {
        match event {
            Ok(event) if event.need_rescan() => self.note_all(),
            Ok(event) if is_read(event.kind) => return,
            Ok(event) => {
                if matches!(event.kind, EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_))) {
                    let mut gone = self.gone.lock().unwrap_or_else(PoisonError::into_inner);
                    gone.extend(event.paths.iter().cloned());
                }
                self.paths.lock().unwrap_or_else(PoisonError::into_inner).extend(event.paths);
            }
            Err(_) => self.note_all(),
        }
        self.notify.notify_one();
    }

    fn note_all(&self) {
        *self.all.lock().unwrap_or_else(PoisonError::into_inner) = true;
    }
}

/// True for an event of a file that was only read.
fn is_read(kind: EventKind) -> bool {
    matches!(kind, EventKind::Access(access) if access != AccessKind::Close(AccessMode::Write))
}

/// True if a path within a vault is one that no page comes from: settings of other programs change all the time.
fn is_hidden(path: &Path) -> bool {
    path.components().any(|part| {
        let name = part.as_os_str().to_string_lossy();
        name.starts_with('.') && placeholder_of(&name).is_none()
    })
}

#[cfg(test)]
mod tests {
    use std::{fs, time::Duration};

    use super::*;

    #[tokio::test(flavor = "multi_thread")]
    async fn a_written_page_is_noticed_and_a_read_one_or_a_hidden_file_is_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = fs::canonicalize(folder.path()).expect("a path").to_string_lossy().into_owned();
        fs::create_dir_all(folder.path().join("in/.obsidian")).expect("makes folders");
        fs::write(folder.path().join("in/a.md"), "One").expect("writes");
        let watch = VaultWatch::default();
        watch.follow(std::slice::from_ref(&root));
        fs::read(folder.path().join("in/a.md")).expect("reads");
        fs::write(folder.path().join("in/.obsidian/app.json"), "{}").expect("writes");
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert!(!watch.take(&root));
        fs::write(folder.path().join("in/a.md"), "Two").expect("writes");
        // An event of the hidden file may come as late as this.
        let written = tokio::time::timeout(Duration::from_secs(10), async {
            while !watch.take(&root) {
                watch.changed().await;
            }
        });
        assert!(written.await.is_ok() && !watch.take("/elsewhere"));
        watch.follow(&[]);
        tokio::time::sleep(Duration::from_millis(200)).await;
        watch.take(&root);
        fs::write(folder.path().join("in/b.md"), "Three").expect("writes");
        tokio::time::sleep(Duration::from_millis(200)).await;
        assert!(!watch.take(&root));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_folder_that_takes_the_place_of_another_is_watched() {
        let folder = tempfile::tempdir().expect("a folder");
        let parent = fs::canonicalize(folder.path()).expect("a path");
        let path = parent.join("vault");
        let root = path.to_string_lossy().into_owned();
        fs::create_dir(&path).expect("makes a folder");
        let watch = VaultWatch::default();
        let follow = || watch.follow(std::slice::from_ref(&root));
        assert_eq!(follow(), std::slice::from_ref(&root));
        assert!(follow().is_empty());
        fs::rename(&path, parent.join("old")).expect("renames");
        fs::create_dir(&path).expect("makes it again");
        assert_eq!(follow(), std::slice::from_ref(&root), "what was changed meanwhile was not noticed");
        tokio::time::sleep(Duration::from_millis(200)).await;
        watch.take(&root);
        fs::write(path.join("a.md"), "One").expect("writes");
        let written = tokio::time::timeout(Duration::from_secs(10), async {
            while !watch.take(&root) {
                watch.changed().await;
            }
        });
        assert!(written.await.is_ok());
        fs::remove_dir_all(&path).expect("removes");
        assert!(follow().is_empty());
        fs::create_dir(&path).expect("makes it again");
        assert_eq!(follow(), std::slice::from_ref(&root));
    }
}
