// One display, one home and one window for all tests of a file.
import { after, afterEach, before } from "node:test";
import { makeHome, openWindow, saveScreenshot, startDisplay } from "./app.mjs";
import { makeWorkspace } from "./store.mjs";

/**
 * Opens a window before the tests of the file, and takes it down after them. `fill` puts into its home what it shall
 * show, `ready` waits until it shows that. What is given back has a `display`, `home`, `window` and `session` in the tests.
 */
export function sharedWindow(fill = async () => {}, ready = async () => {}) {
  const shared = {};
  before(async () => {
    shared.display = await startDisplay();
    shared.home = makeHome();
    await makeWorkspace(shared.home);
    await fill(shared.home);
    shared.window = await openWindow(shared.display, shared.home);
    shared.session = shared.window.session;
    await ready(shared.session);
  });
  after(async () => {
    await shared.home.remove();
    await shared.display.stop();
  });
  afterEach(async (t) => {
    if (t.error) await saveScreenshot(shared.session, t.name).catch(() => {});
  });
  return shared;
}
