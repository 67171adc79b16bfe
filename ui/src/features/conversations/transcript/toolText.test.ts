import { expect, test } from "vitest";
import type { MessageView } from "../../../ipc/bindings.gen";
import { describeCall } from "./toolText";

const answer = (content: string) => ({ content }) as MessageView;
const call = (name: string, given: object) => ({ id: "c", name, arguments: JSON.stringify(given) });

/** Every tool of the World Agent, how it is called and what it answers when it did what was asked. */
const CALLS: [string, object, object][] = [
  ["memory_search", { query: "the ledger" }, { candidates: [] }],
  ["memory_put", { tier: "channel", content: "The gate is iron." }, { remembered: "m1" }],
  ["memory_update", { id: "m1", content: "The gate is oak." }, { updated: "m1" }],
  ["memory_forget", { id: "m1", reason: "it was sold" }, { forgotten: "m1" }],
  ["scratchpad", { action: "write", key: "todo", value: 1 }, { written: "todo" }],
  ["scratchpad", { action: "read", key: "todo" }, { key: "todo", value: null }],
  ["scratchpad", { action: "clear" }, { cleared: 0 }],
  ["fact", { action: "set", category: "gate", key: "metal", value: "iron" }, { set: true }],
  ["fact", { action: "get", category: "gate" }, { facts: [] }],
  // As earlier releases named them.
  ["memory_read", { query: "the ledger" }, { candidates: [] }],
  ["scratchpad_write", { key: "todo", value: 1 }, { written: "todo" }],
  ["scratchpad_read", { key: "todo" }, { key: "todo", value: null }],
  ["scratchpad_clear", {}, { cleared: 0 }],
  ["fact_set", { category: "gate", key: "metal", value: "iron" }, { set: true }],
  ["fact_get", { category: "gate" }, { facts: [] }],
];

test.each(CALLS)("%s is shown as done only if its answer says so", (name, given, done) => {
  expect(describeCall(call(name, given), answer(JSON.stringify(done)))).toMatchObject({
    outcome: "done",
    reason: "",
  });
  const refused = describeCall(call(name, given), answer('{"error":"there is no such tool"}'));
  expect(refused).toMatchObject({ outcome: "failed", reason: "there is no such tool", memory: null });
  for (const silent of [null, answer(""), answer("no JSON"), answer("{}"), answer("[]")])
    expect(describeCall(call(name, given), silent).outcome).toBe("asked");
});

test("created and changed entries are named, and a proposal is not shown as a change", () => {
  expect(describeCall(call("memory_put", { content: "x" }), answer('{"remembered":"m1"}')).memory).toBe("m1");
  expect(describeCall(call("memory_put", { content: "x" }), answer('{"remembered":null}')).outcome).toBe(
    "asked",
  );
  const proposed = describeCall(
    call("memory_update", { id: "m2", content: "y" }),
    answer('{"proposed":"p1","note":""}'),
  );
  expect(proposed).toMatchObject({ outcome: "proposed", memory: "m2", proposal: "p1" });
  const again = describeCall(
    call("memory_forget", { id: "m2", reason: "y" }),
    answer('{"proposed":null,"note":""}'),
  );
  expect(again).toMatchObject({ outcome: "proposed", proposal: null });
  const claimed = describeCall(
    call("fact", { action: "set", category: "gate", key: "metal", value: "iron" }),
    answer('{"claimed":true,"stands":"oak","note":""}'),
  );
  expect(claimed).toMatchObject({ outcome: "claimed", about: "gate: metal: iron" });
});

test("a proposal for the account is not shown as a memory", () => {
  const it = describeCall(
    call("memory_put", { tier: "account", content: "Wants letters." }),
    answer('{"proposed":"p2","note":""}'),
  );
  expect(it).toMatchObject({ purpose: "remember", outcome: "proposed", memory: null, proposal: "p2" });
});

test("an unknown tool is named, with its output", () => {
  expect(describeCall(call("weather", {}), answer("sunny"))).toMatchObject({
    purpose: "other",
    outcome: "done",
  });
  expect(describeCall(call("weather", {}), answer('{"error":"no"}'))).toMatchObject({
    outcome: "failed",
    reason: "no",
  });
  expect(describeCall(call("weather", {}), null).outcome).toBe("asked");
});
