import { screen, waitFor, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import type { ClientView } from "../../../ipc/bindings.gen";
import { type Core, openWindow } from "../../../testing/open";
import { chapter, subject } from "../../../testing/story";

const clients = (core: Core) => core.call<ClientView[]>("list_clients");
const cursor = async (core: Core) =>
  (await clients(core)).find(({ name }) => name === "Cursor") as ClientView;
const SENTENCE = "This client sees only what Mira knows by The Flood.";

test("a client is bound to what somebody knows at a chapter, in a plain sentence, and is freed again", async () => {
  const { user, core, router } = await openWindow("/memory");
  const mira = await subject(core, "Mira", "character");
  const flood = await chapter(core, "The Flood", "", 1);
  const { id, grants } = await cursor(core);
  await router.navigate({ to: "/control", search: { part: "clients", client: id } });
  const region = within(await screen.findByRole("region", { name: "The client Cursor" }));
  await region.findByText("It sees everything that it may read.");
  await user.click(region.getByRole("button", { name: "Show only what somebody knows…" }));
  const popup = within(await screen.findByRole("dialog", { name: "Show what somebody knows" }));
  await user.click(popup.getByRole("button", { name: "As: Anybody" }));
  await user.click(await screen.findByRole("option", { name: "Mira" }));
  await user.click(popup.getByRole("combobox", { name: "At" }));
  await user.click(await screen.findByRole("option", { name: "1. The Flood" }));
  await user.click(popup.getByRole("button", { name: "Set" }));
  await region.findByText(SENTENCE);
  const change = region.getByRole("button", { name: "Change…" });
  await waitFor(() => expect(document.activeElement).toBe(change));
  await waitFor(async () => expect((await cursor(core)).grants.lens).toEqual({ knower: mira, at: flood }));
  // Another grant leaves it as it is.
  await user.click(region.getByRole("checkbox", { name: /^Make proposals/ }));
  await waitFor(async () =>
    expect((await cursor(core)).grants.capabilities).not.toEqual(grants.capabilities),
  );
  expect((await cursor(core)).grants.lens).toEqual({ knower: mira, at: flood });
  await user.click(region.getByRole("button", { name: "Show everything again" }));
  await region.findByText("It sees everything that it may read.");
  await waitFor(async () => expect((await cursor(core)).grants.lens).toBeNull());
});

test("in a world without subjects a client cannot be bound to anybody", async () => {
  const { core, router } = await openWindow("/memory");
  const { id } = await cursor(core);
  await router.navigate({ to: "/control", search: { part: "clients", client: id } });
  const region = within(await screen.findByRole("region", { name: "The client Cursor" }));
  await region.findByRole("checkbox", { name: /^Make proposals/ });
  expect(region.queryByText("Whose knowledge it sees")).toBeNull();
});
