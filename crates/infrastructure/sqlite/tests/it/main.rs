//! The store on files: guards, damage, backups, exports, and other processes beside it. One program, because each would link
//! everything anew.

mod agent_telemetry;
mod backup_order;
mod backups;
mod change_two_files;
mod cleaning;
mod conversion;
mod damaged_workspaces;
#[cfg(target_os = "linux")]
mod full_disk;
mod guards;
mod imports;
mod laundering;
mod missing;
mod opening;
mod passages;
mod processes;
mod quarantine;
mod rates;
mod restores;
mod scrub_first;
mod scrubs;
#[path = "../support/mod.rs"]
mod support;
mod text_checksums;
mod transcript;
mod transfer;
mod year;
