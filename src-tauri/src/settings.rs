//! Settings of the shell: they belong to this computer, and not to a world or a data folder (ADR 53). They stand in a file of
//! the system's folder for configurations.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use inklings_api::error::{CommandError, ErrorCode};
use serde::{Deserialize, Serialize};
use specta::Type;

/// The key of the quick capture until another one is chosen. No program is known to use it.
const FIRST_SHORTCUT: &str = "control+alt+KeyI";

/// What the worldbuilder has chosen for this computer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ShellSettings {
    /// Whether the key of the quick capture is asked for.
    pub capture_on: bool,
    /// That key, as the plugin writes it: `control+alt+KeyI`. It stays while it is switched off.
    pub capture_shortcut: String,
    /// Whether the program has an entry in the tray, and stays there when its last window is closed.
    pub tray: bool,
}

impl Default for ShellSettings {
    fn default() -> Self {
        Self { capture_on: true, capture_shortcut: FIRST_SHORTCUT.to_owned(), tray: false }
    }
}

/// The texts of the tray, in the language of the window. The page has the catalogue and sends them; they are stored, because
/// the tray is there before the page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", default)]
pub struct TrayTexts {
    /// Opens the window.
    pub open: String,
    /// Opens the quick capture.
    pub capture: String,
    /// Switches memory off; `{world}` stands for the name of the world.
    pub pause: String,
    /// Switches memory on again, with the same `{world}`.
    pub resume: String,
    /// Ends the program.
    pub quit: String,
}

impl Default for TrayTexts {
    fn default() -> Self {
        let text = str::to_owned;
        Self {
            open: text("Open Inklings"),
            capture: text("Quick capture"),
            pause: text("Pause memory in {world}"),
            resume: text("Resume memory in {world} (paused)"),
            quit: text("Quit"),
        }
    }
}

/// The file.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
struct Content {
    settings: ShellSettings,
    tray_texts: TrayTexts,
}

/// The settings of this computer and their file.
#[derive(Debug)]
pub struct SettingsFile {
    path: PathBuf,
    content: Mutex<Content>,
}

impl SettingsFile {
    /// Reads the file. One that is missing or is none counts as one with nothing chosen.
    pub fn read(path: PathBuf) -> Self {
        let content = match fs::read(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes).unwrap_or_else(|_| {
                tracing::warn!("the settings of the shell cannot be read and begin anew");
                Content::default()
            }),
            Err(_) => Content::default(),
        };
        Self { path, content: Mutex::new(content) }
    }

    /// What is chosen.
    pub fn settings(&self) -> ShellSettings {
        self.content.lock().unwrap_or_else(PoisonError::into_inner).settings.clone()
    }

    /// The texts of the tray.
    pub fn tray_texts(&self) -> TrayTexts {
        self.content.lock().unwrap_or_else(PoisonError::into_inner).tray_texts.clone()
    }

    /// Changes the settings.
    ///
    /// # Errors
    /// [`CommandError`] of code `io` if the file cannot be written; the settings are as before then.
    pub fn change(&self, change: impl FnOnce(&mut ShellSettings)) -> Result<(), CommandError> {
        self.write(|content| change(&mut content.settings))
    }

    /// Replaces the texts of the tray. True if they are others than before.
    ///
    /// # Errors
    /// As [`Self::change`].
    pub fn set_tray_texts(&self, texts: TrayTexts) -> Result<bool, CommandError> {
        if self.tray_texts() == texts {
            return Ok(false);
        }
        self.write(|content| content.tray_texts = texts).map(|()| true)
    }

    fn write(&self, change: impl FnOnce(&mut Content)) -> Result<(), CommandError> {
        let mut content = self.content.lock().unwrap_or_else(PoisonError::into_inner);
        let mut changed = content.clone();
        change(&mut changed);
        replace(&self.path, &changed).map_err(|error| {
            tracing::error!(%error, "the settings of the shell could not be written");
            CommandError::new(ErrorCode::Io, "The settings of this computer cannot be written.")
        })?;
        *content = changed;
        Ok(())
    }
}

fn replace(path: &Path, content: &Content) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    serde_json::to_writer_pretty(&mut file, content)?;
    file.flush()?;
    file.as_file().sync_all()?;
    file.persist(path).map(drop).map_err(|error| error.error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_those_of_the_next_start() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("config/shell.json");
        let file = SettingsFile::read(path.clone());
        assert_eq!(file.settings(), ShellSettings::default());
        assert!(!file.settings().tray, "nobody is kept in the tray unasked");
        file.change(|settings| settings.tray = true).expect("written");
        file.change(|settings| settings.capture_on = false).expect("written");
        let texts = TrayTexts { quit: "Beenden".to_owned(), ..TrayTexts::default() };
        assert!(file.set_tray_texts(texts.clone()).expect("written"));
        assert!(!file.set_tray_texts(texts.clone()).expect("the same"), "nothing is written twice");

        let next = SettingsFile::read(path);
        assert_eq!(
            next.settings(),
            ShellSettings { capture_on: false, tray: true, ..ShellSettings::default() }
        );
        assert_eq!(next.tray_texts(), texts);
    }

    #[test]
    fn a_file_that_is_none_or_lacks_a_setting_is_no_hindrance() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("shell.json");
        fs::write(&path, "{ half").expect("written");
        assert_eq!(SettingsFile::read(path.clone()).settings(), ShellSettings::default());
        fs::write(&path, r#"{"settings":{"tray":true,"of_later":1}}"#).expect("written");
        assert_eq!(
            SettingsFile::read(path).settings(),
            ShellSettings { tray: true, ..ShellSettings::default() }
        );
    }

    #[test]
    fn a_setting_that_could_not_be_written_is_not_in_force() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("taken");
        fs::write(&path, "").expect("written");
        let file = SettingsFile::read(path.join("shell.json"));
        let refused = file.change(|settings| settings.tray = true).expect_err("a file is no folder");
        assert_eq!(refused.code, ErrorCode::Io);
        assert!(!file.settings().tray);
    }
}
