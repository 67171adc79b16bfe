import { fireEvent, screen, waitFor, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import { openWindow } from "../../testing/open";
import { makeShell } from "../../testing/shell";

const section = () => screen.findByRole("region", { name: "Desktop" });

test("the key of the quick capture is shown, changed by pressing another, and switched off", async () => {
  const shell = makeShell();
  const { user } = await openWindow("/settings", { shell });
  const desktop = within(await section());
  expect((await desktop.findByText("Alt")).tagName).toBe("KBD");
  expect(desktop.getByText("I").tagName).toBe("KBD");

  await user.click(desktop.getByRole("button", { name: "Change the key" }));
  const field = await desktop.findByRole("button", { name: "Press the new key, or Esc" });
  await waitFor(() => expect(document.activeElement).toBe(field));
  fireEvent.keyDown(field, { key: "Control", code: "ControlLeft", ctrlKey: true });
  fireEvent.keyDown(field, { key: "j", code: "KeyJ", ctrlKey: true, altKey: true });
  await desktop.findByText("J");
  expect(shell.status.captureShortcut).toBe("control+alt+KeyJ");

  await user.click(desktop.getByRole("switch", { name: "Use a key for quick capture" }));
  await waitFor(() => expect(shell.status.captureOn).toBe(false));
  expect(shell.status.captureShortcut).toBe("control+alt+KeyJ");
});

test("Escape leaves the key as it is", async () => {
  const shell = makeShell();
  const { user } = await openWindow("/settings", { shell });
  const desktop = within(await section());
  await user.click(await desktop.findByRole("button", { name: "Change the key" }));
  fireEvent.keyDown(await desktop.findByRole("button", { name: "Press the new key, or Esc" }), {
    key: "Escape",
    code: "Escape",
  });
  await desktop.findByRole("button", { name: "Change the key" });
  expect(shell.status.captureShortcut).toBe("control+alt+KeyI");
});

test("a key that the system refuses is named, and so is a tray that is not there", async () => {
  const shell = makeShell("main", { tray: "no_tray" });
  const { user } = await openWindow("/settings", { shell });
  const desktop = within(await section());
  await user.click(await desktop.findByRole("button", { name: "Change the key" }));
  fireEvent.keyDown(await desktop.findByRole("button", { name: "Press the new key, or Esc" }), {
    key: "t",
    code: "KeyT",
    ctrlKey: true,
    altKey: true,
  });
  await desktop.findByText("Another program uses this key. Choose another one.");
  const tray = desktop.getByRole("switch", { name: "Keep Inklings in the tray" });
  expect(tray.getAttribute("aria-checked")).toBe("false");
  await user.click(tray);
  await desktop.findByText(/This desktop shows no tray/);
});

test("a page in a browser says that the window has these settings", async () => {
  await openWindow("/settings");
  expect(within(await section()).getByText(/in its own window/)).toBeTruthy();
});
