//! Provenance: the curator of an entry, the actor kind of its last write, and the interface it came through.

use crate::scope::words;

/// The owner of an entry. Set from the interface of the first write, never from a claim of the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Curator {
    /// The World Agent or a background task.
    Agent,
    /// The worldbuilder.
    Author,
    /// The worldbuilder's own material, imported from elsewhere. As protected as the author's.
    Import,
}

words!(Curator, "curator", { Agent => "agent", Author => "author", Import => "import" });

impl Curator {
    /// True if no agent or task may change or forget the entry.
    pub const fn is_protected(self) -> bool {
        matches!(self, Self::Author | Self::Import)
    }
}

/// The kind of actor on whose behalf a write is made. Every write declares one, and the database checks it against
/// the entry's curator.
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
    /// True if this actor kind may write entries that belong to the author (curator `author` or `import`, or named).
    pub const fn may_write_protected(self) -> bool {
        matches!(self, Self::Author | Self::Import)
    }

    /// The curator of an entry that this actor kind creates.
    pub const fn curator(self) -> Curator {
        match self {
            Self::Author => Curator::Author,
            Self::Import => Curator::Import,
            Self::Agent | Self::System => Curator::Agent,
        }
    }
}

/// The interface through which a write reached the core.
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
    /// The most privileged actor kind of this interface. An interface may act with less privilege, never with more.
    pub const fn strongest_actor_kind(self) -> ActorKind {
        match self {
            Self::Window | Self::Cli => ActorKind::Author,
            Self::Task => ActorKind::System,
            Self::Mcp => ActorKind::Agent,
        }
    }

    /// True if a write through this interface may be made as `actor_kind`.
    pub const fn admits(self, actor_kind: ActorKind) -> bool {
        match self {
            Self::Window | Self::Cli => true,
            Self::Task => matches!(actor_kind, ActorKind::System | ActorKind::Agent),
            Self::Mcp => matches!(actor_kind, ActorKind::Agent),
        }
    }
}

/// The actor kind, interface and run of a write; stored with every journal row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Actor {
    kind: ActorKind,
    interface: Interface,
    run: Option<crate::ids::RunId>,
}

/// The interface may not act as the actor kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a write through the interface {interface} cannot be made in the name of '{actor_kind}'")]
pub struct ActorKindNotAdmitted {
    /// The interface that was used.
    pub interface: Interface,
    /// The actor kind that was claimed.
    pub actor_kind: ActorKind,
}

impl Actor {
    /// Creates an actor if the interface admits the actor kind.
    ///
    /// # Errors
    /// [`ActorKindNotAdmitted`] if the interface does not admit the actor kind.
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

    /// The interface acting with its most privileged actor kind.
    pub const fn of_interface(interface: Interface) -> Self {
        Self { kind: interface.strongest_actor_kind(), interface, run: None }
    }

    /// The same actor as part of a run.
    #[must_use]
    pub const fn in_run(self, run: crate::ids::RunId) -> Self {
        Self { run: Some(run), ..self }
    }

    /// The actor kind of the write.
    pub const fn kind(&self) -> ActorKind {
        self.kind
    }

    /// The interface of the write.
    pub const fn interface(&self) -> Interface {
        self.interface
    }

    /// The run that the write belongs to.
    pub const fn run(&self) -> Option<crate::ids::RunId> {
        self.run
    }

    /// The MCP client of the actor, if any. A client's run has the client's id.
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
    fn each_interface_accepts_its_strongest_actor_kind() {
        for interface in Interface::ALL {
            assert!(interface.admits(interface.strongest_actor_kind()));
        }
    }

    #[test]
    fn only_actor_kinds_with_a_protected_curator_write_protected_entries() {
        for actor_kind in ActorKind::ALL {
            assert_eq!(actor_kind.may_write_protected(), actor_kind.curator().is_protected());
        }
    }
}
