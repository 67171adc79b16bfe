//! A sequence being played: the program, the model, and what both were told so far.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Display,
};

use inklings_api::error::{CommandError, ErrorCode};
use inklings_domain::{
    fact::FactSource,
    ids::{ChannelId, ConversationId, MemoryId},
    memory::MemoryKind,
};

use super::{
    model::{By, Checked, EntryState, Expected, Model, ModelEntry, Seat, World},
    stage::Stage,
    step::Step,
};

/// What must come of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Must {
    Do,
    Refuse,
    /// Either.
    May,
}

impl Must {
    pub const fn do_if(allowed: bool) -> Self {
        if allowed { Self::Do } else { Self::Refuse }
    }
}

pub struct Play {
    pub stage: Stage,
    pub model: Model,
    /// What was done, in words.
    pub log: Vec<String>,
    /// Runs that can be taken back.
    pub runs: Vec<(World, String)>,
    texts: u32,
    /// Commands that did what they were asked.
    pub done: BTreeSet<&'static str>,
}

const THINGS: [&str; 11] = [
    "anvil", "beacon", "cistern", "dovecote", "ember", "ferry", "granary", "hearth", "ivory", "jetty", "kiln",
];
const PLACES: [&str; 7] = ["moor", "brook", "orchard", "quarry", "reef", "marsh", "cellar"];

impl Play {
    pub fn new(stage: Stage, model: Model) -> Self {
        let (log, runs, done) = (Vec::new(), Vec::new(), BTreeSet::new());
        Self { stage, model, log, runs, texts: 0, done }
    }

    pub fn here(&self) -> World {
        self.model.here
    }

    pub fn log(&mut self, what: impl Into<String>) {
        self.log.push(what.into());
    }

    /// A word that stands in one text alone.
    pub fn marker(&mut self) -> String {
        self.texts += 1;
        format!("zq{:05}", self.texts)
    }

    /// A text that says what no other says.
    pub fn text(&mut self) -> String {
        let marker = self.marker();
        let n = self.texts as usize;
        format!("The {} of {marker} stands beside the {}.", THINGS[n % 11], PLACES[n % 7])
    }

    /// A text that an agent may put into the account.
    pub fn preference(&mut self) -> String {
        format!("Prefers {} answers in short paragraphs.", self.marker())
    }

    /// The nth of what a condition lets through.
    pub fn pick(&self, n: u8, fits: impl Fn(&ModelEntry) -> bool) -> Option<MemoryId> {
        let all: Vec<MemoryId> =
            self.model.entries.iter().filter(|(_, known)| fits(known)).map(|(id, _)| *id).collect();
        (!all.is_empty()).then(|| all[usize::from(n) % all.len()])
    }

    /// The nth entry that the workspace in use knows.
    pub fn near(&self, n: u8) -> Option<MemoryId> {
        let here = self.here();
        self.pick(n, |known| known.seat.world().is_none_or(|world| world == here))
    }

    pub fn expected_entry(&self, id: MemoryId) -> EntryState {
        self.model.entries[&id].state.clone()
    }

    pub fn conversation(&self, n: u8, world: World) -> Option<ConversationId> {
        let all: Vec<ConversationId> = self
            .model
            .conversations
            .iter()
            .filter(|(_, conversation)| conversation.world == world)
            .map(|(id, _)| *id)
            .collect();
        (!all.is_empty()).then(|| all[usize::from(n) % all.len()])
    }

    pub fn channel(&self, n: u8, world: World) -> ChannelId {
        let all: Vec<ChannelId> =
            self.model.channels.iter().filter(|(_, (of, _))| *of == world).map(|(id, _)| *id).collect();
        all[usize::from(n) % all.len()]
    }

    /// One of the places of a workspace.
    pub fn seat(&self, n: u8, world: World) -> Seat {
        let conversation = self.conversation(n / 4, world);
        match (n % 4, conversation) {
            (0, _) => Seat::Workspace(world),
            (1, _) => Seat::Account,
            (3, Some(conversation)) => Seat::Conversation(world, conversation),
            _ => Seat::Channel(world, self.channel(n / 4, world)),
        }
    }

    /// Holds the answer of a call against what it had to be. `None`: it was refused, and might be.
    pub fn judge<T>(
        &mut self,
        command: &'static str,
        must: Must,
        answer: Result<T, CommandError>,
    ) -> Result<Option<T>, String> {
        let code = answer.as_ref().err().map(|error| error.code);
        if let Err(error) = &answer
            && code == Some(ErrorCode::Internal)
        {
            return Err(format!("'{command}' failed: {error}"));
        }
        self.judged(command, must, answer)
    }

    pub fn judged<T, E: Display>(
        &mut self,
        command: &'static str,
        must: Must,
        answer: Result<T, E>,
    ) -> Result<Option<T>, String> {
        match answer {
            Ok(_) if must == Must::Refuse => Err(format!("'{command}' had to be refused and was done")),
            Err(error) if must == Must::Do => {
                Err(format!("'{command}' had to be done and was refused: {error}"))
            }
            Ok(done) => {
                self.done.insert(command);
                Ok(Some(done))
            }
            Err(error) => {
                self.log(format!("  refused: {error}"));
                Ok(None)
            }
        }
    }

    /// Compares what is there with what may have become of it.
    pub async fn settle(&mut self, by: &By, expected: Expected) -> Result<BTreeSet<MemoryId>, String> {
        self.settle_in(self.here(), by, expected).await
    }

    pub async fn settle_in(
        &mut self,
        world: World,
        by: &By,
        expected: Expected,
    ) -> Result<BTreeSet<MemoryId>, String> {
        let known: Vec<MemoryId> = self.model.entries.keys().copied().collect();
        let there = self.stage.snapshot(&known).await;
        self.model.settle((world, by), expected, &there)
    }

    /// What the step expected if it was done, and nothing if it was refused.
    pub async fn settle_if<T>(&mut self, done: Option<T>, by: &By, expected: Expected) -> Checked {
        let expected = if done.is_some() { expected } else { Expected::nothing() };
        self.settle(by, expected).await.map(drop)
    }

    pub async fn play(&mut self, step: &Step) -> Checked {
        self.log(format!("{step:?}"));
        step.run(self).await?;
        self.everything_else().await
    }

    /// Facts, working notes, what was said, and the switch, as they have to be.
    async fn everything_else(&mut self) -> Checked {
        for world in 0..2 {
            let session = self.stage.session(world).await;
            let on = session.switch().enabled().await.map_err(|error| error.to_string())?;
            if on != self.model.on[world] {
                return Err(format!("the switch of workspace {world} stands at {on}"));
            }
            let facts = session.facts().list(None, None, 500).await.map_err(|error| error.to_string())?.rows;
            let mut there = BTreeMap::new();
            for known in facts.into_iter().filter(|known| known.fact.removed_at.is_none()) {
                let fact = known.fact;
                let key = format!("{}/{}", fact.key.category(), fact.key.key());
                there.insert(key, (fact.value, fact.source == FactSource::User));
            }
            let must = self.model.facts.iter().filter(|((of, _), _)| *of == world);
            let must: BTreeMap<String, (String, bool)> = must
                .filter_map(|((_, key), slot)| Some((key.clone(), (slot.value.clone()?, slot.authors))))
                .collect();
            if there != must {
                return Err(format!("the facts of workspace {world} are {there:?}\nand not {must:?}"));
            }
            for id in self
                .model
                .conversations
                .iter()
                .filter(|(_, conversation)| conversation.world == world)
                .map(|(id, _)| *id)
            {
                let notes = session.scratchpad().list(id).await.map_err(|error| error.to_string())?;
                let there: BTreeMap<String, String> =
                    notes.into_iter().map(|note| (note.key, note.value)).collect();
                let must = self.model.notes.iter().filter(|((of, _), _)| *of == id);
                let must: BTreeMap<String, String> =
                    must.filter_map(|((_, key), slot)| Some((key.clone(), slot.value.clone()?))).collect();
                if there != must {
                    return Err(format!("the working notes of {id} are {there:?}\nand not {must:?}"));
                }
                let conversation = &self.model.conversations[&id];
                let there = self.stage.messages(world, id).await;
                let mut rest = there.iter();
                for (text, _) in &conversation.texts {
                    // In order, whatever the agent says between.
                    if !rest.any(|message| message == text) {
                        return Err(format!("this was said in {id} and is gone: {text:?}"));
                    }
                }
            }
        }
        Ok(())
    }

    /// The text of every entry in use that somebody may see.
    pub fn visible(&self, sees: impl Fn(Seat) -> bool) -> BTreeSet<String> {
        let there = self.model.entries.values().filter(|known| known.state.active() && sees(known.seat));
        there.flat_map(|known| markers(&known.state.content)).collect()
    }

    pub fn is_archive(&self, id: MemoryId) -> bool {
        self.model.entries[&id].state.kind == MemoryKind::Archive
    }
}

/// The markers that stand in a text.
pub fn markers(text: &str) -> BTreeSet<String> {
    let digits = |rest: &str| rest.len() == 5 && rest.bytes().all(|byte| byte.is_ascii_digit());
    text.match_indices("zq")
        .filter_map(|(at, _)| text.get(at..at + 7))
        .filter(|word| digits(&word[2..]))
        .map(str::to_owned)
        .collect()
}
