// Starts `inklings dev-serve`: the real core, for a page in a browser, a test that draws the page in Node, or a test alone.
import { spawn } from "node:child_process";
import { request } from "node:http";
import { createInterface } from "node:readline";
import { binaries } from "./app.mjs";

/** Sends a request with Node's own client, which no test page replaces; resolves with the response, before its body. */
const send = (url, { body, ...options }) =>
  new Promise((resolve, reject) => {
    const sent = request(url, options, resolve);
    sent.once("error", reject);
    sent.end(body);
  });

/** Serves the data folder of `home` with the page in a folder. It ends with this process, or by `stop`. */
export async function devServe(home, page) {
  const child = spawn((home.binaries ?? binaries).cli, ["--json", "dev-serve", "--page", page], {
    ...home.user,
    env: home.env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const first = await lines.next();
  if (first.done) throw new Error(`dev-serve ended with ${await ended} before it served anything`);
  const { url, token } = JSON.parse(first.value);
  const headers = { authorization: `Bearer ${token}` };

  /** Calls a command; rejects with an error that has the fields of the core's. */
  const call = async (command, args = {}) => {
    const body = JSON.stringify(args);
    const response = await send(`${url}/call/${command}`, { method: "POST", headers, body });
    response.setEncoding("utf8");
    let text = "";
    for await (const part of response) text += part;
    const answer = JSON.parse(text);
    if (response.statusCode === 200) return answer;
    throw Object.assign(new Error(answer.message), answer);
  };

  /** Hears every event until the function that it resolves with is called. */
  const listen = async (hear) => {
    const response = await send(`${url}/events`, { headers });
    const read = createInterface({ input: response });
    read.on("line", (line) => line.startsWith("data: ") && hear(JSON.parse(line.slice(6))));
    // Ends with the server, too.
    response.on("error", () => {});
    return () => response.destroy();
  };

  const stop = () => {
    child.stdin.end();
    return ended;
  };
  /** Without giving it time to end: for folders that are thrown away. */
  const kill = () => {
    child.kill("SIGKILL");
    return ended;
  };
  return { url, token, headers, call, listen, stop, kill };
}
