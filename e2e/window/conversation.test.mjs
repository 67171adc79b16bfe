// The real window driven through a conversation: start, talk, stop, notes, compact, end, go on, put away.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { ask } from "../lib/app.mjs";
import { startChatServer } from "../lib/chat-server.mjs";
import { click, fill, get, gone, sees } from "../lib/page.mjs";
import { sharedWindow } from "../lib/shared.mjs";
import { WORKSPACE } from "../lib/store.mjs";
import { until } from "../lib/webdriver.mjs";
import { say, startConversation } from "../lib/window.mjs";

let chat;
const shared = sharedWindow(async (home) => {
  home.env.INKLINGS_SECRETS = "file";
  chat = await startChatServer([
    { text: ["The abbess ", "holds ", "the weir."], pauseMs: 60 },
    { text: ["It began ", "long ago "], stall: "end" },
    { status: 503 },
    { status: 503 },
    { status: 503 },
    { text: ["Here ", "again."] },
  ]);
  await ask(home, "chat", "connect", "--url", chat.url, "--model", "test-model");
});
after(() => chat.stop());

const conversation = (...args) => ask(shared.home, "--workspace", WORKSPACE, "conversation", ...args);
const refOf = () => shared.session.run(() => location.hash.split("?")[0].split("/").at(-1));
const more = async () =>
  click(shared.session, "button", "More actions", {
    within: await get(shared.session, "region", "The conversation"),
  });
const region = () => get(shared.session, "region", "Transcript");
const reads = (text) =>
  until(`the transcript to hold ${text}`, async () => (await (await region()).text()).includes(text));

test("a message typed in the window is answered as a stream, and all of it is on disk", async () => {
  await startConversation(shared.session, "The siege");
  await say(shared.session, "Who holds the weir?");
  await reads("The abbess holds the weir.");
  const { messages } = await conversation("show", await refOf());
  assert.deepEqual(
    messages.map((m) => [m.role, m.content, m.delivery]),
    [
      ["user", "Who holds the weir?", "complete"],
      ["assistant", "The abbess holds the weir.", "complete"],
    ],
  );
});

test("an answer can be stopped, and the received part stays", async () => {
  await say(shared.session, "Tell me everything.");
  await reads("It began long ago");
  await click(shared.session, "button", "Stop");
  await sees(shared.session, "The answer was stopped here.");
  const { messages } = await conversation("show", await refOf());
  assert.deepEqual([messages.at(-1).content, messages.at(-1).delivery], ["It began long ago", "cancelled"]);
});

test("a failing endpoint is reported, keeps the message, and can be asked again", async () => {
  await say(shared.session, "Are you there?");
  await sees(shared.session, "The answer failed.", { timeout: 60_000 });
  await reads("Are you there?");
  await click(shared.session, "button", "Answer again");
  await reads("Here again.");
});

test("a working note of the agent is shown with the conversation, read-only", async () => {
  const ref = await refOf();
  await ask(shared.home, "--workspace", WORKSPACE, "scratchpad", "write", ref, "plan", '{"step": 2}');
  await click(shared.session, "button", "Side panel");
  await click(shared.session, "tab", /Notes/);
  await sees(shared.session, "Working Note");
  await sees(shared.session, "plan");
});

test("a message of another process appears within a second", async () => {
  const ref = await refOf();
  // Several times: a single one may meet a machine that is busy.
  const delays = [];
  for (const part of ["sluice", "weir", "lock", "mill", "gate"]) {
    await conversation("say", ref, "--no-answer", `From the command line: the ${part} is open.`);
    const written = performance.now();
    await reads(`the ${part} is open`);
    delays.push(performance.now() - written);
  }
  assert.ok(Math.min(...delays) < 1_000, `shown after ${delays.map(Math.round).join(", ")} ms`);
});

test("a long conversation is compacted manually, after a preview", async () => {
  const ref = await refOf();
  for (let n = 0; n < 24; n++)
    await conversation(
      "say",
      ref,
      "--no-answer",
      `In ${1400 + n} Captain Oskar Lind counted ${n} barges at Veyra.`,
    );
  await more();
  await click(shared.session, "menuitem", /Summarise/);
  await sees(shared.session, /will be summarised/);
  await click(shared.session, "button", "Summarise");
  await sees(shared.session, /Summarised as/);
  const { messages } = await conversation("show", ref, "--limit", "500");
  assert.equal(messages.filter((m) => m.marker !== null).length, 1);
});

test("a conversation is ended, continued in another, and archived", async () => {
  const ref = await refOf();
  await more();
  await click(shared.session, "menuitem", "End for now");
  await sees(shared.session, "This conversation has ended.");
  await click(shared.session, "button", "Continue");
  await until("the new conversation to open", async () => (await refOf()) !== ref);
  const next = await conversation("list");
  const opened = next.rows.find((row) => row.continues?.refCode === ref);
  assert.ok(opened, "it goes on from the old one");
  await more();
  await click(shared.session, "menuitem", "Archive");
  await sees(shared.session, /archived/);
});

test("channels are created, and deleting a channel moves its conversations", async () => {
  await click(shared.session, "link", "Channels");
  await click(shared.session, "button", "New channel");
  await fill(shared.session, await get(shared.session, "textbox", /Name/), "Plot threads");
  await click(shared.session, "button", /^(Create|Make)/);
  await sees(shared.session, "Plot threads");
  await gone(shared.session, "dialog");
  const channels = await ask(shared.home, "--workspace", WORKSPACE, "channel", "list");
  assert.ok(channels.some((channel) => channel.name === "Plot threads"));
  const moved = (
    await ask(shared.home, "--workspace", WORKSPACE, "conversation", "start", "--channel", "Plot threads")
  ).refCode;
  await click(shared.session, "button", "Actions on #Plot threads");
  await click(shared.session, "menuitem", "Delete…");
  await sees(shared.session, "Its 1 conversation");
  await click(shared.session, "button", "Delete channel");
  await gone(shared.session, "dialog");
  await until("the conversation to be in #general", async () => {
    const view = (await conversation("list", "--limit", "100")).rows.find((row) => row.refCode === moved);
    return view?.channelName === "general";
  });
});
