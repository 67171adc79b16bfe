// What a person does in the window, in the window's own words.
import { all, click, fill, get, gone, maybe, sees } from "./page.mjs";
import { until } from "./webdriver.mjs";

export const searchBox = (session) => get(session, "textbox", "Search memories");

/** Types into the search field as a person would. */
export const search = async (session, query) => fill(session, await searchBox(session), query);

/** The ids of the rows the list shows now, top to bottom. */
export const rowIds = (session) =>
  session.run(() => {
    const rows = [...document.querySelectorAll("[role=grid] [role=row]")];
    return rows
      .map((row) => [row.getBoundingClientRect().top, row.id.replace("memory-", "")])
      .sort(([a], [b]) => a - b)
      .map(([, id]) => id);
  });

/** Waits until the list shows at least `count` rows, and answers with their ids. */
export const rows = (session, count = 1, options) =>
  until(
    `${count} rows in the list`,
    async () => {
      const ids = await rowIds(session);
      return ids.length >= count && ids;
    },
    options,
  );

/** Waits until the list shows a row with that text and clicks it. */
export const openRow = (session, text) =>
  click(session, "row", text instanceof RegExp ? text : new RegExp(text));

/** Chooses a tier by its tab. */
export const showTier = (session, name) => click(session, "tab", new RegExp(`^${name}`));

/** Writes a new memory and waits for the window to say so. */
export async function create(session, text) {
  await click(session, "button", "New memory");
  const dialog = await get(session, "dialog", "New memory");
  const field = await get(session, "textbox", "Text of the memory", { within: dialog });
  await fill(session, field, text);
  await click(session, "button", "Remember", { within: dialog });
  await sees(session, "Remembered.");
}

/** Replaces the text of the open memory. */
export async function edit(session, text) {
  await click(session, "button", "Edit");
  await fill(session, await get(session, "textbox", "Text of the memory"), text);
  await click(session, "button", "Save");
  await sees(session, "Saved.");
}

/**
 * Takes back a change through the message about it. Messages stack and slide, so a click by position could meet the
 * one behind; this presses the button of the message itself.
 */
export const undo = (session, about) =>
  until(`a message about "${about}" with Undo`, () =>
    session.run((text) => {
      const messages = [...document.querySelectorAll("[data-sonner-toast]")];
      const message = messages.find((item) => item.textContent.includes(text));
      const button = [...(message?.querySelectorAll("button") ?? [])].find((b) => b.textContent === "Undo");
      button?.click();
      return button !== undefined;
    }, about),
  );

/** Loads the sample world through the offer on an empty data folder, leaves the tour that follows, and waits for its memories. */
export async function loadSample(session) {
  await click(session, "button", "Load the sample world");
  await sees(session, "The sample world is here.", { timeout: 60_000 });
  await click(session, "button", "Leave the tour");
  return rows(session, 5, { timeout: 30_000 });
}

/** Waits until the page shows what it is about to show: nothing is loaded any more, nothing moves, in the theme asked for. */
export const settled = (session, theme) =>
  until(`a ${theme} page that has come to rest`, () =>
    session.run(async (theme) => {
      const frame = () => new Promise((done) => requestAnimationFrame(done));
      await frame();
      await frame();
      const loading = document.querySelector(".skeleton, [role=status][aria-label=Loading]") !== null;
      const moves = (it) => it.playState === "running" && it.effect?.getTiming().iterations === 1;
      const dark = document.documentElement.dataset.theme === "dark";
      return !loading && !document.getAnimations().some(moves) && dark === (theme === "dark");
    }, theme),
  );

/** Opens the command palette and runs the action of that name. */
export async function runCommand(session, name) {
  await session.press("Control+k");
  const field = await until(
    "the palette",
    async () => (await maybe(session, "combobox")) ?? maybe(session, "textbox", /like to do/),
  );
  await field.type(name);
  await until(`the action ${name}`, async () => (await all(session, "option", new RegExp(name))).length > 0);
  await session.press("Enter");
}

/** Opens the conversations and starts one. */
export async function startConversation(session, title) {
  await click(session, "link", "Conversations");
  await click(session, "button", "New conversation");
  const field = await maybe(session, "textbox", /Title/);
  if (field && title) await fill(session, field, title);
  await click(session, "button", "Start");
  await gone(session, "dialog");
  await get(session, "textbox", "Your message");
}

/** Says something to the World Agent. */
export async function say(session, text) {
  await fill(session, await get(session, "textbox", "Your message"), text);
  await click(session, "button", "Send");
}
