//! Export and import of memory. An import is previewed by a dry run, i.e. an import that is rolled back, so
//! the preview is exact. It is then done in one transaction and one run, which can be reverted.

mod check;
mod decide;
mod export;
mod import;
mod pages;
mod passages;
mod picks;
mod plan;
mod standing;

pub use decide::names_in_use;
pub use export::{ExportCounts, ExportOptions, ExportScope};
pub use import::{Imported, TASK, Wanted};
pub use pages::ExportSource;
pub use picks::{CLAIMS, Line, LineText, Need, Picks};
pub use plan::{Conflicts, Outcome, Plan, PlanItem, PlanLink};
