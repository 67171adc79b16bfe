//! The worldbuilder's consolidation settings.

use inklings_domain::consolidation::CAP;
use serde_json::{Value, json};

use crate::{error::AppError, services::Consolidation};

const KEY: &str = "consolidation";

/// The worldbuilder's consolidation settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConsolidationSettings {
    /// True: consolidation runs automatically. False: only on request.
    pub automatic: bool,
    /// Minutes without a write before an automatic run; 1 to 1,440.
    pub idle_minutes: u64,
    /// Number of entries changed since the last run that triggers a run; 1 to 100,000.
    pub queue_depth: usize,
    /// Maximum ordinary entries per tier; 0: no limit.
    pub cap: usize,
    /// True: related entries are merged into one text.
    pub rewrite: bool,
}

impl Default for ConsolidationSettings {
    fn default() -> Self {
        Self { automatic: true, idle_minutes: 10, queue_depth: 50, cap: CAP, rewrite: true }
    }
}

impl ConsolidationSettings {
    fn checked(self) -> Result<Self, AppError> {
        let bad = |field, message: &str| Err(AppError::Input { field, message: message.to_owned() });
        if !(1..=1_440).contains(&self.idle_minutes) {
            return bad("idleMinutes", "consolidation waits for 1 to 1,440 quiet minutes");
        }
        if !(1..=100_000).contains(&self.queue_depth) {
            return bad("queueDepth", "consolidation begins after 1 to 100,000 changed entries");
        }
        if self.cap != 0 && self.cap < 100 {
            return bad("cap", "a tier holds at least 100 entries, or 0 for no limit");
        }
        Ok(self)
    }

    fn read(text: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(text).ok()?;
        let standard = Self::default();
        let number = |name: &str| value.get(name).and_then(Value::as_u64);
        let flag = |name: &str| value.get(name).and_then(Value::as_bool);
        Self {
            automatic: flag("automatic").unwrap_or(standard.automatic),
            idle_minutes: number("idle_minutes").unwrap_or(standard.idle_minutes),
            queue_depth: number("queue_depth").map_or(standard.queue_depth, |n| n as usize),
            cap: number("cap").map_or(standard.cap, |n| n as usize),
            rewrite: flag("rewrite").unwrap_or(standard.rewrite),
        }
        .checked()
        .ok()
    }
}

impl Consolidation<'_> {
    /// Current settings; the defaults if unset or invalid.
    ///
    /// # Errors
    /// [`AppError::Store`] if the database cannot be read.
    pub async fn settings(&self) -> Result<ConsolidationSettings, AppError> {
        let text = self.session.workspace.settings.setting(KEY).await?;
        Ok(text.as_deref().and_then(ConsolidationSettings::read).unwrap_or_default())
    }

    /// Stores all settings.
    ///
    /// # Errors
    /// [`AppError::Input`] names the invalid field; nothing is stored then.
    pub async fn set_settings(&self, settings: ConsolidationSettings) -> Result<(), AppError> {
        let set = settings.checked()?;
        let value = json!({
            "automatic": set.automatic, "idle_minutes": set.idle_minutes, "queue_depth": set.queue_depth,
            "cap": set.cap, "rewrite": set.rewrite,
        });
        Ok(self.session.workspace.settings.set_setting(KEY, &value.to_string()).await?)
    }
}
