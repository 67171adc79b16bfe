//! Who produced an entry, which kind of actor wrote it last, and through which interface.

use crate::scope::words;

/// Who an entry belongs to. Set by the interface through which the first write came, never by the caller's claim.
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
pub enum ActorKind {
    /// The worldbuilder.
    Author,
    /// The World Agent or an external agent.
    Agent,
    /// An import the worldbuilder started.
    Import,
    /// A background task.
    System,
}

words!(ActorKind, "hand", { Author => "author", Agent => "agent", Import => "import", System => "system" });

impl ActorKind {
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
pub enum Interface {
    /// The desktop window.
    Window,
    /// The command line.
    Cli,
    /// A background task inside the app.
    Task,
    /// An MCP client.
    Mcp,
}

words!(Interface, "door", { Window => "window", Cli => "cli", Task => "task", Mcp => "mcp" });

impl Interface {
    /// The greatest hand this door may act as. A door may act as a lesser one, never as a greater.
    pub const fn greatest_actor_kind(self) -> ActorKind {
        match self {
            Self::Window | Self::Cli => ActorKind::Author,
            Self::Task => ActorKind::System,
            Self::Mcp => ActorKind::Agent,
        }
    }

    /// True if a write through this door may be made in the name of `actor_kind`.
    pub const fn admits(self, actor_kind: ActorKind) -> bool {
        match self {
            Self::Window | Self::Cli => true,
            Self::Task => matches!(actor_kind, ActorKind::System | ActorKind::Agent),
            Self::Mcp => matches!(actor_kind, ActorKind::Agent),
        }
    }
}

/// Who writes, through which interface, and as part of which run: stored with every journal row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Actor {
    kind: ActorKind,
    interface: Interface,
    run: Option<crate::ids::RunId>,
}

/// A door was asked to act in a name that is above it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a write through the interface {interface} cannot be made in the name of '{actor_kind}'")]
pub struct ActorKindNotAdmitted {
    /// The interface that was used.
    pub interface: Interface,
    /// The hand that was claimed.
    pub actor_kind: ActorKind,
}

impl Actor {
    /// An actor, if the interface admits the hand.
    ///
    /// # Errors
    /// [`ActorKindNotAdmitted`] when the hand is above the interface.
    pub const fn new(
        actor_kind: ActorKind,
        interface: Interface,
        run: Option<crate::ids::RunId>,
    ) -> Result<Self, ActorKindNotAdmitted> {
        if interface.admits(actor_kind) {
            Ok(Self { kind: actor_kind, interface, run })
        } else {
            Err(ActorKindNotAdmitted { interface, actor_kind })
        }
    }

    /// The interface acting in its own, greatest name.
    pub const fn of_interface(interface: Interface) -> Self {
        Self { kind: interface.greatest_actor_kind(), interface, run: None }
    }

    /// The same actor as part of a run.
    #[must_use]
    pub const fn in_run(self, run: crate::ids::RunId) -> Self {
        Self { run: Some(run), ..self }
    }

    /// In whose name.
    pub const fn kind(&self) -> ActorKind {
        self.kind
    }

    /// Through which interface.
    pub const fn interface(&self) -> Interface {
        self.interface
    }

    /// As part of which run.
    pub const fn run(&self) -> Option<crate::ids::RunId> {
        self.run
    }

    /// The MCP client that this is, if it is one: its run bears its id.
    pub const fn client(&self) -> Option<crate::ids::ClientId> {
        match (self.interface, self.run) {
            (Interface::Mcp, Some(run)) => Some(crate::ids::ClientId::from_uuid(*run.as_uuid())),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_external_agent_can_never_write_as_the_author() {
        assert!(Actor::new(ActorKind::Author, Interface::Mcp, None).is_err());
        assert!(Actor::new(ActorKind::Import, Interface::Task, None).is_err());
    }

    #[test]
    fn every_door_admits_its_greatest_hand() {
        for interface in Interface::ALL {
            assert!(interface.admits(interface.greatest_actor_kind()));
        }
    }

    #[test]
    fn only_the_worldbuilders_hands_write_protected_entries() {
        for actor_kind in ActorKind::ALL {
            assert_eq!(actor_kind.may_write_protected(), actor_kind.curator().is_protected());
        }
    }
}
