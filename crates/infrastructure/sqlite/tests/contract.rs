//! The promises of the ports, kept on disk.

mod support;

use support::TempFolder;

mod memory_store {
    use super::TempFolder;
    inklings_application::memory_store_contract!(TempFolder::new());
}

mod memory_search {
    use super::TempFolder;
    inklings_application::memory_search_contract!(TempFolder::new());
}

mod vector_store {
    use super::TempFolder;
    inklings_application::vector_store_contract!(TempFolder::new());
}

mod room_store {
    use super::TempFolder;
    inklings_application::room_store_contract!(TempFolder::new());
}

mod transcript {
    use super::TempFolder;
    inklings_application::transcript_contract!(TempFolder::new());
}

mod transcript_search {
    use super::TempFolder;
    inklings_application::transcript_search_contract!(TempFolder::new());
}

mod fact_store {
    use super::TempFolder;
    inklings_application::fact_store_contract!(TempFolder::new());
}

mod scratchpad {
    use super::TempFolder;
    inklings_application::scratchpad_contract!(TempFolder::new());
}

mod conversation_import {
    use super::TempFolder;
    inklings_application::conversation_import_contract!(TempFolder::new());
}

mod transfer {
    use super::TempFolder;
    inklings_application::transfer_contract!(TempFolder::new());
}

mod proposal {
    use super::TempFolder;
    inklings_application::proposal_contract!(TempFolder::new());
}

mod run {
    use super::TempFolder;
    inklings_application::run_contract!(TempFolder::new());
}

mod schedule {
    use super::TempFolder;
    inklings_application::schedule_contract!(TempFolder::new());
}

mod ledger {
    use super::TempFolder;
    inklings_application::ledger_contract!(TempFolder::new());
}

mod split {
    use super::TempFolder;
    inklings_application::split_contract!(TempFolder::new());
}

mod audit {
    use super::TempFolder;
    inklings_application::audit_contract!(TempFolder::new());
}

mod backup {
    use super::TempFolder;
    inklings_application::backup_contract!(TempFolder::new());
}

mod scrub {
    use super::TempFolder;
    inklings_application::scrub_contract!(TempFolder::new());
}

mod settings {
    use super::TempFolder;
    inklings_application::settings_contract!(TempFolder::new());
}

mod change_feed {
    use super::TempFolder;
    inklings_application::change_feed_contract!(TempFolder::new());
}

mod client {
    use super::TempFolder;
    inklings_application::client_contract!(TempFolder::new());
}

mod client_write {
    use super::TempFolder;
    inklings_application::client_write_contract!(TempFolder::new());
}

mod catalogue {
    use super::TempFolder;
    inklings_application::catalogue_contract!(TempFolder::new());
}
