//! Views of lenses and of who knows of an entry or a fact.

use serde::{Deserialize, Serialize};
use specta::Type;

/// A lens as a person tells it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Type)]
pub struct LensSpec {
    /// Name, alias or id of the subject whose knowledge is shown; `null`: whatever anybody knows.
    pub knower: Option<String>,
    /// Up to when the story has happened: a date, or the name or id of a chapter; `null`: all of it.
    pub at: Option<String>,
}

impl LensSpec {
    /// True if it names neither a knower nor a time.
    pub const fn is_none(&self) -> bool {
        self.knower.is_none() && self.at.is_none()
    }
}

/// A lens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct LensView {
    pub knower_id: Option<String>,
    /// Name of the knower; its id if it is not there any more.
    pub knower: Option<String>,
    /// The date, or the name of the chapter.
    pub at: Option<String>,
    /// Id of the chapter, if it is one.
    pub chapter_id: Option<String>,
}

/// A subject that knows of an entry or a fact, as a person tells it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct KnowerSpec {
    /// Name, alias or id.
    pub subject: String,
    /// Since when: a date, or the name or id of a chapter; `null`: always.
    pub since: Option<String>,
}

/// A subject that knows of an entry or a fact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct KnowerView {
    /// Id of the subject.
    pub id: String,
    /// Its name; its id if it is not there any more.
    pub name: String,
    /// The date, or the name of the chapter, since when; `null`: always.
    pub since: Option<String>,
    /// Id of the chapter since when, if it is one.
    pub chapter_id: Option<String>,
}
