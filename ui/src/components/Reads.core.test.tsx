import { screen, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import { EVERYTHING, grant } from "../../../e2e/lib/mcp.mjs";
import type { ConversationView, ReadView } from "../ipc/bindings.gen";
import { asClient } from "../testing/client";
import { idOf, LEDGER } from "../testing/fixtures/ids";
import { openWindow } from "../testing/open";

const read = (n: number, more: Partial<ReadView>): ReadView => ({
  id: `read-${n}`,
  at: "2026-03-01T10:00:00Z",
  client: null,
  through: "search",
  conversationId: null,
  messageId: null,
  count: 1,
  items: [{ kind: "memory", id: idOf(8), version: 1, label: "Marguerite keeps the ledger." }],
  ...more,
});

test("the reads of a client are listed next to its writes, and those of others are not", async () => {
  const { core, router } = await openWindow();
  await grant(core.home, "Claude Desktop", { allow: EVERYTHING, joinConversation: [LEDGER] });
  await asClient(core, "Claude Desktop", [
    ["memory_search", { tier: "workspace", query: "Marguerite lighthouse" }],
    ["scratchpad", { action: "read", conversation: LEDGER }],
  ]);
  await asClient(core, "Cursor", [["fact", { action: "get", category: "Saltmere" }]]);
  await router.navigate({ to: "/control", search: { part: "clients" } });
  const shown = await screen.findByRole("region", { name: "What it was shown" });
  expect(await within(shown).findByText("Search of memory")).toBeTruthy();
  expect(within(shown).getByRole("link", { name: /^Marguerite Vane has kept/ })).toBeTruthy();
  expect(shown.textContent).toContain("Working notes2 shown");
  expect(shown.textContent).not.toContain("Facts");
});

test("reads in a conversation name the client or the World Agent", async () => {
  const { core, user, transport } = await openWindow(`/conversations/${LEDGER}?tab=shown`);
  const { id: conversationId } = await core.call<ConversationView>("get_conversation", {
    conversation: LEDGER,
  });
  transport.change("list_reads", () => ({
    next: null,
    rows: [
      read(1, { conversationId, client: "Cursor", through: "transcript", count: 24 }),
      read(2, { conversationId, items: [{ kind: "memory", id: idOf(9), version: 2, label: "" }] }),
    ],
  }));
  await user.click(await screen.findByRole("button", { name: "Each turn" }));
  const shown = await screen.findByRole("region", { name: "Read in turns and by AI clients" });
  expect(await within(shown).findByText("Cursor")).toBeTruthy();
  expect(shown.textContent).toContain("and 23 more");
  expect(within(shown).getByText("World Agent")).toBeTruthy();
  expect(within(shown).getByText("No longer there")).toBeTruthy();
});
