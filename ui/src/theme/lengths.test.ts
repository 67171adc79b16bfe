import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const sources = Object.entries(
  import.meta.glob<string>("../**/*.tsx", { eager: true, query: "?raw", import: "default" }),
).filter(([path]) => !/\.test\.tsx$|\/testing\//.test(path));
const css = readFileSync(join(import.meta.dirname, "app.css"), "utf8");

test("lengths in classes follow the zoom: only hairlines are in pixels", () => {
  const fixed = sources.flatMap(([path, text]) =>
    [...text.matchAll(/[\w-]+-\[[^\]\s]*?(\d+)px[^\]\s]*\]/g)]
      .filter((match) => Number(match[1]) > 2)
      .map((match) => `${path}: ${match[0]}`),
  );
  expect(fixed).toEqual([]);
});

test("every width of a container that a class asks for is defined", () => {
  const asked = new Set(
    sources.flatMap(([, text]) => [...text.matchAll(/[\s"`]@(\w+):/g)].map((match) => match[1])),
  );
  expect(asked.size).toBeGreaterThan(0);
  expect([...asked].filter((name) => !css.includes(`--container-${name}:`))).toEqual([]);
});

test("pictures of every size in use follow the zoom", () => {
  const sizes = new Set(
    sources.flatMap(([, text]) => [...text.matchAll(/\bsize=\{(\d+)\}/g)].map((it) => it[1])),
  );
  const missing = [...sizes].filter((size) => !css.includes(`.lucide[width="${size}"]`));
  expect(missing).toEqual([]);
});
