import { QueryObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { makeClient } from "../testing/queryClient";
import { reread, writeAhead } from "./refresh";

const KEY = ["settings"];
const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

/** A query over a value that a test changes, and a write of it that the test answers. */
async function open() {
  const core = { value: "old", reads: 0 };
  const { client } = makeClient();
  const queryFn = async () => {
    core.reads += 1;
    return core.value;
  };
  new QueryObserver(client, { queryKey: KEY, queryFn }).subscribe(() => undefined);
  await settle();
  let answer = { done() {}, refuse() {} };
  const write = (next: string) =>
    writeAhead(client, KEY, next, () => {
      return new Promise<void>((resolve, reject) => {
        answer = { done: resolve, refuse: () => reject(new Error("refused")) };
      });
    });
  return { core, client, write, shown: () => client.getQueryData(KEY), answer: () => answer };
}

test("a change is shown before the answer, and no read meanwhile hides it", async () => {
  const { core, client, write, shown, answer } = await open();
  const written = write("new");
  await settle();
  await reread(client, KEY);
  await settle();
  expect(shown()).toBe("new");
  expect(core.reads).toBe(1);
  core.value = "new, as the core keeps it";
  answer().done();
  await written;
  await settle();
  expect(shown()).toBe("new, as the core keeps it");
});

test("a refused change is reverted", async () => {
  const { write, shown, answer } = await open();
  const written = write("new").catch((error: Error) => error.message);
  await settle();
  answer().refuse();
  expect(await written).toBe("refused");
  expect(shown()).toBe("old");
});

test("after two concurrent writes the query is read after the last answer", async () => {
  const { core, client, write, shown, answer } = await open();
  const first = write("one");
  await settle();
  const firstAnswer = answer();
  const second = write("two");
  await settle();
  await reread(client, KEY);
  firstAnswer.done();
  await first;
  await settle();
  expect(shown()).toBe("two");
  core.value = "two";
  answer().done();
  await second;
  await settle();
  expect([shown(), core.reads]).toEqual(["two", 2]);
});
