//! What runs did and the worldbuilder took back.

use inklings_domain::{
    consolidation::{Refusals, Scored},
    memory::change_set::Action,
    provenance::ActorKind,
    scope::MemoryLifetime,
};

use super::run::done_to;
use crate::{error::AppError, session::Session};

impl Session {
    /// What was done to these entries by a run, was taken back by the worldbuilder, and would be done to the same text
    /// again. It does not matter how it was taken back: with the whole run, as one change, or by restoring the entry.
    /// Everything is read from the entries' histories, so a scrub leaves nothing of it behind.
    pub(crate) async fn refusals(&self, entries: &[Scored]) -> Result<Refusals, AppError> {
        let mut refused = Refusals::new();
        // The version that a run made and the one that took it back come after the first.
        for scored in entries.iter().filter(|scored| scored.is_ordinary() && scored.entry.version > 2) {
            let now = &scored.entry;
            let history = self.ports(now.scope()).store.history(now.id).await?;
            for after_before in history.windows(2) {
                let [after, made] = after_before else { continue };
                let undone = match &made.entry.forgotten {
                    Some(_) => after.entry.is_active(),
                    None => after.entry.lifetime == MemoryLifetime::ShortTerm,
                };
                if made.journal.action == Action::Consolidate
                    && made.entry.content == now.content
                    && after.journal.actor_kind == ActorKind::Author
                    && undone
                {
                    refused.insert((now.id, done_to(&made.entry)));
                }
            }
        }
        Ok(refused)
    }
}
