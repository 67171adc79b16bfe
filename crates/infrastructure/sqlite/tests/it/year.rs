//! A year of use on real files: conversations that end, breaks of two months, an agent that notes a lot, tasks that keep
//! order. Nothing of the author's may fade from reach, nothing forgotten may be out of scope of a restore, and what is in
//! use must stay a set that a person would call useful.

use std::{collections::BTreeMap, sync::Arc};

use chrono::Duration;
use inklings_application::{
    agent_write::remember::Observed,
    consolidation::ConsolidationSettings,
    conversation::summarise::Extractive,
    error::AppError,
    extraction::Helpers,
    orientation::OrientRequest,
    schedule::{Consolidate, ScheduledTask},
    search::Search,
    session::{EmbedderSlot, Session},
    workspace::Workspaces,
};
use inklings_domain::{
    consolidation::run::RunTrigger,
    conversation::message::Role,
    ids::MemoryId,
    memory::{
        MemoryDraft, MemoryEntry,
        decay::DecayConfig,
        filter::{Facet, FacetTerm, MemoryFilter, ScopeFilter, Sort},
    },
    provenance::{Curator, Interface},
    scope::{MemoryLifetime, Place},
    search::query::QueryText,
};
use inklings_ports::{
    clock::{Clock, IdGenerator},
    progress::NoProgress,
    testing::{
        builders::{agent, author, draft, import},
        clock::{ManualClock, SequentialIds},
        embedder::FixedEmbedder,
    },
    workspace::catalogue::Catalogue,
};
use inklings_sqlite::SqliteCatalogue;

const CONVERSATIONS: usize = 200;
const PEOPLE: [&str; 10] =
    ["Mira", "Jonas", "Oskar", "Tilde", "Bran", "Sanna", "Edda", "Korvin", "Lio", "Wen"];
const PLACES: [&str; 8] = ["harbour", "mill", "gate", "quay", "orchard", "chapel", "market", "lighthouse"];
const DEEDS: [&str; 7] = ["guards", "sold", "mended", "burned", "inherited", "mapped", "haunts"];

/// What is told about the world in the `n`th sentence.
fn sentence(n: usize) -> String {
    let (who, place) = (PEOPLE[n % PEOPLE.len()], PLACES[(n / 3) % PLACES.len()]);
    let deed = DEEDS[(n / 7) % DEEDS.len()];
    format!("{who} {deed} the {place} in the winter of {}.", 1_200 + n)
}

struct Year {
    session: Session,
    clock: Arc<ManualClock>,
    authored: Vec<MemoryId>,
    noted: usize,
}

impl Year {
    async fn begin(folder: &std::path::Path) -> Self {
        let clock = Arc::new(ManualClock::default());
        let ids: Arc<dyn IdGenerator> = Arc::new(SequentialIds::default());
        let catalogue: Arc<dyn Catalogue> = Arc::new(SqliteCatalogue::new(folder.to_owned()));
        let workspaces =
            Workspaces { catalogue: Arc::clone(&catalogue), clock: clock.clone(), ids: Arc::clone(&ids) };
        let made = workspaces.create("A Year").await.expect("a safe name");
        let account = catalogue.account().await.expect("the account opens");
        let ports = catalogue.open(made.id).await.expect("the workspace opens");
        let slot = EmbedderSlot::default();
        slot.set(Some(Arc::new(FixedEmbedder::default())));
        let session = Session::new(account, ports, clock.clone(), ids, slot);
        session.named_entries().begin(author()).await.expect("made");
        let settings = ConsolidationSettings { cap: 300, ..ConsolidationSettings::default() };
        session.consolidation().set_settings(settings).await.expect("set");
        Self { session, clock, authored: Vec::new(), noted: 0 }
    }

    /// A day on which the workspace is open.
    async fn day(&self) {
        self.session.reload_decay(DecayConfig::BRISK, true).await.expect("decay loads");
    }

    async fn conversation(&mut self, n: usize) {
        let session = &self.session;
        let conversation = session.conversations().begin(None, "").await.expect("begins");
        self.clock.advance(Duration::minutes(3));
        let asked = format!("What do we know of {} and the {}?", PEOPLE[n % 10], PLACES[n % 8]);
        session.transcripts().add(&conversation, Role::User, &asked).await.expect("said");
        let request = OrientRequest { conversation: Some(&conversation), ..OrientRequest::default() };
        let oriented = session.orientations().orient(request).await.expect("a document");
        session.orientations().record(&oriented, None).await;
        session.orientations().note_uses(oriented.memories()).await;
        let shown = oriented.texts();
        let message = format!("From now on {}", sentence(n).replace("in the winter of", "since"));
        session.transcripts().add(&conversation, Role::User, &message).await.expect("said");
        for (k, place) in [
            Place::Conversation(conversation.channel_id, conversation.id),
            Place::Channel(conversation.channel_id),
            Place::Workspace,
        ]
        .into_iter()
        .enumerate()
        {
            let lifetime = if k == 0 { MemoryLifetime::Conversation } else { MemoryLifetime::ShortTerm };
            let importance = 0.2 + 0.15 * ((n + k) % 5) as f64;
            // Every fifth is said again, in other words or the same.
            let about = if (n + k).is_multiple_of(5) { n / 2 } else { 1_000 + n * 3 + k };
            let draft = MemoryDraft { lifetime, importance, ..draft(place, &sentence(about)) };
            match session
                .agent_writes()
                .remember(
                    Observed {
                        draft,
                        conversation: Some(&conversation),
                        shown: &shown,
                        within: None,
                        links: inklings_domain::subject::NewLinks::default(),
                    },
                    agent(),
                )
                .await
            {
                Ok(_) => self.noted += 1,
                Err(AppError::Guard(_)) => {}
                Err(error) => panic!("{error}"),
            }
        }
        if n.is_multiple_of(4) {
            let own = draft(Place::Workspace, &format!("Chapter {n}: {}", sentence(5_000 + n)));
            self.authored.push(session.memories().create(own, author()).await.expect("written").id());
        }
        if n.is_multiple_of(10) {
            let brought = draft(
                Place::Channel(conversation.channel_id),
                &format!("Codex {n}: {}", sentence(9_000 + n)),
            );
            self.authored.push(session.memories().create(brought, import()).await.expect("written").id());
        }
        session.conversations().set_idle(conversation.id).await.expect("ended");
        session.embeddings().pending(&NoProgress).await.expect("embedded");
        let helpers = Helpers { summariser: &Extractive, model: None };
        session.extraction().pending(&helpers, RunTrigger::Closed, Interface::Task).await.expect("worked up");
        self.clock.advance(Duration::minutes(15));
        if let Some(trigger) = Consolidate.wanted(session, false).await.expect("asked") {
            session
                .consolidation()
                .consolidate(trigger, Interface::Task, &Extractive, &NoProgress)
                .await
                .expect("a run");
        }
    }

    async fn all(&self, forgotten: &str) -> Vec<MemoryEntry> {
        let term = FacetTerm { facet: Facet::Forgotten, value: forgotten.into(), negated: false };
        let filter = MemoryFilter { scope_filter: ScopeFilter::EVERYTHING, terms: vec![term] };
        let (mut all, mut after) = (Vec::new(), None);
        loop {
            let page = self
                .session
                .memories()
                .list(&filter, Sort::CreatedAsc, after.as_ref(), 500)
                .await
                .expect("a list");
            all.extend(page.entries.into_iter().map(|stored| stored.entry));
            match page.next {
                Some(next) => after = Some(next),
                None => return all,
            }
        }
    }
}

#[tokio::test]
async fn after_a_year_the_authors_entries_are_found_and_everything_is_restorable() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut year = Year::begin(folder.path()).await;
    let start = year.clock.now();
    let mut held = 0;
    for day in 0..365_i64 {
        let away = (80..140).contains(&day) || (230..290).contains(&day);
        year.clock.advance((start + Duration::days(day) - year.clock.now()).max(Duration::zero()));
        if away {
            continue;
        }
        year.day().await;
        // 245 days of use for 200 conversations.
        while held < CONVERSATIONS && held * 245 <= CONVERSATIONS * days_of_use(day) {
            year.conversation(held).await;
            held += 1;
        }
    }
    assert_eq!(held, CONVERSATIONS);

    let active = year.all("no").await;
    let gone = year.all("yes").await;
    let mut tiers: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for entry in &active {
        *tiers.entry((entry.scope().as_str(), entry.curator.as_str())).or_default() += 1;
    }
    println!("in use after a year: {tiers:?}; noted by the agent: {}; forgotten: {}", year.noted, gone.len());

    // Every word of the author's is in use, as it was written, and found by what it says.
    for id in &year.authored {
        let entry = year.session.entry(*id).await.expect("there").entry;
        assert!(entry.is_active() && entry.version == 1, "{:?}", entry.forgotten);
        let words: Vec<&str> =
            entry.content.split(['.', ':']).next().unwrap_or_default().split(' ').collect();
        let year_of = entry.content.rsplit(' ').next().unwrap_or_default().trim_end_matches('.');
        let search = Search::new(
            QueryText::Typed(format!("{} {year_of}", words.join(" "))),
            MemoryFilter::active(ScopeFilter::EVERYTHING),
            10,
        );
        let found = year.session.search().memories(search).await.expect("an answer").hits;
        assert!(found.iter().any(|hit| hit.stored.entry.id == *id), "not found: {}", words.join(" "));
    }
    assert!(gone.iter().all(|entry| entry.curator == Curator::Agent));

    // The agent's part neither runs over nor dries up: what is in use is a part of what was noted, and no conversation
    // that ended keeps entries of its own.
    let agents = active.iter().filter(|entry| entry.curator == Curator::Agent).count();
    assert!(agents >= 100 && agents < year.noted + CONVERSATIONS, "{agents} of {}", year.noted);
    assert!(!active.iter().any(|e| e.curator == Curator::Agent && e.place.conversation().is_some()));

    // And all that was forgotten comes back.
    assert!(gone.len() >= 100, "{}", gone.len());
    for batch in gone.chunks(100) {
        let ids: Vec<MemoryId> = batch.iter().map(|entry| entry.id).collect();
        year.session.memories().restore(&ids, author()).await.expect("restored");
    }
    assert!(year.all("yes").await.is_empty());
}

/// Days of use up to and with a day of the year.
const fn days_of_use(day: i64) -> usize {
    let mut used = day;
    if day >= 140 {
        used -= 60;
    }
    if day >= 290 {
        used -= 60;
    }
    used as usize
}
