import { screen, waitFor } from "@testing-library/dom";
import { expect, test } from "vitest";
import type { MemoryPage } from "../../../ipc/bindings.gen";
import { openWindow } from "../../../testing/open";
import { EVERYTHING } from "../../../testing/serve";

test("a next page that cannot be read is asked for once, is reported, and is read on request", async () => {
  const { user, core, transport, router } = await openWindow("/settings");
  const request = { filter: EVERYTHING, sort: "updated_desc", after: null, limit: 3 };
  const first = await core.call<MemoryPage>("list_memories", { request });
  transport.change("list_memories", () => {
    transport.unchange("list_memories");
    transport.failing.add("list_memories");
    return first;
  });
  await router.navigate({ to: "/memory", search: {} });
  const alert = await screen.findByText(/The next rows could not be read/);
  expect(alert.textContent).toContain("The database did not answer.");
  expect(screen.queryByText("Loading more")).toBeNull();
  const calls = transport.callsOf("list_memories").length;
  const grid = await screen.findByRole("grid", { name: "Memories" });
  grid.focus();
  await user.keyboard("{ArrowDown}{ArrowDown}{ArrowUp}");
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(transport.callsOf("list_memories")).toHaveLength(calls);
  transport.failing.clear();
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(screen.queryByText(/The next rows could not be read/)).toBeNull());
  await waitFor(() => expect(screen.getAllByRole("row").length).toBeGreaterThan(3));
});
