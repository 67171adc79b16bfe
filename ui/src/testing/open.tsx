import { createMemoryHistory } from "@tanstack/react-router";
import { screen } from "@testing-library/dom";
import userEvent from "@testing-library/user-event";
import { onTestFinished } from "vitest";
import { App } from "../app/App";
import { createAppRouter } from "../app/router";
import type { Catalogue } from "../i18n/i18n";
import type { HistoryItem, MemoryDetail, MemoryPage, MemoryRow } from "../ipc/bindings.gen";
import { deliver, installHandler, pretendShell } from "../ipc/mock";
import type { FolderName } from "./fixtures/folders";
import { mount } from "./mount";
import { type Core, EVERYTHING, type ServeOptions, serve } from "./serve";
import { Transport } from "./transport";

/** What the window opens on. */
export type World = Pick<ServeOptions, "readOnly" | "noModel" | "meaning" | "chat" | "before"> & {
  folder?: FolderName;
  /** Commands that fail, until taken off again. */
  failing?: string[];
  /** Answers that the window is shown changed from the start. */
  changes?: Record<string, (answer: never) => unknown>;
  /** Milliseconds that these commands take longer. */
  delay?: number;
  slow?: string[];
  /** The program around the page, and the label of its window. */
  shell?: { label: string; answers: Transport["shell"] };
};

async function coreOf({ folder = "few", readOnly, noModel, meaning, chat, before }: World): Promise<Core> {
  const core = await serve(folder, { readOnly, noModel, meaning, chat, before });
  onTestFinished(core.stop);
  return core;
}

/** Opens the whole window at an address, on the real core. */
export async function openWindow(address = "/memory", world: World = {}, catalogue?: Catalogue) {
  const core = await coreOf(world);
  const transport = new Transport(core);
  for (const command of world.failing ?? []) transport.failing.add(command);
  for (const command of world.slow ?? []) transport.slow.add(command);
  transport.delay = world.delay ?? 0;
  for (const [command, change] of Object.entries(world.changes ?? {})) transport.change(command, change);
  const remove = installHandler(transport.handler);
  if (world.shell) {
    transport.shell = world.shell.answers;
    onTestFinished(pretendShell(world.shell.label));
  }
  const deaf = await core.listen(({ event, payload }) => void deliver(event, payload));
  const history = createMemoryHistory({ initialEntries: [address] });
  const router = createAppRouter(history);
  mount(<App catalogue={catalogue} router={router} />);
  onTestFinished(() => {
    transport.close();
    deaf();
    remove();
  });
  // The rail is one; a page may have another. The quick capture has none.
  if (!address.startsWith("/capture")) await screen.findAllByRole("navigation");
  // The page learns of it with its first answers.
  if (world.readOnly) await screen.findByText(/cannot be written now/);
  const user = userEvent.setup({ delay: null });
  /** The search part of the address, as the route understands it. */
  const address_ = () => router.state.location;
  return { core, transport, user, router, history, address: address_ };
}

export type { Core };
export type Opened = Awaited<ReturnType<typeof openWindow>>;

/** A memory as the core has it, whatever the window shows. */
export const detailOf = (core: Core, id: string) => core.call<MemoryDetail>("get_memory", { id });
export const contentOf = async (core: Core, id: string) => (await detailOf(core, id)).content;
export const historyOf = (core: Core, id: string) => core.call<HistoryItem[]>("memory_history", { id });

/** Every memory of the open workspace and the account, forgotten ones left out. */
export async function memoriesOf(core: Core): Promise<MemoryRow[]> {
  const request = { filter: EVERYTHING, sort: "updated_desc", after: null, limit: 500 };
  return (await core.call<MemoryPage>("list_memories", { request })).rows;
}
