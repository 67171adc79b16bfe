import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import type { ConsolidationSettings, OrientationSettings } from "../../ipc/bindings.gen";
import { openWindow } from "../../testing/open";

test("shares follow the hand in the numbers, and are kept when it rests", async () => {
  const { user, core } = await openWindow("/settings?section=orientation");
  const slider = await screen.findByRole("slider", { name: "Facts: share" });
  fireEvent.focus(slider);
  await user.type(slider, "{End}");
  await waitFor(async () =>
    expect((await core.call<OrientationSettings>("orientation_settings")).shares.facts).toBe(100),
  );
  const row = slider.closest("li");
  expect(row?.querySelector("output")?.textContent).toBe("54%");
});

test("a budget out of bounds is said at its field and not written", async () => {
  const { user, transport } = await openWindow("/settings?section=orientation");
  const field = await screen.findByRole("textbox", { name: "Token budget" });
  await user.clear(field);
  await user.type(field, "-4{Enter}");
  expect((await screen.findByRole("alert")).textContent).toContain("Between 0 and");
  expect(transport.callsOf("set_orientation_settings")).toEqual([]);
});

test("without automatic consolidation its occasions cannot be set, and the rest can", async () => {
  const { user, core } = await openWindow("/settings?section=consolidation");
  const settings = () => core.call<ConsolidationSettings>("consolidation_settings");
  const toggle = await screen.findByRole("switch", { name: "By itself" });
  await user.click(toggle);
  await waitFor(async () => expect((await settings()).automatic).toBe(true));
  await user.click(toggle);
  await waitFor(async () => expect((await settings()).automatic).toBe(false));
  expect(screen.getByRole<HTMLInputElement>("textbox", { name: "After quiet minutes" }).disabled).toBe(true);
  const cap = screen.getByRole<HTMLInputElement>("textbox", { name: "At most, in each tier" });
  await user.clear(cap);
  await user.type(cap, "500{Enter}");
  await waitFor(async () => expect((await settings()).cap).toBe(500));
});
