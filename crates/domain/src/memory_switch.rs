//! The switch of a workspace's memory (seed 004).

use crate::{change_set::Action, provenance::Hand};

/// How the switch stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MemorySwitch {
    /// Agents and tasks may add to memory.
    On,
    /// Only the worldbuilder's own hand and their imports add to memory.
    Off,
}

impl MemorySwitch {
    /// True if a hand may add to memory.
    pub const fn admits(self, hand: Hand) -> bool {
        match self {
            Self::On => true,
            Self::Off => matches!(hand, Hand::Author | Hand::Import),
        }
    }

    /// True if a hand may make a change of this kind. Forgetting adds nothing, so it is never held up.
    pub const fn admits_change(self, hand: Hand, action: Action) -> bool {
        self.admits(hand) || matches!(action, Action::Forget)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn switched_off_only_the_worldbuilders_own_hands_add() {
        for hand in [Hand::Author, Hand::Agent, Hand::Import, Hand::System] {
            assert!(MemorySwitch::On.admits(hand));
            assert_eq!(MemorySwitch::Off.admits(hand), matches!(hand, Hand::Author | Hand::Import));
            assert!(MemorySwitch::Off.admits_change(hand, Action::Forget));
        }
        assert!(!MemorySwitch::Off.admits_change(Hand::Agent, Action::Edit));
    }
}
