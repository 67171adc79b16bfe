import { screen, waitFor, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import type { MemoryDetail, MemoryRow } from "../../ipc/bindings.gen";
import { type Core, openWindow } from "../../testing/open";

const CONVERSATION = "/conversations/k3T9wPq2LxA";
const TEXT = "The toll of Saltmere rises at spring tide. Nobody has written down why.";

/** The message that was just written. */
async function written() {
  const transcript = await screen.findByRole("region", { name: "Transcript" });
  const text = await within(transcript).findByText(TEXT);
  return text.closest("article") as HTMLElement;
}

async function say() {
  const opened = await openWindow(CONVERSATION);
  await opened.user.type(await screen.findByRole("textbox", { name: "Your message" }), `${TEXT}{Enter}`);
  return { ...opened, article: await written() };
}

const remembered = async (core: Core) => {
  const filter = { scope: "channel", channelId: null, conversationId: null, terms: [], lens: null };
  const request = { filter, sort: "created_desc", after: null, limit: 1 };
  const { rows } = await core.call<{ rows: MemoryRow[] }>("list_memories", { request });
  return core.call<MemoryDetail>("get_memory", { id: rows[0]?.id });
};

test("a message is remembered in its channel, says what it was made of, and undo takes it away", async () => {
  const { user, core, article } = await say();
  await user.click(within(article).getByRole("button", { name: "Remember this" }));
  const toast = await screen.findByText(/^Remembered in #/);
  const memory = await remembered(core);
  expect(memory.content).toBe(TEXT);
  expect(memory.row).toMatchObject({ scope: "channel", curator: "author" });
  expect(memory.derivations).toMatchObject([{ kind: "message", state: "current" }]);
  await user.click(within(toast.closest("li") as HTMLElement).getByRole("button", { name: "Undo" }));
  await waitFor(async () => expect((await remembered(core)).row.id).not.toBe(memory.row.id));
});

test("only what is selected of a message is remembered", async () => {
  const { user, core, article } = await say();
  const node = within(article).getByText(TEXT).firstChild as Text;
  const range = document.createRange();
  range.setStart(node, 0);
  range.setEnd(node, TEXT.indexOf(" Nobody"));
  window.getSelection()?.addRange(range);
  await user.click(within(article).getByRole("button", { name: "Remember this" }));
  await screen.findByText(/^Remembered in #/);
  expect((await remembered(core)).content).toBe("The toll of Saltmere rises at spring tide.");
});
