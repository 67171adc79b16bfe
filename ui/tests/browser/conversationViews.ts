import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { chatgptExport } from "../../../e2e/lib/third-party.mjs";
import { answers } from "../../src/testing/answers";
import { LEDGER as REF, ROPE } from "../../src/testing/fixtures/ids";
import type { Core } from "../../src/testing/serve";
import { linkVault, vaultFolder } from "../../src/testing/vault";
import { expect, type View } from "./support";

const LEDGER = "/conversations/k3T9wPq2LxA";
const transcript = (page: Page) => page.getByRole("region", { name: "Transcript" });
const read = async (page: Page) => expect(transcript(page).getByRole("article").first()).toBeVisible();
const say = async (page: Page, text: string) => {
  await page.getByRole("textbox", { name: "Your message" }).fill(text);
  await page.keyboard.press("Enter");
};
const menu = async (page: Page, item: string) => {
  await page
    .getByRole("region", { name: "The conversation" })
    .getByRole("button", { name: "More actions" })
    .click();
  await page.getByRole("menuitem", { name: item }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
};
const tab = (name: string, text: string | RegExp) => ({
  name: `conversation, ${name}`,
  hash: `${LEDGER}?tab=${name}`,
  ready: async (page: Page) => {
    await read(page);
    await expect(page.getByRole("tabpanel").getByText(text).first()).toBeVisible();
  },
});

/** The views of conversations and channels, for the walk through all views. */
export const CONVERSATION_VIEWS: View[] = [
  {
    name: "conversation, a file and a page attached",
    hash: LEDGER,
    writes: true,
    ready: async (page: Page, core: Core) => {
      const path = join(core.home.path, "gate.md");
      writeFileSync(path, "The gate is iron.");
      await linkVault(core, vaultFolder(core.home));
      await core.call("say", { conversation: REF, text: "What of it?", files: [path] });
      await transcript(page)
        .getByRole("button", { name: /gate\.md/ })
        .click();
      await expect(transcript(page).getByText("The gate is iron.")).toBeVisible();
      await page.getByRole("button", { name: "Attach a page…" }).click();
      await page.getByPlaceholder("Find a page").fill("Saltmere");
      await page.getByRole("option", { name: /Saltmere\.md/ }).click();
      await expect(page.getByRole("list", { name: "Attached files" })).toBeVisible();
    },
  },
  {
    name: "conversations",
    hash: "/conversations",
    ready: async (page: Page) => expect(page.getByRole("listbox")).toBeVisible(),
  },
  { name: "conversation", hash: LEDGER, ready: read },
  {
    name: "conversation, unfolded with a tool open",
    hash: LEDGER,
    ready: async (page: Page) => {
      await read(page);
      await transcript(page).focus();
      await page.keyboard.press("Home");
      await page.getByRole("button", { name: /^Show the 6 messages/ }).click();
      await page.getByRole("button", { name: /^Looked in memory/ }).click();
      await expect(page.getByText("It answered")).toBeVisible();
    },
  },
  {
    name: "conversation, nobody answers",
    hash: LEDGER,
    writes: true,
    ready: async (page: Page) => {
      await read(page);
      await say(page, "Who copies the page?");
      await expect(page.getByText("Nobody answers yet")).toBeVisible();
    },
  },
  {
    name: "conversation, answered",
    hash: LEDGER,
    world: { chat: answers(1) },
    writes: true,
    ready: async (page: Page) => {
      await read(page);
      await say(page, "Who copies the page?");
      await expect(transcript(page)).toContainText("comes up with the mud.");
    },
  },
  {
    name: "conversation, thinking",
    hash: LEDGER,
    world: { chat: [{ stall: "start" }] },
    writes: true,
    ready: async (page: Page) => {
      await read(page);
      await say(page, "Who copies the page?");
      await expect(page.getByText("Thinking…")).toBeVisible();
    },
  },
  {
    name: "conversation, dead endpoint",
    hash: LEDGER,
    world: { chat: "dead" },
    writes: true,
    ready: async (page: Page) => {
      await read(page);
      await say(page, "Who copies the page?");
      await expect(page.getByText(/nothing answers at/i)).toBeVisible();
    },
  },
  { name: "conversation, ended", hash: "/conversations/Zb71mNc0QeR", ready: read },
  {
    name: "conversation, search",
    hash: "/conversations/k3T9wPq2LxA?q=ledger&at=9",
    ready: async (page: Page) => {
      await expect(page.getByRole("listbox", { name: "Results" })).toBeVisible();
      await expect(page.locator("[data-marked]")).toBeVisible();
    },
  },
  tab("shown", "Recent turns"),
  tab("notes", "Working Note"),
  tab("memories", /Tonight's thread/),
  tab("facts", /The World Agent claims/),
  tab("episodes", /night of the strike/),
  {
    name: "conversation, empty",
    writes: true,
    hash: "/conversations",
    ready: async (page: Page) => {
      await expect(page.getByRole("listbox")).toBeVisible();
      await page.keyboard.press("n");
      await page.keyboard.press("Enter");
      await expect(page.getByText("No messages yet")).toBeVisible();
    },
  },
  {
    name: "conversation, new",
    hash: "/conversations",
    ready: async (page: Page) => {
      await expect(page.getByRole("listbox")).toBeVisible();
      await page.keyboard.press("n");
      await expect(page.getByRole("dialog", { name: "New conversation" })).toBeVisible();
    },
  },
  {
    name: "conversation, compaction",
    hash: `/conversations/${ROPE}`,
    ready: async (page: Page) => {
      await read(page);
      await menu(page, "Summarise…");
      await expect(page.getByText(/will be summarised/)).toBeVisible();
    },
  },
  {
    name: "conversation, deletion",
    hash: LEDGER,
    ready: async (page: Page) => {
      await read(page);
      await menu(page, "Delete…");
      await expect(page.getByRole("menu")).toHaveCount(0);
    },
  },
  {
    name: "conversations, import",
    hash: "/conversations",
    ready: async (page: Page, core: Core) => {
      const file = join(core.home.path, "conversations.json");
      writeFileSync(file, JSON.stringify(chatgptExport(30)));
      await expect(page.getByRole("listbox")).toBeVisible();
      await page.getByRole("button", { name: "More actions" }).click();
      await page.getByRole("menuitem", { name: "Import conversations…" }).click();
      await page.getByRole("textbox", { name: "Full path of the file" }).fill(file);
      await page.keyboard.press("Enter");
      await expect(page.getByText(/From ChatGPT/)).toBeVisible();
    },
  },
  {
    name: "conversations, none",
    hash: "/conversations",
    world: { folder: "empty" },
    ready: async (page: Page) => expect(page.getByText("No conversations yet")).toBeVisible(),
  },
  {
    name: "conversations, loading",
    hash: LEDGER,
    faults: "delay=60000",
    ready: async (page: Page) => expect(page.getByRole("status", { name: "Loading" }).first()).toBeVisible(),
  },
  {
    name: "conversations, error",
    hash: LEDGER,
    faults: "fail=list_conversations,list_messages",
    ready: async (page: Page) => expect(page.getByRole("alert")).toHaveCount(2),
  },
  {
    name: "conversation, read-only",
    hash: `${LEDGER}?tab=facts`,
    world: { readOnly: true },
    ready: async (page: Page) => {
      await read(page);
      await expect(page.getByText("cannot be written now")).toBeVisible();
    },
  },
  {
    name: "channels",
    hash: "/channels",
    ready: async (page: Page) => expect(page.getByRole("list", { name: "Channels" })).toBeVisible(),
  },
  {
    name: "channels, deletion",
    hash: "/channels",
    ready: async (page: Page) => {
      await page.getByRole("button", { name: "Actions on #tide-magic" }).click();
      await page.getByRole("menuitem", { name: "Delete…" }).click();
      await expect(page.getByRole("dialog")).toBeVisible();
    },
  },
  {
    name: "channels, error",
    hash: "/channels",
    faults: "fail=list_channels",
    ready: async (page: Page) => expect(page.getByRole("alert")).toBeVisible(),
  },
  {
    name: "memory, working notes",
    hash: "/memory?scope=conversation",
    ready: async (page: Page) => expect(page.getByText("Working Note").first()).toBeVisible(),
  },
  {
    name: "settings, language model",
    hash: "/settings?section=language-model",
    world: { chat: [] },
    writes: true,
    ready: async (page: Page, core: Core) => {
      await page.getByRole("textbox", { name: "Address" }).fill(core.chatUrl);
      await page.getByRole("button", { name: "Test" }).click();
      await expect(page.getByText(/It answers/)).toBeVisible();
    },
  },
];
