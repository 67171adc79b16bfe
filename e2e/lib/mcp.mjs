// Connects the official SDK's client to the real `inklings mcp`, over standard input and over HTTP.
import { spawn } from "node:child_process";
import { request } from "node:http";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ask, binaries } from "./app.mjs";
import { WORKSPACE } from "./store.mjs";

export const EVERYTHING = [
  ...["conversation", "channel", "workspace", "account"].flatMap((tier) => [`${tier}:read`, `${tier}:write`]),
  "propose",
  "memory_switch",
];

const cliOf = (home) => (home.binaries ?? binaries).cli;
const newClient = () => new Client({ name: "inklings-e2e", version: "1.0.0" });

/**
 * Adds a client and grants it more than the default; answers with its view and its token.
 * @param {{ allow?: string[], deny?: string[], join?: string[], joinConversation?: string[], workspace?: string }} [options]
 */
export async function addClient(home, name, options = {}) {
  const { allow = [], deny = [], join = [], joinConversation = [], workspace = WORKSPACE } = options;
  const made = await ask(home, "--workspace", workspace, "client", "add", name);
  await grant(home, name, { allow, deny, join, joinConversation });
  return made;
}

/**
 * Grants a client more, or takes grants away.
 * @param {{ allow?: string[], deny?: string[], join?: string[], leave?: string[], joinConversation?: string[] }} [options]
 */
export async function grant(home, name, options = {}) {
  const { allow = [], deny = [], join = [], leave = [], joinConversation = [] } = options;
  const words = (option, list) => list.flatMap((word) => [option, word]);
  const changes = [
    ...words("--allow", allow),
    ...words("--deny", deny),
    ...words("--join", join),
    ...words("--leave", leave),
    ...words("--join-conversation", joinConversation),
  ];
  return ask(home, "client", "grant", name, ...changes);
}

/** A process of its own for one client. `heard` gets what it says on standard error. */
export async function overStdio(home, name, onStderr, workspace = WORKSPACE) {
  const client = newClient();
  const transport = new StdioClientTransport({
    command: cliOf(home),
    args: ["mcp", "--workspace", workspace, "--client", name],
    env: home.env,
    stderr: onStderr ? "pipe" : "inherit",
  });
  if (onStderr) transport.stderr.on("data", (chunk) => onStderr(String(chunk)));
  await client.connect(transport);
  return client;
}

/** Serves HTTP for as long as the test wants; resolves with `{ url, port, stop }` once the door is open. */
export function serveHttp(home, ...args) {
  const child = spawn(cliOf(home), ["mcp", "--http", ...args], {
    env: home.env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const gone = new Promise((resolve) => child.once("exit", resolve));
  const stop = async () => {
    child.kill("SIGTERM");
    return gone;
  };
  return new Promise((resolve, reject) => {
    let output = "";
    child.stderr.on("data", (chunk) => {
      output += chunk;
      const url = output.match(/http:\/\/127\.0\.0\.1:(\d+)\/mcp/);
      if (url) resolve({ url: url[0], port: Number(url[1]), stop });
    });
    child.once("exit", (code) => reject(new Error(`inklings mcp --http ended with ${code}: ${output}`)));
  });
}

export async function overHttp(server, token) {
  const client = newClient();
  const headers = { Authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers } }));
  return client;
}

/** One request with exactly these headers, as no library would send it; resolves with `{ status, headers, body }`. */
export function raw(server, { method = "POST", path = "/mcp", headers = {}, body = "" } = {}) {
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: "127.0.0.1", port: server.port, method, path, headers, setHost: false, agent: false },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk) => {
          text += chunk;
        });
        const done = () => resolve({ status: response.statusCode, headers: response.headers, body: text });
        response.on("end", done);
        response.on("error", done);
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

/** Calls a tool that must succeed; resolves with its structured answer. */
export async function call(client, name, args = {}) {
  const result = await client.callTool({ name, arguments: args });
  if (result.isError) throw new Error(`${name} was refused: ${result.content[0].text}`);
  return result.structuredContent;
}

/** Calls a tool that must be refused; resolves with `{ code, message, hint, text }`. */
export async function refused(client, name, args = {}) {
  const result = await client.callTool({ name, arguments: args });
  if (!result.isError)
    throw new Error(`${name} was not refused: ${JSON.stringify(result.structuredContent)}`);
  return { ...result.structuredContent.error, text: result.content[0].text };
}
