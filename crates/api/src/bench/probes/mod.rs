//! Probes of the lens: a story with secrets is generated, and each probe asks for one telling through one way in, as somebody
//! at some time. What a reader gets that does not know it is a leak; what a reader does not get that knows it is withheld
//! wrongly.

mod oracle;
mod story;
mod ways;

use std::{collections::BTreeMap, sync::Arc};

use inklings_application::{client::ClientSession, session::Session};
use inklings_domain::{
    client::{Capability, Grants, Sight, TierGrant},
    conversation::Conversation,
    lens::Lens,
    memory::filter::ScopeFilter,
    scope::PerTier,
};
use serde::{Deserialize, Serialize};

use self::{
    story::{Bearer, Story, Telling, When, Who},
    ways::{Reader, Way, ask},
};
use crate::{App, NoProgress, bench::random::Random, error::CommandError};

/// How often a lens is drawn until a telling is known, or not, as wanted.
const DRAWS: usize = 60;

/// The probes of one way in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WayLine {
    pub way: String,
    /// Probes through it.
    pub probes: u32,
    /// Probes in which the telling was not to be shown.
    pub hidden: u32,
    /// What was shown and is not known.
    pub leaks: u32,
    /// What is known and was not shown.
    pub withheld_wrongly: u32,
}

/// The result of all probes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ProbeReport {
    /// Number of probes.
    pub probes: u32,
    /// Seed of the story and the probes.
    pub seed: u64,
    /// True if texts were searched by meaning too.
    pub by_meaning: bool,
    /// Sum over the ways in.
    pub leaks: u32,
    /// Sum over the ways in.
    pub withheld_wrongly: u32,
    pub ways: Vec<WayLine>,
    /// What went wrong: the way in, the kind and number of the telling, who asked, and when.
    pub failures: Vec<String>,
}

/// Asks `probes` times in the workspace in use, which should be empty.
///
/// # Errors
/// [`CommandError`] if no workspace is open or a write is refused.
pub async fn run(app: &App, probes: u32, seed: u64) -> Result<ProbeReport, CommandError> {
    let session = app.session()?;
    let story = story::write(app, &session, seed).await?;
    app.model().load_model().await;
    let by_meaning = session.embedder.get().is_some();
    if by_meaning {
        app.model().embed_pending(&NoProgress).await?;
        app.memory().wait_for_vectors().await?;
    }
    let mut asking = Asking::new(app, &session, &story, seed).await?;
    let mut lines: BTreeMap<usize, WayLine> = BTreeMap::new();
    let mut failures = Vec::new();
    for n in 0..probes as usize {
        let at = n % Way::ALL.len();
        let way = Way::ALL[at];
        let probe = asking.draw(way);
        let (leaks, withheld) = asking.probe(way, &probe).await?;
        let line = lines.entry(at).or_insert_with(|| WayLine {
            way: way.name().to_owned(),
            probes: 0,
            hidden: 0,
            leaks: 0,
            withheld_wrongly: 0,
        });
        line.probes += 1;
        line.hidden += u32::from(!probe.is_known);
        line.leaks += u32::from(leaks);
        line.withheld_wrongly += u32::from(withheld);
        if leaks || withheld {
            let what = if leaks { "leak" } else { "withheld" };
            let bearer = story.tellings[probe.telling].bearer;
            failures.push(format!(
                "{what}: {}, {bearer:?} {}, {:?} at {:?}",
                way.name(),
                probe.telling,
                probe.who,
                probe.when
            ));
        }
    }
    let ways: Vec<WayLine> = lines.into_values().collect();
    Ok(ProbeReport {
        probes,
        seed,
        by_meaning,
        leaks: ways.iter().map(|line| line.leaks).sum(),
        withheld_wrongly: ways.iter().map(|line| line.withheld_wrongly).sum(),
        ways,
        failures,
    })
}

/// One question.
struct Probe {
    telling: usize,
    who: Option<Who>,
    when: When,
    is_known: bool,
}

struct Asking<'a> {
    app: &'a App,
    session: &'a Arc<Session>,
    story: &'a Story,
    random: Random,
    client: ClientSession,
    conversations: Vec<(Lens, Conversation)>,
}

impl<'a> Asking<'a> {
    async fn new(
        app: &'a App,
        session: &'a Arc<Session>,
        story: &'a Story,
        seed: u64,
    ) -> Result<Self, CommandError> {
        let client = app.client().stdio_client("probe").await?;
        let random = Random::new(seed ^ 0x0070_726F_6265);
        Ok(Self { app, session, story, random, client, conversations: Vec::new() })
    }

    /// A telling, and a lens that knows it in one half of the probes.
    fn draw(&mut self, way: Way) -> Probe {
        let story = self.story;
        let fits = |telling: &Telling| match way {
            Way::Documents | Way::ClientTranscript | Way::ClientNotes => telling.conversation.is_some(),
            Way::ClientName | Way::ClientNames | Way::SubjectByName | Way::ClientAbout => {
                matches!(telling.bearer, Bearer::Subject | Bearer::Standing)
            }
            Way::SubjectPage | Way::Neighbours => telling.subject.is_some(),
            Way::Timeline => telling.id.is_some() && telling.happens.is_some(),
            Way::Facts
            | Way::FactsOfKey
            | Way::ClientFacts
            | Way::ClientFact
            | Way::AgentFacts
            | Way::AgentFact => telling.bearer.is_fact(),
            _ => true,
        };
        let fitting: Vec<usize> = (0..story.tellings.len()).filter(|n| fits(&story.tellings[*n])).collect();
        let wanted = self.random.one_in(2);
        let mut probe = self.any(&fitting);
        for _ in 0..DRAWS {
            if probe.is_known == wanted {
                break;
            }
            probe = self.any(&fitting);
        }
        probe
    }

    fn any(&mut self, fitting: &[usize]) -> Probe {
        let story = self.story;
        let telling = self.random.pick(fitting);
        let who = match self.random.below(16) {
            0 | 1 => Some(Who::Reader),
            2 | 3 => Some(Who::Faction(self.random.below(story.factions.len()))),
            4 => None,
            5..=7 => story.tellings[telling].known_by.first().map(|(who, _)| *who),
            _ => Some(Who::Character(self.random.below(story.characters.len()))),
        };
        let when = match self.random.below(5) {
            0 if who.is_some() => When::End,
            1 | 2 => When::Day(self.random.below(100) as i64),
            _ => When::Chapter(self.random.below(story.chapters.len())),
        };
        let is_known = oracle::shows(story, &story.tellings[telling], who, when);
        Probe { telling, who, when, is_known }
    }

    /// Asks; true for a leak, and for what was withheld wrongly.
    async fn probe(&mut self, way: Way, probe: &Probe) -> Result<(bool, bool), CommandError> {
        let telling = &self.story.tellings[probe.telling];
        let lens = self.story.lens(probe.who, probe.when);
        let resolved = self.session.lenses().resolve(lens).await?;
        self.bind_client(lens).await?;
        let conversation = self.conversation(lens).await?;
        let reader = Reader {
            session: self.session,
            filter: ScopeFilter::EVERYTHING.through(resolved),
            client: &self.client,
            conversation: &conversation,
        };
        let got = ask(way, &reader, telling).await;
        let memories = self.session.memories();
        if let Some(made) = got.made {
            memories.forget(&[made], "a probe", self.app.actor).await?;
        }
        // A reader may forget what an agent wrote.
        if let Some(id) = telling.id
            && !self.session.entry(id).await?.entry.is_active()
        {
            memories.restore(&[id], self.app.actor).await?;
        }
        let id = telling.id.map(|id| id.to_string());
        let has_id = !way.names_it() && id.is_some_and(|id| got.text.contains(&id));
        let is_shown = got.text.contains(&telling.secret) || has_id;
        // Every probe has a lens, and no lens shows a page.
        let has_page_id = !way.names_page() && got.text.contains(&telling.page.to_string());
        let shows_page = got.text.contains(&telling.page_secret) || has_page_id;
        let leaks = shows_page || (is_shown && !probe.is_known);
        let withheld = probe.is_known && way.has_to_show(telling) && !is_shown;
        Ok((leaks, withheld))
    }

    /// Binds the client to a lens, with every other permission.
    async fn bind_client(&self, lens: Lens) -> Result<(), CommandError> {
        let messages = self.story.tellings.iter().filter_map(|telling| telling.conversation.as_ref());
        let own = self.conversations.iter().map(|(_, conversation)| conversation);
        let grants = Grants {
            tiers: PerTier::from_fn(|_| TierGrant { read: true, write: true }),
            channels: std::iter::once(self.story.channel).collect(),
            conversations: messages.chain(own).map(|conversation| conversation.id).collect(),
            capabilities: Capability::ALL.iter().copied().collect(),
            sight: Sight::of(lens),
        };
        self.app.clients.grant(self.client.id(), &grants).await?;
        Ok(())
    }

    /// The conversation with a lens.
    async fn conversation(&mut self, lens: Lens) -> Result<Conversation, CommandError> {
        if let Some((_, known)) = self.conversations.iter().find(|(other, _)| *other == lens) {
            return Ok(known.clone());
        }
        let begun = self.session.conversations().begin(None, "").await?;
        let begun = self.session.conversations().set_lens(begun.id, lens).await?;
        self.conversations.push((lens, begun.clone()));
        Ok(begun)
    }
}
