//! Decisions about contradictions that bring a client's words into entries of the worldbuilder.

use inklings_domain::{
    drift::{DriftState, Item},
    memory::filter::ScopeFilter,
    scope::Place,
};
use inklings_ports::testing::builders::author;

use super::{Attack, MARK, Path};
use crate::drift::Settlement;

/// Names of realms. A realm has one capital, so another one contradicts it.
const REALMS: [&str; 4] = ["Orrin", "Skarn", "Ambry", "Veyle"];

impl Attack {
    /// The client states something against a text of the worldbuilder, who decides for it.
    pub(super) async fn settle(&mut self, path: Path) {
        let realm = REALMS[self.counter % REALMS.len()];
        let own = format!("The capital of {realm} is Tolm.");
        let canon = self.remember(Place::Workspace, &own, author()).await;
        let statement = format!("The capital of {realm} is {MARK}.");
        let settlement = match path {
            Path::SettleMemory => {
                self.remember(Place::Workspace, &statement, self.actor()).await;
                Settlement::CanonChanges { text: None }
            }
            Path::SettleTyped => {
                self.remember(Place::Workspace, &statement, self.actor()).await;
                Settlement::CanonChanges { text: Some(format!("{statement} It lies by the sea.")) }
            }
            Path::SettleMessage => {
                self.say(&statement).await;
                Settlement::CanonChanges { text: None }
            }
            Path::SettleBelief => {
                self.say(&format!("The road is long. {statement}")).await;
                let subjects = self.session.subjects();
                let known = subjects.list(None, &ScopeFilter::EVERYTHING).await.expect("subjects");
                let toma = match known.first() {
                    Some(row) => row.id,
                    None => subjects.add("Toma", "character", "", author()).await.expect("added").id(),
                };
                Settlement::Belief { knowers: vec![(toma, None)] }
            }
            other => unreachable!("{other:?} is no decision about a contradiction"),
        };
        let drifts = self.session.drifts();
        drifts.look().await.expect("a look");
        let open = drifts.page(Some(DriftState::Open), None, 50).await.expect("a page").rows;
        self.clock.tick();
        let found = open.iter().find(|drift| drift.canon.item == Item::Memory(canon));
        drifts.settle(found.expect("a contradiction").id, settlement, author()).await.expect("settled");
    }

    async fn say(&mut self, text: &str) {
        let conversation = self.conversation().await;
        let code = conversation.ref_code.to_string();
        self.client_session.say(Some(&code), text).await.expect("said");
    }
}
