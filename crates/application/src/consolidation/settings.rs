//! The worldbuilder's consolidation settings.

use inklings_domain::{
    consolidation::{CAP, INSTRUCTIONS, MOST_INSTRUCTIONS},
    scope::MemoryScope,
};
use serde_json::{Value, json};

use crate::{error::AppError, services::Consolidation};

const KEY: &str = "consolidation";

/// The worldbuilder's consolidation settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsolidationSettings {
    /// True: consolidation runs automatically. False: only on request.
    pub automatic: bool,
    /// Minutes without a write before an automatic run; 1 to 1,440.
    pub idle_minutes: u64,
    /// Number of entries changed since the last run that triggers a run of their tier; each 1 to 100,000.
    pub queue_depths: QueueDepths,
    /// Number of changes to canon since the last run that triggers a run; 1 to 100,000.
    pub revision_depth: usize,
    /// Maximum ordinary entries per tier; 0: no limit.
    pub cap: usize,
    /// True: related entries are merged into one text.
    pub rewrite: bool,
    /// What a language model is to do with memories that become one text; `None`:
    /// [`INSTRUCTIONS`](inklings_domain::consolidation::INSTRUCTIONS).
    pub instructions: Option<String>,
}

/// The queue of each tier. The wider a tier, the less often it is consolidated by default. The tier of conversations has
/// none: it is consolidated when one ends, or with any other tier that waits long enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueueDepths {
    /// The account tier.
    pub account: usize,
    /// The workspace tier.
    pub workspace: usize,
    /// The channel tier.
    pub channel: usize,
}

impl QueueDepths {
    /// One depth for all tiers.
    pub const fn all(depth: usize) -> Self {
        Self { account: depth, workspace: depth, channel: depth }
    }

    pub(crate) const fn of(self, tier: MemoryScope) -> Option<usize> {
        match tier {
            MemoryScope::Account => Some(self.account),
            MemoryScope::Workspace => Some(self.workspace),
            MemoryScope::Channel => Some(self.channel),
            MemoryScope::Conversation => None,
        }
    }
}

impl Default for ConsolidationSettings {
    fn default() -> Self {
        Self {
            automatic: true,
            idle_minutes: 10,
            queue_depths: QueueDepths { account: 100, workspace: 50, channel: 25 },
            revision_depth: 3,
            cap: CAP,
            rewrite: true,
            instructions: None,
        }
    }
}

impl ConsolidationSettings {
    fn checked(mut self) -> Result<Self, AppError> {
        let bad = |field, message: &str| Err(AppError::Input { field, message: message.to_owned() });
        if !(1..=1_440).contains(&self.idle_minutes) {
            return bad("idleMinutes", "consolidation waits for 1 to 1,440 quiet minutes");
        }
        let QueueDepths { account, workspace, channel } = self.queue_depths;
        let depths = [("accountDepth", account), ("workspaceDepth", workspace), ("channelDepth", channel)];
        for (field, depth) in depths {
            if !(1..=100_000).contains(&depth) {
                return bad(field, "consolidation begins after 1 to 100,000 changed entries");
            }
        }
        if !(1..=100_000).contains(&self.revision_depth) {
            return bad("revisionDepth", "consolidation begins after 1 to 100,000 changes to canon");
        }
        self.instructions = self
            .instructions
            .map(|text| text.trim().to_owned())
            .filter(|text| !text.is_empty() && text != INSTRUCTIONS);
        if self.instructions.as_ref().is_some_and(|text| text.chars().count() > MOST_INSTRUCTIONS) {
            return bad("instructions", "instructions have at most 4,000 characters");
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
        let depth = |name: &str, standard| number(name).map_or(standard, |n| n as usize);
        // One depth for all tiers was stored before each had its own.
        let before = number("queue_depth").map_or(standard.queue_depths, |n| QueueDepths::all(n as usize));
        Self {
            automatic: flag("automatic").unwrap_or(standard.automatic),
            idle_minutes: number("idle_minutes").unwrap_or(standard.idle_minutes),
            queue_depths: QueueDepths {
                account: depth("account_depth", before.account),
                workspace: depth("workspace_depth", before.workspace),
                channel: depth("channel_depth", before.channel),
            },
            revision_depth: depth("revision_depth", standard.revision_depth),
            cap: depth("cap", standard.cap),
            rewrite: flag("rewrite").unwrap_or(standard.rewrite),
            instructions: value.get("instructions").and_then(Value::as_str).map(str::to_owned),
        }
        .checked()
        .ok()
    }
}

impl Consolidation<'_> {
    /// Current settings; the defaults if unset or invalid.
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
            "automatic": set.automatic, "idle_minutes": set.idle_minutes,
            "account_depth": set.queue_depths.account, "workspace_depth": set.queue_depths.workspace,
            "channel_depth": set.queue_depths.channel, "revision_depth": set.revision_depth,
            "cap": set.cap, "rewrite": set.rewrite, "instructions": set.instructions,
        });
        Ok(self.session.workspace.settings.set_setting(KEY, &value.to_string()).await?)
    }
}
