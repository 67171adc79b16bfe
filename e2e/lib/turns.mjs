// Made-up chat turns for the suites: the same ones in every run, varied enough that search has to choose.
import { writeFileSync } from "node:fs";

const who = ["Maren", "Odile", "Tobin", "Ysolde", "Fenwick", "Brannoch", "Ilse", "Corvin"];
const did = [
  "sold",
  "buried",
  "mended",
  "copied",
  "burned",
  "hid",
  "swore on",
  "inherited",
  "counted",
  "misread",
];
const what = [
  "the tide ledger",
  "a brass astrolabe",
  "the ferry bell",
  "her brother's letters",
  "the salt tax rolls",
  "a map of the drowned quarter",
  "the harvest masks",
  "a jar of lamp moths",
  "the toll keys",
  "the abbess's testimony",
  "an unsigned treaty",
  "the orchard deed",
];
const where = [
  "under Harrowgate bridge",
  "in the lantern market",
  "at the weir house",
  "behind the chapel of knots",
  "on the night barge",
  "in Vell's cellar",
  "by the ninth milestone",
];
const why = [
  "because the river rose early",
  "to keep the peace with the guild",
  "and told nobody until winter",
  "for the price of two mules",
  "after the bells had stopped",
  "so that the heirs would not quarrel",
];

/** `count` turns as `import-jsonl` reads them; `t0`, `t1`, ... are their external ids. */
export function makeTurns(count) {
  let seed = 20_261;
  const pick = (list) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return list[Math.floor((seed / 2_147_483_648) * list.length)];
  };
  return Array.from({ length: count }, (_, n) => {
    const speaker = pick(who);
    const text = `${speaker}: ${pick(who)} ${pick(did)} ${pick(what)} ${pick(where)} ${pick(why)}, entry ${n} of the chronicle.`;
    return { id: `t${n}`, text, session: 1 + Math.floor(n / 40), ts: "3:05 pm on 9 May, 2023", speaker };
  });
}

/** Writes `items` to `path`, one JSON object a line. */
export const writeJsonl = (path, items) =>
  writeFileSync(path, items.map((item) => `${JSON.stringify(item)}\n`).join(""));
