import { fireEvent, screen, waitFor } from "@testing-library/dom";
import { expect, onTestFinished, test, vi } from "vitest";
import { zoom } from "../../preferences/preferences";
import { LEDGER, SALTMERE } from "../../testing/fixtures/ids";
import { type Opened, openWindow } from "../../testing/open";
import { PAGE_ACTIONS } from "./pageActions";

/** Pages, and pages with something open: what a place offers depends on it. */
const PLACES = [
  "/memory",
  `/memory?id=${SALTMERE}`,
  "/memory/read",
  "/conversations",
  `/conversations/${LEDGER}`,
  "/channels",
  "/named",
  "/world",
  "/world?look=graph",
  "/timeline",
  "/pages",
  "/activity?page=proposals",
  "/activity?page=runs",
  "/activity?page=recall",
  "/activity?page=drift",
  "/activity?page=telemetry&part=measures",
  "/settings",
  "/control?part=clients",
  "/control?part=backups",
];

/**
 * These lead away from the world of the test, wait for a model, or decide what another action has decided by then. Other tests
 * try them.
 */
const ELSEWHERE =
  /^(workspace\.(switch|sample)|model\.use|run\.now|recent |drift\.(canon_|both|belief|keep)|proposal\.(accept|edit))/;

/** Where an action is tried that does nothing where it is found, because it is so already. */
const FROM: Record<string, string> = {
  "go.memory": "/settings",
  "view.scope.all": "/memory?scope=workspace",
  "view.sort.updated_desc": "/memory?sort=created_asc",
};

const rows = () => [...document.querySelectorAll<HTMLElement>("[cmdk-item]")];
const idsShown = () => rows().map((it) => it.getAttribute("data-value") ?? "");

async function openPalette() {
  fireEvent.keyDown(document.body, { key: "k", code: "KeyK", ctrlKey: true });
  await waitFor(() => expect(rows().length).toBeGreaterThan(10));
}

/** What an action can change that somebody notices: the address, what stands on the page and has the focus, what is kept. */
const noticed = ({ router }: Opened, effects: () => number) =>
  JSON.stringify([
    router.state.location.href,
    document.documentElement.outerHTML,
    document.activeElement?.outerHTML,
    Object.entries(localStorage).filter(([key]) => !key.startsWith("inklings.recent")),
    effects(),
  ]);

/** A command that does something: it is no read of a page that is drawn anew. */
const isWrite = (command: string) => /^(undo|update|set|embed|back_up|run)_/.test(command);

async function closeAll() {
  for (let n = 0; n < 4 && document.querySelector("[role=dialog], [role=alertdialog]"); n += 1) {
    fireEvent.keyDown(document.activeElement ?? document.body, { key: "Escape", code: "Escape" });
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

test("each action of the palette does something when it is chosen", async () => {
  const opened = await openWindow("/memory");
  const { core, router, transport } = opened;
  const print = vi.fn();
  vi.stubGlobal("print", print);
  onTestFinished(() => void vi.unstubAllGlobals());
  const copy = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  const effects = () => print.mock.calls.length + copy.mock.calls.length;
  await screen.findByRole("grid");
  const request = {
    question: "Where is the salt?",
    come: [SALTMERE],
    stayAway: [],
    lens: null,
    channelId: null,
    budget: null,
  };
  await core.call("add_recall_test", { request });
  const settled = () => waitFor(() => expect(document.querySelector("main .skeleton")).toBeNull());
  const at = async (place: string) => {
    router.history.push(place);
    await waitFor(() => expect(router.state.location.href).toContain(place.split("?")[0]));
    await settled();
  };
  const idle: string[] = [];
  /** The page once it stands still: what only passes by while the palette closes is no effect. */
  const stands = async () => {
    for (let last = ""; ; ) {
      const now = noticed(opened, effects);
      if (now === last) return now;
      last = now;
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
  };
  /** Chooses an action on the page that is open. */
  const attempt = async (id: string) => {
    if (id === "view.zoomReset") zoom.set("150");
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    const before = await stands();
    await openPalette();
    const row = rows().find((it) => it.getAttribute("data-value") === id);
    const calls = transport.calls.length;
    if (row) fireEvent.click(row);
    const hasWritten = () => transport.calls.slice(calls).some(({ command }) => isWrite(command));
    const end = performance.now() + 6000;
    let hasActed = false;
    while (row && !hasActed && performance.now() < end) {
      // The page is drawn in the meantime.
      await new Promise((resolve) => setTimeout(resolve, 0));
      hasActed = (rows().length === 0 && (await stands()) !== before) || hasWritten();
    }
    if (!hasActed) idle.push(id);
    await closeAll();
  };
  const tried = new Set<string>();
  for (const place of PLACES) {
    await at(place);
    await openPalette();
    const ids = idsShown().filter((id) => !tried.has(id) && !ELSEWHERE.test(id));
    await closeAll();
    const isSetting = (id: string) => id.startsWith("settings.");
    // Settings backwards: the first choice of one is the one that it has.
    for (const id of [...ids.filter((id) => !isSetting(id)), ...ids.filter(isSetting).reverse()]) {
      tried.add(id);
      await at(FROM[id] ?? place);
      await attempt(id);
    }
  }
  // From elsewhere they lead to their page first, which is noticed: what they do there is tried there.
  for (const { id, at: page, isPlace } of PAGE_ACTIONS) {
    if (isPlace || ELSEWHERE.test(id)) continue;
    await router.navigate(page);
    await settled();
    await attempt(id);
  }
  expect(tried.size).toBeGreaterThan(110);
  expect(idle).toEqual([]);
}, 300_000);
