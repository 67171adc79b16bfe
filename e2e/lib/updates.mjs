// A server of releases on this machine, and packages that are signed with keys of the test by the tool that signs real ones.
import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { root } from "./app.mjs";

const signer = (...args) => {
  const { TAURI_SIGNING_PRIVATE_KEY: _, TAURI_SIGNING_PRIVATE_KEY_PASSWORD: __, ...env } = process.env;
  return execFileSync(join(root, "node_modules/.bin/tauri"), ["signer", ...args], { encoding: "utf8", env });
};

/** A new pair of keys in a folder. */
export function makeKeys(folder, name) {
  const path = join(folder, name);
  signer("generate", "--ci", "--password", "", "--write-keys", path);
  return { path, pubkey: readFileSync(`${path}.pub`, "utf8").trim() };
}

/** The signature of a package for a version; without a version, as tools signed that named none. */
export function sign(folder, keys, bytes, version) {
  const file = join(folder, "Inklings.AppImage.unsigned");
  writeFileSync(file, bytes);
  const bound = version === undefined ? [] : ["--app-version", version];
  signer("sign", "--private-key-path", keys.path, "--password", "", ...bound, file);
  const signature = readFileSync(`${file}.sig`, "utf8");
  rmSync(`${file}.sig`);
  return signature;
}

/** An ELF program, as an AppImage is one. Each name gives other bytes. */
export const packageNamed = (name) => Buffer.concat([readFileSync("/bin/true"), Buffer.from(`\n${name}\n`)]);

const target = `linux-${process.arch === "arm64" ? "aarch64" : "x86_64"}`;

/** Serves a manifest and a package; `offer` says which, and `requests` holds the paths that were asked for. */
export async function serveReleases(folder) {
  const requests = [];
  let offered = { manifest: {}, bytes: Buffer.alloc(0) };
  const server = createServer((request, response) => {
    requests.push(request.url);
    if (request.url === "/latest.json") {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(offered.manifest));
    } else if (request.url === "/package") {
      const { bytes, sent } = offered;
      response.setHeader("content-length", bytes.length);
      // The rest of a package that is sent in part comes never.
      if (sent === undefined) response.end(bytes);
      else response.write(bytes.subarray(0, sent));
    } else response.writeHead(404).end();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${server.address().port}`;
  return {
    origin,
    endpoint: `${origin}/latest.json`,
    requests,
    /** Offers a version: `bytes` at `url`, with this signature, of which the first `sent` are sent. */
    offer({ version, bytes, signature, sent, url = `${origin}/package` }) {
      offered = { bytes, sent, manifest: { version, platforms: { [target]: { url, signature } } } };
      requests.length = 0;
    },
    /** The file that a development build reads its address and key from. */
    settings(pubkey) {
      const file = join(folder, "updates.json");
      writeFileSync(file, JSON.stringify({ endpoint: `${origin}/latest.json`, pubkey }));
      return file;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

/** What the window takes for the AppImage that it runs from. */
export function installedAppImage(folder) {
  const path = join(folder, "Inklings.AppImage");
  copyFileSync("/bin/true", path);
  return path;
}
