//! Facts in an [`InMemoryDatabase`].

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use inklings_domain::{
    fact::{Claim, Fact, FactKey, FactSource, FactValue},
    ids::{ClaimId, ConversationId, FactId},
    text::fold,
};

use super::{
    memory_store::{InMemoryDatabase, Tables},
    transfer_rows::Claimed,
};
use crate::ports::{
    error::StoreError,
    fact_store::{FactAt, FactStore, FactWithClaims, Settlement},
    rule::Rule,
    settings::Topic,
};

/// Facts with their history and the claims against them.
#[derive(Debug, Clone, Default)]
pub(super) struct FactTables {
    /// By folded category and key.
    pub facts: BTreeMap<(String, String), (Fact, Vec<FactValue>)>,
    pub claims: Vec<Claimed>,
}

fn value(fact: &Fact, until: Option<DateTime<Utc>>) -> FactValue {
    FactValue {
        version: fact.version,
        value: fact.value.clone(),
        source: fact.source,
        conversation: fact.conversation,
        from: fact.updated_at,
        until,
        removed: fact.removed_at.is_some(),
    }
}

impl FactTables {
    fn by_id(&self, id: FactId) -> Option<&(Fact, Vec<FactValue>)> {
        self.facts.values().find(|(fact, _)| fact.id == id)
    }

    fn open_claim(&self, id: ClaimId) -> Result<usize, StoreError> {
        let open = |(claim, settled): &Claimed| claim.id == id && settled.is_none();
        self.claims.iter().position(open).ok_or(StoreError::Moved("claim"))
    }

    fn with_claims(&self, fact: &Fact) -> FactWithClaims {
        let against =
            self.claims.iter().filter(|(claim, settled)| claim.fact == fact.id && settled.is_none());
        let mut claims: Vec<Claim> = against.map(|(claim, _)| claim.clone()).collect();
        claims.sort_by_key(|claim| (claim.at, claim.id));
        FactWithClaims { fact: fact.clone(), claims }
    }

    /// True if the author made a claim their own word.
    pub(super) fn was_accepted(&self, id: ClaimId) -> bool {
        let accepted =
            |how: &Option<(Settlement, _)>| how.as_ref().is_some_and(|(how, _)| *how == Settlement::Accepted);
        self.claims.iter().any(|(claim, how)| claim.id == id && accepted(how))
    }

    /// True if a claim is open.
    pub(super) fn is_open(&self, id: ClaimId) -> bool {
        self.open_claim(id).is_ok()
    }

    /// Takes away every reference to a conversation.
    pub(super) fn forget(&mut self, conversation: ConversationId) {
        let gone = |of: &mut Option<ConversationId>| *of = of.take_if(|id| *id != conversation);
        for (fact, earlier) in self.facts.values_mut() {
            gone(&mut fact.conversation);
            for value in earlier {
                gone(&mut value.conversation);
            }
        }
        for (claim, _) in &mut self.claims {
            gone(&mut claim.conversation);
        }
    }
}

impl Tables {
    fn refuse_fact(&self, fact: &Fact, written_by: FactSource) -> Result<(), StoreError> {
        let stored = self.facts.by_id(fact.id);
        let twin = self.facts.facts.contains_key(&fact.key.folded());
        match stored {
            None if fact.version != 1 || twin => return Err(StoreError::Moved("fact")),
            Some((stored, _)) if stored.version + 1 != fact.version => return Err(StoreError::Moved("fact")),
            _ => {}
        }
        let authors = stored.is_some_and(|(stored, _)| stored.source == FactSource::User);
        if written_by == FactSource::Agent && (authors || fact.source == FactSource::User) {
            return Err(StoreError::Locked(Rule::ThisFactIsTheAuthorsWord));
        }
        Ok(())
    }
}

#[async_trait::async_trait]
impl FactStore for InMemoryDatabase {
    async fn fact(&self, key: &FactKey) -> Result<Option<FactWithClaims>, StoreError> {
        let facts = &self.tables().facts;
        Ok(facts.facts.get(&key.folded()).map(|(fact, _)| facts.with_claims(fact)))
    }

    async fn fact_by_id(&self, id: FactId) -> Result<Option<FactWithClaims>, StoreError> {
        let facts = &self.tables().facts;
        Ok(facts.by_id(id).map(|(fact, _)| facts.with_claims(fact)))
    }

    async fn facts(
        &self,
        category: Option<&str>,
        after: Option<&FactKey>,
        limit: usize,
    ) -> Result<Vec<FactWithClaims>, StoreError> {
        self.may_hang("facts").await;
        let facts = &self.tables().facts;
        let (category, after) = (category.map(fold), after.map(FactKey::folded));
        let wanted = facts.facts.iter().filter(|(key, (fact, _))| {
            fact.removed_at.is_none()
                && category.as_ref().is_none_or(|only| *only == key.0)
                && after.as_ref().is_none_or(|after| *key > after)
        });
        Ok(wanted.take(limit).map(|(_, (fact, _))| facts.with_claims(fact)).collect())
    }

    async fn facts_as_of(
        &self,
        at: DateTime<Utc>,
        category: Option<&str>,
        limit: usize,
    ) -> Result<Vec<FactAt>, StoreError> {
        let category = category.map(fold);
        let held = |v: &FactValue| v.from <= at && v.until.is_none_or(|until| at < until) && !v.removed;
        let tables = self.tables();
        let then = tables.facts.facts.iter().filter(|(key, _)| category.as_ref().is_none_or(|c| *c == key.0));
        let then = then.filter_map(|(_, (fact, earlier))| {
            let value = earlier.iter().cloned().chain([value(fact, None)]).find(held)?;
            Some(FactAt { id: fact.id, key: fact.key.clone(), value })
        });
        Ok(then.take(limit).collect())
    }

    async fn fact_history(&self, id: FactId) -> Result<Vec<FactValue>, StoreError> {
        let tables = self.tables();
        let Some((fact, earlier)) = tables.facts.by_id(id) else { return Ok(Vec::new()) };
        Ok(std::iter::once(value(fact, None)).chain(earlier.iter().rev().cloned()).collect())
    }

    async fn put_fact(
        &self,
        fact: &Fact,
        written_by: FactSource,
        settles: Option<ClaimId>,
    ) -> Result<(), StoreError> {
        let mut tables = self.tables();
        if written_by == FactSource::Agent && fact.removed_at.is_none() {
            tables.refuse_while_off()?;
        }
        tables.refuse_fact(fact, written_by)?;
        let claim = settles.map(|id| tables.facts.open_claim(id)).transpose()?;
        if let Some(at) = claim {
            if tables.facts.claims[at].0.fact != fact.id {
                return Err(StoreError::Moved("claim"));
            }
            tables.facts.claims[at].1 = Some((Settlement::Accepted, fact.updated_at));
        }
        let (key, earlier) = match tables.facts.by_id(fact.id).cloned() {
            None => (fact.key.clone(), Vec::new()),
            Some((stored, mut earlier)) => {
                earlier.push(value(&stored, Some(fact.updated_at)));
                (stored.key, earlier)
            }
        };
        let folded = key.folded();
        tables.facts.facts.insert(folded, (Fact { key, ..fact.clone() }, earlier));
        tables.announce(Topic::Transcript);
        Ok(())
    }

    async fn add_claim(&self, claim: &Claim) -> Result<(), StoreError> {
        let mut tables = self.tables();
        tables.refuse_while_off()?;
        if tables.facts.by_id(claim.fact).is_none() {
            return Err(StoreError::NotFound("fact"));
        }
        let same = |(other, settled): &Claimed| {
            settled.is_none() && other.fact == claim.fact && other.value == claim.value
        };
        if !tables.facts.claims.iter().any(same) {
            tables.facts.claims.push((claim.clone(), None));
            tables.announce(Topic::Transcript);
        }
        Ok(())
    }

    async fn claim(&self, id: ClaimId) -> Result<Option<(Claim, Fact)>, StoreError> {
        let facts = &self.tables().facts;
        let Ok(at) = facts.open_claim(id) else { return Ok(None) };
        let claim = facts.claims[at].0.clone();
        Ok(facts.by_id(claim.fact).map(|(fact, _)| (claim, fact.clone())))
    }

    async fn reject_claim(&self, id: ClaimId, at: DateTime<Utc>) -> Result<(), StoreError> {
        let mut tables = self.tables();
        let claim = tables.facts.open_claim(id)?;
        tables.facts.claims[claim].1 = Some((Settlement::Rejected, at));
        tables.announce(Topic::Transcript);
        Ok(())
    }
}
