// One seed replays everything.

/** The seed of this run; printed by whatever fails. */
export const SEED = Number(process.env.SEED ?? 20_263);
/** How much is tried: `sample` in `make test`, `short` in `make faults`, `long` for an hour. */
export const SIZE = process.env.FAULTS ?? "short";
/** One of three values by how much is tried. */
export const bySize = (sample, short, long) => ({ sample, short, long })[SIZE] ?? short;

/** Numbers from 0 to 1, the same ones for the same seed and name. */
export function numbers(name, seed = SEED) {
  let state = seed >>> 0;
  for (const letter of name) state = (Math.imul(state, 31) + letter.codePointAt(0)) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** So many of the numbers from 1 to `last`, each once; all of them if there are no more. */
export function choose(random, last, count) {
  const all = Array.from({ length: last }, (_, n) => n + 1);
  for (let n = 0; n < Math.min(count, last); n++) {
    const other = n + Math.floor(random() * (last - n));
    [all[n], all[other]] = [all[other], all[n]];
  }
  return all.slice(0, count).sort((a, b) => a - b);
}

/** Works on all items, so many at a time. */
export async function inTurns(items, width, work) {
  const left = items.entries();
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (const [n, item] of left) await work(item, n);
    }),
  );
}
