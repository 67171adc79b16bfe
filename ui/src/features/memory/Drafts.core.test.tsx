import { screen, waitFor, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import type { Scope } from "../../ipc/bindings.gen";
import { MAGIC, SALTMERE } from "../../testing/fixtures/ids";
import { contentOf, memoriesOf, type Opened, openWindow } from "../../testing/open";

const box = () => screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Text of the memory" });
const grid = () => screen.findByRole("grid", { name: "Memories" });

async function edit() {
  const opened = await openWindow(`/memory?id=${SALTMERE}`);
  await opened.user.click(await screen.findByRole("button", { name: "Edit" }));
  await opened.user.type(await box(), " MINE");
  return opened;
}

async function startNew({ user }: Opened, text: string) {
  await grid();
  await user.click(screen.getByRole("button", { name: "New memory" }));
  await user.type(await box(), text);
}

test("text typed while an edit is saved stays, and is saved on top of it", async () => {
  const { user, core, transport } = await edit();
  const release = transport.hold("update_memory");
  await user.click(screen.getByRole("button", { name: "Save" }));
  await user.type(await box(), " LATER");
  release();
  await screen.findByText("Saved.");
  await waitFor(async () => expect(await contentOf(core, SALTMERE)).toMatch(/ MINE$/));
  expect((await box()).value).toMatch(/ MINE LATER$/);
  await user.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(async () => expect(await contentOf(core, SALTMERE)).toMatch(/ MINE LATER$/));
  expect(transport.callsOf("update_memory").map(({ version }) => version)).toEqual([1, 2]);
});

test("text typed while an edit is refused as stale is the version that is compared", async () => {
  const { user, core, transport } = await edit();
  await core.edit(SALTMERE, "THEIRS");
  await screen.findByText(/^Changed elsewhere meanwhile/);
  const release = transport.hold("update_memory");
  await user.click(screen.getByRole("button", { name: "Save" }));
  await user.type(await box(), " LATER");
  release();
  await screen.findByRole("heading", { name: "Two versions of this memory" });
  await user.click(screen.getByRole("button", { name: "Keep mine" }));
  await waitFor(async () => expect(await contentOf(core, SALTMERE)).toMatch(/ MINE LATER$/));
});

test("text typed while a new memory is saved stays in its form", async () => {
  const opened = await openWindow();
  const { user, core, transport } = opened;
  await startNew(opened, "No elves.");
  const release = transport.hold("create_memory");
  await user.click(screen.getByRole("button", { name: "Remember" }));
  await user.type(await box(), " No dwarves.");
  release();
  await waitFor(async () =>
    expect(await Promise.all((await memoriesOf(core)).map(({ id }) => contentOf(core, id)))).toContain(
      "No elves.",
    ),
  );
  await waitFor(() =>
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Remember" }).disabled).toBe(false),
  );
  expect((await box()).value).toBe("No elves. No dwarves.");
});

test("a new memory takes neither its place nor its text from another world", async () => {
  const opened = await openWindow(`/memory?scope=channel&channel=${MAGIC}`);
  const { user, transport } = opened;
  await startNew(opened, "A knot of A.");
  await user.click(screen.getByRole("button", { name: "Remember" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await user.click(screen.getByRole("button", { name: "New memory" }));
  await user.type(await box(), "Half a thought of A.");
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());

  await user.click(await screen.findByRole("button", { name: /^World: The Drowned Coast/ }));
  await user.click(await screen.findByRole("menuitemradio", { name: "Ember Court" }));
  await screen.findByRole("button", { name: "World: Ember Court" });
  await user.click((await screen.findAllByRole("button", { name: "New memory" }))[0] as HTMLElement);
  expect((await box()).value).toBe("");
  await user.type(await box(), "A hall of B.");
  await user.click(screen.getByRole("button", { name: "Remember" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  const created = transport.callsOf("create_memory").map(({ memory }) => memory as { scope: Scope });
  expect(created).toMatchObject([
    { scope: "channel", channelId: MAGIC, content: "A knot of A." },
    { scope: "workspace", channelId: null, content: "A hall of B." },
  ]);
});

test("a new memory that was put aside is there again when its world is open again", async () => {
  const opened = await openWindow();
  const { user } = opened;
  const enter = async (from: RegExp, to: string) => {
    await user.click(await screen.findByRole("button", { name: from }));
    await user.click(await screen.findByRole("menuitemradio", { name: to }));
    await screen.findByRole("button", { name: `World: ${to}` });
  };
  await startNew(opened, "Half a thought");
  await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Cancel" }));
  await enter(/^World: The Drowned Coast/, "Ember Court");
  await enter(/^World: Ember Court/, "The Drowned Coast");
  await grid();
  await user.click(screen.getByRole("button", { name: "New memory" }));
  expect((await box()).value).toBe("Half a thought");
});
