//! Memories that were made of pages: what happens when the page changes, and what a page makes needless.

use std::fs;

use inklings_application::{
    agent_write::remember::{Observed, Remembered},
    drift::Settlement,
    error::{AppError, GuardRefusal},
    orientation::OrientRequest,
};
use inklings_domain::{
    derivation::{
        Derivation,
        axes::{SourceState, StandingAxis},
    },
    drift::{Drift, DriftState, Item},
    ids::{MemoryId, PageId, VaultId},
    memory::MemoryDraft,
    proposal::{Decision, ProposalState},
    scope::Place,
    search::conversation_query::ConversationQuery,
    subject::NewLinks,
};
use inklings_ports::{
    progress::NoProgress,
    testing::builders::{agent, author, draft},
    vault::filter::PageFilter,
};
use inklings_vault::DiskFiles;
use tempfile::TempDir;

use crate::support::World;

const FOUNDED: &str = "Saltmere was founded by Mira Vance in 412.";

struct Linked {
    world: World,
    vault: TempDir,
    _data: TempDir,
    id: VaultId,
}

impl Linked {
    async fn new() -> Self {
        let (world, vault) = (World::new().await, tempfile::tempdir().expect("a folder"));
        let data = tempfile::tempdir().expect("a folder");
        let linked = Self::write(&vault, FOUNDED);
        assert!(linked);
        let vaults = world.session.vaults();
        let state = vaults.link(author(), &DiskFiles, data.path(), vault.path()).await.expect("links");
        let linked = Self { id: state.vault.id, world, vault, _data: data };
        linked.sync().await;
        linked
    }

    fn write(vault: &TempDir, history: &str) -> bool {
        let text = format!("The salt city.\n\n# History\n\n{history}\n");
        fs::write(vault.path().join("Saltmere.md"), text).is_ok()
    }

    async fn changed(&self, history: &str) {
        assert!(Self::write(&self.vault, history));
        self.sync().await;
    }

    async fn sync(&self) {
        self.world.session.vaults().sync(&DiskFiles, self.id, &NoProgress).await.expect("indexes");
    }

    async fn page(&self) -> PageId {
        self.world.session.vaults().page_named(&PageFilter::through(None), "Saltmere").await.expect("a page")
    }

    /// A memory of the agent that was made of the page.
    async fn made(&self) -> MemoryId {
        let text = "Mira Vance founded the city of Saltmere, and it was 412.";
        let claim = [format!("page:{}", self.page().await)];
        let derivations = self.world.session.derivations().named(text, &claim).await.expect("held");
        let draft = MemoryDraft { derivations, ..draft(Place::Workspace, text) };
        self.world.remember(draft, agent()).await
    }

    async fn drifts(&self, state: DriftState) -> Vec<Drift> {
        let page = self.world.session.drifts().page(Some(state), None, 50).await.expect("reads");
        page.rows.into_iter().filter(|drift| matches!(drift.canon.item, Item::Page(_))).collect()
    }

    async fn open(&self) -> Drift {
        let open = self.drifts(DriftState::Open).await;
        assert_eq!(open.len(), 1, "{open:?}");
        open[0]
    }
}

#[tokio::test]
async fn an_agents_text_that_stands_on_a_page_is_refused_with_the_passage() {
    let linked = Linked::new().await;
    let session = &linked.world.session;
    let put = async |text: &str, shown: &[String]| -> Result<Remembered, AppError> {
        let observed = Observed {
            draft: draft(Place::Workspace, text),
            conversation: None,
            shown,
            within: None,
            links: NewLinks::default(),
        };
        session.agent_writes().remember(observed, agent()).await
    };
    let refused = put("Saltmere was founded by Mira Vance in 412", &[]).await;
    let Err(AppError::Guard(GuardRefusal::Content(passage))) = refused else { panic!("{refused:?}") };
    assert_eq!((passage.place.as_str(), passage.text.as_str()), ("page 'Saltmere' > History", FOUNDED));
    let shown = format!("{:?} {}", passage, GuardRefusal::Content(passage.clone()));
    assert!(!shown.contains("Mira"), "no error has words of a page: {shown}");
    let other = put("Saltmere was founded by Mira Vance in 413.", &[]).await.expect("it says something else");
    let mine = other.written().expect("written").id();
    // An update is a write like another.
    let patch = inklings_ports::testing::builders::new_text("Saltmere was founded by Mira Vance in 412.");
    let updated = session.memories().edit(mine, 1, patch, agent()).await;
    assert!(matches!(updated, Err(AppError::Guard(GuardRefusal::Content(_)))), "{updated:?}");
    // The worldbuilder writes what they like.
    session.memories().create(draft(Place::Workspace, FOUNDED), author()).await.expect("written");
}

#[tokio::test]
async fn a_block_that_changes_puts_what_was_made_of_it_into_the_inbox_once() {
    let linked = Linked::new().await;
    let id = linked.made().await;
    let session = &linked.world.session;
    assert!(linked.drifts(DriftState::Open).await.is_empty());
    let entry = linked.world.entry(id).await;
    let reader = inklings_application::derivation::SourceReader::Author;
    let found = session.derivations().of_one(&entry, reader).await.expect("reads");
    assert_eq!(found.framed().as_deref(), Some("from the page 'Saltmere > History' (authored)"));

    fs::write(linked.vault.path().join("Coast.md"), "The towns are [[Saltmere]] and Veyra.")
        .expect("written");
    linked.changed("Saltmere was founded by Oskar Lind in 398, long before the drought.").await;
    let drift = linked.open().await;
    assert_eq!(drift.statement.item, Item::Memory(id));
    let found = session.derivations().of_one(&entry, reader).await.expect("reads");
    assert_eq!((found.axes.standing, found.sources[0].state), (StandingAxis::Changed, SourceState::Changed));
    let request = OrientRequest {
        query: ConversationQuery::Next("Who founded Saltmere?".into()),
        ..OrientRequest::default()
    };
    let oriented = session.orientations().orient(request).await.expect("oriented");
    assert!(
        oriented.markdown.contains("from the page 'Saltmere' (authored, 1 link), changed since"),
        "{}",
        oriented.markdown
    );
    session.drifts().look().await.expect("looks");
    linked.sync().await;
    assert_eq!(linked.open().await.id, drift.id, "it is filed once");

    // The block comes back, so there is nothing to decide.
    linked.changed(FOUNDED).await;
    assert!(linked.drifts(DriftState::Open).await.is_empty());
    assert_eq!(linked.drifts(DriftState::Superseded).await.len(), 1);
}

#[tokio::test]
async fn a_kept_memory_is_not_asked_about_again_and_a_retired_one_is_forgotten() {
    let linked = Linked::new().await;
    let id = linked.made().await;
    let session = &linked.world.session;
    linked.changed("Nobody knows who founded Saltmere.").await;
    session.drifts().settle(linked.open().await.id, Settlement::Dismiss, author()).await.expect("kept");
    let tagged = inklings_ports::testing::builders::new_tags(&["city"]);
    session.memories().edit(id, 1, tagged, author()).await.expect("tagged");
    linked.changed("Nobody knows who founded Saltmere, or why.").await;
    session.drifts().look().await.expect("looks");
    assert!(linked.drifts(DriftState::Open).await.is_empty(), "it was decided");
    assert!(linked.world.entry(id).await.is_active());

    let linked = Linked::new().await;
    let id = linked.made().await;
    fs::remove_file(linked.vault.path().join("Saltmere.md")).expect("removed");
    fs::write(linked.vault.path().join("Other.md"), "Another page.").expect("written");
    linked.sync().await;
    let drift = linked.open().await;
    let drifts = linked.world.session.drifts();
    let refused = drifts.settle(drift.id, Settlement::DeriveAgain, author()).await;
    assert!(matches!(refused, Err(AppError::Drift(_))), "nothing is left to make it of: {refused:?}");
    assert!(drifts.settle(drift.id, Settlement::CanonStands, agent()).await.is_err());
    drifts.settle(drift.id, Settlement::CanonStands, author()).await.expect("retired");
    assert!(!linked.world.entry(id).await.is_active());
}

#[tokio::test]
async fn a_memory_that_is_made_again_is_a_proposal_with_the_new_passage() {
    let linked = Linked::new().await;
    let id = linked.made().await;
    let session = &linked.world.session;
    let now = "Saltmere was founded by Oskar Lind in 398, long before the drought.";
    linked.changed(now).await;
    session.drifts().settle(linked.open().await.id, Settlement::DeriveAgain, author()).await.expect("filed");
    let filed =
        session.proposals().list(Some(ProposalState::Open), None, 10).await.expect("reads").rows.remove(0);
    assert_eq!(filed.content.as_deref(), Some(now));
    session.proposals().decide(filed.id, Decision::Accept, author()).await.expect("accepted");
    let entry = linked.world.entry(id).await;
    assert_eq!(entry.content, now);
    assert!(matches!(entry.derivations.as_slice(), [Derivation::Page { .. }]), "{:?}", entry.derivations);
    let reader = inklings_application::derivation::SourceReader::Author;
    let found = session.derivations().of_one(&entry, reader).await.expect("reads");
    assert_eq!(found.axes.standing, StandingAxis::Current);
    session.drifts().look().await.expect("looks");
    assert!(linked.drifts(DriftState::Open).await.is_empty());
}
