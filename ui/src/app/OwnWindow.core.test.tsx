import { screen, waitFor } from "@testing-library/dom";
import { expect, test } from "vitest";
import type { ConversationView } from "../ipc/bindings.gen";
import { memoriesOf, openWindow } from "../testing/open";

const rail = () => screen.queryByRole("navigation", { name: "Main" });

test("a memory in a window of its own stands without rail and list, and Escape leaves it open", async () => {
  const { user, core, router, address } = await openWindow("/memory");
  const row = (await memoriesOf(core)).find((it) => it.name === null);
  await router.navigate({ to: "/memory", search: { id: row?.id, own: true } });
  await screen.findByRole("region", { name: "The memory" });
  await waitFor(() => expect(rail()).toBeNull());
  expect(screen.queryByRole("grid")).toBeNull();
  expect(screen.queryByRole("textbox", { name: "Search memories" })).toBeNull();
  await user.keyboard("{Escape}");
  expect(address().search).toEqual({ id: row?.id, own: true });
  await user.click(await screen.findByRole("button", { name: "Show the whole window" }));
  await waitFor(() => expect(rail()).not.toBeNull());
  await screen.findByRole("grid");
  expect(address().search).toEqual({ id: row?.id });
});

test("a window with a named memory alone is called like it", async () => {
  const { core, router } = await openWindow("/memory");
  const row = (await memoriesOf(core)).find((it) => it.name !== null);
  await router.navigate({ to: "/memory", search: { id: row?.id, own: true } });
  await waitFor(() => expect(document.title).toBe(row?.name));
});

test("a conversation in a window of its own stands without rail and list, and is called like it", async () => {
  const { user, core, router } = await openWindow("/conversations");
  const started = await core.call<ConversationView>("start_conversation", {
    channelId: null,
    title: "Salt roads",
  });
  await router.navigate({
    to: "/conversations/$ref",
    params: { ref: started.refCode },
    search: { own: true },
  });
  await screen.findByRole("textbox", { name: "Your message" });
  expect(rail()).toBeNull();
  expect(screen.queryByRole("button", { name: "New conversation" })).toBeNull();
  await waitFor(() => expect(document.title).toBe("Salt roads"));
  await user.click(await screen.findByRole("button", { name: "Show the whole window" }));
  await waitFor(() => expect(rail()).not.toBeNull());
});

test("another page opened in such a window has the rail again", async () => {
  const { core, router } = await openWindow("/memory");
  const [row] = await memoriesOf(core);
  await router.navigate({ to: "/memory", search: { id: row?.id, own: true } });
  await waitFor(() => expect(rail()).toBeNull());
  await router.navigate({ to: "/settings" });
  await screen.findByRole("heading", { name: "Settings", level: 1 });
  expect(rail()).not.toBeNull();
});
