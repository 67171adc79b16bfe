//! Named entries, which the World Agent always sees in full. Add, rename, alias, write and remove are the only
//! operations on names. Two standing entries exist from the start.

use crate::{
    ids::MemoryId,
    memory::{Importance, InvalidMemory, MemoryEntry, Stamp},
    provenance::ActorKind,
    scope::{MemoryScope, Place},
    text::{self, fold},
    unspaced::{is_korean, is_unspaced},
    words::words,
};

/// A named entry that exists from the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// Initial name. The worldbuilder may rename the entry.
    pub name: &'static str,
    /// The tier that contains it.
    pub scope: MemoryScope,
    /// Placeholder that explains to people what to write.
    pub placeholder: &'static str,
}

/// The entries that every workspace and every account begins with.
pub const STANDING: [Standing; 2] = [
    Standing {
        name: "VOICE",
        scope: MemoryScope::Workspace,
        placeholder: "The voice of this world: its register, its rhythm, words to use and words to avoid, how the World \
                      Agent should frame what it drafts here.",
    },
    Standing {
        name: "SOUL",
        scope: MemoryScope::Account,
        placeholder: "How you like to work together, in every world: the World Agent's manner, what helps you and what \
                      grates, agreements that should always hold.",
    },
];

/// Source of entries that the worldbuilder wrote.
const SOURCE: &str = "user";

/// The key that identifies a name: names and aliases of a tier share one namespace, regardless of case.
pub fn key(name: &str) -> String {
    fold(name)
}

/// The standing entry of a tier with this name.
pub fn standing(scope: MemoryScope, name: &str) -> Option<&'static Standing> {
    STANDING.iter().find(|standing| standing.scope == scope && key(standing.name) == key(name))
}

/// The placeholder of a standing entry; empty for entries that the worldbuilder added.
pub fn placeholder(entry: &MemoryEntry) -> &'static str {
    names_of(entry).find_map(|name| standing(entry.scope(), name)).map_or("", |standing| standing.placeholder)
}

/// An entry's name, then its aliases.
pub fn names_of(entry: &MemoryEntry) -> impl Iterator<Item = &str> {
    entry.name.iter().chain(&entry.aliases).map(String::as_str)
}

/// The words of a text with a space before and after each, for [`is_mentioned`].
pub fn padded_words(text: &str) -> String {
    format!(" {} ", words(text).join(" "))
}

/// True if a text contains all words of a name in sequence. The text must come from [`padded_words`]. Where a script has no
/// spaces between words, a name of two characters or more may stand within a run of letters.
pub fn is_mentioned(name: &str, padded_text: &str) -> bool {
    let name = words(name).join(" ");
    let mut characters = name.chars();
    let Some(first) = characters.next() else { return false };
    let last = characters.next_back();
    // Korean has spaces before words, and particles behind them.
    let runs_before = last.is_some() && is_unspaced(first) && !is_korean(first);
    let runs_on = last.is_some_and(is_unspaced);
    let space = |is_none: bool| if is_none { "" } else { " " };
    padded_text.contains(&format!("{}{name}{}", space(runs_before), space(runs_on)))
}

/// True if the entry has this name or alias.
pub fn goes_by(entry: &MemoryEntry, name: &str) -> bool {
    names_of(entry).any(|own| key(own) == key(name))
}

impl MemoryEntry {
    /// *Add*: a new named entry, which may be empty.
    ///
    /// # Errors
    /// [`InvalidMemory::Locked`] if the actor is an agent; [`InvalidMemory`] for an invalid name or text.
    pub fn named(
        id: MemoryId,
        place: Place,
        name: &str,
        content: &str,
        stamp: Stamp,
    ) -> Result<Self, InvalidMemory> {
        if !stamp.actor.kind().may_write_protected() {
            return Err(InvalidMemory::Locked);
        }
        let source = if stamp.actor.kind() == ActorKind::Import { "import" } else { SOURCE };
        Ok(Self {
            source: source.to_owned(),
            name: Some(text::label("name", name)?),
            content: text::body(content)?,
            importance: Importance::new(1.0)?,
            ..Self::blank(id, place, stamp)
        })
    }

    pub(crate) fn next_named(&self, stamp: Stamp) -> Result<(Self, String), InvalidMemory> {
        let next = self.next(stamp)?;
        if self.forgotten.is_some() {
            return Err(InvalidMemory::Forgotten);
        }
        let name = self.name.clone().ok_or(InvalidMemory::NotNamed)?;
        Ok((next, name))
    }

    /// *Rename*: sets another canonical name. The old name stays as an alias.
    ///
    /// # Errors
    /// [`InvalidMemory`]: locked, forgotten, not named, an invalid name, or the current name.
    pub fn renamed(&self, to: &str, stamp: Stamp) -> Result<Self, InvalidMemory> {
        let (mut next, old) = self.next_named(stamp)?;
        let to = text::label("name", to)?;
        if to == old {
            return Err(InvalidMemory::NoChange);
        }
        next.aliases.retain(|alias| key(alias) != key(&to));
        if key(&old) != key(&to) {
            next.aliases.push(old);
        }
        next.name = Some(to);
        Ok(next)
    }

    /// *Alias*: adds another name that resolves to the entry.
    ///
    /// # Errors
    /// [`InvalidMemory`]: locked, forgotten, not named, an invalid alias, or an existing name or alias.
    pub fn aliased(&self, alias: &str, stamp: Stamp) -> Result<Self, InvalidMemory> {
        let (mut next, _) = self.next_named(stamp)?;
        let alias = text::label("alias", alias)?;
        if goes_by(self, &alias) {
            return Err(InvalidMemory::NoChange);
        }
        next.aliases.push(alias);
        Ok(next)
    }

    /// Removes an alias that is about to be bound to another entry.
    ///
    /// # Errors
    /// [`InvalidMemory::NoChange`] if it is not an alias of this entry (a canonical name must be changed by
    /// renaming).
    pub fn without_alias(&self, alias: &str, stamp: Stamp) -> Result<Self, InvalidMemory> {
        let (mut next, _) = self.next_named(stamp)?;
        next.aliases.retain(|own| key(own) != key(alias));
        if next.aliases == self.aliases { Err(InvalidMemory::NoChange) } else { Ok(next) }
    }
}

#[cfg(test)]
mod tests {
    use chrono::{TimeZone, Utc};
    use uuid::Uuid;

    use super::*;
    use crate::{
        forget_reason::ForgetReason,
        ids::ChangeId,
        provenance::{Actor, Interface},
        scope::MemoryLifetime,
    };

    fn stamp(actor_kind: ActorKind) -> Stamp {
        Stamp {
            change: ChangeId::from_uuid(Uuid::from_u128(9)),
            actor: Actor::new(actor_kind, Interface::Cli, None).expect("the command line admits every hand"),
            at: Utc.timestamp_opt(1_700_000_000, 0).single().expect("a valid time"),
        }
    }

    fn voice() -> MemoryEntry {
        let id = MemoryId::from_uuid(Uuid::from_u128(1));
        MemoryEntry::named(id, Place::Workspace, "VOICE", "", stamp(ActorKind::Author)).expect("a valid name")
    }

    #[test]
    fn a_name_is_mentioned_as_whole_words_or_within_a_run_where_words_have_no_spaces() {
        let mentioned = |text: &str, name: &str| is_mentioned(name, &padded_words(text));
        for (text, name) in [
            ("Where does Mira live?", "mira"),
            ("the Salt Gate", "salt gate"),
            ("王小明住在哪里？", "王小明"),
            ("门前是王小明", "王小明"),
            ("ミラは何を持っていますか", "ミラ"),
            ("มีราอยู่ที่ไหน", "มีรา"),
            ("미라는 어디에 살아요?", "미라"),
            ("Dr王小明 lives here", "Dr王小明"),
        ] {
            assert!(mentioned(text, name), "{text} / {name}");
        }
        for (text, name) in [
            ("admiral", "mira"),
            ("the salt of the gate", "salt gate"),
            ("国王住在哪里", "王"),
            ("그미라는 누구", "미라"),
            ("", "mira"),
            ("anything", "?"),
        ] {
            assert!(!mentioned(text, name), "{text} / {name}");
        }
    }

    #[test]
    fn an_agent_neither_makes_nor_writes_a_named_entry() {
        let id = MemoryId::from_uuid(Uuid::from_u128(2));
        for actor_kind in [ActorKind::Agent, ActorKind::System] {
            let made = MemoryEntry::named(id, Place::Workspace, "TONE", "x", stamp(actor_kind));
            assert_eq!(made, Err(InvalidMemory::Locked));
            assert_eq!(voice().renamed("TONE", stamp(actor_kind)), Err(InvalidMemory::Locked));
            assert_eq!(voice().aliased("TONE", stamp(actor_kind)), Err(InvalidMemory::Locked));
            assert_eq!(
                voice().forgotten(ForgetReason::Asked(None), stamp(actor_kind)),
                Err(InvalidMemory::Locked)
            );
        }
    }

    #[test]
    fn a_renamed_entry_still_answers_to_its_old_name() {
        let entry = voice().renamed("Tone", stamp(ActorKind::Author)).expect("a new name");
        assert_eq!(
            (entry.name.as_deref(), entry.aliases.as_slice()),
            (Some("Tone"), &["VOICE".to_owned()][..])
        );
        assert!(goes_by(&entry, "voice") && goes_by(&entry, "TONE"));
        assert_eq!(placeholder(&entry), STANDING[0].placeholder);
        let back = entry.renamed("Voice", stamp(ActorKind::Author)).expect("its old name again");
        assert_eq!(
            (back.name.as_deref(), back.aliases.as_slice()),
            (Some("Voice"), &["Tone".to_owned()][..])
        );
    }

    #[test]
    fn another_case_is_another_spelling_of_the_same_name() {
        let entry = voice().renamed("Voice", stamp(ActorKind::Author)).expect("another spelling");
        assert!(entry.aliases.is_empty());
        assert_eq!(entry.aliased("VOICE", stamp(ActorKind::Author)), Err(InvalidMemory::NoChange));
    }

    #[test]
    fn only_named_entries_may_be_empty() {
        let id = MemoryId::from_uuid(Uuid::from_u128(3));
        let draft = crate::memory::MemoryDraft {
            place: Place::Workspace,
            lifetime: MemoryLifetime::LongTerm,
            source: "user".into(),
            title: None,
            keys: Vec::new(),
            content: " ".into(),
            importance: 0.5,
            tags: vec![],
            origin: None,
            derivations: Vec::new(),
        };
        assert!(MemoryEntry::create(id, draft, stamp(ActorKind::Author)).is_err());
        let patch = crate::memory::MemoryPatch { content: Some("Spare.".into()), ..Default::default() };
        let written = voice().edited(patch, stamp(ActorKind::Author)).expect("a text");
        let patch = crate::memory::MemoryPatch { content: Some(String::new()), ..Default::default() };
        assert_eq!(written.edited(patch, stamp(ActorKind::Author)).expect("emptied again").content, "");
    }

    proptest::proptest! {
        /// For any sequence of operations, an entry never has a name twice and never loses one unintentionally.
        #[test]
        fn names_are_never_doubled_nor_lost(ops in proptest::collection::vec((0u8..2, "[a-cA-C]{1,2}"), 1..20)) {
            let mut entry = voice();
            for (op, name) in ops {
                let before: Vec<String> = names_of(&entry).map(key).collect();
                let next = match op {
                    0 => entry.renamed(&name, stamp(ActorKind::Author)),
                    _ => entry.aliased(&name, stamp(ActorKind::Author)),
                };
                let Ok(next) = next else { continue };
                let after: Vec<String> = names_of(&next).map(key).collect();
                let unique: std::collections::BTreeSet<_> = after.iter().collect();
                proptest::prop_assert_eq!(unique.len(), after.len());
                proptest::prop_assert!(before.iter().all(|name| after.contains(name)));
                entry = next;
            }
        }
    }
}
