//! A workspace and the rules for its name, which also appears in file managers and exports.

use chrono::{DateTime, Utc};

use crate::{ids::WorkspaceId, scope::words, text};

/// The container of one world.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Workspace {
    /// Unique id; also the folder name, so that renaming never moves files.
    pub id: WorkspaceId,
    /// Name, unique among the workspaces of an account regardless of case.
    pub name: WorkspaceName,
    /// Creation time.
    pub created_at: DateTime<Utc>,
}

/// The reason a workspace cannot be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WorkspaceFault {
    /// The name is not allowed, e.g. because of direction characters.
    Name,
    /// Its folder, or a database in it, is missing or empty.
    Missing,
    /// One of its databases is damaged.
    Damaged,
    /// Its folder holds another workspace.
    OtherWorkspace,
    /// One of its databases holds a trigger or view of another program.
    ForeignSchema,
    /// It was written by a newer release.
    Newer,
    /// It was written by a release whose files are no longer supported.
    Older,
    /// Its folder, or a database in it, is a link.
    Link,
}

words!(WorkspaceFault, "fault", {
    Name => "name", Missing => "missing", Damaged => "damaged", OtherWorkspace => "other_workspace",
    ForeignSchema => "foreign_schema", Newer => "newer", Older => "older", Link => "link",
});

/// A name that is valid on every operating system.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct WorkspaceName(String);

/// The reason a workspace name was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WorkspaceNameError {
    /// Empty, too long, or with control or direction characters.
    #[error(transparent)]
    Text(#[from] text::TextError),
    /// A character that some file system forbids.
    #[error("a workspace name cannot contain '{0}'")]
    Character(char),
    /// A device name reserved by Windows.
    #[error("'{0}' is a reserved device name on Windows")]
    Reserved(String),
    /// Starts or ends with a dot.
    #[error("a workspace name cannot start or end with a dot")]
    Dot,
}

impl WorkspaceName {
    /// Checks a name against the rules of Windows, macOS and Linux file names.
    ///
    /// # Errors
    /// [`WorkspaceNameError`] with the broken rule.
    pub fn new(name: &str) -> Result<Self, WorkspaceNameError> {
        let name = text::label("name", name)?;
        if let Some(c) = name.chars().find(|c| r#"/\:*?"<>|"#.contains(*c)) {
            return Err(WorkspaceNameError::Character(c));
        }
        if name.starts_with('.') || name.ends_with('.') {
            return Err(WorkspaceNameError::Dot);
        }
        let stem = name.split('.').next().unwrap_or_default().trim().to_uppercase();
        let numbered = |prefix: &str| {
            stem.strip_prefix(prefix).is_some_and(|rest| {
                let mut chars = rest.chars();
                matches!((chars.next(), chars.next()), (Some('0'..='9' | '¹' | '²' | '³'), None))
            })
        };
        if matches!(stem.as_str(), "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$")
            || numbered("COM")
            || numbered("LPT")
        {
            return Err(WorkspaceNameError::Reserved(stem));
        }
        Ok(Self(name))
    }

    /// The name as typed.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The case-folded form used for comparison.
    pub fn folded(&self) -> String {
        text::fold(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_unsafe_on_any_system_are_refused() {
        for name in [
            "",
            " ",
            "../x",
            "a/b",
            "a\\b",
            "CON",
            "con",
            "nul.txt",
            "COM1",
            "lpt9.md",
            "a:b",
            "what?",
            ".hidden",
            "dot.",
            "nul\0",
            "line\nbreak",
            "abc\u{202E}cba",
            "<tag>",
            "a|b",
            "star*",
        ] {
            assert!(WorkspaceName::new(name).is_err(), "{name:?} should be refused");
        }
        assert!(WorkspaceName::new(&"x".repeat(121)).is_err());
    }

    #[test]
    fn ordinary_names_in_any_script_are_fine() {
        for name in ["My World", "Ünïcôde", "世界", "Conan", "COM10", "the.end of it", "O'Neill & sons"]
        {
            assert!(WorkspaceName::new(name).is_ok(), "{name:?} should be fine");
        }
    }

    #[test]
    fn case_twins_fold_to_one_form() {
        let fold = |name| WorkspaceName::new(name).map(|n| n.folded());
        assert_eq!(fold("The Vale"), fold("the vale"));
    }
}
