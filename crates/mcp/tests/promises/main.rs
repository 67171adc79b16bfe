//! What the program promises, held against a small model of it: random sequences of commands by the worldbuilder, the World
//! Agent, clients and tasks, over two workspaces on their real databases.
//!
//! `PROMISES_SEED` repeats a run, `PROMISES_CASES` and `PROMISES_STEPS` make it longer. A sequence that breaks a promise is
//! shrunk, and printed with what was done at each step.

mod author;
mod clients;
mod commands;
mod conversations;
mod model;
mod others;
mod play;
mod stage;
mod step;
mod story_time;
mod subjects;
mod turns;

use std::{cell::RefCell, collections::BTreeSet, env};

use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

use play::Play;
use stage::Stage;
use step::{Kind, Step};

/// The seed of a run that names none.
const SEED: u64 = 12;
const CASES: u32 = 10;
const STEPS: usize = 50;
/// Sequences that are tried while one is shrunk.
const MOST_TRIES: u32 = 400;

fn given<T: std::str::FromStr>(name: &str, standard: T) -> T {
    match env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name} must be a number")),
        Err(_) => standard,
    }
}

fn runtime() -> tokio::runtime::Runtime {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.expect("a runtime")
}

/// Plays a sequence to its end. Gives the commands that did what they were asked, or the broken promise with the story.
async fn story(runtime: &tokio::runtime::Handle, steps: &[Step]) -> Result<BTreeSet<&'static str>, String> {
    let (stage, model) = Stage::set(runtime).await;
    let mut play = Play::new(stage, model);
    let end = [Step(Kind::SearchAll, 0, 0, 0), Step(Kind::Reopen, 0, 0, 0)]
        .into_iter()
        .chain((0..4).map(|n| Step(Kind::ClientLook, n, 0, 0)));
    for step in steps.iter().copied().chain(end) {
        if let Err(broken) = play.play(&step).await {
            return Err(format!("{}\n{broken}", play.log.join("\n")));
        }
    }
    Ok(play.done)
}

fn rng(seed: u64) -> TestRng {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    TestRng::from_seed(RngAlgorithm::ChaCha, &bytes)
}

#[test]
fn the_promises_hold_for_any_sequence_of_operations() {
    let (seed, steps) = (given("PROMISES_SEED", SEED), given("PROMISES_STEPS", STEPS));
    let config = Config {
        cases: given("PROMISES_CASES", CASES),
        failure_persistence: None,
        max_shrink_iters: given("PROMISES_TRIES", MOST_TRIES),
        ..Config::default()
    };
    let runtime = runtime();
    let (done, played) = (RefCell::new(BTreeSet::new()), RefCell::new(0_usize));
    let outcome = TestRunner::new_with_rng(config, rng(seed)).run(&step::sequences(steps), |steps| {
        let end = runtime.block_on(story(runtime.handle(), &steps));
        *played.borrow_mut() += steps.len();
        done.borrow_mut().extend(end.map_err(TestCaseError::fail)?);
        Ok(())
    });
    println!("{} steps, {} commands did what they were asked", played.borrow(), done.borrow().len());
    match outcome {
        Ok(()) => {}
        Err(TestError::Fail(reason, steps)) => {
            panic!("PROMISES_SEED={seed} breaks a promise. The shortest sequence is {steps:?}\n{reason}")
        }
        Err(TestError::Abort(reason)) => panic!("{reason}"),
    }
}

#[test]
fn every_command_tool_and_task_is_covered_or_excluded_with_a_reason() {
    commands::every_command_is_placed();
}
