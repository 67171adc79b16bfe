#!/usr/bin/env node
// What the packages need beside src-tauri/tauri.conf.json, as JSON that Tauri merges with it.
//   config.mjs build FOLDER    with what the program is built: icons, and the updater where it is set up
//   config.mjs bundle FOLDER   what is packed beside the window, from the files that files.sh collected
//   config.mjs system FOLDER   writes the desktop entries and the MIME types into FOLDER
// FOLDER is the working folder of package.sh.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const own = join(root, "src-tauri/package");
const read = (path) => JSON.parse(readFileSync(path, "utf8"));
const types = read(join(own, "types.json"));
const standard = read(join(root, "src-tauri/tauri.conf.json"));

/** Every file below `folder`, relative to it. */
const filesOf = (folder, below = "") =>
  !existsSync(join(folder, below))
    ? []
    : readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) =>
        entry.isDirectory() ? filesOf(folder, join(below, entry.name)) : [join(below, entry.name)],
      );

const lines = (path) =>
  existsSync(path) ? readFileSync(path, "utf8").split("\n").filter((line) => line !== "") : [];

/** The icons; and the updater, if `INKLINGS_UPDATES` names a file with its address and public key. */
export function build(work, updates = process.env.INKLINGS_UPDATES) {
  const icons = join(work, "icons");
  const hicolor = join(work, "hicolor");
  const png = filesOf(hicolor).map((name) => join(hicolor, name));
  const icon = [...png, join(icons, "icon.icns"), join(icons, "icon.ico")].filter(existsSync);
  const config = { bundle: { icon: [join(icons, "icon.png"), ...icon].filter(existsSync) } };
  if (!updates) return config;
  const { endpoint, pubkey } = read(resolve(root, updates));
  if (!/^https:\/\/\S+$/.test(endpoint ?? "")) throw new Error(`${updates}: "endpoint" is no https address`);
  if (!pubkey) throw new Error(`${updates}: "pubkey" is missing`);
  config.plugins = { updater: { endpoints: [endpoint], pubkey, requireSignedVersion: true } };
  return config;
}

/** The command line, the licences, and what the system knows of the program. */
export function bundle(work, platform = process.platform) {
  const linux = standard.bundle.linux ?? {};
  const depends = (kind, found) => [...new Set([...found, ...(linux[kind]?.depends ?? [])])];
  const system = join(work, "root");
  const files = (zsh) =>
    Object.fromEntries(
      filesOf(system).map((name) => [`/${name.replace("zsh/site-functions", zsh)}`, join(system, name)]),
    );
  const config = {
    publisher: "The Inklings developers",
    copyright: "Copyright (c) 2026 The Inklings developers",
    longDescription: [
      "A desktop app for worldbuilders with a World Agent that has a memory.",
      "It finds what is true in an invented world by words and by meaning, and",
      "shows what the agent was shown and why. Everything stays on this machine.",
    ].join("\n"),
    externalBin: [join(work, "bin/inklings")],
    resources: {
      [join(work, "THIRD-PARTY.txt")]: "resources/licences/THIRD-PARTY.txt",
      ...Object.fromEntries(
        ["LICENSE", "LICENSE-APACHE", "LICENSE-MIT"].map((name) => [
          join(root, name),
          `resources/licences/${name}`,
        ]),
      ),
    },
    fileAssociations: associations(platform),
    // What the updater installs is signed by sign.sh, when everything else is done.
    createUpdaterArtifacts: false,
    // An installer of an older version does not replace a newer one.
    windows: { allowDowngrades: false },
    linux: {
      deb: {
        section: "editors",
        priority: "optional",
        depends: depends("deb", lines(join(work, "deb.depends"))),
        recommends: [...new Set(["xdg-utils", ...(linux.deb?.recommends ?? [])])],
        desktopTemplate: join(work, "inklings.desktop"),
        files: files("zsh/vendor-completions"),
      },
      rpm: {
        depends: depends("rpm", lines(join(work, "rpm.depends"))),
        recommends: [...new Set(["xdg-utils", ...(linux.rpm?.recommends ?? [])])],
        desktopTemplate: join(work, "inklings.desktop"),
        files: files("zsh/site-functions"),
      },
    },
  };
  return { bundle: config };
}

/**
 * File types on systems that know them by their ending. There an ending of somebody else's is offered under "Open with" where the
 * system can tell that from a default (macOS), and left alone where it cannot (Windows). Linux has the desktop entry.
 */
function associations(platform) {
  const offered = platform === "darwin" ? types : types.filter((type) => type.own);
  if (platform === "linux") return [];
  return offered.map((type) => ({
    ext: type.endings.filter((ending) => !ending.includes(".")),
    name: type.name,
    description: type.name,
    mimeType: type.mime,
    role: "Viewer",
    rank: type.own ? "Owner" : "Alternate",
    ...(type.own
      ? { exportedType: { identifier: `${standard.identifier}.memory`, conformsTo: ["public.json"] } }
      : {}),
  }));
}

const escaped = (text) => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);

/** The types that no system knows, for its database of MIME types. */
export function mimeTypes() {
  const entries = types
    .filter((type) => !type.known)
    .map((type) =>
      [
        `  <mime-type type="${escaped(type.mime)}">`,
        `    <comment>${escaped(type.name)}</comment>`,
        `    <comment xml:lang="de">${escaped(type.de)}</comment>`,
        ...(type.own ? [`    <icon name="inklings-desktop"/>`] : []),
        `    <sub-class-of type="${escaped(type.parent)}"/>`,
        ...type.endings.map((ending) => `    <glob pattern="*.${escaped(ending)}"/>`),
        "  </mime-type>",
      ].join("\n"),
    );
  return `<?xml version="1.0" encoding="UTF-8"?>
<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">
${entries.join("\n")}
</mime-info>
`;
}

/** The desktop entry, still a template of Tauri's, with the types that the window opens. */
export const desktopEntry = () =>
  readFileSync(join(own, "inklings.desktop"), "utf8").replace(
    "@TYPES@",
    types.map((type) => `${type.mime};`).join(""),
  );

/** A hidden entry for links, because a link is no path; null where the window has none. */
export function linkEntry(config = standard) {
  const schemes = config.plugins?.["deep-link"]?.desktop?.schemes;
  if (!schemes?.length) return null;
  return readFileSync(join(own, "link.desktop"), "utf8").replace(
    "@TYPES@",
    schemes.map((scheme) => `x-scheme-handler/${scheme};`).join(""),
  );
}

function writeSystem(work) {
  const put = (name, text) => {
    mkdirSync(dirname(join(work, name)), { recursive: true });
    writeFileSync(join(work, name), text);
  };
  put("inklings.desktop", desktopEntry());
  put("root/usr/share/mime/packages/inklings.xml", mimeTypes());
  const link = linkEntry();
  if (link) put("root/usr/share/applications/inklings-link.desktop", link);
}

const [kind, work] = process.argv.slice(2);
if (process.argv[1] && relative(process.argv[1], fileURLToPath(import.meta.url)) === "") {
  if (kind === "system") writeSystem(work);
  else console.log(JSON.stringify(kind === "build" ? build(work) : bundle(work), null, 2));
}
