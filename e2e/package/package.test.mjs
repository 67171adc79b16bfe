// The packages that `make package` made, installed into an empty folder and used there. INKLINGS_PACKAGES names their folder.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";

const packages = resolve(process.env.INKLINGS_PACKAGES ?? "target/package/out");
const packageOf = (ending) => {
  const found = readdirSync(packages).filter((name) => name.endsWith(ending));
  assert.equal(found.length, 1, `one ${ending} in ${packages}`);
  return join(packages, found[0]);
};
const deb = packageOf(".deb");
const rpm = packageOf(".rpm");
const run = (program, args, env = {}) =>
  execFileSync(program, args, { encoding: "utf8", env: { ...process.env, ...env }, maxBuffer: 1 << 28 });

const root = mkdtempSync(join(tmpdir(), "inklings-package-"));
const installed = (...path) => join(root, "usr", ...path);
// The rest of the suite's tools start the installed programs.
process.env.INKLINGS_BIN_DIR = installed("bin");

/** dpkg on the empty folder, which has none of the packages that ours needs. */
const dpkg = (...args) =>
  run("dpkg", [
    `--root=${root}`,
    "--force-depends",
    "--force-not-root",
    "--force-script-chrootless",
    "--no-triggers",
    ...args,
  ]);

/** Every file below a folder, relative to it. */
const filesOf = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();

let app;
let page;
let store;
let windows;
before(async () => {
  for (const name of ["info", "updates", "triggers"])
    mkdirSync(join(root, "var/lib/dpkg", name), { recursive: true });
  for (const name of ["status", "available"]) writeFileSync(join(root, "var/lib/dpkg", name), "");
  dpkg("--install", deb);
  app = await import("../lib/app.mjs");
  page = await import("../lib/page.mjs");
  store = await import("../lib/store.mjs");
  windows = await import("../lib/window.mjs");
});
after(() => rmSync(root, { recursive: true, force: true }));

/** A home whose programs see nothing of the source tree: no variable of this project is set. */
function homeOfUser() {
  const home = app.makeHome();
  for (const name of Object.keys(home.env))
    if (name.startsWith("INKLINGS_") && name !== "INKLINGS_DATA_DIR") delete home.env[name];
  return home;
}

test("both packages hold the same files", () => {
  const ofRpm = run("rpm", ["-qpl", rpm]).trim().split("\n");
  const named = (path) => path.replace("zsh/vendor-completions", "zsh/site-functions");
  const ofDeb = filesOf(installed()).map((name) => named(`/usr/${name}`));
  for (const name of ofDeb) assert.ok(ofRpm.includes(name), `${name} is in the rpm`);
  for (const name of ["/usr/bin/inklings", "/usr/bin/inklings-desktop", "/usr/share/man/man1/inklings.1.gz"])
    assert.ok(ofDeb.includes(name), name);
});

test("the files of the rpm are those of the deb, byte for byte, but for the mark of the package's kind", () => {
  const other = mkdtempSync(join(tmpdir(), "inklings-rpm-"));
  try {
    run("bash", ["-c", `cd "$1" && rpm2cpio "$2" | cpio -idm --quiet`, "-", other, rpm]);
    for (const name of filesOf(installed())) {
      const there = join(other, "usr", name.replace("zsh/vendor-completions", "zsh/site-functions"));
      if (name === "bin/inklings-desktop") {
        const ofDeb = readFileSync(installed(name)).toString("latin1");
        const ofRpm = readFileSync(there).toString("latin1");
        // Each program also holds the marks that it compares its own with.
        const more = (kind) => ofDeb.split(`_VAR_${kind}`).length - ofRpm.split(`_VAR_${kind}`).length;
        assert.deepEqual([more("DEB"), more("RPM"), more("UNK")], [1, -1, 0]);
        continue;
      }
      assert.ok(readFileSync(there).equals(readFileSync(installed(name))), name);
    }
  } finally {
    rmSync(other, { recursive: true, force: true });
  }
});

test("the packages name what the programs need of the system, and who made them", () => {
  const field = (name) => run("dpkg-deb", ["--field", deb, name]).trim();
  for (const name of ["libwebkit2gtk-4.1-0", "libgtk-3-0", "libsoup-3.0-0", "libstdc++6", "libc6"])
    assert.match(field("Depends"), new RegExp(`(^|, )${name.replaceAll("+", "\\+")}( |,|$)`));
  assert.equal(field("Section"), "editors");
  assert.equal(field("Homepage"), "");
  const needed = run("rpm", ["-qp", "--requires", rpm]);
  for (const name of ["libwebkit2gtk-4.1.so.0()(64bit)", "libgtk-3.so.0()(64bit)", "libstdc++.so.6()(64bit)"])
    assert.ok(needed.includes(name), name);
  const version = JSON.parse(readFileSync("src-tauri/tauri.conf.json", "utf8")).version;
  assert.equal(field("Version"), version);
  assert.match(run("rpm", ["-qpi", rpm]), new RegExp(`^Version +: ${version}$`, "m"));
});

test("no file of the packages can be written by everybody, and no path of the build machine is in them", () => {
  for (const name of filesOf(installed()))
    assert.equal(statSync(installed(name)).mode & 0o022, 0, `${name} is writable by others`);
  for (const name of filesOf(installed("share"))) {
    const text = readFileSync(installed("share", name)).toString("latin1");
    assert.ok(!text.includes(process.cwd()), `${name} names ${process.cwd()}`);
  }
});

test("the licences of everything that is built in are there, with those of ONNX Runtime and the model", () => {
  const text = readFileSync(installed("lib/Inklings/resources/licences/THIRD-PARTY.txt"), "utf8");
  const locked = readFileSync("Cargo.lock", "utf8");
  for (const name of ["tauri", "sqlx", "fastembed", "rustls", "webkit2gtk"]) {
    const version = new RegExp(`^name = "${name}"\nversion = "(.*)"$`, "m").exec(locked)[1];
    assert.ok(text.includes(`\n${name} ${version}\nLicence: `), name);
  }
  for (const head of ["react (npm) ", "ONNX Runtime ", "all-MiniLM-L6-v2 "])
    assert.ok(text.includes(`\n${head}`), head);
  assert.ok(!/^inklings-\w+ /m.test(text), "our own crates are no third parties");
});

test("the desktop entry is valid, names an icon of every size and sets no default", () => {
  const entries = readdirSync(installed("share/applications")).filter((name) => name.endsWith(".desktop"));
  assert.ok(entries.includes("Inklings.desktop"));
  for (const name of entries) run("desktop-file-validate", [installed("share/applications", name)]);
  const text = readFileSync(installed("share/applications/Inklings.desktop"), "utf8");
  const icon = /^Icon=(.*)$/m.exec(text)[1];
  const sizes = JSON.parse(readFileSync("src-tauri/package/sizes.json", "utf8"));
  for (const size of sizes) {
    const png = readFileSync(installed(`share/icons/hicolor/${size}x${size}/apps/${icon}.png`));
    assert.deepEqual(
      [png.readUInt32BE(16), png.readUInt32BE(20)],
      [size, size],
      `the icon of ${size} pixels`,
    );
  }
  assert.ok(existsSync(installed(`share/icons/hicolor/scalable/apps/${icon}.svg`)));
  assert.ok(existsSync(installed("bin", /^Exec=(\S+)/m.exec(text)[1])));
  for (const name of filesOf(root)) assert.doesNotMatch(name, /(mimeapps|defaults)\.list$/);
});

test("a desktop knows the files by their endings and offers the window for them", () => {
  const data = mkdtempSync(join(tmpdir(), "inklings-mime-"));
  try {
    cpSync(installed("share/mime"), join(data, "mime"), { recursive: true });
    cpSync(installed("share/applications"), join(data, "applications"), { recursive: true });
    cpSync("/usr/share/mime/packages/freedesktop.org.xml", join(data, "mime/packages/freedesktop.org.xml"));
    run("update-mime-database", [join(data, "mime")]);
    run("update-desktop-database", [join(data, "applications")]);
    // The desktop entry names a program, which has to be on the path to be offered.
    const asked = run(
      "/usr/bin/python3",
      [
        "-c",
        `import json, gi
from gi.repository import Gio
names = ["w.inklings", "memory.inklings.json", "n.lorebook", "Mira.charx", "w.json", "card.png", "other.txt"]
types = {name: Gio.content_type_guess(name, None)[0] for name in names}
offered = {name: [app.get_id() for app in Gio.AppInfo.get_all_for_type(kind)] for name, kind in types.items()}
print(json.dumps([types, offered]))`,
      ],
      {
        XDG_DATA_DIRS: data,
        XDG_DATA_HOME: join(data, "none"),
        XDG_CONFIG_HOME: join(data, "none"),
        PATH: `${installed("bin")}:${process.env.PATH}`,
      },
    );
    const [types, offered] = JSON.parse(asked);
    assert.deepEqual(types, {
      "w.inklings": "application/vnd.inklings.memory+json",
      "memory.inklings.json": "application/vnd.inklings.memory+json",
      "n.lorebook": "application/x-lorebook+json",
      "Mira.charx": "application/x-charx",
      "w.json": "application/json",
      "card.png": "image/png",
      "other.txt": "text/plain",
    });
    for (const [name, apps] of Object.entries(offered))
      assert.deepEqual(apps, name === "other.txt" ? [] : ["Inklings.desktop"], name);
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
});

test("every verb has a manual page that man can show, and the shells get a completion that they can read", () => {
  const pages = readdirSync(installed("share/man/man1"));
  for (const name of [
    "inklings.1.gz",
    "inklings-desktop.1.gz",
    "inklings-memory-search.1.gz",
    "inklings-backup-now.1.gz",
  ])
    assert.ok(pages.includes(name), name);
  const shown = run("man", ["--warnings", "-l", installed("share/man/man1/inklings-memory-add.1.gz")], {
    MANPAGER: "cat",
    LC_ALL: "C.UTF-8",
  });
  assert.match(shown, /--scope/);
  run("bash", ["-n", installed("share/bash-completion/completions/inklings")]);
  const completed = run("bash", [
    "-c",
    `source "$1"; COMP_WORDS=(inklings memory sea); COMP_CWORD=2; _inklings inklings sea memory; printf '%s\\n' "\${COMPREPLY[@]}"`,
    "-",
    installed("share/bash-completion/completions/inklings"),
  ]);
  assert.equal(completed.trim(), "search");
});

test("the installed command line works on a new data folder, by words and by meaning", async () => {
  const home = homeOfUser();
  try {
    const version = await app.cli(home, ["--version"]);
    assert.equal(version.stdout.trim(), `inklings ${run("dpkg-deb", ["--field", deb, "Version"]).trim()}`);
    await store.makeWorkspace(home);
    await store.add(home, "Oskar heals sick animals and asks nothing in return.");
    await store.add(home, "The lighthouse keeper drinks nutmeg tea at dawn.");
    await app.ask(home, "embed", "--all");
    const { hits } = await store.memory(home, "search", "veterinary surgeon for sheep");
    assert.match(JSON.stringify(hits[0]), /Oskar/);
    const checked = await store.doctor(home);
    assert.equal(checked.code, 0, checked.trouble);
  } finally {
    await home.remove();
  }
});

/** Files that a process of this program has mapped. */
function mapped(program) {
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name)))
    try {
      if (readlinkSync(`/proc/${pid}/exe`) === program) return readFileSync(`/proc/${pid}/maps`, "utf8");
    } catch {} // ended, or another user's
  return "";
}

test("the installed window opens and finds a memory by meaning, with the model that came with it", async () => {
  const home = homeOfUser();
  const display = await app.startDisplay();
  try {
    await store.makeWorkspace(home);
    const window = await app.openWindow(display, home);
    await windows.create(window.session, "Oskar heals sick animals and asks nothing in return.");
    await windows.create(window.session, "The lighthouse keeper drinks nutmeg tea at dawn.");
    await app.ask(home, "embed", "--all");
    await windows.search(window.session, "veterinary surgeon for sheep");
    await page.sees(window.session, "by meaning, none has these words");
    const { until } = await import("../lib/webdriver.mjs");
    await until("the healer of animals on top", () =>
      window.session.run(() => document.querySelector("[role=row]")?.textContent.includes("Oskar")),
    );
    const library = installed("lib/Inklings/resources/onnxruntime/libonnxruntime.so");
    assert.ok(mapped(installed("bin/inklings-desktop")).includes(library), `${library} is loaded`);
  } finally {
    await home.remove();
    await display.stop();
  }
});

test("removing the package leaves nothing of it behind", () => {
  dpkg("--purge", "inklings");
  assert.deepEqual(existsSync(installed()) ? filesOf(installed()) : [], []);
});
