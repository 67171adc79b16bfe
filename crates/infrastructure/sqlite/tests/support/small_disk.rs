//! A data folder on a disk of a few megabytes, which a test can fill.

use std::{
    fs::{self, OpenOptions},
    io::Write,
    path::PathBuf,
    process::Command,
};

use super::TempFolder;

/// A file system in memory over a folder of one test.
pub struct SmallDisk {
    pub folder: TempFolder,
}

impl SmallDisk {
    /// `None`, with the reason printed, where nothing can be mounted. A run that checks everything must not skip.
    #[allow(clippy::print_stdout, reason = "whoever runs the tests is told why one of them checked nothing")]
    pub fn mount(megabytes: u32) -> Option<Self> {
        let folder = TempFolder::new();
        let size = format!("size={megabytes}m");
        let mounted =
            Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(folder.path()).output();
        let trouble = match mounted {
            Ok(done) if done.status.success() => return Some(Self { folder }),
            Ok(done) => String::from_utf8_lossy(&done.stderr).into_owned(),
            Err(error) => error.to_string(),
        };
        assert!(std::env::var_os("CI").is_none(), "no disk can be mounted: {trouble}");
        println!("skipped: no disk can be mounted here: {trouble}");
        None
    }

    fn filler(&self) -> PathBuf {
        self.folder.path().join("filler")
    }

    /// Fills the disk, but for so many bytes.
    pub fn fill(&self, but: usize) {
        let mut file = OpenOptions::new().create(true).append(true).open(self.filler()).expect("a file");
        for block in [vec![7; 65_536], vec![7; 4_096], vec![7; 1]] {
            while file.write_all(&block).is_ok() {}
        }
        let full = file.metadata().expect("a size").len();
        file.set_len(full.saturating_sub(but as u64)).expect("made smaller");
    }

    pub fn empty(&self) {
        fs::remove_file(self.filler()).expect("removed");
    }

    /// What is still free, in bytes.
    pub fn free(&self) -> u64 {
        let stat = rustix::fs::statvfs(self.folder.path()).expect("figures");
        stat.f_bavail * stat.f_frsize
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.folder.path()).status();
    }
}
