// The real updater in the real window, with releases of a server on this machine: what it asks, when, and what it refuses.
// Shown for an AppImage, whose file is replaced. A deb or rpm is installed by the system, which asks for a password; https and
// the packages of macOS and Windows cannot be had here.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, afterEach, before, test } from "node:test";
import { ask, makeHome, openWindow, saveScreenshot, startDisplay } from "../lib/app.mjs";
import { click, get, maybe, sees } from "../lib/page.mjs";
import { add, makeWorkspace } from "../lib/store.mjs";
import { installedAppImage, makeKeys, packageNamed, serveReleases, sign } from "../lib/updates.mjs";
import { until } from "../lib/webdriver.mjs";

const NEWER = "99.1.0";

let display;
let home;
let window;
let releases;
let keys;
let others;
let appImage;
before(async () => {
  display = await startDisplay();
  home = makeHome();
  await makeWorkspace(home);
  await add(home, "The salt gate is never locked.");
  keys = makeKeys(home.path, "key");
  others = makeKeys(home.path, "other-key");
  releases = await serveReleases(home.path);
  appImage = installedAppImage(home.path);
});
after(async () => {
  await home.remove();
  await releases.stop();
  await display.stop();
});
afterEach(async (t) => {
  if (t.error && window) await saveScreenshot(window.session, t.name).catch(() => {});
});

const signed = (bytes, version, by = keys) => sign(home.path, by, bytes, version);
const untouched = () =>
  assert.ok(readFileSync(appImage).equals(readFileSync("/bin/true")), "the program is as it was");
const backups = async () => (await ask(home, "backup", "list")).rows;

const openSettings = async (env) => {
  window = await openWindow(display, home, { env });
  await click(window.session, "link", /^Settings/);
  await until("the settings of updates", () =>
    window.session.run(() => {
      const setting = document.querySelector("[data-setting=Updates]");
      setting?.scrollIntoView({ block: "center" });
      return setting !== null;
    }),
  );
};

const check = async () => {
  // A version that was found hides the button until it is looked for again.
  if (!(await maybe(window.session, "button", "Check now"))) {
    await click(window.session, "link", /^Memory/);
    await click(window.session, "link", /^Settings/);
  }
  await until("the button", async () => {
    const button = await maybe(window.session, "button", "Check now");
    await window.session.run((it) => it?.scrollIntoView({ block: "center" }), button);
    return button;
  });
  await click(window.session, "button", "Check now");
};

const install = async () => {
  await sees(window.session, `Version ${NEWER} is available.`);
  await click(window.session, "button", `Install version ${NEWER}…`);
  await get(window.session, "alertdialog", `Install Inklings ${NEWER}?`);
  await click(window.session, "button", "Install");
};

test("a build without an address and a key says that updates are not set up, and offers no way to ask", async () => {
  await openSettings({ APPIMAGE: appImage });
  await sees(window.session, /Not set up in this build/);
  assert.equal(await maybe(window.session, "button", "Check now"), null);
  assert.equal(await maybe(window.session, "switch", "Check when Inklings starts"), null);
  await window.stop();
});

test("a build that is set up names the address and asks nothing until it is asked", async () => {
  releases.offer({ version: NEWER, bytes: Buffer.alloc(0), signature: "" });
  await openSettings({ APPIMAGE: appImage, INKLINGS_UPDATES: releases.settings(keys.pubkey) });
  await sees(window.session, releases.endpoint);
  const atStart = await get(window.session, "switch", "Check when Inklings starts");
  assert.equal(await atStart.attribute("aria-checked"), "false");
  assert.deepEqual(releases.requests, []);
});

for (const version of ["0.0.9", "0.1.0"])
  test(`version ${version}, validly signed, is no update of version 0.1.0`, async () => {
    const bytes = packageNamed(version);
    releases.offer({ version, bytes, signature: signed(bytes, version) });
    await check();
    await sees(window.session, "There is no newer version than 0.1.0.");
    assert.deepEqual(releases.requests, ["/latest.json"], "no package was asked for");
    untouched();
  });

const refused = {
  "a package without a signature": (bytes) => ({ bytes, signature: "" }),
  "a package that is signed with another key": (bytes) => ({
    bytes,
    signature: signed(bytes, NEWER, others),
  }),
  "a package that was changed after it was signed": (bytes) => ({
    bytes: Buffer.concat([bytes, Buffer.from("x")]),
    signature: signed(bytes, NEWER),
  }),
  "an older package, validly signed, under a newer number": (bytes) => ({
    bytes,
    signature: signed(bytes, "0.0.9"),
  }),
  "a package whose signature names no version": (bytes) => ({ bytes, signature: signed(bytes) }),
  "a package at another address": (bytes) => ({
    bytes,
    signature: signed(bytes, NEWER),
    url: `http://localhost:${new URL(releases.origin).port}/package`,
  }),
};
for (const [what, offer] of Object.entries(refused))
  test(`${what} is refused, and nothing is replaced or backed up`, async () => {
    releases.offer({ version: NEWER, ...offer(packageNamed(what)) });
    await check();
    await install();
    await sees(window.session, /The release is not signed as it has to be/);
    const fetched = what === "a package at another address" ? [] : ["/package"];
    assert.deepEqual(releases.requests, ["/latest.json", "/latest.json", ...fetched]);
    untouched();
    assert.deepEqual(await backups(), []);
  });

test("nothing is downloaded before it is agreed to", async () => {
  const bytes = packageNamed(NEWER);
  releases.offer({ version: NEWER, bytes, signature: signed(bytes, NEWER) });
  await check();
  await sees(window.session, `Version ${NEWER} is available.`);
  await click(window.session, "button", `Install version ${NEWER}…`);
  await click(window.session, "button", "Cancel");
  assert.deepEqual(releases.requests, ["/latest.json"]);
  untouched();
});

test("a download shows its progress and can be cancelled, and nothing is replaced or backed up", async () => {
  const bytes = Buffer.concat([packageNamed(NEWER), Buffer.alloc(4_000_000)]);
  releases.offer({ version: NEWER, bytes, signature: signed(bytes, NEWER), sent: 2_000_000 });
  await check();
  await install();
  await get(window.session, "progressbar", `Download of Inklings ${NEWER}`);
  await sees(window.session, "2 of 4 MB");
  await saveScreenshot(window.session, "update-download");
  await click(window.session, "button", "Cancel the download");
  await sees(window.session, "The download was cancelled.");
  await sees(window.session, `Version ${NEWER} is available.`);
  untouched();
  assert.deepEqual(await backups(), []);
});

test("a newer release, signed for its version, is installed after a backup of everything", async () => {
  const bytes = packageNamed(NEWER);
  releases.offer({ version: NEWER, bytes, signature: signed(bytes, NEWER) });
  await install();
  await sees(window.session, new RegExp(`Version ${NEWER.replaceAll(".", "\\.")} is installed`));
  assert.ok(readFileSync(appImage).equals(bytes), "the file is the one that was signed");
  const [backup, ...more] = await backups();
  assert.deepEqual([backup.reason, backup.account, more.length], ["update", true, 0]);
  assert.equal((await ask(home, "backup", "check", backup.id)).ok, true);
});
