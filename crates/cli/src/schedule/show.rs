//! Prints tasks as text.

use crate::output::texts::word;
use inklings_api::schedule::view::TaskView;

pub fn tasks(tasks: &[TaskView]) -> String {
    let row = |task: &TaskView| {
        let every =
            task.every_minutes.map_or_else(|| "on events".to_owned(), |every| format!("every {every} min"));
        let last = match (&task.last_started_at, task.running) {
            (_, true) => "running".to_owned(),
            (None, _) => "never ran".to_owned(),
            (Some(at), _) => {
                let outcome = task.outcome.as_ref().map_or_else(|| "cut off".to_owned(), word);
                format!("{at} {outcome}: {}", task.message.as_deref().unwrap_or_default())
            }
        };
        format!("{:<12} {:<14} {last}", task.name, every)
    };
    tasks.iter().map(row).collect::<Vec<_>>().join("\n")
}
