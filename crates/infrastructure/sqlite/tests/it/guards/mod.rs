//! Programs that ignore our code and speak SQL to the files.

mod audit;
mod clients;
mod columns;
mod derivations;
mod links;
mod memory;
mod memory_switch;
mod proposals_and_runs;
mod story_time;
mod transcript;
