import { QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { draftStores, dropAllDrafts } from "../components/draftStore";
import { rewrites } from "../features/activity/drift/drafts";
import { proposalEdits } from "../features/activity/proposals/drafts";
import { attachFiles } from "../features/conversations/drafts";
import { setDraft } from "../features/memory/drafts";
import { EMPTY_DRAFT, setNewDraft } from "../features/memory/newDrafts";
import { type } from "../features/named/drafts";
import { setInstructions } from "../features/settings/drafts";
import { setCalendarDraft } from "../features/timeline/drafts";
import type { MessageKey } from "../i18n/messages";
import type { CalendarDefinition, NamedEntryView } from "../ipc/bindings.gen";
import { createQueryClient } from "../ipc/queryClient";
import { CloseGuard } from "./CloseGuard";

type Ask = () => Promise<boolean>;
const { guard, write } = vi.hoisted(() => ({
  guard: { ask: null as Ask | null },
  write: vi.fn<() => Promise<unknown>>(),
}));

vi.mock("../ipc/window", () => ({
  guardClose: (ask: Ask) => {
    guard.ask = ask;
    return () => {
      guard.ask = null;
    };
  },
}));
vi.mock("../ipc/client", () => ({ core: { writeNamedEntry: write } }));

import.meta.glob("../features/**/*rafts.ts", { eager: true });

const client = createQueryClient();
const VOICE = { id: "voice", content: "", version: 1 } as NamedEntryView;

const NO_MONTHS = { months: [] as CalendarDefinition["months"] } as CalendarDefinition;

/** Begins a draft in each store, with what the window says about it. A new store gets a line here. */
const DRAFTS: Partial<Record<MessageKey, [begin: () => void, says: string]>> = {
  "edit.closeBody": [
    () => setDraft("salt", { content: "Salt", base: 1, conflict: null }),
    "One memory has an edit that is not saved.",
  ],
  "create.closeBody": [
    () => setNewDraft("coast", { ...EMPTY_DRAFT, content: "Half a thought" }),
    "A new memory is not saved.",
  ],
  "named.closeBody": [() => type(client, VOICE, "Dry"), "One text could not be saved. They would be lost."],
  "conversation.closeBody": [() => attachFiles("ledger", ["/gate.md"]), "One message is not sent."],
  "proposal.closeBody": [() => proposalEdits.set("p", "Mine"), "One edited proposal is not decided."],
  "calendar.closeBody": [
    () => setCalendarDraft("common", { name: "Common", definition: NO_MONTHS, start: NO_MONTHS, base: null }),
    "One calendar is not saved.",
  ],
  "settings.tidy.closeBody": [
    () => setInstructions("coast", "In the present tense."),
    "Instructions for rewriting could not be saved.",
  ],
  "drift.closeBody": [() => rewrites.set("d", "Mine"), "The new text for one contradiction is not saved."],
};
const names = Object.keys(DRAFTS) as MessageKey[];

beforeEach(() => {
  write.mockRejectedValue({ code: "internal", message: "The database did not answer.", details: null });
  render(
    <QueryClientProvider client={client}>
      <CloseGuard />
    </QueryClientProvider>,
  );
});

afterEach(() => {
  act(dropAllDrafts);
});

async function close() {
  let closed: Promise<boolean> | undefined;
  await act(async () => {
    closed = guard.ask?.();
  });
  return { closed, dialog: await screen.findByRole("alertdialog") };
}

test("every store of drafts is tried here", () => {
  expect(draftStores().sort()).toEqual(names.sort());
});

test("the window closes without a question while nothing is begun", () => {
  expect(guard.ask).toBeNull();
});

test.each(names)("the window asks before it closes over drafts of %s", async (name) => {
  const [begin, says] = DRAFTS[name] ?? [() => undefined, ""];
  act(begin);
  const { closed, dialog } = await close();
  expect(dialog.textContent).toContain(says);
  act(() => screen.getByRole("button", { name: "Close and lose them" }).click());
  expect(await closed).toBe(true);
});

test("one question names the drafts of all stores", async () => {
  for (const name of names) act(DRAFTS[name]?.[0] ?? (() => undefined));
  const { closed, dialog } = await close();
  for (const name of names) expect(dialog.textContent).toContain(DRAFTS[name]?.[1]);
  act(() => screen.getByRole("button", { name: "Stay" }).click());
  expect(await closed).toBe(false);
});

test("what can be saved is saved, and the window closes without a question", async () => {
  write.mockResolvedValue({ entry: { ...VOICE, content: "Dry", version: 2 }, changeId: "c" });
  act(() => type(client, VOICE, "Dry"));
  await waitFor(() => expect(guard.ask).not.toBeNull());
  let closed: boolean | undefined;
  await act(async () => {
    closed = await guard.ask?.();
  });
  expect(closed).toBe(true);
  expect(screen.queryByRole("alertdialog")).toBeNull();
});

test("a place that a new memory would get is no draft", () => {
  act(() => setNewDraft("coast", { ...EMPTY_DRAFT, scope: "channel", channel: "magic" }));
  expect(guard.ask).toBeNull();
});
