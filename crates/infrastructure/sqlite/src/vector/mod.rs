//! The arithmetic of vectors and of the codes of words: vectors as bytes with a bound on the error (`quantise`), and the inner loops in
//! the instructions of the processor (`kernels`).

pub(crate) mod kernels;
pub(crate) mod quantise;
