//! Fakes, builders and the contract suite that every store must pass.
