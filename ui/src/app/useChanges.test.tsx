import { QueryObserver } from "@tanstack/react-query";
import { renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { DataChanged, MemoryDetail, WriteResult } from "../ipc/bindings.gen";
import { writeEntry } from "../ipc/changes";
import { keys } from "../ipc/keys";
import { makeClient } from "../testing/queryClient";
import { useChanges } from "./useChanges";

const { events } = vi.hoisted(() => ({ events: { hear: (_: DataChanged) => {} } }));
vi.mock("../ipc/events", () => ({
  onDataChanged: (cb: (change: DataChanged) => void) => {
    events.hear = cb;
    return () => undefined;
  },
}));

const ID = "entry";
/** What changes of an entry: its version with each write, its uses without one. */
type Entry = { version: number; uses: number; text: string };

/** A core of one entry, whose every step is taken when the test says so. */
class Core {
  entry: Entry = { version: 1, uses: 0, text: "first" };
  reads = 0;
  /** What can happen next. */
  readonly steps: (() => unknown)[] = [];
  private readonly news: string[] = [];
  private isExplained = true;
  private count = 0;

  private later<T>(value: () => T): Promise<T> {
    return new Promise((resolve, reject) =>
      this.steps.push(() => {
        try {
          resolve(value());
        } catch (error) {
          reject(error);
        }
      }),
    );
  }

  /** Reads at one moment, and answers at a later one. */
  async read(): Promise<Entry> {
    this.reads += 1;
    const entry = await this.later(() => ({ ...this.entry }));
    return this.later(() => entry);
  }

  /** Reads, commits and answers at three moments. The answer is computed from what was read. */
  async write(by: string): Promise<{ changeId: string; entry: Entry }> {
    const read = await this.later(() => ({ ...this.entry }));
    const next = { ...read, version: read.version + 1, text: `${by} on ${read.version}` };
    const changeId = await this.later(() => {
      if (this.entry.version !== read.version) throw new Error("stale");
      this.entry = { ...next, uses: Math.max(this.entry.uses, next.uses) };
      this.count += 1;
      this.news.push(`${by} ${this.count}`);
      return `${by} ${this.count}`;
    });
    return this.later(() => ({ changeId, entry: next }));
  }

  use() {
    this.entry = { ...this.entry, uses: this.entry.uses + 1 };
    this.isExplained = false;
  }

  /** Notes what changed since the last time. It reaches the window at a later moment. */
  poll() {
    if (this.news.length === 0 && this.isExplained) return;
    const changes = this.isExplained ? this.news.splice(0) : null;
    this.news.length = 0;
    this.isExplained = true;
    this.steps.push(() => events.hear({ topic: "memories", changes }));
  }
}

function open() {
  const core = new Core();
  const { client, wrapper } = makeClient();
  const view = renderHook(() => useChanges(), { wrapper });
  const queryKey = keys.detail(ID);
  const stop = new QueryObserver(client, { queryKey, queryFn: () => core.read() }).subscribe(() => undefined);
  const write = () =>
    writeEntry(client, async () => {
      const { changeId, entry } = await core.write("window");
      const detail = { row: { id: ID }, ...entry } as unknown as MemoryDetail;
      return { change: { changeId }, detail } as unknown as WriteResult;
    }).catch(() => undefined);
  const shown = () => {
    const { version, uses, text } = client.getQueryData<Entry>(queryKey) ?? {};
    return { version, uses, text };
  };
  const close = () => {
    stop();
    view.unmount();
    client.clear();
  };
  /** Takes every step that is left, and lets every timer run out. */
  const settle = async () => {
    for (let idle = 0; idle < 3; idle += core.steps.length === 0 ? 1 : 0) {
      core.poll();
      for (let step = core.steps.shift(); step; step = core.steps.shift()) {
        step();
        await vi.advanceTimersByTimeAsync(0);
      }
      await vi.advanceTimersByTimeAsync(100);
    }
  };
  return { core, write, shown, close, settle };
}

/** A repeatable source of numbers below a bound. */
function numbers(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("the window does not read again after its own acknowledged write", async () => {
  const { core, write, shown, close, settle } = open();
  await settle();
  for (let n = 0; n < 3; n += 1) {
    void write();
    await settle();
  }
  expect(shown()).toEqual({ version: 4, uses: 0, text: "window on 3" });
  expect(core.reads).toBe(1);
  close();
});

test("a write of another process is read, also between two writes of the window", async () => {
  const { core, write, shown, close, settle } = open();
  await settle();
  void write();
  await settle();
  void core.write("other");
  await settle();
  void write();
  await settle();
  expect(shown()).toEqual(core.entry);
  expect(core.reads).toBe(2);
  close();
});

test("an answer that arrives after its own event hides no change during the write", async () => {
  const { core, write, shown, close, settle } = open();
  await settle();
  const step = async () => {
    core.steps.shift()?.();
    await vi.advanceTimersByTimeAsync(0);
  };
  void write();
  await step(); // reads
  core.use();
  await step(); // commits
  const answer = core.steps.shift();
  await settle();
  answer?.();
  await settle();
  expect(shown()).toEqual(core.entry);
  expect(core.entry).toMatchObject({ version: 2, uses: 1 });
  close();
});

test("in any order of answers and events, the window ends with the state of the core", async () => {
  // Short stories, so that no later change mends what an earlier one left behind.
  for (let seed = 1; seed <= 2_000; seed += 1) {
    const next = numbers(seed);
    const { core, write, shown, close, settle } = open();
    await settle();
    for (let step = 4 + next(16); step > 0; step -= 1) {
      const what = next(10);
      if (what === 0) void write();
      else if (what === 1) void core.write("other").catch(() => undefined);
      else if (what === 2) core.use();
      else if (what === 3) core.poll();
      else if (what === 4) await vi.advanceTimersByTimeAsync(next(60));
      else {
        // Answers and events come in any order.
        const [taken] = core.steps.splice(next(core.steps.length), 1);
        taken?.();
      }
      await vi.advanceTimersByTimeAsync(0);
    }
    await settle();
    expect(shown(), `seed ${seed}`).toEqual(core.entry);
    close();
  }
});
