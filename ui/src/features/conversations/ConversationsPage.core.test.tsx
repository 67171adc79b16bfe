import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { screen, waitFor, within } from "@testing-library/dom";
import { expect, onTestFinished, test } from "vitest";
import { startChatServer } from "../../../../e2e/lib/chat-server.mjs";
import { chatgptExport } from "../../../../e2e/lib/third-party.mjs";
import { pseudoMessages } from "../../i18n/pseudo";
import type { FactPage, MessagePage } from "../../ipc/bindings.gen";
import { deliver } from "../../ipc/mock";
import { answers } from "../../testing/answers";
import { endpointAt } from "../../testing/fixtures/folders";
import { LONG, MAGIC, LEDGER as REF, ROPE } from "../../testing/fixtures/ids";
import { type Core, memoriesOf, openWindow } from "../../testing/open";

const LEDGER = "/conversations/k3T9wPq2LxA";
const transcript = () => screen.findByRole("region", { name: "Transcript" });
const box = () => screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Your message" });
const list = () => screen.findByRole("listbox", { name: "Conversations" });
const ROUNDS = 8;
/** The newest messages of the conversation about the fair. */
const newest = async (core: Core) => {
  const range = { kind: "newest" };
  return (await core.call<MessagePage>("list_messages", { conversation: REF, range, limit: 20 })).messages;
};

test("the list shows the latest activity first, and archived conversations only on request", async () => {
  const { user, address } = await openWindow("/conversations");
  const rows = within(await list()).getAllByRole("option");
  expect(rows[0]?.textContent).toContain("What the Lanternmen want");
  expect(rows.some((row) => row.textContent?.includes("first draft"))).toBe(false);
  await user.click(screen.getByRole("button", { name: "Archived" }));
  await waitFor(() => expect(address().search).toMatchObject({ status: ["active", "idle", "archived"] }));
  expect(await screen.findByText("The first draft, session one")).toBeTruthy();
});

test("a new conversation is opened at once, with the focus in the composer", async () => {
  const { user, address, transport } = await openWindow(`/conversations?channel=${MAGIC}`);
  await list();
  await user.keyboard("n");
  const dialog = await screen.findByRole("dialog");
  await user.type(within(dialog).getByRole("textbox"), "The eleventh knot{Enter}");
  await screen.findByRole("heading", { level: 2, name: "The eleventh knot" });
  expect(transport.callsOf("start_conversation")[0]).toMatchObject({ channelId: MAGIC });
  expect(address().pathname).toMatch(/^\/conversations\/\w{11}$/);
  const field = await box();
  await waitFor(() => expect(document.activeElement).toBe(field));
});

test("without a language model messages are stored, and the page states that nobody answers", async () => {
  const { user, core } = await openWindow(LEDGER);
  await user.type(await box(), "Is anybody there?{Enter}");
  expect(await screen.findByText("Nobody answers yet")).toBeTruthy();
  expect((await transcript()).textContent).toContain("Is anybody there?");
  expect((await box()).value).toBe("");
  expect((await newest(core)).at(-1)?.content).toBe("Is anybody there?");
  await user.click(screen.getByRole("button", { name: "See what the agent would see" }));
  expect(await screen.findByRole("region", { name: "What the agent sees" })).toBeTruthy();
});

test("messages from before a language model was connected can be answered later", async () => {
  const { user, core } = await openWindow(LEDGER);
  await user.type(await box(), "Later, then.{Enter}");
  await screen.findByText("Nobody answers yet");
  const chat = await startChatServer(answers(1, 2));
  onTestFinished(chat.stop);
  await core.call("set_chat_endpoint", { endpoint: endpointAt(chat.url), key: null, forgetKey: false });
  await deliver("data-changed", { topic: "settings" });
  await user.click(await screen.findByRole("button", { name: "Answer now" }));
  await waitFor(async () => expect((await transcript()).textContent).toContain("comes up with the mud."));
});

test("a page of the transcript that cannot be read is reported, and requested again only manually", async () => {
  const { user, transport } = await openWindow(`/conversations/${LONG}`, { folder: "long", noModel: true });
  const articles = () => transcript().then((it) => within(it).findAllByRole("article"));
  await articles();
  transport.failing.add("list_messages");
  (await transcript()).scrollTop = 0;
  (await transcript()).dispatchEvent(new Event("scroll"));
  expect(await screen.findByText("More of the transcript could not be read.")).toBeTruthy();
  const reads = transport.callsOf("list_messages").length;
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(transport.callsOf("list_messages")).toHaveLength(reads);
  transport.failing.clear();
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(screen.queryByText("More of the transcript could not be read.")).toBeNull());
});

test("an answer is streamed word by word and stays", async () => {
  const { user } = await openWindow(LEDGER, { chat: answers(1, 5) });
  await user.type(await box(), "Who copies the page?{Enter}");
  await waitFor(async () => expect((await transcript()).textContent).toContain("The tide decides"));
  await waitFor(async () => expect((await transcript()).textContent).toContain("comes up with the mud."));
  expect(await screen.findByRole("button", { name: "Send" })).toBeTruthy();
});

test("Escape stops an answer, the received part is kept, and it can be requested again", async () => {
  const { user, transport } = await openWindow(LEDGER, { chat: [...answers(1, 50), ...answers(1, 2)] });
  await user.type(await box(), "And then?{Enter}");
  expect(await screen.findByRole("button", { name: "Stop" })).toBeTruthy();
  await user.keyboard("{Escape}");
  await waitFor(() => expect(transport.callsOf("cancel_answer")).toHaveLength(1));
  // The answer before was stopped as well: its button goes when the new words are there.
  await within(await transcript()).findByText("And then?");
  expect(await screen.findByRole("button", { name: "Answer again" })).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Answer again" }));
  await waitFor(async () => expect((await transcript()).textContent).toContain("comes up with the mud."));
});

test("an unreachable endpoint is reported in words, and no written text is lost", async () => {
  const { user, core } = await openWindow(LEDGER, { chat: "dead" });
  await user.type(await box(), "Hello?{Enter}");
  expect(await screen.findByText(/nothing answers at/i)).toBeTruthy();
  expect((await transcript()).textContent).toContain("Hello?");
  expect((await newest(core)).at(-1)?.delivery).toBe("failed");
});

test("a turn of calls alone ends with an answer that failed, and is answered again on request", async () => {
  const calls = (n: number) => [{ id: `own${n}`, name: "memory_search", arguments: { query: "fair" } }];
  // The last answer of a turn may call no tool.
  const chat = [...Array.from({ length: ROUNDS }, (_, n) => ({ calls: calls(n) })), { text: "On the quay." }];
  const { user, core } = await openWindow(LEDGER, { chat });
  await user.type(await box(), "Where is the fair?{Enter}");
  await waitFor(async () => expect((await newest(core)).at(-1)?.delivery).toBe("failed"));
  await user.click(await screen.findByRole("button", { name: "Answer again" }));
  expect(await screen.findByText("On the quay.")).toBeTruthy();
  const [tool, failed] = (await newest(core)).slice(-3);
  expect([tool?.tool?.callId, failed?.delivery]).toEqual([`own${ROUNDS - 2}`, "failed"]);
});

test("an unsent message survives navigation, and a refusal", async () => {
  const { user, router, transport } = await openWindow(LEDGER);
  transport.failing.add("say");
  await user.type(await box(), "Half a thought{Shift>}{Enter}{/Shift}and a half{Enter}");
  await screen.findByText("Something went wrong");
  expect((await box()).value).toBe("Half a thought\nand a half");
  await user.click(screen.getByRole("link", { name: "Settings" }));
  await screen.findByRole("heading", { name: "Settings" });
  await router.navigate({ to: "/conversations/$ref", params: { ref: "k3T9wPq2LxA" }, search: {} });
  expect((await box()).value).toBe("Half a thought\nand a half");
});

test("an ended conversation is shown as such and is continued in a new one", async () => {
  const { user, address } = await openWindow("/conversations/Zb71mNc0QeR");
  expect(await screen.findByText("This conversation has ended.")).toBeTruthy();
  expect(screen.queryByRole("textbox", { name: "Your message" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Continue" }));
  await waitFor(() => expect(address().pathname).toMatch(/^\/conversations\/\w{11}$/));
  expect(await screen.findByRole("button", { name: /continues “Whether a face/ })).toBeTruthy();
});

test("a search finds messages, and opens the transcript at the turn", async () => {
  const { user, address } = await openWindow("/conversations");
  await list();
  await user.type(screen.getByRole("textbox", { name: "Search conversations" }), "equal weight");
  const found = await screen.findByRole("listbox", { name: "Results" });
  expect(found.querySelector("mark")?.textContent).toBe("equal");
  await user.click(within(found).getAllByRole("option")[0] as HTMLElement);
  await waitFor(() => expect(address()).toMatchObject({ pathname: "/conversations/Zb71mNc0QeR" }));
  await waitFor(() => expect(address().search).toMatchObject({ at: 2, q: "equal weight" }));
  await waitFor(async () =>
    expect((await transcript()).querySelector("[data-marked]")?.textContent).toContain("equal weight"),
  );
});

test("compacted messages are unfolded on request, and their marker links to the archive", async () => {
  const { user } = await openWindow(LEDGER);
  const button = await screen.findByRole("button", { name: "Show the 6 messages before" });
  expect((await transcript()).textContent).not.toContain("Let's talk about the lantern fair");
  await user.click(button);
  await waitFor(async () =>
    expect((await transcript()).textContent).toContain("Let's talk about the lantern fair"),
  );
  const marker = screen.getByRole("link", { name: /Summarised as/ });
  expect(marker.getAttribute("href")).toContain("/memory?id=");
});

test("a message is marked as important, and back", async () => {
  const { user, core } = await openWindow(LEDGER);
  const turns = await within(await transcript()).findAllByRole("button", { name: "Important" });
  const last = turns.at(-1) as HTMLElement;
  expect(last.getAttribute("aria-pressed")).toBe("false");
  await user.click(last);
  await waitFor(async () => expect((await newest(core)).at(-1)?.importance).toBe(0.9));
  await waitFor(() => expect(last.getAttribute("aria-pressed")).toBe("true"));
});

test("deleting states what is removed, asks for the code, and only forgets the memories", async () => {
  const { user, core } = await openWindow(LEDGER);
  const before = (await memoriesOf(core)).length;
  await screen.findByRole("heading", { level: 2 });
  await user.click(screen.getAllByRole("button", { name: "More actions" }).at(-1) as HTMLElement);
  await user.click(await screen.findByRole("menuitem", { name: "Delete…" }));
  const dialog = await screen.findByRole("dialog");
  expect(dialog.textContent).toContain("14 messages are deleted for good. Its 2 memories are only forgotten");
  const button = within(dialog).getByRole<HTMLButtonElement>("button", { name: "Delete conversation" });
  expect(button.disabled).toBe(true);
  await user.type(within(dialog).getByRole("textbox"), "k3T9wPq2LxA{Enter}");
  await waitFor(() => expect(core.call("get_conversation", { conversation: REF })).rejects.toThrow());
  expect(await memoriesOf(core)).toHaveLength(before - 2);
});

test("a compaction previews its effect, and states whether the messages are retained", async () => {
  const { user, transport } = await openWindow(`/conversations/${ROPE}`);
  await screen.findByRole("heading", { level: 2 });
  await user.click(screen.getAllByRole("button", { name: "More actions" }).at(-1) as HTMLElement);
  await user.click(await screen.findByRole("menuitem", { name: "Summarise…" }));
  const dialog = await screen.findByRole("dialog");
  expect(await within(dialog).findByText(/messages will be summarised/)).toBeTruthy();
  expect(dialog.textContent).toContain("The messages stay");
  const name = within(dialog).getByRole("textbox");
  await user.clear(name);
  await user.type(name, "Two ledgers{Enter}");
  expect(await screen.findByRole("link", { name: "Summarised as “Two ledgers”" })).toBeTruthy();
  expect(transport.callsOf("compact_conversation")[0]).toMatchObject({ name: "Two ledgers" });
});

test("a claim of the agent waits for the worldbuilder, and its acceptance can be undone", async () => {
  const { user, core } = await openWindow(`${LEDGER}?tab=facts`);
  const fact = async () => {
    const request = { category: null, asOf: null, after: null, limit: 50 };
    const { rows } = await core.call<FactPage>("list_facts", { request });
    return rows.find((it) => it.key === "can read");
  };
  expect(await screen.findByText(/claims: no, but she hides it well/)).toBeTruthy();
  expect((await fact())?.value).toBe("undecided");
  await user.click(screen.getByRole("button", { name: "Accept" }));
  await waitFor(async () => expect((await fact())?.value).toBe("no, but she hides it well"));
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  await waitFor(async () => expect((await fact())?.value).toBe("undecided"));
});

test("an import previews its content, shows progress, and can be cancelled", async () => {
  const { user, address, core } = await openWindow("/conversations");
  const path = join(core.home.path, "conversations.json");
  writeFileSync(path, JSON.stringify(chatgptExport(600)));
  await list();
  await user.click(screen.getByRole("button", { name: "More actions" }));
  await user.click(await screen.findByRole("menuitem", { name: "Import conversations…" }));
  const dialog = await screen.findByRole("dialog");
  await user.type(within(dialog).getByRole("textbox"), `${path}{Enter}`);
  expect(await within(dialog).findByText(/From ChatGPT: 600 conversations/)).toBeTruthy();
  await user.click(within(dialog).getByRole("button", { name: "Import" }));
  await user.click(await within(dialog).findByRole("button", { name: "Cancel the import" }));
  expect(await within(dialog).findByText(/What was imported so far stays/)).toBeTruthy();
  await user.click(within(dialog).getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(address().search).not.toHaveProperty("import", true));
});

test("a conversation that cannot be read is listed, and the others are imported on request", async () => {
  const { user, core } = await openWindow("/conversations");
  const path = join(core.home.path, "torn.json");
  writeFileSync(path, JSON.stringify([...chatgptExport(2), { mapping: 7 }]));
  await list();
  await user.click(screen.getByRole("button", { name: "More actions" }));
  await user.click(await screen.findByRole("menuitem", { name: "Import conversations…" }));
  const dialog = await screen.findByRole("dialog");
  await user.type(within(dialog).getByRole("textbox"), `${path}{Enter}`);
  expect(await within(dialog).findByText("1 conversation cannot be read")).toBeTruthy();
  const refusals = within(dialog).getByRole("list", { name: "What cannot be read" });
  expect(refusals.textContent).toMatch(/conversation 3: .*at byte \d+/);
  const button = within(dialog).getByRole<HTMLButtonElement>("button", { name: "Import" });
  expect(button.disabled).toBe(true);
  await user.click(within(dialog).getByRole("checkbox", { name: "Import the others" }));
  await user.click(button);
  expect(await within(dialog).findByText(/2 conversations with/)).toBeTruthy();
  expect(within(dialog).getByText("1 was left out, unreadable.")).toBeTruthy();
});

test("on a read-only disk no action that writes is offered", async () => {
  await openWindow(LEDGER, { readOnly: true });
  expect((await box()).disabled).toBe(true);
  for (const button of await screen.findAllByRole<HTMLButtonElement>("button", { name: "New conversation" }))
    expect(button.disabled).toBe(true);
});

test("a missing conversation is reported as missing", async () => {
  await openWindow("/conversations/nobodyatall");
  expect(await screen.findByText("This conversation is no longer there")).toBeTruthy();
});

test("no word of English is hard-coded on the page", async () => {
  await openWindow(`${LEDGER}?tab=shown`, {}, pseudoMessages());
  const page = await screen.findByRole("main");
  await within(page).findByRole("listbox");
  await within(page).findAllByRole("tab");
  const own = [...page.querySelectorAll("[role=tab], header button, form button, fieldset button")]
    .map((element) => (element.getAttribute("aria-label") ?? element.textContent ?? "").trim())
    .filter((text) => text.length > 1 && !text.startsWith("#"));
  expect(own.length).toBeGreaterThan(8);
  expect(own.filter((text) => !/[~áéîöûšţñ]/.test(text))).toEqual([]);
});

test("a tool line states the result of the call, with a link to what it wrote", async () => {
  const { user, transport, address } = await openWindow(LEDGER);
  const line = await screen.findByRole("button", { name: /^Remembered: The missing ledger lists/ });
  let made: unknown;
  transport.change("list_messages", (page: MessagePage) => ({
    ...page,
    messages: page.messages.map((it) => {
      if (it.tool?.callId !== "c2") return it;
      made = JSON.parse(it.content).remembered;
      return { ...it, content: JSON.stringify({ error: "there is no such tool" }) };
    }),
  }));
  await deliver("data-changed", { topic: "transcript" });
  await screen.findByRole("button", { name: /^Could not remember: The missing ledger lists/ });
  expect(screen.getByText("there is no such tool")).toBeTruthy();
  expect(screen.queryByRole("link", { name: "Open the memory" })).toBeNull();
  expect(line.isConnected && line.textContent?.startsWith("Remembered")).toBe(false);
  transport.unchange("list_messages");
  await deliver("data-changed", { topic: "transcript" });
  await user.click(await screen.findByRole("link", { name: "Open the memory" }));
  await waitFor(() => expect(address().search).toMatchObject({ id: made }));
});
