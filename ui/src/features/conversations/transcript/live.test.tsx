import { act, renderHook, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import type { TurnProgress } from "../../../ipc/bindings.gen";
import { deliver, installHandler } from "../../../ipc/mock";
import { useLiveText, useTurn } from "./live";

beforeEach(() => installHandler(() => null));

async function send(progress: Partial<TurnProgress>) {
  await act(async () => {
    await deliver("turn-progress", {
      conversationId: "c",
      messageId: "m1",
      step: "text",
      text: null,
      length: 0,
      error: null,
      ...progress,
    } satisfies TurnProgress);
  });
}

async function listen(messageId: string | null) {
  const view = renderHook(() => ({ text: useLiveText("c", messageId), turn: useTurn("c") }));
  // The subscription is up a moment later.
  await act(async () => new Promise((resolve) => setTimeout(resolve, 20)));
  return view.result;
}

test("pieces are joined whatever characters they contain", async () => {
  const live = await listen("m1");
  await send({ step: "started" });
  await send({ text: "Sea ", length: 4 });
  await send({ text: "🌊!", length: 6 });
  await waitFor(() => expect(live.current.text).toBe("Sea 🌊!"));
  expect(live.current.turn.running).toBe(true);
});

test("a piece that does not follow the received text is never inserted at the wrong place", async () => {
  const live = await listen("m1");
  await send({ text: "the end of a long answer", length: 400 });
  await send({ text: " and more", length: 409 });
  expect(live.current.text).toBe("");
  expect(live.current.turn.running).toBe(true);
});

test("each message of a multi-message answer begins with empty text", async () => {
  const live = await listen("m2");
  await send({ text: "Let me look.", length: 12 });
  await send({ messageId: "m2", text: "Found", length: 5 });
  await waitFor(() => expect(live.current.text).toBe("Found"));
});

test("the error of an answer is kept after its end", async () => {
  const live = await listen("m1");
  await send({ step: "failed", error: "Nothing answers." });
  expect(live.current.turn).toMatchObject({ running: false, error: "Nothing answers." });
});
