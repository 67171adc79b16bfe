#!/usr/bin/env node
// Writes latest.json, which the updater reads, from the signatures beside the packages. Writes none where nothing is signed.
//   manifest.mjs FOLDER VERSION ADDRESS     ADDRESS is where the files of FOLDER will be found
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";

// As packages are named; a name says the processor in the words of its system.
const KINDS = [
  [/_(amd64|arm64)\.deb$/, "linux", "deb"],
  [/\.(x86_64|aarch64)\.rpm$/, "linux", "rpm"],
  [/_(amd64|aarch64)\.AppImage$/, "linux", "appimage"],
  [/_(x64|arm64)_[\w-]+\.msi$/, "windows", "msi"],
  [/_(x64|aarch64)\.app\.tar\.gz$/, "darwin", "app"],
];
const PROCESSORS = { amd64: "x86_64", x64: "x86_64", arm64: "aarch64" };

/** The word by which the updater of a package finds its successor. */
export function platformOf(name) {
  for (const [pattern, system, kind] of KINDS) {
    const processor = pattern.exec(name)?.[1];
    if (processor) return `${system}-${PROCESSORS[processor] ?? processor}-${kind}`;
  }
  throw new Error(`${name} is no package that the updater knows`);
}

export function manifest(folder, version, address, now = new Date()) {
  const signed = readdirSync(folder).filter((name) => name.endsWith(".sig"));
  const platforms = signed.map((name) => {
    const file = basename(name, ".sig");
    const signature = readFileSync(join(folder, name), "utf8").trim();
    const [, bound] = /\tversion:(\S+)/.exec(Buffer.from(signature, "base64").toString("utf8")) ?? [];
    if (bound !== version) throw new Error(`${name} is signed for version ${bound}, not for ${version}`);
    return [platformOf(file), { url: `${address}/${encodeURIComponent(file)}`, signature }];
  });
  if (platforms.length === 0) return null;
  return { version, pub_date: now.toISOString(), platforms: Object.fromEntries(platforms.sort()) };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [folder, version, address] = process.argv.slice(2);
  const written = manifest(folder, version, address);
  if (written) writeFileSync(join(folder, "latest.json"), `${JSON.stringify(written, null, 2)}\n`);
  console.log(written ? Object.keys(written.platforms).join("\n") : "nothing is signed: no manifest");
}
