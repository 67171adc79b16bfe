import { expect, test } from "vitest";
import { linkTo } from "./link";

test("a link names the thing and its world", () => {
  expect(linkTo("memory", "0190-a", "0190-b")).toBe("inklings://memory/0190-a?world=0190-b");
  expect(linkTo("conversation", "C-4", undefined)).toBe("inklings://conversation/C-4");
});

test("the words of a search are escaped", () => {
  expect(linkTo("search", 'salt & "ä"', "0190")).toBe(
    "inklings://search?q=salt%20%26%20%22%C3%A4%22&world=0190",
  );
});
