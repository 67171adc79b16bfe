//! Adds the MCP server to the configuration file of another program. The change is planned and shown first; the
//! file keeps everything else that is in it, and a copy of it is kept.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read, Write},
    path::{Path, PathBuf},
};

use inklings_formats::jsonc::{self, JsoncError};
use serde::Serialize;
use serde_json::{Value, json};

use super::snippets::{NAME, command};
use crate::{
    commands::ClientCommands,
    error::{CommandError, ErrorCode},
    system,
};

/// Maximum size of a configuration file: 32 MiB.
const MAX_BYTES: u64 = 32 * 1024 * 1024;
/// Maximum number of copies of one configuration file.
const MAX_COPIES: u32 = 1_000;

/// A program that can start MCP servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Program {
    ClaudeDesktop,
    ClaudeCode,
    Cursor,
    /// Visual Studio Code.
    VsCode,
}

impl Program {
    /// All programs.
    pub const ALL: [Self; 4] = [Self::ClaudeDesktop, Self::ClaudeCode, Self::Cursor, Self::VsCode];

    /// Name of the program.
    pub const fn title(self) -> &'static str {
        match self {
            Self::ClaudeDesktop => "Claude Desktop",
            Self::ClaudeCode => "Claude Code",
            Self::Cursor => "Cursor",
            Self::VsCode => "VS Code",
        }
    }

    /// Key of the object that holds the servers in the configuration.
    pub(super) const fn key(self) -> &'static str {
        match self {
            Self::VsCode => "servers",
            Self::ClaudeDesktop | Self::ClaudeCode | Self::Cursor => "mcpServers",
        }
    }

    /// True if the configuration of a server names its transport.
    pub(super) const fn names_transport(self) -> bool {
        matches!(self, Self::ClaudeCode | Self::VsCode)
    }

    /// Configuration file in the folder of a project; `None` if the program has none.
    pub(super) const fn project_file(self) -> Option<&'static str> {
        match self {
            Self::ClaudeDesktop => None,
            Self::ClaudeCode => Some(".mcp.json"),
            Self::Cursor => Some(".cursor/mcp.json"),
            Self::VsCode => Some(".vscode/mcp.json"),
        }
    }

    /// Configuration file of the user.
    fn user_file(self) -> PathBuf {
        match self {
            Self::ClaudeDesktop => system::config_dir().join("Claude/claude_desktop_config.json"),
            Self::ClaudeCode => system::home().join(".claude.json"),
            Self::Cursor => system::home().join(".cursor/mcp.json"),
            Self::VsCode => system::config_dir().join("Code/User/mcp.json"),
        }
    }

    /// The configuration of a server that the program starts.
    pub(super) fn entry(self, command: &str, arguments: &[&str]) -> Value {
        if self.names_transport() {
            json!({ "type": "stdio", "command": command, "args": arguments })
        } else {
            json!({ "command": command, "args": arguments })
        }
    }
}

/// What an installation will change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InstallPlan {
    /// Name of the program.
    pub program: String,
    /// The configuration file.
    pub file: PathBuf,
    /// Name of the client whose permissions apply.
    pub client: String,
    /// Lines that the file will lose.
    pub removed: Vec<String>,
    /// Lines that the file will gain; none if it is configured already.
    pub added: Vec<String>,
    /// The text that the plan was made from; `None` if there is no file.
    #[serde(skip)]
    before: Option<String>,
    #[serde(skip)]
    after: String,
}

impl InstallPlan {
    /// True if the file is not as planned yet.
    pub fn changes(&self) -> bool {
        self.before.as_ref() != Some(&self.after)
    }
}

impl ClientCommands<'_> {
    /// Plans to add the MCP server to the configuration of a program: that of the user, or that of the project
    /// in a folder. Writes nothing. `client` is the name of the client whose permissions apply.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` if the program has no project configuration, or if its file is not
    /// JSON or configures another kind of server under this name; `io` if the file cannot be read; any code of
    /// an error without an open workspace.
    pub async fn plan_install(
        &self,
        program: Program,
        client: &str,
        project: Option<&Path>,
    ) -> Result<InstallPlan, CommandError> {
        let workspace = &self.app.session()?.workspace.workspace;
        self.app.clients.admissible(client, workspace.id).await?;
        let file = match (project, program.project_file()) {
            (None, _) => program.user_file(),
            (Some(folder), Some(file)) => folder.join(file),
            (Some(_), None) => {
                let message = format!("{} has no configuration for a project.", program.title());
                return Err(CommandError::invalid("project", message));
            }
        };
        let absolute = |path: &Path| std::path::absolute(path).map_err(|error| unread(path, &error));
        // A link is kept, and the file that it points to is changed.
        let file = fs::canonicalize(&file).or_else(|_| absolute(&file))?;
        let data_dir = absolute(&self.app.data_dir)?.display().to_string();
        // The id, because a new name must not disconnect the program.
        let workspace = workspace.id.to_string();
        let arguments = ["mcp", "--data-dir", &data_dir, "--workspace", &workspace, "--client", client];
        let before = read(&file)?;
        let after = configured(before.as_deref().unwrap_or_default(), program, &command(), &arguments)
            .map_err(|refused| refused.about(&file))?;
        let (removed, added) = changed_lines(before.as_deref().unwrap_or_default(), &after);
        let (program, client) = (program.title().to_owned(), client.to_owned());
        Ok(InstallPlan { program, file, client, removed, added, before, after })
    }

    /// Writes the configuration as planned, and adds the client if it does not exist. Returns the copy of the
    /// old file, if there was one that changed.
    ///
    /// # Errors
    /// [`CommandError`] of code `stale_version` if the file was changed since the plan, `io` if it cannot be
    /// written.
    pub async fn install(&self, plan: &InstallPlan) -> Result<Option<PathBuf>, CommandError> {
        if read(&plan.file)? != plan.before {
            let message = format!("'{}' was changed since it was read; try again.", plan.file.display());
            return Err(CommandError::new(ErrorCode::StaleVersion, message));
        }
        let copy = if plan.changes() {
            replace(&plan.file, plan.before.as_deref(), &plan.after).map_err(|error| {
                tracing::warn!(%error, "a configuration file could not be written");
                let message = format!("'{}' could not be written: {error}.", plan.file.display());
                CommandError::new(ErrorCode::Io, message)
            })?
        } else {
            None
        };
        self.stdio_client(&plan.client).await?;
        Ok(copy)
    }
}

/// Why a configuration cannot be changed.
#[derive(Debug, PartialEq, Eq)]
enum Refused {
    Jsonc(JsoncError),
    /// A server under this name is reached over HTTP.
    OverHttp,
}

impl Refused {
    fn about(self, file: &Path) -> CommandError {
        let file = file.display();
        let message = match self {
            Self::Jsonc(error) => {
                format!("'{file}' cannot be changed: {error}. Nothing was written; correct the file first.")
            }
            Self::OverHttp => format!(
                "'{file}' has a server '{NAME}' that is reached over HTTP. Nothing was written; remove or rename it first."
            ),
        };
        CommandError::invalid("file", message)
    }
}

/// A configuration with this server. Members of its entry that are set by hand stay, such as an environment.
fn configured(text: &str, program: Program, command: &str, arguments: &[&str]) -> Result<String, Refused> {
    let entry = program.entry(command, arguments);
    let present = jsonc::value(text).map_err(Refused::Jsonc)?.unwrap_or_default();
    let Value::Object(present) = &present[program.key()][NAME] else {
        return jsonc::set(text, &[program.key(), NAME], &entry).map_err(Refused::Jsonc);
    };
    if ["url", "serverUrl", "httpUrl"].iter().any(|key| present.contains_key(*key)) {
        return Err(Refused::OverHttp);
    }
    let Value::Object(entry) = entry else { return Ok(text.to_owned()) };
    entry.iter().try_fold(text.to_owned(), |text, (key, value)| {
        jsonc::set(&text, &[program.key(), NAME, key], value).map_err(Refused::Jsonc)
    })
}

/// The lines between the first and the last difference.
fn changed_lines(before: &str, after: &str) -> (Vec<String>, Vec<String>) {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let (old, new) = (&old[head..], &new[head..]);
    let tail = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
    let lines = |lines: &[&str]| lines[..lines.len() - tail].iter().map(|line| (*line).to_owned()).collect();
    (lines(old), lines(new))
}

fn unread(file: &Path, error: &io::Error) -> CommandError {
    CommandError::new(ErrorCode::Io, format!("'{}' could not be read: {error}.", file.display()))
}

/// The text of a file; `None` if there is none.
fn read(file: &Path) -> Result<Option<String>, CommandError> {
    let opened = match inklings_files::open_linked(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        opened => opened.map_err(|error| unread(file, &error))?,
    };
    let mut bytes = Vec::new();
    let read = opened.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(|error| unread(file, &error))?;
    if read as u64 > MAX_BYTES {
        let message = format!("'{}' is larger than 32 MiB. Nothing was written.", file.display());
        return Err(CommandError::invalid("file", message));
    }
    let text = String::from_utf8(bytes).map_err(|_| {
        let message = format!("'{}' is not UTF-8 text. Nothing was written.", file.display());
        CommandError::invalid("file", message)
    })?;
    Ok(Some(text))
}

/// Replaces a file in one step, with the same permissions. Keeps a copy of the old one.
fn replace(file: &Path, before: Option<&str>, after: &str) -> io::Result<Option<PathBuf>> {
    let folder = file.parent().unwrap_or_else(|| Path::new("."));
    fs::create_dir_all(folder)?;
    let permissions = fs::metadata(file).ok().map(|data| data.permissions());
    let write_all = |path: &Path, mut target: File, text: &str| {
        let filled = (|| {
            if let Some(permissions) = &permissions {
                target.set_permissions(permissions.clone())?;
            }
            target.write_all(text.as_bytes())?;
            target.sync_all()
        })();
        // A part of a file is of no use to anybody.
        filled.inspect_err(|_| drop(fs::remove_file(path)))
    };
    let copy = match before {
        None => None,
        Some(text) => {
            let (path, target) = new_file(file, "before-inklings")?;
            write_all(&path, target, text)?;
            Some(path)
        }
    };
    let written = new_file(file, "new").and_then(|(part, target)| {
        write_all(&part, target, after)?;
        fs::rename(&part, file).inspect_err(|_| drop(fs::remove_file(&part)))
    });
    if let Err(error) = written {
        if let Some(copy) = &copy {
            let _ = fs::remove_file(copy);
        }
        return Err(error);
    }
    inklings_files::sync_folder(folder)?;
    Ok(copy)
}

/// Creates a file beside another, with a suffix and, if that name is in use, a number.
fn new_file(file: &Path, suffix: &str) -> io::Result<(PathBuf, File)> {
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    for n in 1..=MAX_COPIES {
        let number = if n == 1 { String::new() } else { format!("-{n}") };
        let path = file.with_file_name(format!("{name}.{suffix}{number}"));
        match inklings_files::open(&path, OpenOptions::new().write(true).create_new(true)) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            opened => return opened.map(|file| (path, file)),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_programs_settings_gain_the_server_under_its_key_and_retain_their_content() {
        for program in Program::ALL {
            let text = format!(
                "{{ \"{}\": {{ \"other\": {{ \"command\": \"x\" }} }}, \"theme\": 1 }}",
                program.key()
            );
            let after = configured(&text, program, "inklings", &["mcp"]).expect("it is JSON");
            let read = jsonc::value(&after).expect("it is JSON").expect("it has a value");
            assert_eq!(read[program.key()]["other"]["command"], "x");
            assert_eq!(
                (&read["theme"], &read[program.key()][NAME]["command"]),
                (&json!(1), &json!("inklings"))
            );
            assert_eq!(
                configured(&after, program, "inklings", &["mcp"]),
                Ok(after.clone()),
                "it is idempotent"
            );
        }
    }

    #[test]
    fn an_entry_of_this_server_keeps_manual_settings_and_one_over_http_is_refused() {
        let own = "{\"mcpServers\":{\"inklings\":{\"command\":\"old\",\"env\":{\"A\":\"1\"}}}}";
        let after = configured(own, Program::Cursor, "inklings", &["mcp"]).expect("it is JSON");
        let read = jsonc::value(&after).expect("it is JSON").expect("it has a value");
        let entry = &read["mcpServers"]["inklings"];
        assert_eq!((&entry["env"]["A"], &entry["command"]), (&json!("1"), &json!("inklings")));
        let http = "{\"mcpServers\":{\"inklings\":{\"url\":\"http://127.0.0.1:7862/mcp\"}}}";
        assert_eq!(configured(http, Program::Cursor, "inklings", &["mcp"]), Err(Refused::OverHttp));
    }

    #[test]
    fn a_replaced_file_keeps_its_permissions_and_every_earlier_copy() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("deep/er/mcp.json");
        assert_eq!(replace(&file, None, "1").expect("written"), None);
        let mut copies = Vec::new();
        for (before, after) in [("1", "2"), ("2", "3")] {
            let copy = replace(&file, Some(before), after).expect("written").expect("a copy");
            assert_eq!(fs::read_to_string(&copy).expect("there"), before);
            copies.push(copy);
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt as _;
                let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
                fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).expect("set");
                let duplicate = replace(&file, Some(after), after).expect("written").expect("a copy");
                assert_eq!((mode(&file), mode(&duplicate)), (0o640, 0o640));
            }
        }
        assert_eq!(fs::read_to_string(&file).expect("there"), "3");
        assert_eq!(fs::read_to_string(&copies[0]).expect("there"), "1");
        let left = fs::read_dir(file.parent().expect("a folder")).expect("there");
        assert!(left.flatten().all(|entry| !entry.file_name().to_string_lossy().contains(".new")));
    }

    #[test]
    fn changed_lines_lists_removed_and_added_lines_only() {
        let (removed, added) = changed_lines("{\n  \"a\": 1\n}\n", "{\n  \"a\": 1,\n  \"b\": 2\n}\n");
        assert_eq!(
            (removed, added),
            (vec!["  \"a\": 1".to_owned()], vec!["  \"a\": 1,".into(), "  \"b\": 2".into()])
        );
    }
}
