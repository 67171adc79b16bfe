//! Refusals of clients.

use inklings_domain::{
    client::{Capability, Grants, Verb},
    scope::MemoryScope,
};

/// Why a client was refused. Names the missing grant and does not reveal what exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Denied {
    /// The grant on the tier is missing.
    #[error(
        "this client was not granted '{verb}' on the {tier} tier; the worldbuilder can grant '{tier}:{verb}' to it"
    )]
    Tier {
        tier: MemoryScope,
        /// The refused verb.
        verb: Verb,
    },
    /// The channel or conversation does not exist, or the client does not take part in it. The message does
    /// not say which.
    #[error(
        "there is no such channel or conversation in which this client takes part; the worldbuilder decides where it does"
    )]
    Place,
    /// The capability was not granted.
    #[error("this client was not granted '{0}'; the worldbuilder can grant it")]
    Capability(Capability),
    /// The client was revoked or never existed.
    #[error("this client has no access any more; the worldbuilder can give it a new token")]
    Revoked,
}

impl Denied {
    /// A refusal on a tier: names the missing grant, or the place if the grant exists but holds in other
    /// places.
    pub const fn of(grants: &Grants, verb: Verb, tier: MemoryScope) -> Self {
        if grants.tiers.get(tier).allows(verb) {
            Self::Place
        } else {
            Self::Tier { tier, verb: grants.missing(verb, tier) }
        }
    }
}
