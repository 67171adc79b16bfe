import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { screen, waitFor, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import type { ConversationView, MessagePage } from "../../ipc/bindings.gen";
import { dragFiles } from "../../ipc/mock";
import { LEDGER as REF } from "../../testing/fixtures/ids";
import { type Core, openWindow } from "../../testing/open";
import { makeShell } from "../../testing/shell";
import { subject } from "../../testing/story";
import { linkVault, vaultFolder } from "../../testing/vault";

const LEDGER = `/conversations/${REF}`;
const transcript = async () => within(await screen.findByRole("region", { name: "Transcript" }));
const box = () => screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Your message" });
const attached = () =>
  within(screen.getByRole("list", { name: "Attached files" }))
    .getAllByRole("listitem")
    .map((it) => it.textContent);
const newest = async (core: Core) => {
  const range = { kind: "newest" };
  return (await core.call<MessagePage>("list_messages", { conversation: REF, range, limit: 20 })).messages;
};

/** Opens the conversation in a window whose file dialog gives these files. */
async function openWith(files: Record<string, string | Uint8Array>) {
  const shell = makeShell();
  const opened = await openWindow(LEDGER, { shell });
  const paths = Object.entries(files).map(([name, content]) => {
    const path = join(opened.core.home.path, name);
    writeFileSync(path, content);
    return path;
  });
  shell.answers["plugin:dialog|open"] = () => paths;
  await box();
  return { ...opened, shell };
}

test("chosen files stand over the message, go with it, and are shown folded in the transcript", async () => {
  const { user, core } = await openWith({ "gate.md": "The gate is iron.", "moat.txt": "The moat is dry." });
  await user.click(screen.getByRole("button", { name: "Attach files…" }));
  await waitFor(() => expect(attached()).toEqual(["gate.md", "moat.txt"]));
  await user.click(screen.getByRole("button", { name: "Remove moat.txt" }));
  expect(attached()).toEqual(["gate.md"]);
  expect(document.activeElement).toBe(await box());
  await user.keyboard("What of the gate?{Enter}");
  const line = await (await transcript()).findByRole("button", { name: /Attached file: gate\.md 17 bytes/ });
  expect((await transcript()).queryByText("The gate is iron.")).toBeNull();
  await user.click(line);
  await (await transcript()).findByText("The gate is iron.");
  expect(screen.queryByRole("list", { name: "Attached files" })).toBeNull();
  const [file, message] = (await newest(core)).filter((it) => it.role === "user").slice(-2);
  expect([file?.attachedName, file?.content]).toEqual(["gate.md", "The gate is iron."]);
  expect([message?.attachedName, message?.content]).toEqual([null, "What of the gate?"]);
});

test("files are attached from the palette, and a file that is chosen twice goes once", async () => {
  const { user } = await openWith({ "gate.md": "The gate is iron." });
  for (let n = 0; n < 2; n++) {
    await user.keyboard("{Control>}k{/Control}");
    await user.type(await screen.findByRole("combobox"), "attach files");
    await user.click(await screen.findByRole("option", { name: /Attach files/ }));
    await waitFor(() => expect(attached()).toEqual(["gate.md"]));
  }
});

test("files dropped on a conversation are attached or imported, as the worldbuilder chooses", async () => {
  const { user, core, transport } = await openWith({ "gate.md": "The gate is iron.", "moat.txt": "Dry." });
  const paths = ["gate.md", "moat.txt"].map((name) => join(core.home.path, name));
  // Listened to once it is known that the folder can be written.
  await waitFor(async () => {
    await dragFiles.enter(paths);
    expect(screen.getByText("Drop to attach or import")).toBeTruthy();
  });
  await dragFiles.drop(paths);
  await user.click(await screen.findByRole("button", { name: "Attach to the message" }));
  await waitFor(() => expect(attached()).toEqual(["gate.md", "moat.txt"]));
  await waitFor(async () => expect(document.activeElement).toBe(await box()));
  expect(transport.callsOf("preview_import")).toEqual([]);
  await dragFiles.drop(paths.slice(0, 1));
  await user.click(await screen.findByRole("button", { name: "Import…" }));
  await waitFor(() => expect(transport.callsOf("preview_import")).toHaveLength(1));
  await user.keyboard("{Escape}");
  await waitFor(() => expect(attached()).toEqual(["gate.md", "moat.txt"]));
});

test("files dropped on a conversation that has ended are offered for import alone", async () => {
  const { core, transport } = await openWith({ "gate.md": "The gate is iron." });
  await core.call("archive_conversation", { conversation: REF });
  await screen.findByRole("button", { name: "Continue" });
  await dragFiles.drop([join(core.home.path, "gate.md")]);
  await waitFor(() => expect(transport.callsOf("preview_import")).toHaveLength(1));
});

test("a file without text is refused with a reason, and neither message nor files are lost", async () => {
  const { user, core } = await openWith({
    "picture.png": new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  });
  const before = (await newest(core)).length;
  await user.click(screen.getByRole("button", { name: "Attach files…" }));
  await user.type(await box(), "What is this?{Enter}");
  await screen.findByText(/no text file/);
  expect(attached()).toEqual(["picture.png"]);
  expect((await box()).value).toBe("What is this?");
  expect(await newest(core)).toHaveLength(before);
});

test("text typed and files attached while a message is sent stay for the next one", async () => {
  const { user, core, transport, shell } = await openWith({ "gate.md": "Iron.", "moat.txt": "Dry." });
  const both = [join(core.home.path, "gate.md"), join(core.home.path, "moat.txt")];
  shell.answers["plugin:dialog|open"] = () => both.slice(0, 1);
  await user.click(screen.getByRole("button", { name: "Attach files…" }));
  await waitFor(() => expect(attached()).toEqual(["gate.md"]));
  const release = transport.hold("say");
  await user.type(await box(), "What of the gate?{Enter}");
  await waitFor(() => expect(transport.callsOf("say")).toHaveLength(1));
  await user.type(await box(), " And the moat?");
  shell.answers["plugin:dialog|open"] = () => both;
  await user.click(screen.getByRole("button", { name: "Attach files…" }));
  await waitFor(() => expect(attached()).toEqual(["gate.md", "moat.txt"]));
  release();
  await waitFor(async () => expect((await box()).value).toBe("And the moat?"));
  expect(attached()).toEqual(["moat.txt"]);
  await waitFor(async () =>
    expect((await newest(core)).map((it) => it.content)).toContain("What of the gate?"),
  );
});

test("a page of a linked vault is attached as its file, and not offered under a lens", async () => {
  let folder = "";
  const { user, core, router } = await openWindow(LEDGER, {
    before: (home) => {
      folder = vaultFolder(home);
    },
  });
  await box();
  expect(screen.queryByRole("button", { name: "Attach a page…" })).toBeNull();
  await linkVault(core, folder);
  await user.click(await screen.findByRole("button", { name: "Attach a page…" }));
  await user.type(await screen.findByPlaceholderText("Find a page"), "Saltmere");
  await user.click(await screen.findByRole("option", { name: /Saltmere\.md/ }));
  await waitFor(() => expect(attached()).toEqual(["Saltmere.md"]));
  await waitFor(async () => expect(document.activeElement).toBe(await box()));
  await user.keyboard("Does this hold?{Enter}");
  await (await transcript()).findByRole("button", { name: /Attached file: Saltmere\.md/ });
  const [file] = (await newest(core)).filter((it) => it.role === "user").slice(-2);
  expect(file?.content).toBe(readFileSync(join(folder, "Saltmere.md"), "utf8").trim());
  await subject(core, "Mira", "character");
  const started = await core.call<ConversationView>("start_conversation", { channelId: null, title: "Mira" });
  const ref = started.refCode;
  await router.navigate({ to: "/conversations/$ref", params: { ref } });
  await screen.findByRole("button", { name: "Attach a page…" });
  await core.call("set_conversation_lens", { conversation: ref, lens: { knower: "Mira", at: null } });
  await waitFor(() => expect(screen.queryByRole("button", { name: "Attach a page…" })).toBeNull());
});

test("a page in a browser has no files to attach", async () => {
  await openWindow(LEDGER);
  await box();
  expect(screen.queryByRole("button", { name: "Attach files…" })).toBeNull();
});
