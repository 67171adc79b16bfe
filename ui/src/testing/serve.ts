import { constants, cpSync, mkdirSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { ask, makeHome, makeReadOnly } from "../../../e2e/lib/app.mjs";
import { startChatServer } from "../../../e2e/lib/chat-server.mjs";
import { devServe } from "../../../e2e/lib/dev-serve.mjs";
import type { MemoryFilter, SearchResponse } from "../ipc/bindings.gen";
import { endpointAt, type FolderName, folderOf, RAM, SECRETS, until, WORLD } from "./fixtures/folders";
import type { Wire } from "./transport";

export const EVERYTHING: MemoryFilter = {
  scope: null,
  channelId: null,
  conversationId: null,
  terms: [],
  lens: null,
};

/** A reply of the scripted language model, as `e2e/lib/chat-server.mjs` tells. */
export type Reply = {
  text?: string | string[];
  calls?: { id: string; name: string; arguments: unknown }[];
  pauseMs?: number;
  stall?: "start" | "end";
  status?: number;
  message?: string;
};

export type ServeOptions = {
  /** The built page, where a browser asks for it. */
  page?: string;
  /** The folder cannot be written. */
  readOnly?: boolean;
  /** No model of search is installed, and one that is fetched comes slowly and never whole. */
  noModel?: boolean;
  /** Search goes by meaning before anybody asks. */
  meaning?: boolean;
  /** A language model is connected, and answers this; "dead": nothing answers at its address. */
  chat?: Reply[] | "dead";
  /** Does something to the folder before the core opens it. */
  before?: (home: Home) => Promise<void> | void;
};

export type Home = ReturnType<typeof makeHome>;

/** A real core on a folder of its own, until it is stopped. */
export type Core = Awaited<ReturnType<typeof serve>>;

/** A hub of models that begins to send whatever is asked for, and never ends. */
async function slowHub() {
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-length": 10_000_000, etag: '"slow"' });
    response.write(Buffer.alloc(100_000));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}`, stop };
}

/** Copies a folder and opens it. */
export async function serve(folder: FolderName, options: ServeOptions = {}) {
  const made = makeHome(RAM);
  Object.assign(made.env, SECRETS);
  cpSync(await folderOf(folder), made.data, {
    recursive: true,
    mode: constants.COPYFILE_FICLONE,
    preserveTimestamps: true,
  });
  const stops: (() => unknown)[] = [];
  if (options.noModel) {
    const hub = await slowHub();
    stops.push(hub.stop);
    const nothing = join(made.path, "no-models");
    mkdirSync(nothing);
    Object.assign(made.env, { INKLINGS_RESOURCES: nothing, HF_ENDPOINT: hub.url });
  }
  await options.before?.(made);
  let page = options.page ?? made.path;
  if (options.readOnly && options.page) {
    // Who serves a folder that cannot be written may not be allowed into the clone.
    page = join(made.path, "page");
    cpSync(options.page, page, { recursive: true });
  }
  const home = options.readOnly ? makeReadOnly(made) : made;
  const server = await devServe(home, page);
  if (options.meaning)
    await until("search by meaning", async () => {
      const request = {
        query: "the harbour of the town",
        filter: EVERYTHING,
        limit: 1,
        first: null,
        strategy: null,
      };
      const found: SearchResponse = await server.call("search_memories", { request });
      return found.mode === "hybrid";
    });
  let chatUrl = "";
  if (options.chat) {
    const chat = await startChatServer(options.chat === "dead" ? [] : options.chat);
    // Where a server was, nothing answers.
    if (options.chat === "dead") await chat.stop();
    else stops.push(chat.stop);
    chatUrl = chat.url;
    await server.call("set_chat_endpoint", { endpoint: endpointAt(chat.url), key: null, forgetKey: false });
  }
  return {
    home,
    url: server.url,
    token: server.token,
    chatUrl,
    call: server.call as <T>(command: string, args?: object) => Promise<T>,
    listen: server.listen as Wire["listen"],
    /** The command line on the same folder: another process. */
    cli: (...args: string[]) => ask(home, "--workspace", WORLD, ...args),
    /** A write by another process. */
    edit: (id: string, content: string) =>
      ask(home, "--workspace", WORLD, "memory", "edit", id, "--content", content),
    stop: async () => {
      await server.kill();
      for (const stop of stops) stop();
      await made.remove();
    },
  };
}
