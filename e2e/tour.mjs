// The guided tour: drives the real window through what a new author would try first, on a virtual display, in a
// throw-away data folder, and leaves numbered pictures under target/tour/ in both sizes and both themes.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { makeHome, openWindow, root, startDisplay } from "./lib/app.mjs";
import { click, fill, get, gone, sees } from "./lib/page.mjs";
import { LOREBOOK } from "./lib/third-party.mjs";
import { makeVault } from "./lib/vault.mjs";
import { until } from "./lib/webdriver.mjs";
import {
  create,
  edit,
  loadSample,
  openRow,
  rows,
  runCommand,
  search,
  settled,
  showTier,
  startConversation,
  say as tell,
  undo,
} from "./lib/window.mjs";

const SIZES = [
  [1280, 800],
  [1920, 1080],
];
const folder = join(root, "target", "tour");
const say = (line) => process.stdout.write(`${line}\n`);
const pictures = [];

/** Photographs the window as it is now, in every size. */
async function photograph(session, number, name, theme) {
  for (const [width, height] of SIZES) {
    await session.resize(width, height);
    await settled(session, theme);
    const path = join(folder, `${String(number).padStart(2, "0")}-${name}-${theme}-${width}x${height}.png`);
    writeFileSync(path, await session.screenshot());
    pictures.push(path);
  }
  await session.resize(...SIZES[0]);
}

const setTheme = async (session, theme) => {
  await runCommand(session, `Theme: ${theme}`);
  await gone(session, "dialog", "Command palette");
};

const QUERY = "what Hepzibah knows about the figures";
const TEXT = "The ferrymen's guild pays its debts in salt, never in coin.";

/** Each stop: its name, and what leads there. The window is left as the next stop expects it. */
const stops = [
  ["first-start", (session) => sees(session, "A world to look around in")],
  ["sample-world", (session) => loadSample(session)],
  ["tier-account", (session) => showTier(session, "Account").then(() => rows(session))],
  ["tier-channel", (session) => showTier(session, "Channel").then(() => rows(session))],
  [
    "search",
    async (session) => {
      await showTier(session, "All");
      await search(session, QUERY);
      await sees(session, /words and meaning|words only/);
      await rows(session);
    },
  ],
  [
    "why-this-result",
    async (session) => {
      await click(session, "row");
      await sees(session, "Why this came up");
    },
  ],
  [
    "decay-and-history",
    async (session) => {
      await sees(session, "How it fades");
      await session.run(() => {
        const heading = [...document.querySelectorAll("h1, h2, h3, h4, summary, button")].find((element) =>
          element.textContent.trim().startsWith("History"),
        );
        heading?.scrollIntoView({ block: "center" });
      });
    },
  ],
  [
    "created",
    async (session) => {
      await click(session, "button", "Clear the search");
      await create(session, TEXT);
      await openRow(session, /ferrymen's guild/);
    },
  ],
  [
    "editing",
    async (session) => {
      await click(session, "button", "Edit");
      await get(session, "textbox", "Text of the memory");
    },
  ],
  [
    "edited",
    async (session) => {
      await click(session, "button", /^(Discard|Cancel)$/);
      await edit(session, `${TEXT} Once a year it pays in songs.`);
    },
  ],
  [
    "forgotten",
    async (session) => {
      await click(session, "button", "Forget", { within: await get(session, "region", "The memory") });
      await sees(session, "Memory forgotten.");
    },
  ],
  [
    "taken-back",
    async (session) => {
      await undo(session, "forgotten");
      await until("the memory to be back", async () => (await rows(session)).length > 0);
      await sees(session, "ferrymen");
    },
  ],
  [
    "filters",
    async (session) => {
      await click(session, "button", /^Filter/);
      await sees(session, "Written by");
    },
  ],
  [
    "palette",
    async (session) => {
      await session.press("Escape");
      await session.press("Control+k");
      await sees(session, "Go to");
    },
  ],
  [
    "conversation",
    async (session) => {
      await session.press("Escape");
      await gone(session, "dialog", "Command palette");
      await startConversation(session, "The salt debt");
      await tell(session, "What does the ferrymen's guild pay its debts in?");
      await sees(session, "Nobody answers yet");
    },
  ],
  [
    "what-the-agent-is-shown",
    async (session) => {
      await click(session, "button", "See what the agent would see");
      await sees(session, "What the agent sees");
    },
  ],
  [
    "channels",
    async (session) => {
      await click(session, "link", "Channels");
      await sees(session, "New channel");
    },
  ],
  [
    "world",
    async (session) => {
      await click(session, "link", "Subjects");
      await sees(session, "Relations");
      await sees(session, "Where it is mentioned");
    },
  ],
  [
    "who-knows",
    async (session) => {
      await click(session, "option", /^Abelard/);
      await sees(session, "Knows, which not everybody does");
    },
  ],
  [
    "graph",
    async (session) => {
      await click(session, "radio", "Graph");
      await sees(session, "Show as…");
    },
  ],
  [
    "timeline",
    async (session) => {
      await click(session, "link", "Timeline");
      await sees(session, "The Long Still");
    },
  ],
  [
    "chapters",
    async (session) => {
      await click(session, "tab", "Chapters");
      await sees(session, "Flashback");
    },
  ],
  [
    "calendar",
    async (session) => {
      await click(session, "tab", "Calendars");
      await sees(session, "Months");
    },
  ],
  [
    "named-entries",
    async (session) => {
      await click(session, "link", "Always in mind");
      await sees(session, "VOICE");
      await sees(session, "Close third person, past tense");
    },
  ],
  [
    "no-linked-folder",
    async (session) => {
      await click(session, "link", "Pages");
      await sees(session, "No folder is linked yet");
    },
  ],
  [
    "a-page-of-a-linked-folder",
    async (session, home) => {
      const folder = join(home.path, "Salt Notes");
      makeVault(folder, 60);
      await click(session, "button", "Link a folder…");
      await fill(session, await get(session, "textbox", "Full path of the folder"), folder);
      await session.press("Enter");
      await click(session, "option", /^Page 10/);
      await sees(session, "Linked from");
    },
  ],
  [
    "linked-folders",
    async (session) => {
      await click(session, "button", "Linked folders");
      await sees(session, /Scanned/);
    },
  ],
  [
    "what-consolidating-would-do",
    async (session) => {
      await click(session, "link", /^Activity/);
      await click(session, "tab", "Runs");
      await click(session, "button", "What would it do?");
      await sees(session, "What tidying would do now");
    },
  ],
  [
    "changes",
    async (session) => {
      await session.press("Escape");
      await gone(session, "dialog");
      await click(session, "tab", "Changes");
      await sees(session, /memor(y|ies) (written|edited|imported)/);
    },
  ],
  [
    "contradictions",
    async (session) => {
      await click(session, "tab", /^Contradictions/);
      await click(session, "option", /brown eyes/);
      await sees(session, "Your decision");
    },
  ],
  [
    "recall-tests",
    async (session) => {
      await click(session, "tab", /^Recall/);
      await sees(session, "What does the lull smell of?");
    },
  ],
  [
    "how-the-agent-works",
    async (session) => {
      await click(session, "tab", "How the agent works");
      await sees(session, /No actions yet|World Agent/);
    },
  ],
  [
    "settings",
    async (session) => {
      await click(session, "link", "Settings");
      await sees(session, "How memories fade");
    },
  ],
  [
    "control-plane",
    async (session) => {
      await runCommand(session, "What each tier holds");
      await sees(session, /\d+ yours/);
    },
  ],
  [
    "a-client-and-its-grants",
    async (session) => {
      await click(session, "tab", "AI clients");
      await click(session, "button", "Add a client");
      await fill(session, await get(session, "textbox", "Name"), "Claude Desktop");
      await session.press("Enter");
      await sees(session, "What it may do");
    },
  ],
  [
    "what-a-scrub-would-take",
    async (session) => {
      await click(session, "tab", "Erase");
      await click(session, "radio", /^Memories of this world/);
      await click(session, "button", "See what would be erased");
      await sees(session, /would be erased/);
    },
  ],
  [
    "backups",
    async (session) => {
      await click(session, "tab", /^Backups/);
      await click(session, "button", "Back up now");
      await sees(session, "when you asked");
    },
  ],
  [
    "audit-log",
    async (session) => {
      await click(session, "tab", "Audit log");
      await sees(session, "Check again");
    },
  ],
  [
    "export",
    async (session) => {
      await click(session, "link", "Memory");
      await click(session, "button", "More actions");
      await click(session, "menuitem", "Export memory…");
      await get(session, "dialog", "Export memory");
    },
  ],
  [
    "exported",
    async (session, home) => {
      const dialog = await get(session, "dialog", "Export memory");
      const path = await get(session, "textbox", "Full path of the new file", { within: dialog });
      await fill(session, path, join(home.path, "world.json"));
      await click(session, "button", "Export", { within: dialog });
      // The recall tests of the sample have no place in a file.
      await click(session, "button", "Export without it");
      await sees(session, /Exported .* to/);
    },
  ],
  [
    "what-an-import-would-bring",
    async (session, home) => {
      await click(session, "button", "Close");
      const path = join(home.path, "lorebook.json");
      writeFileSync(path, JSON.stringify(LOREBOOK));
      await click(session, "button", "More actions");
      await click(session, "menuitem", "Import memory…");
      await fill(session, await get(session, "textbox", /^Full path/), path);
      await session.press("Enter");
      await get(session, "region", "What would happen");
    },
  ],
];

async function tour(display, theme) {
  const home = makeHome();
  const window = await openWindow(display, home);
  const { session } = window;
  try {
    await session.resize(...SIZES[0]);
    // Before the first picture: one that is called dark is dark.
    await setTheme(session, theme === "dark" ? "Dark" : "Light");
    let number = 0;
    for (const [name, go] of stops) {
      number += 1;
      try {
        await go(session, home);
      } catch (error) {
        await photograph(session, number, `${name}-FAILED`, theme).catch(() => {});
        throw new Error(`stop ${number}, ${name} (${theme}): ${error.message}`, { cause: error });
      }
      await photograph(session, number, name, theme);
      say(`  ${theme} ${number}/${stops.length} ${name}`);
    }
  } finally {
    await home.remove();
  }
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const display = await startDisplay();
let failure;
try {
  for (const theme of ["light", "dark"]) {
    say(`The tour, ${theme}:`);
    await tour(display, theme);
  }
} catch (error) {
  failure = error;
} finally {
  await display.stop();
}
say("");
for (const path of pictures) say(relative(root, path));
if (failure) {
  process.stderr.write(`The tour could not go on: ${failure.message}\n`);
  process.exitCode = 1;
} else {
  say(
    `\nThere is no display here, so Inklings gave the tour by itself: ${pictures.length} pictures in target/tour/.`,
  );
  say("With a display, `make run` opens the window.");
}
