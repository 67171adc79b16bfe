// The real window driven through what keeps memory in order: a run looked at, made and taken back; a turn with its
// ledger; a proposal; a conversation that ends; named entries; a pin. What it says is compared with the command line.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { ask } from "../lib/app.mjs";
import { startChatServer } from "../lib/chat-server.mjs";
import { click, fill, get, gone, sees } from "../lib/page.mjs";
import { sharedWindow } from "../lib/shared.mjs";
import { add, listAll, memory, WORKSPACE } from "../lib/store.mjs";
import { until } from "../lib/webdriver.mjs";
import { openRow, say, startConversation } from "../lib/window.mjs";

const LOST = "Captain Lind lost three ships at Veyra.";
const FOUND = "Captain Lind lost four ships at Veyra.";
const GATE = ["The gate of Veyra is made of iron.", "the gate of Veyra is made of IRON"];

let chat;
let mine;
const shared = sharedWindow(async (home) => {
  home.env.INKLINGS_SECRETS = "file";
  mine = await add(home, LOST);
  for (const text of GATE) await add(home, text, "--curator", "agent");
  await add(home, "The innkeeper coughs.", "--curator", "agent", "--importance", "0.001");
  chat = await startChatServer([
    {
      calls: [
        {
          id: "edit",
          name: "memory_update",
          arguments: { id: mine, content: FOUND, reason: "one more was found" },
        },
      ],
    },
    { text: ["Three, ", "as far as ", "I know."] },
  ]);
  await does("chat", "connect", "--url", chat.url, "--model", "test-model");
});
after(() => chat.stop());

const does = (...args) => ask(shared.home, "--workspace", WORKSPACE, ...args);
const within = async (role, name) => ({ within: await get(shared.session, role, name) });
const texts = async (...args) => (await listAll(shared.home, ...args)).map((row) => row.preview);
const runs = async () => {
  await click(shared.session, "link", /^Activity/);
  await click(shared.session, "tab", /^Runs/);
};
/** Waits until a part of the window reads like this. */
const reads = (role, name, text, options) =>
  until(
    `the ${role} ${name} to read ${text}`,
    async () => {
      const element = await get(shared.session, role, name);
      // biome-ignore lint/performance/useDomNodeTextContent: hidden text must not count
      const shown = await shared.session.run((part) => part.innerText, element);
      return text instanceof RegExp ? text.test(shown) : shown.includes(text);
    },
    options,
  );

test("a consolidation is previewed, run, reported, and reverted completely", async () => {
  const { session } = shared;
  const before = (await texts()).sort();
  await runs();
  await click(session, "button", "What would it do?", await within("tabpanel", /^Runs/));
  const dialog = await get(session, "dialog", /^What tidying would do now/);
  await reads("region", "Merged into another", GATE[0].slice(0, 20));
  await reads("region", /^Faded/, "The innkeeper coughs.");
  assert.deepEqual((await texts()).sort(), before, "looking changes nothing");
  await click(session, "button", "Tidy now", { within: dialog });
  await gone(session, "dialog");
  await reads("region", "The run", /Tidying\s+Done\. You started it\./);
  await reads("region", "The run", "another entry says the same");
  await reads("region", "The run", "it had faded");
  const [run] = (await does("consolidate", "list")).rows;
  assert.deepEqual([run.state, run.counts.merged, run.counts.faded], ["done", 1, 1]);
  assert.equal((await texts()).length, before.length - 2);
  await click(session, "button", "Undo this run", await within("region", "The run"));
  await click(session, "button", "Undo this run", await within("alertdialog", /^Undo this run/));
  await sees(session, "2 memories are as they were before.");
  await reads("region", "The run", "Undone.");
  assert.deepEqual((await texts()).sort(), before);
});

test("an answer shows the context the agent had for it, with the budget by layer", async () => {
  const { session } = shared;
  await startConversation(session, "Ships");
  await say(session, "How many ships did Captain Lind lose at Veyra?");
  await reads("region", "Transcript", "Three, as far as I know.");
  await click(session, "button", "What the agent saw", await within("region", "Transcript"));
  await reads("tabpanel", "Shown", "How many ships did Captain Lind lose at Veyra?");
  await reads("region", "Tokens by layer", /World memories\s+[1-9]/);
  await reads("region", "Tokens by layer", /\d+ of [\d,]+ tokens/);
  await reads("region", "World memories", LOST);
  const parts = await session.run(() => {
    const bar = document.querySelector("section[aria-label='Tokens by layer'] > [aria-hidden]");
    return [...bar.children].map((part) => part.getBoundingClientRect().width);
  });
  assert.ok(parts.length >= 2 && parts.every((width) => width > 0), `the bar: ${parts}`);
});

test("a change the agent may not make is proposed, accepted in the inbox, and undone", async () => {
  const { session } = shared;
  await click(session, "link", /^Activity/);
  await click(session, "tab", /^Proposals/);
  await click(session, "option", /Change the text/);
  await reads("region", "The proposal", "one more was found");
  await click(session, "button", "Accept", await within("region", "The proposal"));
  await sees(session, "Accepted.");
  const content = async () => (await memory(shared.home, "get", mine)).content;
  assert.equal(await content(), FOUND);
  await click(session, "button", "Undo");
  await sees(session, "Undone.");
  assert.equal(await content(), LOST);
});

test("an ended conversation is extracted automatically, and its run appears", async () => {
  const { session } = shared;
  await click(session, "link", "Conversations");
  await click(session, "option", /Ships/);
  await say(session, "We decided that the gate of Veyra stays iron.");
  await reads("region", "Transcript", /Your last message has \d+ characters/);
  await click(session, "button", "More actions", await within("region", "The conversation"));
  await click(session, "menuitem", "End for now");
  await sees(session, "This conversation has ended.");
  await runs();
  await reads("listbox", "Runs", "Keeping what conversations leave", { timeout: 40_000 });
  // The list may still be moving: a click that met the row below is made again, as a person would.
  await until("the new run to be open", async () => {
    await click(session, "option", /Keeping what conversations leave/);
    const shown = await get(session, "region", "The run");
    return (await shown.text()).includes("It started because a conversation ended.");
  });
  await reads("region", "The run", "We decided that the gate of Veyra stays iron.");
  const kept = await texts("--scope", "channel");
  assert.ok(kept.includes("We decided that the gate of Veyra stays iron."), kept.join("\n"));
});

test("VOICE is saved while typing, and a write of another process appears within a second", async () => {
  const { session } = shared;
  await click(session, "link", "Always in mind");
  await click(session, "option", /VOICE/);
  await fill(session, await get(session, "textbox", "Text of VOICE"), "Dry, exact, and never cruel.");
  await reads("region", "The entry VOICE", "Saved");
  await until(
    "the command line to say the same",
    async () => (await does("named", "show", "VOICE")).content === "Dry, exact, and never cruel.",
  );
  // Several times: a single one may meet a machine that is busy.
  const delays = [];
  for (const word of ["Warmer", "Colder", "Plainer", "Slower", "Shorter"]) {
    await does("named", "write", "VOICE", `${word}, from the command line.`);
    const written = performance.now();
    await reads("region", "The entry VOICE", `${word}, from the command line.`);
    delays.push(performance.now() - written);
  }
  assert.ok(Math.min(...delays) < 1_000, `shown after ${delays.map(Math.round).join(", ")} ms`);
});

test("a memory is pinned from its detail", async () => {
  const { session } = shared;
  await click(session, "link", "Memory");
  await openRow(session, /innkeeper coughs/);
  await click(session, "button", "Pin");
  await sees(session, "Pinned. It will not fade.");
  const { row } = (await listAll(shared.home))
    .map((row) => ({ row }))
    .find(({ row }) => /innkeeper/.test(row.preview));
  assert.equal(row.pinned, true);
  const preview = await does("consolidate", "preview");
  assert.equal(preview.counts.faded, 0, "and stays out of automatic work");
});
