//! Progress bars on standard error, if it is a terminal.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use indicatif::{ProgressBar, ProgressStyle};
use inklings_api::{Event, Events, Progress, view::model::ModelProgressState};

fn bar(template: &str, message: &str) -> ProgressBar {
    let bar = ProgressBar::new(0).with_message(message.to_owned());
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// Progress bar of a backfill, which can be stopped.
#[derive(Clone)]
pub struct EmbedBar {
    bar: ProgressBar,
    stop: Arc<AtomicBool>,
}

impl EmbedBar {
    /// Creates a bar with a label.
    pub fn new(what: &str) -> Self {
        let template = "{msg} {wide_bar} {pos}/{len} {per_sec} {eta}";
        Self { bar: bar(template, what), stop: Arc::default() }
    }

    /// Stops the run after the current batch.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Removes the bar.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

impl Progress for EmbedBar {
    fn report(&self, done: u64, total: u64) {
        self.bar.set_length(total);
        self.bar.set_position(done);
    }

    fn cancelled(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Progress bar of a download.
pub struct FetchBar(ProgressBar);

impl FetchBar {
    /// Creates a bar for one model.
    pub fn new(model: &str) -> Self {
        Self(bar("{msg} {wide_bar} {bytes}/{total_bytes} {bytes_per_sec} {eta}", model))
    }
}

impl Events for FetchBar {
    fn send(&self, event: Event) {
        let Event::ModelProgress(progress) = event else { return };
        if progress.state == ModelProgressState::Downloading {
            self.0.set_length(progress.total as u64);
            self.0.set_position(progress.downloaded as u64);
        } else {
            self.0.finish_and_clear();
        }
    }
}
