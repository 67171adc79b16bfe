//! Views of decay curves and rates.

use inklings_domain::scope::PerTier;
use serde::{Deserialize, Serialize};
use specta::Type;
use specta_typescript::Number;

use crate::vocabulary::Scope;

/// Relevance at one time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CurvePoint {
    pub at: String,
    #[specta(type = Number)]
    pub relevance: f64,
}

/// The relevance of an entry over time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DecayCurve {
    /// Points in ascending time. Past points use the actual days of use; future points assume daily use.
    pub points: Vec<CurvePoint>,
    /// Relevance now.
    #[specta(type = Number)]
    pub now: f64,
    /// Time at which it falls below the fading threshold, if within a year of daily use.
    pub fades_at: Option<String>,
    /// The tier's rate per hour; `null` if the tier does not decay.
    #[specta(type = Option<Number>)]
    pub rate_per_hour: Option<f64>,
    /// Why it does not decay, if it does not.
    pub exempt: Option<DecayExemption>,
}

/// Why an entry does not decay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum DecayExemption {
    /// The worldbuilder wrote it, and the settings say that this does not fade.
    OfAuthor,
    /// It is pinned or has a name.
    Fixed,
}

/// Decay rates per hour; `null` if a tier does not decay.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DecayRates {
    /// Account tier.
    #[specta(type = Option<Number>)]
    pub account: Option<f64>,
    /// Workspace tier.
    #[specta(type = Option<Number>)]
    pub workspace: Option<f64>,
    /// Channel tier.
    #[specta(type = Option<Number>)]
    pub channel: Option<f64>,
    /// Conversation tier.
    #[specta(type = Option<Number>)]
    pub conversation: Option<f64>,
}

impl From<PerTier<Option<f64>>> for DecayRates {
    fn from(rates: PerTier<Option<f64>>) -> Self {
        let PerTier { account, workspace, channel, conversation } = rates;
        Self { account, workspace, channel, conversation }
    }
}

impl From<DecayRates> for PerTier<Option<f64>> {
    fn from(rates: DecayRates) -> Self {
        let DecayRates { account, workspace, channel, conversation } = rates;
        Self { account, workspace, channel, conversation }
    }
}

/// Retention of one tier over time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TierCurve {
    pub scope: Scope,
    /// Rate per hour; `null` if the tier does not decay.
    #[specta(type = Option<Number>)]
    pub rate_per_hour: Option<f64>,
    /// Share retained after 7 days.
    #[specta(type = Number)]
    pub retention7d: f64,
    /// Share retained at the end of each day, from day 0 to day 60.
    #[specta(type = Vec<Number>)]
    pub points: Vec<f64>,
}
