import { screen, waitFor, within } from "@testing-library/dom";
import { expect, onTestFinished, test, vi } from "vitest";
import { startChatServer } from "../../../../e2e/lib/chat-server.mjs";
import type { ChatSettings, ConversationSettings } from "../../ipc/bindings.gen";
import { type Core, openWindow } from "../../testing/open";
import { isLocal } from "./ChatSection";

const settings = (core: Core) => core.call<ChatSettings>("chat_settings");
const part = async () => {
  await screen.findByRole("button", { name: "Test" });
  return screen.getByRole("region", { name: "Language model" });
};

test("the page states when conversations leave the machine", async () => {
  const { user } = await openWindow("/settings");
  expect(within(await part()).getByText(/Conversations stay here/)).toBeTruthy();
  const address = screen.getByRole("textbox", { name: "Address" });
  await user.clear(address);
  await user.type(address, "https://api.example.org/v1");
  expect(within(await part()).getByText(/are sent there/)).toBeTruthy();
  expect(["http://localhost:1", "http://127.0.0.1:8080/v1", "http://[::1]/"].every(isLocal)).toBe(true);
  expect(["http://localhost.example.org", "http://127.0.0.1.example.org", "x"].some(isLocal)).toBe(false);
});

test("a model is tested, chosen from those that answer, connected, and disconnected with undo", async () => {
  const chat = await startChatServer();
  onTestFinished(chat.stop);
  const { user, core } = await openWindow("/settings");
  await part();
  const address = screen.getByRole("textbox", { name: "Address" });
  await user.clear(address);
  await user.type(address, chat.url);
  await user.click(screen.getByRole("button", { name: "Test" }));
  await screen.findByText(/It answers/);
  expect(screen.getByRole<HTMLInputElement>("textbox", { name: "Model" }).value).toBe("test-model");
  await user.click(within(await part()).getByRole("button", { name: "Save" }));
  expect(await screen.findByText(`test-model at ${chat.url} answers`, { exact: false })).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Disconnect" }));
  await waitFor(async () => expect((await settings(core)).endpoint).toBeNull());
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  await waitFor(async () => expect((await settings(core)).endpoint?.model).toBe("test-model"));
});

test("what is edited during a test stays, and an answer of another address is not shown", async () => {
  const chat = await startChatServer();
  onTestFinished(chat.stop);
  const { user, transport } = await openWindow("/settings");
  await part();
  const address = screen.getByRole<HTMLInputElement>("textbox", { name: "Address" });
  const model = screen.getByRole<HTMLInputElement>("textbox", { name: "Model" });
  const context = screen.getByRole<HTMLInputElement>("textbox", { name: "Context, in tokens" });
  await user.clear(address);
  await user.type(address, chat.url);
  let release = transport.hold("test_chat_endpoint");
  await user.click(screen.getByRole("button", { name: "Test" }));
  await user.clear(context);
  await user.type(context, "4096");
  release();
  await screen.findByText(/It answers/);
  expect([address.value, model.value, context.value]).toEqual([chat.url, "test-model", "4096"]);

  const answer = vi.fn((it: unknown) => it);
  transport.change("test_chat_endpoint", answer);
  release = transport.hold("test_chat_endpoint");
  await user.click(screen.getByRole("button", { name: "Test" }));
  await user.type(address, "/elsewhere");
  release();
  await waitFor(() => expect(answer).toHaveBeenCalled());
  await screen.findByRole("button", { name: "Test" });
  expect(screen.queryByText(/It answers/)).toBeNull();
  expect(address.value).toBe(`${chat.url}/elsewhere`);
});

test("an address of one's own begins empty, with the focus in its field", async () => {
  const { user } = await openWindow("/settings");
  const region = within(await part());
  await user.click(region.getByRole("combobox", { name: "Service" }));
  await user.click(await screen.findByRole("option", { name: "Another address" }));
  const address = screen.getByRole<HTMLInputElement>("textbox", { name: "Address" });
  await waitFor(() => expect(document.activeElement).toBe(address));
  expect(address.value).toBe("");
});

test("a key is written, never read back, and can be removed", async () => {
  const { user, core, transport } = await openWindow("/settings", { chat: [] });
  await part();
  const field = screen.getByLabelText<HTMLInputElement>("Key, if it asks for one");
  await user.type(field, "sk-secret");
  await user.click(within(await part()).getByRole("button", { name: "Save" }));
  await waitFor(() => expect(transport.callsOf("set_chat_endpoint")[0]).toMatchObject({ key: "sk-secret" }));
  await waitFor(() => expect(document.body.innerHTML).not.toContain("sk-secret"));
  await user.click(await screen.findByRole("button", { name: "Remove the key" }));
  await waitFor(async () => expect((await settings(core)).hasKey).toBe(false));
});

test("only what was changed can be saved", async () => {
  const { user } = await openWindow("/settings", { chat: [] });
  const button = within(await part()).getByRole<HTMLButtonElement>("button", { name: "Save" });
  expect(button.disabled).toBe(true);
  const model = screen.getByRole("textbox", { name: "Model" });
  await user.type(model, "-large");
  expect(button.disabled).toBe(false);
  await user.type(model, "{Backspace>6/}");
  expect(button.disabled).toBe(true);
  await user.type(screen.getByLabelText("Key, if it asks for one"), "k");
  expect(button.disabled).toBe(false);
});

test("the cost of keeping only summaries is stated before and after", async () => {
  const { user, core } = await openWindow("/settings");
  const toggle = await screen.findByRole("switch", { name: "Keep only summaries" });
  expect(screen.getByText(/Off: messages stay/)).toBeTruthy();
  await user.click(toggle);
  expect(await screen.findByText(/They cannot be searched or brought back/)).toBeTruthy();
  const kept = await core.call<ConversationSettings>("conversation_settings");
  expect(kept.keepOnlySummaries).toBe(true);
});

test("a program that runs models on this computer is found, and connected with one press", async () => {
  const chat = await startChatServer();
  onTestFinished(chat.stop);
  const { user, core } = await openWindow("/settings", {
    before: (home) => {
      Object.assign(home.env, { OLLAMA_HOST: new URL(chat.url).host });
    },
  });
  const found = within(await screen.findByRole("region", { name: "Ollama" }));
  expect(found.getByText("Ollama runs on this computer and has 1 model.")).toBeTruthy();
  await user.click(found.getByRole("button", { name: "Connect" }));
  await waitFor(async () =>
    expect((await settings(core)).endpoint).toMatchObject({ baseUrl: chat.url, model: "test-model" }),
  );
  await waitFor(() => expect(screen.queryByRole("region", { name: "Ollama" })).toBeNull());
});
