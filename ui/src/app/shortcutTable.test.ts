import { expect, test } from "vitest";
import { refusalOf } from "../components/shortcuts/strokes";
import { overlap, SHORTCUT_IDS, SHORTCUTS, shortcutOf } from "../components/shortcuts/table";
import { TABS as ACTIVITY_TABS, TAB_COMMANDS } from "../features/activity/view";
import { TABS as CONTROL_TABS } from "../features/control/view";

const sources = Object.entries(
  import.meta.glob<string>("../**/*.{ts,tsx}", { eager: true, query: "?raw", import: "default" }),
)
  .filter(([path]) => !/\.test\.tsx?$|\/shortcuts\/table|\/testing\/|\/i18n\//.test(path))
  .map(([, text]) => text)
  .join("\n");

test("no two shortcuts have the same keys where both could be meant", () => {
  const clashes = SHORTCUT_IDS.flatMap((a, n) =>
    SHORTCUT_IDS.slice(n + 1).filter((b) => {
      const [one, other] = [shortcutOf(a), shortcutOf(b)];
      const all = [...other.strokes, ...other.fixed];
      const isSame =
        one.strokes.some((it) => all.includes(it)) || other.strokes.some((it) => one.fixed.includes(it));
      return isSame && overlap(one, other);
    }),
  );
  expect(clashes).toEqual([]);
});

test("whoever listens has each shortcut by the id that the table has", () => {
  const isUsed = (id: string) =>
    sources.includes(`"${id}"`) ||
    // One of several that a list offers: `activity.${name}`.
    sources.includes(`id: \`${id.slice(0, id.lastIndexOf(".") + 1)}\${`);
  expect(SHORTCUT_IDS.filter((id) => !shortcutOf(id).isFixed && !isUsed(id))).toEqual([]);
});

test("only undo has keys at first that could not be chosen: a text undoes by the same", () => {
  const refused = SHORTCUT_IDS.filter((id) => shortcutOf(id).strokes.some((it) => refusalOf(it) !== null));
  expect(refused).toEqual(["memory.undo"]);
});

test("every tab of a page has a shortcut with the name of its command", () => {
  for (const tab of ACTIVITY_TABS) expect(SHORTCUTS[`activity.${tab}`].label).toBe(TAB_COMMANDS[tab]);
  for (const tab of CONTROL_TABS) expect(SHORTCUTS[`control.tab.${tab}`].place).toBe("control");
});
