import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";

const SRC = resolve(import.meta.dirname, "..");
const SHARED = ["components", "i18n", "ipc", "preferences", "theme"];

type Import = { from: string; to: string };

function files(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return files(path);
    return /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

const sources = files(SRC).map((path) => ({ path: relative(SRC, path), text: readFileSync(path, "utf8") }));

const imports: Import[] = sources.flatMap(({ path, text }) =>
  [...text.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map((match) => {
    const to = match[1] ?? "";
    return { from: path, to: to.startsWith(".") ? relative(SRC, resolve(SRC, dirname(path), to)) : to };
  }),
);

const product = imports.filter(({ from }) => !from.startsWith("testing/") && !/\.test\.tsx?$/.test(from));
const area = (path: string) => path.split("/")[0] ?? "";

test("only ipc imports Tauri", () => {
  const outside = imports.filter(({ from, to }) => to.startsWith("@tauri-apps/") && area(from) !== "ipc");
  expect(outside).toEqual([]);
});

test("only ipc, and types elsewhere, touch the generated bindings", () => {
  const values = sources
    .filter(({ path }) => area(path) !== "ipc")
    .filter(({ text }) => /import\s+(?!type\b)[^;]*bindings\.gen"/.test(text));
  expect(values.map(({ path }) => path)).toEqual([]);
});

test("shared parts import neither features nor the app", () => {
  const wrong = product.filter(
    ({ from, to }) => SHARED.includes(area(from)) && ["features", "app"].includes(area(to)),
  );
  expect(wrong).toEqual([]);
});

test("features import neither one another nor the app", () => {
  const feature = (path: string) => (area(path) === "features" ? path.split("/")[1] : undefined);
  const wrong = product.filter(({ from, to }) => {
    if (!feature(from)) return false;
    return area(to) === "app" || (feature(to) !== undefined && feature(to) !== feature(from));
  });
  expect(wrong).toEqual([]);
});

test("nothing that is shipped imports test helpers", () => {
  const wrong = product.filter(({ to }) => area(to) === "testing" || to === "ipc/mock");
  expect(wrong).toEqual([]);
});

test("tests of the whole window use it as it is shipped, without the test build of React", () => {
  const setup = ["testing/open.tsx", "testing/mount.ts", "testing/setup.ts", "testing/setupCore.ts"];
  const whole = imports.filter(({ from }) => from.endsWith(".core.test.tsx") || setup.includes(from));
  expect(whole.length).toBeGreaterThan(100);
  expect(whole.filter(({ to }) => to === "@testing-library/react")).toEqual([]);
});

/** State in modules of features that is no draft: it can be computed or read again. */
const NO_DRAFTS = new Set([
  "features/conversations/transcript/live.ts",
  "features/memory/list/MemoryList.tsx",
  "features/named/world/graph/artist.ts",
  "features/named/world/graph/artist.worker.ts",
  "features/named/world/graph/useLayout.ts",
]);

test("features keep drafts only in stores that the window asks about before it closes", () => {
  const ofFeatures = sources.filter(
    ({ path }) => area(path) === "features" && !path.includes(".test.") && !NO_DRAFTS.has(path),
  );
  const state = /^(export )?(let \w|const \w+(: [^=]+)? = new (Map|Set)\b)/m;
  const constants = /^const [A-Z_]+(: [^=]+)? = new Set\b.*$/gm;
  const isDrafts = (path: string) => /[dD]rafts\.ts$/.test(path);
  const wrong = ofFeatures.filter(
    ({ path, text }) =>
      isDrafts(path) !== text.includes("draftStore") ||
      (!isDrafts(path) && state.test(text.replace(constants, ""))),
  );
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

test("no file grows beyond 600 lines", () => {
  const long = sources.filter(({ path, text }) => text.split("\n").length > 600 && !path.endsWith(".gen.ts"));
  expect(long.map(({ path }) => path)).toEqual([]);
});
