import assert from "node:assert/strict";
import { test } from "node:test";
import { sharedWindow } from "../lib/shared.mjs";
import { add, memory } from "../lib/store.mjs";
import { rows } from "../lib/window.mjs";

const BOUND = 1_000;
/** How long a write may take at most on a machine that does other work: a guard against writes that never show. */
const LONGEST = 60_000;
const shared = sharedWindow((home) => add(home, "The first stone of the weir."), rows);

/** Notes in the page the moment at which its list first shows, or no longer shows, `text`. */
const watch = (text, shown) =>
  shared.session.run(
    (text, shown) => {
      const probe = () => (document.querySelector("[role=grid]")?.textContent ?? "").includes(text) === shown;
      window.seenAt = probe() ? Date.now() : null;
      new MutationObserver((_, observer) => {
        if (!probe()) return;
        window.seenAt ??= Date.now();
        observer.disconnect();
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
    },
    text,
    shown,
  );

/** Milliseconds from the command line's acknowledgement to the moment the window showed it. */
async function delayAfter(acknowledged) {
  const end = Date.now() + LONGEST;
  while (Date.now() < end) {
    const seen = await shared.session.run(() => window.seenAt);
    if (seen !== null) return Math.max(0, seen - acknowledged);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return Number.POSITIVE_INFINITY;
}

/** All were shown, and the typical one within the bound: a single one may meet a machine that is busy. */
function assertShown(delays) {
  assert.ok(delays.every(Number.isFinite), `not all were shown: ${delays.join(", ")}`);
  const typical = [...delays].sort((a, b) => a - b)[Math.floor((delays.length - 1) / 2)];
  assert.ok(typical <= BOUND, `typically ${typical} ms`);
}

test("a write by the command line appears in the open window within a second", async (t) => {
  const delays = [];
  for (let n = 0; n < 8; n++) {
    await watch(`Stone number ${n} of the weir`, true);
    await add(shared.home, `Stone number ${n} of the weir`);
    delays.push(await delayAfter(Date.now()));
  }
  t.diagnostic(`ms from acknowledged to shown: ${delays.join(", ")}`);
  assertShown(delays);
});

test("an edit, a forget and an undo by the command line appear within a second", async (t) => {
  const id = await add(shared.home, "Lantern oil costs a penny");
  const delays = [];
  const steps = [
    ["Lantern oil costs two pence", true, ["edit", id, "--content", "Lantern oil costs two pence"]],
    ["Lantern oil", false, ["forget", id]],
    ["Lantern oil", true, ["undo"]],
  ];
  for (const [text, shown, args] of steps) {
    await watch(text, shown);
    await memory(shared.home, ...args);
    delays.push(await delayAfter(Date.now()));
  }
  t.diagnostic(`ms from acknowledged to shown: ${delays.join(", ")}`);
  assertShown(delays);
});
