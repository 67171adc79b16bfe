import { screen, waitFor, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import type { ModelStatus, ModelView, Settings } from "../../ipc/bindings.gen";
import { deliver } from "../../ipc/mock";
import { type Core, openWindow } from "../../testing/open";
import { daysOf, rateOf } from "./HalfLife";

const settings = (core: Core) => core.call<Settings>("get_settings");
const ready = () => screen.findByRole("heading", { name: "How memories fade" });

test("a theme is applied, stored by the core and used for the next first paint", async () => {
  const { user, core } = await openWindow("/settings");
  await ready();
  await user.click(screen.getByRole("radio", { name: "Dark" }));
  await waitFor(async () => expect((await settings(core)).theme).toBe("dark"));
  await waitFor(() => expect(document.documentElement.dataset.theme).toBe("dark"));
  expect(localStorage.getItem("inklings.theme")).toBe("dark");
  await user.click(screen.getByRole("radio", { name: "Same as the system" }));
  await waitFor(() => expect(document.documentElement.dataset.theme).toBeUndefined());
});

test("a preset sets its rates, and the numbers beside the curve follow", async () => {
  const { user, core } = await openWindow("/settings");
  await ready();
  await user.click(screen.getByRole("radio", { name: "Brisk" }));
  await waitFor(async () =>
    expect((await settings(core)).decay).toMatchObject({ preset: "brisk", rates: { conversation: null } }),
  );
  const row = screen.getByRole("rowheader", { name: "Conversation" }).closest("tr");
  await waitFor(() => expect(row?.textContent).toContain("Does not fade"));
});

test("a custom pace is given in days and stored as a rate per hour", async () => {
  const { user, core } = await openWindow("/settings");
  await ready();
  await user.click(screen.getByRole("radio", { name: "Custom" }));
  const field = await screen.findByRole("textbox", { name: "Channel: days until half is left" });
  await user.clear(field);
  await user.type(field, "10{Enter}");
  await waitFor(async () => expect((await settings(core)).decay.rates.channel).toBeCloseTo(rateOf(10), 8));
  expect(daysOf(rateOf(10))).toBeCloseTo(10, 8);
});

test("automatic memory of a world can be switched off, with an explanation", async () => {
  const { user, core } = await openWindow("/settings");
  const toggle = await screen.findByRole("switch", { name: "Remember in this world" });
  await user.click(toggle);
  await waitFor(async () => expect(await core.call("memory_enabled")).toBe(false));
  expect(await screen.findByText(/only you add memories/)).toBeTruthy();
});

test("an invalid pace is refused with the reason, and nothing is written", async () => {
  const { user, core } = await openWindow("/settings");
  await ready();
  await user.click(screen.getByRole("radio", { name: "Custom" }));
  const field = await screen.findByRole("textbox", { name: "Account: days until half is left" });
  const before = (await settings(core)).decay.rates.account;
  await user.clear(field);
  await user.type(field, "minus{Enter}");
  expect((await screen.findByRole("alert")).textContent).toContain("Choose between an hour and 50 years");
  expect((await settings(core)).decay.rates.account).toBe(before);
});

test("a setting that could not be saved is reset to the stored value", async () => {
  const { user, transport } = await openWindow("/settings");
  await ready();
  transport.failing.add("update_settings");
  const toggle = screen.getByRole("switch", { name: "Pause while you are away" });
  await user.click(toggle);
  await screen.findByText("The database did not answer.");
  expect(toggle.getAttribute("aria-checked")).toBe("true");
});

test("a model downloads with progress and can be used afterwards", async () => {
  const { user, transport, core } = await openWindow("/settings", { noModel: true });
  await user.click(await screen.findByRole("button", { name: /^Download Nomic Embed Text v1.5, \d+ MB/ }));
  expect(await screen.findByRole("progressbar", { name: "Download of Nomic Embed Text v1.5" })).toBeTruthy();
  // The hub never ends, so the download ends here: no progress of the core may come after the rest of it has.
  await core.call("cancel_fetch");
  await screen.findByText("The download was cancelled.");
  const [{ id: modelId }] = transport.callsOf("fetch_model") as [{ id: string }];
  transport.change("list_models", (models: ModelView[]) =>
    models.map((it) => (it.id === modelId ? { ...it, installed: true } : it)),
  );
  const whole = { modelId, downloaded: 1, total: 1, state: "done", message: null };
  await deliver("model-progress", whole);
  await deliver("data-changed", { topic: "models" });
  await user.click(await screen.findByRole("button", { name: "Use Nomic Embed Text v1.5" }));
  await waitFor(() => expect(transport.callsOf("use_model")).toEqual([{ id: modelId }]));
});

test("a world can search with a model of its own, and follow the others again", async () => {
  const { user, core } = await openWindow("/settings");
  const own = await screen.findByRole("switch", { name: "Own model for this world" });
  expect(own.getAttribute("aria-checked")).toBe("false");
  await user.click(own);
  await waitFor(() => expect(own.getAttribute("aria-checked")).toBe("true"));
  expect((await core.call<ModelStatus>("model_status")).own).toBe(true);
  await user.click(own);
  await waitFor(() => expect(own.getAttribute("aria-checked")).toBe("false"));
  expect((await core.call<ModelStatus>("model_status")).own).toBe(false);
});

test("a download can be cancelled", async () => {
  const { user, core } = await openWindow("/settings", { noModel: true });
  await user.click(await screen.findByRole("button", { name: /^Download Nomic Embed Text v1.5, \d+ MB/ }));
  await user.click(await screen.findByRole("button", { name: "Cancel the download" }));
  await screen.findByText("The download was cancelled.");
  const models = await core.call<ModelView[]>("list_models");
  expect(models.find((it) => it.id === "NomicEmbedTextV15Q")?.installed).toBe(false);
});

test("a wrong model folder is refused at its field, and the typed text stays", async () => {
  const { user } = await openWindow("/settings");
  await user.click(await screen.findByRole("button", { name: "Use a folder…" }));
  const dialog = await screen.findByRole("dialog");
  const field = within(dialog).getByRole<HTMLInputElement>("textbox");
  await user.type(field, "models{Enter}");
  expect((await within(dialog).findByRole("alert")).textContent).toContain("is not a folder");
  expect(field.value).toBe("models");
});

test("text-only mode is explained where the models are", async () => {
  await openWindow("/settings", { noModel: true });
  expect(await screen.findByText(/Without a model, search goes by words/)).toBeTruthy();
});

test("pending embeddings can be computed at once on request", async () => {
  const { user, transport } = await openWindow("/settings", {
    changes: { model_status: (status: ModelStatus) => ({ ...status, pending: status.pending + 3 }) },
  });
  const button = await screen.findByRole("button", { name: "Catch up now" });
  transport.unchange("model_status");
  await user.click(button);
  expect(transport.callsOf("embed_now")).toHaveLength(1);
  expect(await screen.findByText(/all found by meaning/)).toBeTruthy();
});
