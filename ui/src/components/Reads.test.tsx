import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { ReadView } from "../ipc/bindings.gen";
import { openWindow } from "../testing/open";
import { idOf } from "../testing/store";

const few = { extra: 0, talks: 0 };
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

test("what a client was shown stands beside what it wrote, and that of others does not", async () => {
  const { backend, router } = await openWindow("/memory", few);
  const mine = backend.clients.clients.find((it) => it.name === "Claude Desktop");
  const of = { client: "Claude Desktop", clientId: mine?.id };
  backend.orientations.reads = [
    { ...read(1, {}), ...of },
    { ...read(2, { through: "notes", count: 3, items: [] }), ...of },
    { ...read(3, { through: "facts" }), client: "Cursor", clientId: "another" },
  ];
  await router.navigate({ to: "/control", search: { part: "clients" } });
  const shown = await screen.findByRole("region", { name: "What it was shown" });
  expect(await within(shown).findByText("Search of memory")).toBeTruthy();
  expect(within(shown).getByRole("link", { name: "Marguerite keeps the ledger." })).toBeTruthy();
  expect(shown.textContent).toContain("Working notes3 shown");
  expect(shown.textContent).not.toContain("Facts");
});

test("reads in a conversation name the client, and the World Agent", async () => {
  const { backend, user } = await openWindow("/conversations/k3T9wPq2LxA?tab=shown", few);
  const conversationId = backend.talks.need("k3T9wPq2LxA").view.id;
  backend.orientations.reads = [
    read(1, { conversationId, client: "Cursor", through: "transcript", count: 24 }),
    read(2, { conversationId, items: [{ kind: "memory", id: idOf(9), version: 2, label: "" }] }),
  ];
  await user.click(await screen.findByRole("button", { name: "Each turn" }));
  const shown = await screen.findByRole("region", { name: "Read during turns and by clients" });
  expect(await within(shown).findByText("Cursor")).toBeTruthy();
  expect(shown.textContent).toContain("and 23 more");
  expect(within(shown).getByText("World Agent")).toBeTruthy();
  expect(within(shown).getByText("No longer there")).toBeTruthy();
});
