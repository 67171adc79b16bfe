//! Ledger of reads by tools in a turn and by clients, in addition to the orientations of turns.

use inklings_domain::{
    ids::MessageId,
    orientation::shown::{Reader, Showing, ShownRead},
};
use inklings_ports::orientation::{ReadCursor, ReadFilter};

use super::MAX_PAGE;
use crate::{error::AppError, services::Orientations};

impl Orientations<'_> {
    /// Records what a read showed, with the message it belongs to. The ledger is not memory, so this also
    /// works while memory is switched off. Never fails, because a missing ledger row must not fail the read.
    pub(crate) async fn record_read(&self, reader: Reader, message: Option<MessageId>, showing: Showing) {
        let read =
            ShownRead::new(self.session.ids.read_id(), self.session.clock.now(), reader, message, showing);
        if let Err(error) = self.session.workspace.ledger.put_read(&read).await {
            tracing::warn!(%error, "what a read showed was not kept");
        }
    }

    /// A page of reads by tools and clients, newest first.
    pub async fn shown_reads(
        &self,
        filter: ReadFilter,
        after: Option<ReadCursor>,
        limit: usize,
    ) -> Result<(Vec<ShownRead>, Option<ReadCursor>), AppError> {
        let limit = limit.clamp(1, MAX_PAGE);
        let mut rows = self.session.workspace.ledger.reads(filter, after, limit + 1).await?;
        let more = rows.len() > limit;
        rows.truncate(limit);
        let next = rows.last().filter(|_| more).map(|last| ReadCursor { at: last.at, id: last.id });
        Ok((rows, next))
    }
}
