import { useCallback, useSyncExternalStore } from "react";
import type { TurnProgress } from "../../../ipc/bindings.gen";
import { announce } from "../../../ipc/changes";
import { onTurnProgress } from "../../../ipc/events";

/** The answer that is being given in a conversation, or how the last one ended. */
type Live = {
  messageId: string | null;
  text: string;
  /** Characters so far, as the core counts them. */
  count: number;
  running: boolean;
  /** Whether a piece of it was missed. */
  gap: boolean;
  tool: boolean;
  error: string | null;
};

/**
 * Answers as they arrive, beside the query cache: a word more is painted by the one turn it belongs to, and the
 * list of the others does not know of it.
 */
const answers = new Map<string, Live>();
const listeners = new Set<() => void>();
let users = 0;
let stop: (() => void) | undefined;
let frame = 0;

function publish() {
  for (const listener of listeners) listener();
}

/** Words come faster than a screen can show them: one paint a frame. */
function publishSoon() {
  if (frame !== 0) return;
  frame = requestAnimationFrame(() => {
    frame = 0;
    publish();
  });
}

let behind: ReturnType<typeof setTimeout> | undefined;

/** Reads the core's copy now and then, not with every word. */
function catchUp() {
  if (behind !== undefined) return;
  behind = setTimeout(() => {
    behind = undefined;
    announce("transcript");
  }, 400);
}

function take({ conversationId, messageId, step, text, length, error }: TurnProgress) {
  const old = answers.get(conversationId);
  // An answer with tools in it is several messages, each with a count of its own.
  const same = old?.running && (!messageId || !old.messageId || messageId === old.messageId);
  const live: Live = same
    ? { ...old, messageId: messageId ?? old.messageId }
    : { messageId, text: "", count: 0, running: true, gap: false, tool: false, error: null };
  if (step === "text" && text !== null) {
    const size = [...text].length;
    // Where a piece is missing (joined half-way), the words are left to the core's own copy from there on.
    if (live.count + size !== length) {
      live.gap = true;
      live.text = "";
    }
    if (!live.gap) live.text += text;
    else catchUp();
    live.count = length;
    live.tool = false;
  } else if (step === "tool") {
    live.tool = true;
  }
  if (step === "done" || step === "cancelled" || step === "failed") {
    live.running = false;
    live.error = error;
  }
  answers.set(conversationId, live);
  if (step === "text") publishSoon();
  else {
    announce("transcript");
    publish();
  }
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  users += 1;
  stop ??= onTurnProgress(take);
  return () => {
    listeners.delete(listener);
    users -= 1;
    if (users > 0) return;
    stop?.();
    stop = undefined;
    answers.clear();
  };
}

/** The words of the answer so far: of one message, or of whichever is being given. */
export function useLiveText(conversationId: string, messageId: string | null): string {
  return useSyncExternalStore(
    subscribe,
    useCallback(() => {
      const live = answers.get(conversationId);
      const other = messageId !== null && live?.messageId !== null && live?.messageId !== messageId;
      return live === undefined || other ? "" : live.text;
    }, [conversationId, messageId]),
  );
}

type Turn = { running: boolean; tool: boolean; messageId: string | null; error: string | null };

/** Whether an answer is under way, without its words: changes at its beginning and at its end. */
export function useTurn(conversationId: string): Turn {
  const key = useSyncExternalStore(
    subscribe,
    useCallback(() => {
      const live = answers.get(conversationId);
      return live ? JSON.stringify([live.running, live.tool, live.messageId, live.error]) : "";
    }, [conversationId]),
  );
  if (key === "") return { running: false, tool: false, messageId: null, error: null };
  const [running, tool, messageId, error] = JSON.parse(key);
  return { running, tool, messageId, error };
}

/** Marks that an answer was asked for, unless its first sign has arrived before. */
export function expectAnswer(conversationId: string): void {
  if (answers.has(conversationId)) return;
  answers.set(conversationId, {
    messageId: null,
    text: "",
    count: 0,
    running: true,
    gap: false,
    tool: false,
    error: null,
  });
  publish();
}

export function dropAnswer(conversationId: string): void {
  answers.delete(conversationId);
  publish();
}
