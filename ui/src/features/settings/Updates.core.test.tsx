import { screen, waitFor } from "@testing-library/dom";
import { expect, onTestFinished, test } from "vitest";
import type { UpdateStatus } from "../../ipc/bindings.gen";
import { updatesAtStart } from "../../preferences/preferences";
import { openWindow } from "../../testing/open";
import { makeShell } from "../../testing/shell";

const ADDRESS = "https://updates.example/latest.json";
/** As a build says that is set up. The core under test is not, so what it is asked for fails. */
const setUp = { update_status: (status: UpdateStatus) => ({ ...status, address: ADDRESS }) };

const withChecksAtStart = () => {
  updatesAtStart.set("on");
  onTestFinished(() => updatesAtStart.set("off"));
};

test("a build without an address and a key says that updates are not set up, and has no controls for them", async () => {
  const { transport } = await openWindow("/settings?section=data");
  expect(await screen.findByText(/Not set up in this build/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Check now" })).toBeNull();
  expect(screen.queryByRole("switch", { name: "Check when Inklings starts" })).toBeNull();
  expect(transport.callsOf("find_update")).toEqual([]);
});

test("a build that is set up shows the address and asks only when asked, and a check that fails says why", async () => {
  const { transport, user } = await openWindow("/settings?section=data", { changes: setUp });
  expect(await screen.findByText(new RegExp(ADDRESS))).toBeTruthy();
  const atStart = screen.getByRole("switch", { name: "Check when Inklings starts" });
  expect(atStart.getAttribute("aria-checked")).toBe("false");
  expect(transport.callsOf("find_update")).toEqual([]);
  await user.click(screen.getByRole("button", { name: "Check now" }));
  expect(await screen.findByText(/no key to check a release with/)).toBeTruthy();
  expect(transport.callsOf("find_update")).toEqual([{}]);
  expect(screen.getByRole("button", { name: "Check now" })).toBeTruthy();
});

test("the switch makes the next window look once when it opens, and nothing is installed by that", async () => {
  const { user } = await openWindow("/settings?section=data", { changes: setUp });
  await user.click(await screen.findByRole("switch", { name: "Check when Inklings starts" }));
  expect(updatesAtStart.get()).toBe("on");
  withChecksAtStart();
  const { transport } = await openWindow("/memory", { changes: setUp });
  await waitFor(() => expect(transport.callsOf("find_update")).toEqual([{}]));
  expect(transport.callsOf("install_update")).toEqual([]);
});

test("a further window of a program that runs does not look again", async () => {
  withChecksAtStart();
  const shell = makeShell("window-2");
  const { transport } = await openWindow("/memory", { changes: setUp, shell });
  await screen.findByRole("grid");
  expect(transport.callsOf("update_status")).toEqual([]);
});

test("a build that is not set up asks nothing at its start, whatever the switch was", async () => {
  withChecksAtStart();
  const { transport } = await openWindow("/memory");
  await waitFor(() => expect(transport.callsOf("update_status").length).toBeGreaterThan(0));
  expect(transport.callsOf("find_update")).toEqual([]);
});
