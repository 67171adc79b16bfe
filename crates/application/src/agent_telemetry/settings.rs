//! How long actions are kept.

use serde_json::{Value, json};

use crate::{error::AppError, services::AgentTelemetry};

const KEY: &str = "agent_telemetry";
/// Days that actions are kept, if nothing else is set.
const KEEP_DAYS: u32 = 90;
/// Fewest and most days.
const DAYS: std::ops::RangeInclusive<u32> = 7..=3_650;

/// The worldbuilder's settings of telemetry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgentTelemetrySettings {
    /// Days after which actions are removed, 7 to 3,650. Patterns and metrics stay.
    pub keep_days: u32,
}

impl Default for AgentTelemetrySettings {
    fn default() -> Self {
        Self { keep_days: KEEP_DAYS }
    }
}

impl AgentTelemetry<'_> {
    /// Current settings; the defaults if unset or invalid.
    pub async fn settings(&self) -> Result<AgentTelemetrySettings, AppError> {
        let text = self.session.workspace.settings.setting(KEY).await?;
        let value: Option<Value> = text.and_then(|text| serde_json::from_str(&text).ok());
        let days = value.and_then(|value| u32::try_from(value.get("keep_days")?.as_u64()?).ok());
        let keep_days = days.filter(|days| DAYS.contains(days)).unwrap_or(KEEP_DAYS);
        Ok(AgentTelemetrySettings { keep_days })
    }

    /// Stores the settings.
    ///
    /// # Errors
    /// [`AppError::Input`] for a number of days out of range.
    pub async fn set_settings(&self, settings: AgentTelemetrySettings) -> Result<(), AppError> {
        if !DAYS.contains(&settings.keep_days) {
            let message = "actions are kept for 7 to 3,650 days".to_owned();
            return Err(AppError::Input { field: "keepDays", message });
        }
        let value = json!({ "keep_days": settings.keep_days });
        Ok(self.session.workspace.settings.set_setting(KEY, &value.to_string()).await?)
    }
}
