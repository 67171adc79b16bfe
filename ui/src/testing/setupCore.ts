import { configure, prettyDOM } from "@testing-library/dom";
import { afterEach } from "vitest";
import { dropLeftovers } from "./leftovers";
import { unmountAll } from "./mount";

configure({
  // Each look at a page that is not there yet would print the page: a tenth of the time of these tests. It is printed once,
  // below, where a test failed.
  getElementError: (message) =>
    Object.assign(new Error(message ?? ""), { name: "TestingLibraryElementError" }),
  // What a key or a click changed is drawn before the next line of a test, as it is before the next key of a person. What is
  // drawn can ask to be drawn once more.
  asyncWrapper: async (action) => {
    const result = await action();
    for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setTimeout(resolve, 0));
    return result;
  },
});

afterEach(({ task }) => {
  if (task.result?.state === "fail") process.stderr.write(`${prettyDOM(document.body)}\n`);
  unmountAll();
  dropLeftovers();
});
