//! A world on SQLite in a temporary folder.

pub mod faults;

use std::{
    ops::{Deref, DerefMut},
    path::Path,
    sync::Arc,
};

use inklings_application::{
    session::{EmbedderSlot, Session},
    testing::world,
};
use inklings_domain::conversation::{Conversation, message::Role};
use inklings_ports::{
    conversation::transcript_store::MessageRange, testing::folder, workspace::catalogue::Catalogue,
};
use inklings_sqlite::SqliteCatalogue;
use tempfile::TempDir;

/// A world and the folder that its files lie in, which goes away with it.
pub struct World {
    world: world::World,
    folder: TempDir,
}

impl World {
    pub async fn new() -> Self {
        let folder = tempfile::tempdir_in(folder::fast_place()).expect("a temporary folder");
        folder::copy_template(
            &Path::new(env!("CARGO_TARGET_TMPDIR")).join(env!("CARGO_PKG_NAME")),
            folder.path(),
            async |made| {
                let world = world::World::on(open(&made)).await;
                world.catalogue.close().await;
            },
        )
        .await;
        Self { world: world::World::on(open(folder.path())).await, folder }
    }

    /// The world without its folder, for who takes its session over. The folder must be held as long.
    pub fn into_parts(self) -> (world::World, TempDir) {
        (self.world, self.folder)
    }

    /// The same workspace as another process has it open.
    pub async fn another_process(&self) -> Session {
        let catalogue = open(self.folder.path());
        let account = catalogue.account().await.expect("opens");
        let ports = catalogue.open(self.session.workspace.workspace.id).await.expect("opens");
        let (clock, ids) = (Arc::clone(&self.session.clock), Arc::clone(&self.session.ids));
        Session::new(account, ports, clock, ids, EmbedderSlot::default())
    }

    /// Everything said so far: role, text, delivery.
    pub async fn transcript(&self, conversation: &Conversation) -> Vec<(Role, String, &'static str)> {
        let page = self
            .session
            .transcripts()
            .page(conversation.id, MessageRange::After(0), 500)
            .await
            .expect("read");
        page.messages.into_iter().map(|m| (m.body.role, m.body.content, m.body.delivery.as_str())).collect()
    }
}

impl Deref for World {
    type Target = world::World;

    fn deref(&self) -> &world::World {
        &self.world
    }
}

impl DerefMut for World {
    fn deref_mut(&mut self) -> &mut world::World {
        &mut self.world
    }
}

fn open(folder: &Path) -> Arc<dyn Catalogue> {
    Arc::new(SqliteCatalogue::new(folder.to_owned()))
}
