import type { Reply } from "./serve";

/** What the scripted language model says to whatever it is asked. */
const ANSWER =
  "The tide decides, as it always has here. **Anselm** copies the page by green lamplight, and leaves one line out: the line with his own name. Nobody notices until slack water, when the lower doors open and the *other* copy comes up with the mud.";

/** So many answers, a word at a time. */
export const answers = (count: number, pauseMs = 30): Reply[] =>
  Array.from({ length: count }, () => ({ text: ANSWER.split(/(?<= )/), pauseMs }));

/** An answer that comes in pieces of many lines each. */
export const inPieces = (pieces: number, pauseMs: number): Reply[] => [
  { text: Array.from({ length: pieces }, (_, n) => `${ANSWER}\n\n${ANSWER} (${n + 1})\n\n`), pauseMs },
];
