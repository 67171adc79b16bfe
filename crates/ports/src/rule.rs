//! The rules enforced by database triggers, whichever program writes. Each has the text of its trigger and a
//! sentence for people.

/// The category of a violated rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleKind {
    /// The data belongs to the worldbuilder, or the write uses another actor's name.
    Locked,
    /// Recorded data may not be changed.
    Refused,
}

macro_rules! rules {
    ($($(#[$doc:meta])* $name:ident: $kind:ident, $trigger:literal => $sentence:literal;)+) => {
        /// A rule of the database that a write violated.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Rule {
            $(#[doc = $sentence] $name,)+
        }

        impl Rule {
            /// All rules.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// The message of the trigger, after its first word.
            pub const fn trigger(self) -> &'static str {
                match self { $(Self::$name => $trigger),+ }
            }

            /// The category of the rule.
            pub const fn kind(self) -> RuleKind {
                match self { $(Self::$name => RuleKind::$kind),+ }
            }

            /// The message for people.
            pub const fn sentence(self) -> &'static str {
                match self { $(Self::$name => $sentence),+ }
            }
        }
    };
}

rules! {
    HistoryIsAppendOnly: Refused, "history is append-only" => "The history of a memory is only added to; nothing of it can be changed.";
    UndeclaredWrite: Refused, "undeclared write" => "This write did not say who makes it, so it was not made.";
    TheAuditLogIsNotRewritten: Refused, "the audit log is not rewritten" => "The audit log cannot be changed.";
    TheAuditLogGoesOnWhereItEnded: Refused, "the audit log goes on where it ended" => "The audit log goes on only where it ended.";
    WhatWasProposedStaysAsItWas: Refused, "what was proposed stays as it was" => "What was proposed cannot be changed; it can only be decided.";
    AProposalIsDecidedOnce: Refused, "a proposal is decided once" => "This proposal was decided already.";
    AProposalBeginsOpen: Refused, "a proposal begins open" => "A new proposal has to be open.";
    OnlyAScrubDestroysAProposal: Refused, "only a scrub destroys a proposal" => "A proposal can only be destroyed by a scrub.";
    AContradictionBeginsOpen: Refused, "a contradiction begins open" => "A new contradiction has to be open.";
    AContradictionIsSettledOnce: Refused, "a contradiction is settled once" => "This contradiction was settled already.";
    WhatWasFoundStaysAsItWas: Refused, "what was found stays as it was" => "What was found cannot be changed; it can only be settled.";
    TheJournalIsAppendOnly: Refused, "the journal is append-only" => "The journal of changes is only added to; nothing of it can be changed.";
    TheLedgerIsNotRewritten: Refused, "the ledger is not rewritten" => "The list of what was shown cannot be changed.";
    ItsConversationIsGone: Refused, "its conversation is gone" => "The conversation that this belongs to was deleted.";
    WhatWasScrubbedStaysKnown: Refused, "what was scrubbed stays known" => "The marks of scrubbed texts cannot be changed.";
    ThisFileBelongsToAnotherWorkspace: Refused, "this file belongs to another workspace" => "This file belongs to another workspace.";
    NamesAreKeptByTheEntries: Refused, "names are kept by the entries" => "Names are kept by the entries that have them and cannot be changed beside them.";
    LinksAreKeptByTheEntries: Refused, "links are kept by the entries" => "Links are kept by the entries that have them and cannot be changed beside them.";
    DerivationsAreKeptByTheEntries: Refused, "derivations are kept by the entries" => "What a memory was made of is kept by the memory and cannot be changed beside it.";
    ARelationHasOneEndOnEachSide: Refused, "a relation has one end on each side" => "A relation connects exactly two subjects, and nothing else does.";
    OnlyAKnowerHasATimeSinceWhen: Refused, "only a knower has a time since when" => "Only who knows of an entry learned of it at a time.";
    WhoKnowsIsForTheWorldbuilderToChange: Locked, "who knows of an entry is for the worldbuilder to change" => "Who knows of this memory is for the worldbuilder to change.";
    WhoKnowsOfAFactIsForTheWorldbuilderToSay: Locked, "who knows of a fact is for the worldbuilder to say" => "Who knows of this fact is for the worldbuilder to say.";
    WhoKnowsOfAFactIsNamedOnce: Refused, "only those who know of a fact are named, each once" => "Who knows of a fact is named once, and nothing else is linked to it.";
    AConversationKeepsItsLens: Refused, "a conversation keeps its lens once something was said in it" => "Something was said in this conversation already, so its lens stays.";
    ABranchKeepsItsBeginning: Refused, "a branch keeps its beginning" => "A branch stays a branch of the conversation that it began from.";
    ANameBelongsToAnEntryInUse: Refused, "a name belongs to an entry in use" => "Only an entry in use has a name.";
    ThisConversationWasDeleted: Refused, "this conversation was deleted" => "This conversation was deleted and takes nothing more.";
    PositionsOnlyRise: Refused, "positions only rise" => "The position of a message cannot be used again.";
    WhatWasSaidOffTheRecordStaysSo: Refused, "what was said off the record stays so" => "What was said while memory was off stays off the record.";
    ThisWasSaidWhileMemoryWasOff: Refused, "this was said while memory was off" => "This was said while memory was off; nothing is made of it.";
    WhatAClientWroteStaysOnRecord: Refused, "what a client wrote stays on record" => "What a client wrote stays on record.";
    ThisWorkspaceKeepsWhatWasSaid: Refused, "this workspace keeps what was said" => "This workspace keeps what was said; messages are not deleted while that is set.";
    WhatWasSaidIsNotRewritten: Refused, "what was said is not rewritten" => "What was said cannot be changed.";
    OnlyAScrubDestroysHistory: Refused, "only a scrub destroys history" => "The history of a memory can only be destroyed by a scrub.";
    OnlyAScrubDestroysAnEntry: Refused, "only a scrub destroys an entry" => "A memory can be forgotten; only a scrub destroys it.";
    IdentityPlaceAndCreationAreFixed: Refused, "identity, place and creation are fixed" => "The id, the place and the creation of a memory are fixed.";
    ThePlaceOfAMemoryIsForTheWorldbuilderToChange: Locked, "the place of a memory is for the worldbuilder to change" => "Only the worldbuilder moves a memory to another place.";
    ANameStaysInItsTier: Refused, "a name stays in its tier" => "Named entries and archives stay where they are.";
    IdentityAndCreationAreFixed: Refused, "identity and creation are fixed" => "The id and the creation of this are fixed.";
    AFactIsTakenOutOfUseNeverDeleted: Refused, "a fact is taken out of use, never deleted" => "A fact can be removed from use; it is not deleted.";
    AFactBeginsWithItsFirstValue: Refused, "a fact begins with its first value" => "A new fact has to begin with its first value.";
    ANewValueIsANewVersion: Refused, "a new value is a new version" => "A new value of a fact has to be a new version.";
    TheDefaultChannelStays: Refused, "the default channel stays" => "The default channel stays.";
    HowARunBeganIsFixed: Refused, "how a run began is fixed" => "How a run began is fixed.";
    AConversationDoesNotGoBack: Refused, "a conversation does not go back" => "A conversation does not go back to an earlier state.";
    AClientStaysWhoItIs: Refused, "a client stays who it is" => "A client keeps its id, and the workspace that it is bound to.";
    ThisHandMakesNoEntriesOfTheAuthor: Locked, "this hand makes no entries of the author" => "Only the worldbuilder makes entries in the worldbuilder's name.";
    ThisEntryBelongsToTheAuthor: Locked, "this entry belongs to the author" => "This entry belongs to the worldbuilder; an agent can only propose to change it.";
    AClientsTextNamesTheClient: Locked, "a client's text names the client" => "A text of a client has to name the client.";
    TheWorldbuilderDecides: Locked, "the worldbuilder decides" => "Only the worldbuilder decides about a proposal.";
    ATextKeepsItsSources: Locked, "a text keeps its sources" => "A text keeps the sources that it was made of.";
    ATextKeepsWhatItWasMadeOf: Locked, "a text keeps what it was made of" => "A text keeps what it was made of.";
    AMergedTextKeepsItsSources: Locked, "a merged text keeps its sources" => "A merged text keeps the sources of all its parts.";
    ATextDoesNotBecomeTheAuthors: Locked, "a text does not become the author's" => "A text of an agent or a client does not become the worldbuilder's own.";
    TheWorldbuilderSuppressedThisPattern: Locked, "the worldbuilder suppressed this pattern" => "The worldbuilder suppressed this pattern; only they can show it again.";
    WhatAnAgentDidIsNotRewritten: Refused, "what an agent did is not rewritten" => "The telemetry of agents cannot be changed.";
    ThisFactIsTheAuthorsWord: Locked, "this fact is the author's word" => "This fact is the worldbuilder's own word; an agent can only claim otherwise.";
    AnAgentSpeaksForItselfAlone: Locked, "an agent speaks for itself alone" => "An agent speaks in its own name alone.";
}

impl Rule {
    /// The rule of a trigger message.
    pub fn of_trigger(words: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|rule| rule.trigger() == words)
    }
}

impl std::fmt::Display for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.sentence())
    }
}

/// Why the database refused a write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// A rule enforced by a trigger.
    Rule(Rule),
    /// Another reason; the text is for people and contains no memory text.
    Other(String),
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Rule(rule) => rule.fmt(f),
            Self::Other(words) => write!(f, "the write was refused: {words}"),
        }
    }
}

impl From<&str> for Refusal {
    /// Maps a trigger message to its rule, wherever it was raised.
    fn from(words: &str) -> Self {
        Rule::of_trigger(words).map_or_else(|| Self::Other(words.to_owned()), Self::Rule)
    }
}

impl From<String> for Refusal {
    fn from(words: String) -> Self {
        words.as_str().into()
    }
}
