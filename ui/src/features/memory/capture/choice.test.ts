import { expect, test } from "vitest";
import { readChoice, writeChoice } from "./choice";

test("the last choice is the next one", () => {
  expect(readChoice()).toEqual({ world: null, tier: "workspace" });
  writeChoice({ world: "0190", tier: "account" });
  expect(readChoice()).toEqual({ world: "0190", tier: "account" });
});

test("a stored choice that is none counts as none", () => {
  localStorage.setItem("inklings.capture", '{"world":7,"tier":"conversation"}');
  expect(readChoice()).toEqual({ world: null, tier: "workspace" });
  localStorage.setItem("inklings.capture", "{");
  expect(readChoice()).toEqual({ world: null, tier: "workspace" });
});
