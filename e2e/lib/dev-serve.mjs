// Starts `inklings dev-serve`: the real core, for a page in a browser.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { binaries } from "./app.mjs";

/** Serves the data folder of `home` with the page in a folder. It ends with this process, or by `stop`. */
export async function devServe(home, page) {
  const child = spawn(binaries.cli, ["--json", "dev-serve", "--page", page], {
    env: home.env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const first = await lines.next();
  if (first.done) throw new Error(`dev-serve ended with ${await ended} before it served anything`);
  const { url, token } = JSON.parse(first.value);
  const headers = { authorization: `Bearer ${token}` };
  const call = async (command, args = {}) => {
    const response = await fetch(`${url}/call/${command}`, {
      method: "POST",
      headers,
      body: JSON.stringify(args),
    });
    const answer = await response.json();
    if (!response.ok) throw Object.assign(new Error(`${command}: ${answer.message}`), { code: answer.code });
    return answer;
  };
  const stop = () => {
    child.stdin.end();
    return ended;
  };
  return { url, token, headers, call, stop };
}
