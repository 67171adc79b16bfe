//! The `inklings bench` commands.

mod probes;
mod recall;
mod scale;

use crate::{args::BenchVerb, failure::Failure, output::Output};

pub async fn run(verb: BenchVerb, out: &Output) -> Result<(), Failure> {
    match verb {
        BenchVerb::Recall { dir, out: file, strategy, kind, shares } => {
            recall::run(&dir, &file, recall::Choice { strategy, kind, shares }, out).await
        }
        BenchVerb::Probes { probes, seed } => probes::run(probes, seed, out).await,
        BenchVerb::Scale { entries } => scale::run(entries, out).await,
        BenchVerb::Memory { dir } => scale::memory(&dir, out).await,
    }
}
