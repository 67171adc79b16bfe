//! Scrubs: one transaction that destroys the rows in a manifest, then cleaning the file, then a search for
//! residues.

pub(crate) mod again;
pub(crate) mod clean;
mod conditions;
mod entry_texts;
mod facts;
mod figures;
pub(crate) mod fingerprint;
mod naming;
mod proof;
mod targets;
mod texts;
mod words;

use inklings_domain::{
    audit::AuditEntry,
    scrub::{Manifest, Phrases, ScrubMode, ScrubRows, ScrubTarget},
};
use inklings_ports::{
    scrub::{Mentions, ScrubOrder, ScrubStore, Scrubbed, TierFigures},
    store_error::{ScrubStage, StoreError},
};
use serde_json::{Map, Value, json};
use sqlx::SqliteConnection;

pub use self::clean::finish_cleaning;
use self::{fingerprint::Key, targets::ScrubTargets};
use crate::{audit, rows::micros, split::settle::settle, store::SqliteStore};
use crate::{
    connection::disk_space,
    error::{DbError, DbResult},
};

impl SqliteStore {
    async fn read_manifest(&self, target: &ScrubTarget, mode: ScrubMode) -> DbResult<Manifest> {
        let mut tx = self.db.reader().begin().await?;
        Ok(ScrubTargets::find(&mut tx, self.db.workspace_id(), target, mode).await?.manifest())
    }

    async fn carry_out(&self, order: &ScrubOrder) -> DbResult<Scrubbed> {
        if self.is_account() {
            // Otherwise an interrupted operation would write its rows after the scrub.
            settle(self).await;
        }
        // Checked before anything is written: a scrub that stops half way has destroyed its rows but left
        // residues.
        disk_space::for_writing_anew(self.db.path())?;
        // The key comes first: without a durable key nothing may be destroyed, because the texts could then
        // be learned again.
        let key = Key::made(&self.db)?;
        {
            let mut conn = self.db.writing().await?;
            sqlx::query("PRAGMA secure_delete = ON").execute(&mut *conn).await?;
        }
        let mut tx = self.db.begin_immediate().await?;
        let workspace = self.db.workspace_id();
        let scrub_targets = ScrubTargets::find(&mut tx, workspace, &order.target, order.mode).await?;
        let manifest = scrub_targets.manifest();
        if manifest.hash != order.hash {
            return Err(StoreError::Moved("memory to scrub").into());
        }
        let scrubbed_texts = texts::of(&mut tx, &scrub_targets, &key).await?;
        let at = micros(order.entry.at);
        scrubbed_texts.store(&mut tx, &self.workspace(), at).await?;
        scrub_targets.destroy(&mut tx, at).await?;
        clean::index_anew(&mut tx, workspace).await?;
        let entry = AuditEntry { manifest: on_record(&manifest), ..order.entry.clone() };
        let row = audit::append(&mut tx, workspace, entry).await?;
        clean::note(&mut tx, workspace, &manifest.hash, at).await?;
        tx.commit().await?;
        self.names.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
        match clean::clean(&self.db).await {
            // Another process has a long-running read. The rows are destroyed; the search for residues
            // reports what is still in the file, and the next opening cleans it.
            Err(error) if error.is_busy() => {
                tracing::warn!("a scrubbed database is in use and not clean yet");
            }
            cleaned => cleaned.map_err(|error| self.unfinished(ScrubStage::Cleaning, error))?,
        }
        let looked = proof::look(&self.db, &scrub_targets, &scrubbed_texts.words).await;
        let proof = looked.map_err(|error| self.unfinished(ScrubStage::Looking, error))?;
        Ok(Scrubbed { manifest, audit: row, proof })
    }

    fn unfinished(&self, stage: ScrubStage, error: DbError) -> StoreError {
        StoreError::Unfinished { stage, why: Box::new(self.db.fail(error)) }
    }

    async fn is_scrubbed(&self, forms: &[String]) -> DbResult<bool> {
        let mut conn = self.db.reader().acquire().await?;
        let any: bool =
            sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM scrubbed)").fetch_one(&mut *conn).await?;
        // Without a key nothing can match. This function never creates one.
        let Some(key) = (if any { Key::read(&self.db)? } else { None }) else { return Ok(false) };
        let fingerprints: Vec<String> = forms.iter().map(|form| key.fingerprint(form)).collect();
        found(&mut conn, &fingerprints).await
    }
}

async fn found(conn: &mut SqliteConnection, fingerprints: &[String]) -> DbResult<bool> {
    let list = serde_json::to_string(fingerprints).unwrap_or_else(|_| "[]".to_owned());
    Ok(sqlx::query_scalar(
        "SELECT EXISTS (SELECT 1 FROM scrubbed WHERE fingerprint IN (SELECT value FROM json_each(?)))",
    )
    .bind(list)
    .fetch_one(conn)
    .await?)
}

/// The manifest as stored in the audit log: counts and the hash, no ids.
fn on_record(manifest: &Manifest) -> String {
    let counts: Map<String, Value> = manifest
        .counts
        .iter()
        .map(|(kind, rows): &(ScrubRows, u64)| (kind.to_string(), json!(rows)))
        .collect();
    json!({ "counts": counts, "total": manifest.total(), "keeps": manifest.keeps, "hash": manifest.hash })
        .to_string()
}

#[async_trait::async_trait]
impl ScrubStore for SqliteStore {
    async fn manifest(&self, target: &ScrubTarget, mode: ScrubMode) -> Result<Manifest, StoreError> {
        self.public(self.read_manifest(target, mode).await)
    }

    async fn scrub(&self, order: &ScrubOrder) -> Result<Scrubbed, StoreError> {
        self.public(self.carry_out(order).await)
    }

    async fn mentions(
        &self,
        phrases: &Phrases,
        target: &ScrubTarget,
        mode: ScrubMode,
    ) -> Result<Mentions, StoreError> {
        self.public(self.read_mentions(phrases, target, mode).await)
    }

    async fn was_scrubbed(&self, forms: &[String]) -> Result<bool, StoreError> {
        self.public(self.is_scrubbed(forms).await)
    }

    async fn tiers(&self) -> Result<Vec<TierFigures>, StoreError> {
        self.public(self.read_tiers().await)
    }
}
