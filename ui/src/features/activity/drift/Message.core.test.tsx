import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { screen, waitFor, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import { ask } from "../../../../../e2e/lib/app.mjs";
import type { MessagePage } from "../../../ipc/bindings.gen";
import { idOfText, messageAgainst, withoutClaim } from "../../../testing/drifts";
import { WORLD } from "../../../testing/fixtures/folders";
import { LEDGER } from "../../../testing/fixtures/ids";
import { type Core, contentOf, detailOf, memoriesOf, type Opened, openWindow } from "../../../testing/open";
import { addCalendar, subject } from "../../../testing/story";

const CANON = "Hepzibah Marl is 34 years old.";
const MESSAGE = "The gate opens. Hepzibah Marl is 36 years old.\nToma waits.";

const region = () => screen.findByRole("region", { name: "The contradiction" });
const detail = async () => within(await region());
const decide = async (user: Opened["user"], name: string) =>
  user.click(await (await detail()).findByRole("button", { name }));
const marks = async () => [...(await region()).querySelectorAll("mark")].map((it) => it.textContent);

/** Opens the inbox with a text of the worldbuilder, and a message against it. */
async function openDrifted(message = MESSAGE, canon = CANON) {
  const opened = await openWindow("/activity?page=drift", {
    before: async (home) => {
      await withoutClaim(home);
      await messageAgainst(home, canon, message);
    },
  });
  return { ...opened, canon: await idOfText(opened.core, canon) };
}

const messagesOf = async (core: Core) => {
  const request = { conversation: LEDGER, range: { kind: "newest" }, limit: 10 };
  return (await core.call<MessagePage>("list_messages", request)).messages;
};

test("a message against canon shows its text, who wrote it, and the way to it in its conversation", async () => {
  const { user, core, address } = await openDrifted();
  const row = await within(await screen.findByRole("listbox", { name: "Contradictions" })).findByRole(
    "option",
  );
  expect(row.textContent).toContain(`Canon: ${CANON}Statement: Hepzibah Marl is 36 years old.`);
  expect(row.textContent).toContain("Written by you");
  // The line breaks of a message stay, and only the sentence against the canon has marks.
  const texts = [...(await region()).querySelectorAll("p")].map((it) => it.textContent);
  expect(texts).toContain(MESSAGE.replace("36", "differs 36"));
  expect(await marks()).toEqual(["differs 34", "differs 36"]);
  const position = (await messagesOf(core)).find(({ content }) => content === MESSAGE)?.position;
  await user.click(await (await detail()).findByRole("link", { name: "Open the message" }));
  await waitFor(() => expect(address().pathname).toBe(`/conversations/${LEDGER}`));
  expect(address().search).toMatchObject({ at: position });
});

test("what an import wrote shows the name of its speaker", async () => {
  await openWindow("/activity?page=drift", {
    before: async (home) => {
      const inWorld = (...args: string[]) => ask(home, "--workspace", WORLD, ...args);
      await withoutClaim(home);
      await inWorld("memory", "add", CANON, "--scope", "workspace");
      const file = join(home.path, "Alba.jsonl");
      const sent = { is_user: false, send_date: "May 1, 2024 10:01am" };
      const lines = [
        { user_name: "Alba", character_name: "Keeper", create_date: "2024-05-01@10h00m00s" },
        { name: "Keeper", ...sent, mes: "Hepzibah Marl is 36 years old." },
      ];
      writeFileSync(file, lines.map((it) => JSON.stringify(it)).join("\n"));
      await inWorld("conversation", "import", file);
    },
  });
  await (await detail()).findByText(/Written by Keeper/);
});

test("if the canon stands the message stays as it was written, and there is nothing to undo", async () => {
  const { user, core } = await openDrifted();
  const before = await messagesOf(core);
  (await detail()).getByText("The message stays as it was written. Nothing is forgotten.");
  await decide(user, "Canon stands");
  await screen.findByText("The canon stands. The message stays as it was written.");
  expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
  expect(await messagesOf(core)).toEqual(before);
  await screen.findByText("Nothing contradicts your canon");
});

test("of a message that says more only its sentence is offered as the new text of the canon", async () => {
  const { user, core, canon } = await openDrifted();
  await decide(user, "Canon changes");
  await screen.findByText("Nothing yet: this is the canon as it is.");
  await user.click(screen.getByRole("button", { name: "Begin with the statement" }));
  await user.click(screen.getByRole("button", { name: "Change the canon" }));
  await screen.findByText("The canon is changed.");
  expect(await contentOf(core, canon)).toBe("Hepzibah Marl is 36 years old.");
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  await waitFor(async () => expect(await contentOf(core, canon)).toBe(CANON));
});

test("only the canon gets a time, because a message has none", async () => {
  const { user, core, canon } = await openDrifted();
  await addCalendar(core);
  (await detail()).getByText("The canon gets a time in the story. The message gets none.");
  await decide(user, "Both, at different times");
  const field = await screen.findByRole("textbox", { name: "The canon holds" });
  expect(screen.queryByRole("textbox", { name: "The statement holds" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Set the time" }));
  await screen.findByRole("alert");
  expect(document.activeElement).toBe(field);
  await user.type(field, "812");
  await (await detail()).findByText("812 Anno Domini");
  await user.click(screen.getByRole("button", { name: "Set the time" }));
  await screen.findByText("The canon has its time in the story.");
  expect((await detailOf(core, canon)).storyTime?.text).toBe("812 Anno Domini");
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  await waitFor(async () => expect((await detailOf(core, canon)).storyTime).toBeNull());
});

test("what somebody believes becomes a memory that only they know, and undo takes it back", async () => {
  const { user, core } = await openDrifted();
  await subject(core, "Toma", "character");
  await decide(user, "Somebody believes this");
  await user.click(await screen.findByRole("button", { name: "Add who knows" }));
  await user.click(await screen.findByRole("option", { name: "Toma" }));
  await user.click(screen.getByRole("button", { name: "Only they know it" }));
  await screen.findByText("A memory is added that only those you named know.");
  const belief = async () =>
    (await memoriesOf(core)).find(({ preview }) => preview === "Hepzibah Marl is 36 years old.");
  const id = (await belief())?.id ?? "";
  expect((await detailOf(core, id)).knownBy.map(({ name }) => name)).toEqual(["Toma"]);
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  await waitFor(async () => expect(await belief()).toBeUndefined());
});

test("of a long text the sentence that contradicts comes first, with its name, and the whole text below", async () => {
  const rest =
    "The smithy stands behind the rope walk, where the wind carries its sparks over the water. ".repeat(6);
  const { user } = await openDrifted(
    `Hepzibah Marl is sitting on the steps. She is 36 years old.\n\n${rest}`,
  );
  const row = await within(await screen.findByRole("listbox", { name: "Contradictions" })).findByRole(
    "option",
  );
  expect(row.textContent).toContain("Statement: Hepzibah Marl is 36 years old.");
  await (await detail()).findByRole("heading", { name: "The whole text" });
  expect(await marks()).toEqual(["differs 34", "differs 36"]);
  const more = (await detail()).getByRole("button", { name: "Show the whole text" });
  await user.click(more);
  expect(more.getAttribute("aria-expanded")).toBe("true");
});
