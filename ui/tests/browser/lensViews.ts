import type { Page } from "@playwright/test";
import type { ClientView, ConversationView } from "../../src/ipc/bindings.gen";
import { idOf, SALTMERE } from "../../src/testing/fixtures/ids";
import type { Core } from "../../src/testing/serve";
import { setKnownBy, subject } from "../../src/testing/story";
import { detail, expect, grid, open, type View } from "./support";
import { seedTimeline } from "./timelineViews";

/** The council, which only some know of, and what Saltmere is, which the Reader learns late. */
const SECRET = idOf(12);

/** Those who know something, and what not everybody knows. */
export const seedKnowers = async (core: Core) => {
  await seedTimeline(core);
  for (const name of ["Anselm Rook", "Hepzibah", "Toma"]) await subject(core, name, "character");
  await subject(core, "The Lanternmen", "faction");
  await subject(core, "The Reader", "audience");
  await setKnownBy(core, SALTMERE, [
    { subject: "The Lanternmen", since: null },
    { subject: "The Reader", since: "The Long Ebb" },
    { subject: "Anselm Rook", since: "14 Thaw, 300" },
  ]);
  await setKnownBy(core, SECRET, [{ subject: "The Lanternmen", since: null }]);
};

const of = (name: string, hash: string, ready: View["ready"]): View => ({
  name,
  hash,
  seed: seedKnowers,
  ready,
});

const popup = (page: Page, name: string) => page.getByRole("dialog", { name });

/** The views of who knows what, for the walk through all views. */
export const LENS_VIEWS: View[] = [
  of("lens, who knows", `/memory?id=${SALTMERE}`, async (page) => {
    await page.getByRole("button", { name: "Change who knows" }).click();
    await popup(page, "Who knows of it").getByRole("textbox").first().fill("chapter 3");
    await expect(page.getByText("Chapter: The Long Ebb")).toBeVisible();
  }),
  of("lens, line of a memory", `/memory?id=${SALTMERE}`, async (page) =>
    expect(detail(page).getByText("since The Long Ebb")).toBeVisible(),
  ),
  of("lens, picker", "/memory", async (page) => {
    await page.getByRole("button", { name: "Show as…" }).click();
    await popup(page, "Show what somebody knows").getByRole("button", { name: "As: Anybody" }).click();
    await expect(page.getByRole("option", { name: "The Reader" })).toBeVisible();
  }),
  of("lens, form", "/memory", async (page) => {
    await page.getByRole("button", { name: "Show as…" }).click();
    await page.getByRole("combobox", { name: "At" }).click();
    await page.getByRole("option", { name: "A date…" }).click();
    await page.getByRole("textbox", { name: "Date in the story" }).fill("14 Thaw, 300");
    await expect(page.getByText("14 Thaw, 300 after the Drowning")).toBeVisible();
  }),
  of("lens, list", "/memory?as=Toma&by=The%20Long%20Ebb", async (page) => {
    await expect(page.getByText("As Toma · The Long Ebb")).toBeVisible();
    await expect(grid(page)).toBeVisible();
  }),
  of("lens, nothing", "/memory?as=Toma&q=zzzz&scope=account", async (page) =>
    expect(page.getByText(/Some things may be hidden/)).toBeVisible(),
  ),
  {
    ...of("lens, conversation", "/conversations", async (page, core) => {
      const start = { channelId: null, title: "Questions of the ferry" };
      const { refCode } = await core.call<ConversationView>("start_conversation", start);
      const lens = { knower: "Toma", at: "The Long Ebb" };
      await core.call("set_conversation_lens", { conversation: refCode, lens });
      await open(page, `/conversations/${refCode}?tab=shown&shown=try`);
      await page.getByRole("textbox", { name: "A question to try" }).fill("the harbour town");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: /^Hidden/ }).click();
      await expect(page.getByText(/does not know it/)).toBeVisible();
      await page.getByRole("region", { name: "Hidden" }).evaluate((it) => {
        const panel = it.closest("[role=tabpanel]");
        panel?.scrollBy(0, it.getBoundingClientRect().top - 200);
      });
    }),
    writes: true,
  },
  {
    ...of("lens, client", "/control?part=clients", async (page, core) => {
      const [client] = await core.call<ClientView[]>("list_clients");
      const lens = { knower: "Anselm Rook", at: "The Long Ebb" };
      await core.call("set_grants", { id: client?.id, grants: { ...client?.grants, lens } });
      await open(page, `/control?part=clients&client=${client?.id}`);
      await expect(page.getByText(/sees only what Anselm Rook knows by The Long Ebb\./)).toBeVisible();
    }),
    writes: true,
  },
  of("lens, subject", "/world", async (page) => {
    await page.getByRole("option").filter({ hasText: "The Lanternmen" }).click();
    await expect(page.getByRole("region", { name: "Knows, which not everybody does" })).toBeVisible();
  }),
];
