//! What the entries of an orientation were made of, for their frames.

use inklings_domain::{
    memory::MemoryEntry,
    orientation::{Candidate, ItemId},
};

use super::OrientRequest;
use crate::{deadline, derivation::SourceReader, services::Orientations};

impl Orientations<'_> {
    /// Adds to the frames of candidates what their entries were made of, as far as the reader may see it. If that cannot be read
    /// in time, the frames stay without it.
    pub(super) async fn frame_sources(
        &self,
        request: &OrientRequest<'_>,
        entries: &[MemoryEntry],
        candidates: &mut [Candidate],
    ) {
        if entries.is_empty() {
            return;
        }
        let (filter, entries) = (request.scope_filter(), entries.iter().collect::<Vec<_>>());
        let derivations = self.session.derivations();
        let reading = derivations.of(&entries, SourceReader::Agent(&filter));
        let read = match deadline::within(&*self.session.clock, deadline::LAYER, reading).await {
            Ok(read) => read,
            Err(error) => {
                tracing::warn!(%error, "what memories were made of is left out of what the agent is shown");
                return;
            }
        };
        for (entry, provenance) in entries.iter().zip(read) {
            let Some(text) = provenance.framed() else { continue };
            for candidate in candidates.iter_mut().filter(|item| item.id == ItemId::Memory(entry.id)) {
                let note = &mut candidate.framing.note;
                *note = Some(note.take().map_or_else(|| text.clone(), |before| format!("{before}, {text}")));
            }
        }
    }
}
