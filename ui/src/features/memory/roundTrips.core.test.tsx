import { screen, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import { SALTMERE } from "../../testing/fixtures/ids";
import { detailOf, type Opened, openWindow } from "../../testing/open";

/** Longer than the core waits between two looks for changes, and the window before it reads. */
const REST_MS = 700;

/** Waits until the window has nothing to ask any more. */
async function untilIdle({ transport }: Opened) {
  for (let before = -1; before !== transport.calls.length; ) {
    before = transport.calls.length;
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
  }
}

/** Edits as another process, again while a write of the window comes between its read and its write. */
async function editBetweenWrites(core: Opened["core"], content: string): Promise<void> {
  try {
    await core.edit(SALTMERE, content);
  } catch (error) {
    if (!/"code":"stale_version"/.test(String(error))) throw error;
    await editBetweenWrites(core, content);
  }
}

/** Opens a memory, and forgets what the window asked for until now. */
async function openMemory() {
  const opened = await openWindow(`/memory?id=${SALTMERE}`);
  const pane = within(await screen.findByRole("region", { name: "The memory" }));
  await pane.findByRole("switch", { name: "Pinned" });
  await untilIdle(opened);
  opened.transport.calls = [];
  return { opened, pane };
}

test("after its own write the window requests affected data once, and not the memory itself", async () => {
  const { opened, pane } = await openMemory();
  await opened.user.click(pane.getByRole("switch", { name: "Pinned" }));
  await untilIdle(opened);
  const asked = opened.transport.calls.map(({ command, args }) => `${command} ${JSON.stringify(args)}`);
  expect(asked.filter((call, at) => asked.indexOf(call) !== at)).toEqual([]);
  expect(opened.transport.callsOf("update_memory")).toHaveLength(1);
  expect(opened.transport.callsOf("list_memories")).toHaveLength(1);
  expect(opened.transport.callsOf("get_memory")).toEqual([]);
  expect(pane.getByRole("switch", { name: "Pinned" }).getAttribute("aria-checked")).toBe("false");
});

test("a write of another process at the same time appears in the window", async () => {
  const { opened, pane } = await openMemory();
  const { core, user } = opened;
  const clicks = async () => {
    for (let times = 0; times < 6; times += 1) {
      await user.click(pane.getByRole("switch", { name: "Pinned" }));
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
  };
  await Promise.all([editBetweenWrites(core, "Told by the ferryman."), clicks()]);
  await untilIdle(opened);
  expect(await pane.findByText("Told by the ferryman.")).toBeTruthy();
  const pinned = String((await detailOf(core, SALTMERE)).row.pinned);
  expect(pane.getByRole("switch", { name: "Pinned" }).getAttribute("aria-checked")).toBe(pinned);
});
