//! The memory switch of a workspace.

use crate::{memory::change_set::Action, provenance::ActorKind};

/// The state of the switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MemorySwitch {
    /// Agents and tasks may add to memory.
    On,
    /// Only the worldbuilder and their imports add to memory.
    Off,
}

impl MemorySwitch {
    /// True if an actor kind may add to memory.
    pub const fn admits(self, actor_kind: ActorKind) -> bool {
        match self {
            Self::On => true,
            Self::Off => matches!(actor_kind, ActorKind::Author | ActorKind::Import),
        }
    }

    /// True if an actor kind may make a change of this kind. Forgetting adds nothing, so it is always allowed.
    pub const fn admits_change(self, actor_kind: ActorKind, action: Action) -> bool {
        self.admits(actor_kind) || matches!(action, Action::Forget)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn while_memory_is_off_only_author_and_import_may_add() {
        for actor_kind in [ActorKind::Author, ActorKind::Agent, ActorKind::Import, ActorKind::System] {
            assert!(MemorySwitch::On.admits(actor_kind));
            assert_eq!(
                MemorySwitch::Off.admits(actor_kind),
                matches!(actor_kind, ActorKind::Author | ActorKind::Import)
            );
            assert!(MemorySwitch::Off.admits_change(actor_kind, Action::Forget));
        }
        assert!(!MemorySwitch::Off.admits_change(ActorKind::Agent, Action::Edit));
    }
}
