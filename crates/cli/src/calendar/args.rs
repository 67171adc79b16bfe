//! Arguments of `inklings calendar` and `inklings timeline`.

use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub enum CalendarVerb {
    /// List the calendars; the first one writes the dates of the workspace
    List,
    /// Show what a calendar defines; `--json` prints a file for `calendar define`
    Show {
        /// Name, alias or id; the first calendar without one
        name: Option<String>,
    },
    /// Add a calendar from a preset or a file
    Add(NewCalendar),
    /// Replace what a calendar defines; times in the story keep their days and may read as other dates
    Define {
        /// Name, alias or id
        name: String,
        /// File with the definition as JSON; `-` reads standard input
        file: String,
    },
    /// Show how a date reads: its weekday, its moons, and the date in the other calendars
    Date {
        /// A date, a month, a year, an era, or two of them: "14 Thaw, 312 – 3 Seed, 313"
        date: String,
        /// Name of the calendar that reads it; the first one without it
        #[arg(long)]
        calendar: Option<String>,
    },
    /// Tell the age of a subject at a date
    Age {
        /// Name, alias or id of the subject
        subject: String,
        /// The date
        #[arg(long)]
        at: String,
        /// Name of the calendar that reads the date
        #[arg(long)]
        calendar: Option<String>,
    },
}

#[derive(Debug, Args)]
pub struct NewCalendar {
    /// Its name
    pub name: String,
    /// A definition to start from: Gregorian
    #[arg(long, conflicts_with = "file", required_unless_present = "file")]
    pub preset: Option<String>,
    /// File with the definition as JSON; `-` reads standard input
    #[arg(long)]
    pub file: Option<String>,
}

#[derive(Debug, Subcommand)]
pub enum TimelineVerb {
    /// List what has a time in the story, in the order of the story
    List {
        /// Only what holds at some time in these dates
        #[arg(long)]
        within: Option<String>,
        /// Name of the calendar that reads the dates
        #[arg(long)]
        calendar: Option<String>,
        /// Only subjects of this kind
        #[arg(long)]
        kind: Option<String>,
        /// Print CSV, for a spreadsheet: moments as numbers and as dates
        #[arg(long)]
        csv: bool,
    },
    /// List chapters and sessions in the order of reading
    Chapters,
    /// Set when a memory or a subject holds: `timeline set Mira "3 Seed, 288 –"`
    Set(NewTime),
    /// Remove the time of a memory or a subject, and the reading number of a chapter
    Unset {
        /// Id of a memory, or the name, alias or id of a subject
        entry: String,
    },
}

#[derive(Debug, Args)]
pub struct NewTime {
    /// Id of a memory, or the name, alias or id of a subject
    pub entry: String,
    /// A date, a month, a year, an era, or two of them; an end may be open
    pub dates: Option<String>,
    /// Name of the calendar that reads the dates; the first one without it
    #[arg(long)]
    pub calendar: Option<String>,
    /// The place of a chapter in the order of reading; as it was without it
    #[arg(long)]
    pub reading: Option<u32>,
}
