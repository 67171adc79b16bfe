//! The steps of a sequence. A step is a kind with three small numbers, whose meaning depends on what there is when it is
//! played: so a sequence stays playable while it shrinks.

use std::fmt;

use proptest::{collection::vec, prelude::*, sample::select};

use super::{
    author, clients, conversations, model::Checked, others, play::Play, story_time, subjects, turns,
};

macro_rules! kinds {
    ($($kind:ident * $weight:literal = [$($drives:literal),*]),+ $(,)?) => {
        /// What is done.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Kind { $($kind),+ }

        /// Every kind, as often as it is to come.
        fn weighted() -> Vec<Kind> {
            let mut all = Vec::new();
            $(all.extend([Kind::$kind; $weight]);)+
            all
        }

        /// Every command, tool and task that some step drives.
        pub const DRIVEN: &[&str] = &[$($($drives,)*)+];
    };
}

kinds! {
    Create * 6 = ["create_memory"],
    Edit * 5 = ["update_memory"],
    EditStale * 1 = [],
    Forget * 4 = ["forget_memories"],
    Restore * 2 = ["restore_memories"],
    Tag * 1 = ["tag_memories"],
    Lifetime * 1 = ["set_memory_properties"],
    UndoChange * 5 = ["undo_change"],
    UndoLast * 3 = ["undo_last"],
    RestoreVersion * 2 = ["restore_version"],
    AddNamed * 2 = ["add_named_entry"],
    ChangeNamed * 3 = ["write_named_entry", "rename_named_entry", "alias_named_entry", "remove_named_entry"],
    ChangeSubject * 3 = ["add_subject", "set_subject"],
    Relate * 2 = ["add_relation"],
    SetAbout * 2 = ["set_about"],
    SetKnownBy * 1 = ["set_known_by"],
    SetStoryTime * 2 = ["set_story_time"],
    ChangeCalendar * 1 = ["add_calendar", "define_calendar"],
    Decide * 2 = ["list_proposals", "decide_proposals"],
    SetFact * 2 = ["set_fact"],
    ChangeFact * 2 = [
        "list_facts", "change_fact", "set_fact_time", "set_fact_known_by", "remove_fact", "settle_claim"
    ],
    Note * 1 = ["write_scratchpad", "clear_scratchpad"],
    Say * 3 = ["say"],
    SwitchOff * 2 = ["set_memory_enabled"],
    SwitchOn * 3 = [],
    BeginTalk * 1 = ["start_conversation"],
    ChangeTalk * 2 = [
        "idle_conversation", "archive_conversation", "continue_conversation", "branch_conversation", "move_conversation",
        "rename_conversation", "get_conversation"
    ],
    DeleteTalk * 1 = ["delete_conversation"],
    BeginChannel * 1 = ["create_channel"],
    ChangeChannel * 1 = ["update_channel", "archive_channel", "restore_channel"],
    DeleteChannel * 1 = ["delete_channel"],
    ClientPut * 7 = ["mcp:memory_put"],
    ClientPutWhileOff * 2 = [],
    ClientUpdate * 4 = ["mcp:memory_update"],
    ClientForget * 3 = ["mcp:memory_forget"],
    ClientPropose * 3 = ["mcp:proposal_create"],
    ClientFact * 3 = ["mcp:fact set"],
    ClientSay * 2 = ["mcp:conversation append"],
    ClientNote * 2 = ["mcp:scratchpad write", "mcp:scratchpad clear"],
    ClientOff * 1 = ["mcp:memory_switch"],
    ClientOn * 1 = [],
    ClientLook * 3 = [
        "mcp:memory_search", "mcp:memory_get", "mcp:scratchpad read", "mcp:fact get", "mcp:orient", "mcp:conversation list",
        "mcp:conversation read", "mcp:conversation search"
    ],
    Turn * 8 = [
        "agent:memory_search", "agent:memory_put", "agent:memory_update", "agent:memory_forget", "agent:scratchpad write",
        "agent:scratchpad read", "agent:scratchpad clear", "agent:fact set", "agent:fact get", "agent:conversation list", "agent:conversation read",
        "agent:conversation search", "agent:memory_get"
    ],
    Task * 3 = ["run_task", "task:*"],
    Consolidate * 1 = ["run_consolidation"],
    SumUp * 2 = ["compact_conversation", "summarise_old_turns"],
    Grant * 3 = ["set_grants"],
    Revoke * 1 = ["revoke_client"],
    Renew * 1 = ["renew_token"],
    UndoClient * 3 = ["undo_client"],
    RevertRun * 1 = ["revert_run"],
    Scrub * 2 = ["preview_scrub", "execute_scrub"],
    Export * 1 = ["export_memory"],
    Import * 1 = ["preview_import", "import_memory"],
    SwitchWorld * 2 = ["switch_workspace"],
    Reopen * 1 = [],
    SearchAll * 1 = ["search_memories"],
}

/// One step.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Step(pub Kind, pub u8, pub u8, pub u8);

impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}({}, {}, {})", self.0, self.1, self.2, self.3)
    }
}

pub fn sequences(most: usize) -> impl Strategy<Value = Vec<Step>> {
    let step = (select(weighted()), any::<u8>(), any::<u8>(), any::<u8>());
    vec(step.prop_map(|(kind, a, b, c)| Step(kind, a, b, c)), 1..=most)
}

impl Step {
    pub async fn run(&self, play: &mut Play) -> Checked {
        let Self(kind, a, b, c) = *self;
        match kind {
            Kind::Create => author::create(play, a).await,
            Kind::Edit => author::edit(play, a, b).await,
            Kind::EditStale => author::edit_stale(play, a).await,
            Kind::Forget => author::forget(play, a, b).await,
            Kind::Restore => author::restore(play, a).await,
            Kind::Tag => author::tag(play, a, b).await,
            Kind::Lifetime => author::lifetime(play, a, b).await,
            Kind::UndoChange => author::undo_change(play, a).await,
            Kind::UndoLast => author::undo_last(play).await,
            Kind::RestoreVersion => author::restore_version(play, a, b).await,
            Kind::AddNamed => author::add_named(play, a).await,
            Kind::ChangeNamed => author::change_named(play, a, b).await,
            Kind::ChangeSubject => subjects::set_kind(play, a, b).await,
            Kind::Relate => subjects::relate(play, a, b).await,
            Kind::SetAbout => subjects::set_about(play, a, b).await,
            Kind::SetKnownBy => subjects::set_known_by(play, a, b).await,
            Kind::SetStoryTime => story_time::set(play, a, b).await,
            Kind::ChangeCalendar => story_time::change_calendar(play, a, b).await,
            Kind::Decide => author::decide(play, a, b).await,
            Kind::SetFact => conversations::set_fact(play, a).await,
            Kind::ChangeFact => conversations::change_fact(play, a, b).await,
            Kind::Note => conversations::note(play, a, b).await,
            Kind::Say => conversations::say(play, a).await,
            Kind::SwitchOff => conversations::switch_memory(play, false).await,
            Kind::SwitchOn => conversations::switch_memory(play, true).await,
            Kind::BeginTalk => conversations::begin_conversation(play, a).await,
            Kind::ChangeTalk => conversations::change_conversation(play, a, b).await,
            Kind::DeleteTalk => conversations::delete_conversation(play, a).await,
            Kind::BeginChannel => conversations::begin_channel(play, a).await,
            Kind::ChangeChannel => conversations::change_channel(play, a, b).await,
            Kind::DeleteChannel => conversations::delete_channel(play, a, b).await,
            Kind::ClientPut => others::put(play, a, b).await,
            Kind::ClientPutWhileOff => others::put_while_off(play, a).await,
            Kind::ClientUpdate => others::update(play, a, b).await,
            Kind::ClientForget => others::forget(play, a, b).await,
            Kind::ClientPropose => others::propose(play, a, b).await,
            Kind::ClientFact => others::set_fact(play, a, b).await,
            Kind::ClientSay => others::append(play, a, b).await,
            Kind::ClientNote => others::note(play, a, b).await,
            Kind::ClientOff => others::switch(play, a, false).await,
            Kind::ClientOn => others::switch(play, a, true).await,
            Kind::ClientLook => others::look(play, a).await,
            Kind::Turn => turns::turn(play, a, b, c).await,
            Kind::Task => others::task(play, a).await,
            Kind::Consolidate => others::consolidate(play).await,
            Kind::SumUp => others::sum_up(play, a, b).await,
            Kind::Grant => clients::grant(play, a, b, c).await,
            Kind::Revoke => clients::revoke(play, a).await,
            Kind::Renew => clients::renew(play, a).await,
            Kind::UndoClient => clients::undo_client(play, a).await,
            Kind::RevertRun => clients::revert_run(play, a).await,
            Kind::Scrub => clients::scrub(play, a, b).await,
            Kind::Export => clients::export(play, a, b).await,
            Kind::Import => clients::import(play).await,
            Kind::SwitchWorld => clients::switch_world(play).await,
            Kind::Reopen => clients::reopen(play).await,
            Kind::SearchAll => clients::search_all(play).await,
        }
    }
}
