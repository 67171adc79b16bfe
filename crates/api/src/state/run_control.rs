//! The tasks that run in this process.

use std::{
    collections::{HashMap, hash_map::Entry},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio_util::sync::CancellationToken;

/// The tasks that run in this process, each with its cancellation token. The lease in the database excludes
/// other processes; it does not exclude concurrent runs within one process.
#[derive(Debug, Default)]
pub struct RunControl(Mutex<HashMap<&'static str, CancellationToken>>);

impl RunControl {
    fn running(&self) -> MutexGuard<'_, HashMap<&'static str, CancellationToken>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers a task as running until the returned guard is dropped. `None` if this process runs it
    /// already.
    pub(crate) fn begin(self: &Arc<Self>, task: &'static str) -> Option<RunningTask> {
        match self.running().entry(task) {
            Entry::Occupied(_) => None,
            Entry::Vacant(free) => {
                let stop = free.insert(CancellationToken::new()).clone();
                Some(RunningTask { control: Arc::clone(self), task, stop })
            }
        }
    }

    /// Cancels a task after its current step if this process runs it. Other tasks continue.
    pub(crate) fn cancel(&self, task: &str) {
        if let Some(stop) = self.running().get(task) {
            stop.cancel();
        }
    }
}

/// Guard of a task that runs in this process.
#[derive(Debug)]
pub(crate) struct RunningTask {
    control: Arc<RunControl>,
    task: &'static str,
    /// Cancelled when the task is to stop.
    pub(crate) stop: CancellationToken,
}

impl Drop for RunningTask {
    fn drop(&mut self) {
        self.control.running().remove(self.task);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_runs_a_task_once_at_a_time() {
        let control = Arc::new(RunControl::default());
        let consolidate = control.begin("consolidate").expect("it is free");
        assert!(
            control.begin("consolidate").is_none(),
            "the lease is this process's own, so it would not say no"
        );
        let persist = control.begin("persist").expect("it is free");
        drop(consolidate);
        assert!(control.begin("consolidate").is_some());
        drop(persist);
    }

    #[test]
    fn stopping_one_task_stops_no_other_and_none_that_begins_later() {
        let control = Arc::new(RunControl::default());
        let consolidate = control.begin("consolidate").expect("it is free");
        let persist = control.begin("persist").expect("it is free");
        control.cancel("consolidate");
        control.cancel("summarise");
        let summarise = control.begin("summarise").expect("it is free");
        let stopped = [&consolidate, &persist, &summarise].map(|task| task.stop.is_cancelled());
        assert_eq!(stopped, [true, false, false]);
        drop(consolidate);
        assert!(!control.begin("consolidate").expect("it is free").stop.is_cancelled());
    }

    #[test]
    fn a_task_can_begin_again_after_a_panic() {
        let control = Arc::new(RunControl::default());
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let _running = control.begin("persist").expect("it is free");
            panic!("a fault in the work");
        }));
        assert!(panicked.is_err() && control.begin("persist").is_some());
    }
}
