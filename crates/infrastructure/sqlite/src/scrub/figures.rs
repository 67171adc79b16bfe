//! Counts per tier of a database: one pass over the small columns, one over the decaying entries.

use chrono::DateTime;
use inklings_domain::{
    memory::{
        Importance,
        decay::{DecayInputs, Exemption},
    },
    scope::MemoryScope,
};
use inklings_ports::scrub::TierFigures;
use sqlx::Row;

use crate::error::{DbError, DbResult};
use crate::{
    rows::{count, maybe_moment, parsed},
    store::SqliteStore,
};

const FIGURES: &str = "\
    SELECT scope, count(*) FILTER (WHERE forgotten_at IS NULL), count(*) FILTER (WHERE forgotten_at IS NOT NULL), \
      count(*) FILTER (WHERE forgotten_at IS NULL AND curator = 'author'), \
      count(*) FILTER (WHERE forgotten_at IS NULL AND curator = 'agent'), \
      count(*) FILTER (WHERE forgotten_at IS NULL AND curator = 'import'), \
      count(*) FILTER (WHERE forgotten_at IS NULL AND name IS NOT NULL AND kind = 'note'), \
      min(created_at) FILTER (WHERE forgotten_at IS NULL), max(created_at) FILTER (WHERE forgotten_at IS NULL), \
      coalesce(sum(octet_length(content)), 0) \
    FROM memories WHERE content <> '' GROUP BY scope";

const FADING: &str = "\
    SELECT scope, importance, access_count, accessed_at, curator = 'author' FROM memories \
    WHERE forgotten_at IS NULL AND content <> '' AND pinned = 0 AND name IS NULL";

fn empty(scope: MemoryScope) -> TierFigures {
    TierFigures {
        scope,
        active: 0,
        forgotten: 0,
        by_author: 0,
        by_agent: 0,
        by_import: 0,
        named: 0,
        oldest: None,
        newest: None,
        bytes: 0,
        fading: Vec::new(),
    }
}

impl SqliteStore {
    pub(crate) async fn read_tiers(&self) -> DbResult<Vec<TierFigures>> {
        let scopes: &[MemoryScope] = if self.is_account() {
            &[MemoryScope::Account]
        } else {
            &[MemoryScope::Conversation, MemoryScope::Channel, MemoryScope::Workspace]
        };
        let mut tiers: Vec<TierFigures> = scopes.iter().map(|scope| empty(*scope)).collect();
        let mut tx = self.db.reader().begin().await?;
        for row in sqlx::query(FIGURES).fetch_all(&mut *tx).await? {
            let scope: MemoryScope = parsed(row.try_get(0)?, "scope")?;
            let figures = TierFigures {
                scope,
                active: count(&row, 1, "active")?,
                forgotten: count(&row, 2, "forgotten")?,
                by_author: count(&row, 3, "curator")?,
                by_agent: count(&row, 4, "curator")?,
                by_import: count(&row, 5, "curator")?,
                named: count(&row, 6, "name")?,
                oldest: maybe_moment(&row, 7, "created_at")?,
                newest: maybe_moment(&row, 8, "created_at")?,
                bytes: count(&row, 9, "content")?,
                fading: Vec::new(),
            };
            if let Some(tier) = tiers.iter_mut().find(|tier| tier.scope == scope) {
                *tier = figures;
            }
        }
        for row in sqlx::query(FADING).fetch_all(&mut *tx).await? {
            let scope: MemoryScope = parsed(row.try_get(0)?, "scope")?;
            let inputs = DecayInputs {
                scope,
                importance: Importance::new(row.try_get(1)?)
                    .map_err(|_| DbError::Row { column: "importance" })?,
                access_count: count(&row, 2, "access_count")?,
                accessed_at: DateTime::from_timestamp_micros(row.try_get(3)?)
                    .ok_or(DbError::Row { column: "accessed_at" })?,
                exemption: if row.try_get(4)? { Exemption::OfAuthor } else { Exemption::None },
            };
            if let Some(tier) = tiers.iter_mut().find(|tier| tier.scope == scope) {
                tier.fading.push(inputs);
            }
        }
        Ok(tiers)
    }
}
