//! Arguments of `inklings subject` and `inklings link`.

use clap::{Args, Subcommand};

use crate::shared_args::LensArgs;

#[derive(Debug, Subcommand)]
pub enum SubjectVerb {
    /// List the subjects of the world by name
    List {
        /// Only subjects of this kind
        #[arg(long)]
        kind: Option<String>,
    },
    /// List names that recur in memories and conversations and are no subject yet
    Suggest,
    /// Show a subject with its text, its relations and the memories about it
    Show {
        /// Name, alias or id
        name: String,
    },
    /// Show the relations between all subjects
    Graph {
        #[command(flatten)]
        lens: LensArgs,
    },
    /// Make a named entry a subject, or change its kind; an entry that does not exist is added
    Set {
        /// Name or alias of a named entry of the workspace
        name: String,
        /// character, place, faction, item, event, chapter, culture, rule, concept, or a word of your own
        kind: String,
    },
    /// Make a subject a plain named entry again; its text and its relations stay
    Unset {
        /// Name or alias
        name: String,
    },
}

#[derive(Debug, Subcommand)]
pub enum LinkVerb {
    /// Add a relation between two subjects: `link add Mira "sister of" Toma`
    Add(NewLink),
    /// List the relations of a subject
    List {
        /// Name, alias or id
        name: String,
    },
    /// Set the subjects that a memory is about; without names, show it
    About {
        /// Id of the memory
        id: String,
        /// Names, aliases or ids of subjects
        names: Vec<String>,
        /// It is about no subject
        #[arg(long, conflicts_with = "names")]
        none: bool,
    },
    /// Set who knows of a memory or a subject; without names, show who does
    KnownBy {
        /// Id of the memory, or name of a named entry of the workspace
        entry: String,
        /// Names, aliases or ids of subjects, each with the time since when if not always: `Mira@chapter 7`,
        /// `"Reader@The Flood"`, `"Toma@3 Thaw, 312"`
        #[arg(value_name = "NAME[@WHEN]")]
        names: Vec<String>,
        /// Everybody knows of it
        #[arg(long, conflicts_with = "names")]
        everybody: bool,
    },
    /// Remove a relation; `memory restore` brings it back
    Remove {
        /// Id of the relation, as `link list` tells it
        id: String,
    },
}

#[derive(Debug, Args)]
pub struct NewLink {
    /// Name, alias or id of the subject that it starts at
    pub from: String,
    /// What it says, in a few words
    pub relation: String,
    /// Name, alias or id of the subject that it leads to
    pub to: String,
    /// A text of its own; `-` reads standard input
    #[arg(long)]
    pub text: Option<String>,
    /// Keep it in this channel instead of the workspace
    #[arg(long)]
    pub channel: Option<String>,
}
