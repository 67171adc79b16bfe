// "Open folder": the system's file manager is asked for the folders of the data.
import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { makeHome, openWindow, startDisplay } from "../lib/app.mjs";
import { click, sees } from "../lib/page.mjs";
import { makeWorkspace } from "../lib/store.mjs";
import { until } from "../lib/webdriver.mjs";
import { runCommand } from "../lib/window.mjs";

let display;
let home;
before(async () => {
  display = await startDisplay();
  home = makeHome();
  await makeWorkspace(home);
});
after(async () => {
  await home.remove();
  await display.stop();
});

test("the data folder and the log folder open in the file manager, and a folder that is not there yet is named", async () => {
  const bin = join(home.path, "bin");
  const opened = join(home.path, "opened");
  mkdirSync(bin);
  // What a desktop has as its way to a file manager.
  writeFileSync(join(bin, "xdg-open"), `#!/bin/sh\nprintf '%s\\n' "$1" >> '${opened}'\n`);
  chmodSync(join(bin, "xdg-open"), 0o755);
  const env = { PATH: `${bin}:${process.env.PATH}` };
  const { session } = await openWindow(display, home, { env });
  await runCommand(session, "Go to Settings");
  const paths = () => (existsSync(opened) ? readFileSync(opened, "utf8").trim().split("\n") : []);
  await click(session, "button", "Open the data folder");
  await until("the data folder", () => paths().includes(home.data));
  await click(session, "button", "Open the log folder");
  await until("the log folder", () => paths().includes(join(home.data, "logs")));
  assert.equal(existsSync(join(home.data, "backups")), false);
  await click(session, "button", "Open the backup folder");
  await sees(session, "There is no such folder yet.");
  assert.equal(paths().length, 2);
});
