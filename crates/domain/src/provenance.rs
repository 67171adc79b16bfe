//! Who produced an entry, whose hand wrote it last, and through which door.

use crate::scope::words;

/// Who an entry belongs to. Set by the door through which the first write came, never by the caller's claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Curator {
    /// The World Agent or a background task.
    Agent,
    /// The worldbuilder.
    Author,
    /// The worldbuilder's own material, brought in from elsewhere. As protected as the author's.
    Import,
}

words!(Curator, "curator", { Agent => "agent", Author => "author", Import => "import" });

impl Curator {
    /// True if no agent or task may change or retire the entry.
    pub const fn is_protected(self) -> bool {
        matches!(self, Self::Author | Self::Import)
    }
}

/// In whose name a write is made. Every write declares one; the database checks it against the entry's curator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Hand {
    /// The worldbuilder.
    Author,
    /// The World Agent or an external agent.
    Agent,
    /// An import the worldbuilder started.
    Import,
    /// A background task.
    System,
}

words!(Hand, "hand", { Author => "author", Agent => "agent", Import => "import", System => "system" });

impl Hand {
    /// True if this hand may write entries that belong to the author (curator `author` or `import`, or named).
    pub const fn may_write_protected(self) -> bool {
        matches!(self, Self::Author | Self::Import)
    }

    /// The curator of an entry that this hand creates.
    pub const fn curator(self) -> Curator {
        match self {
            Self::Author => Curator::Author,
            Self::Import => Curator::Import,
            Self::Agent | Self::System => Curator::Agent,
        }
    }
}

/// The way by which a write reached the core.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Door {
    /// The desktop window.
    Window,
    /// The command line.
    Cli,
    /// A background task inside the app.
    Task,
    /// An MCP client.
    Mcp,
}

words!(Door, "door", { Window => "window", Cli => "cli", Task => "task", Mcp => "mcp" });

impl Door {
    /// The greatest hand this door may act as. A door may act as a lesser one, never as a greater.
    pub const fn greatest_hand(self) -> Hand {
        match self {
            Self::Window | Self::Cli => Hand::Author,
            Self::Task => Hand::System,
            Self::Mcp => Hand::Agent,
        }
    }

    /// True if a write through this door may be made in the name of `hand`.
    pub const fn admits(self, hand: Hand) -> bool {
        match self {
            Self::Window | Self::Cli => true,
            Self::Task => matches!(hand, Hand::System | Hand::Agent),
            Self::Mcp => matches!(hand, Hand::Agent),
        }
    }
}

/// Who writes, through which door, and as part of which run: stored with every journal row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Actor {
    hand: Hand,
    door: Door,
    run: Option<crate::ids::RunId>,
}

/// A door was asked to act in a name that is above it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a write through the {door} door cannot be made in the name of '{hand}'")]
pub struct HandNotAdmitted {
    /// The door that was used.
    pub door: Door,
    /// The hand that was claimed.
    pub hand: Hand,
}

impl Actor {
    /// An actor, if the door admits the hand.
    ///
    /// # Errors
    /// [`HandNotAdmitted`] when the hand is above the door.
    pub const fn new(
        hand: Hand,
        door: Door,
        run: Option<crate::ids::RunId>,
    ) -> Result<Self, HandNotAdmitted> {
        if door.admits(hand) { Ok(Self { hand, door, run }) } else { Err(HandNotAdmitted { door, hand }) }
    }

    /// The door acting in its own, greatest name.
    pub const fn of_door(door: Door) -> Self {
        Self { hand: door.greatest_hand(), door, run: None }
    }

    /// The same actor as part of a run.
    #[must_use]
    pub const fn in_run(self, run: crate::ids::RunId) -> Self {
        Self { run: Some(run), ..self }
    }

    /// In whose name.
    pub const fn hand(&self) -> Hand {
        self.hand
    }

    /// Through which door.
    pub const fn door(&self) -> Door {
        self.door
    }

    /// As part of which run.
    pub const fn run(&self) -> Option<crate::ids::RunId> {
        self.run
    }

    /// The MCP client that this is, if it is one: its run bears its id.
    pub const fn client(&self) -> Option<crate::ids::ClientId> {
        match (self.door, self.run) {
            (Door::Mcp, Some(run)) => Some(crate::ids::ClientId::from_uuid(*run.as_uuid())),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_external_agent_can_never_write_as_the_author() {
        assert!(Actor::new(Hand::Author, Door::Mcp, None).is_err());
        assert!(Actor::new(Hand::Import, Door::Task, None).is_err());
    }

    #[test]
    fn every_door_admits_its_greatest_hand() {
        for door in Door::ALL {
            assert!(door.admits(door.greatest_hand()));
        }
    }

    #[test]
    fn only_the_worldbuilders_hands_write_protected_entries() {
        for hand in Hand::ALL {
            assert_eq!(hand.may_write_protected(), hand.curator().is_protected());
        }
    }
}
