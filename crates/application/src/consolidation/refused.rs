//! Actions of runs that the worldbuilder reverted.

use inklings_domain::{
    consolidation::{Refusals, Scored},
    memory::change_set::Action,
    provenance::ActorKind,
    scope::MemoryLifetime,
};

use super::run::done_to;
use crate::{error::AppError, services::Consolidation};

impl Consolidation<'_> {
    /// Actions of runs on these entries that the worldbuilder reverted and that would otherwise be repeated
    /// on the same text. Counts every kind of revert: of the whole run, of one change, or by restoring the
    /// entry. Read only from the entries' histories, so a scrub leaves no trace of it.
    pub(crate) async fn refusals(&self, entries: &[Scored]) -> Result<Refusals, AppError> {
        let mut refused = Refusals::new();
        // The version made by a run and the one that reverted it both come after the first version.
        for scored in entries.iter().filter(|scored| scored.is_ordinary() && scored.entry.version > 2) {
            let now = &scored.entry;
            let history = self.session.ports(now.scope()).store.history(now.id).await?;
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
