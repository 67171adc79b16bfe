import { driftsOf, withoutClaim, write, writeAsClient } from "../../src/testing/drifts";
import { subject } from "../../src/testing/story";
import { expect, expectAccessible, open, test } from "./support";

test.use({ world: { folder: "usual", before: withoutClaim } });

test("an inbox of contradictions is emptied from the keyboard, and the focus is never lost", async ({
  page,
  core,
}) => {
  for (const [name, work, other] of [
    ["Toma Reed", "smith", "baker"],
    ["Hepzibah Marl", "sailor", "weaver"],
    ["Ysolde Kerr", "priest", "farmer"],
  ]) {
    await write(core, `${name} is a ${work}.`);
    await writeAsClient(core, `${name} is a ${other}.`);
  }
  await subject(core, "Anselm Rook", "character");
  await open(page, "/activity?page=drift");
  const inbox = page.getByRole("listbox", { name: "Contradictions" });
  const rows = inbox.getByRole("option");
  await expect(rows).toHaveCount(3);
  await expect(page.getByRole("tab", { name: /Contradictions\s*, 3 open contradictions/ })).toBeVisible();

  await inbox.focus();
  await page.keyboard.press("s");
  await expect(rows).toHaveCount(2);
  await expect(inbox).toBeFocused();

  // A form opens with the focus in it. Escape closes it, and then leads back to the list.
  await page.keyboard.press("c");
  const text = page.getByRole("textbox", { name: "New text of the canon" });
  await expect(text).toBeFocused();
  await expectAccessible(page);
  const region = page.getByRole("region", { name: "The contradiction" });
  await page.keyboard.press("Escape");
  await expect(text).toBeHidden();
  await expect(region).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(inbox).toBeFocused();

  // The list of a field is closed alone.
  await page.keyboard.press("b");
  await expect(region.getByRole("button", { name: "Add who knows" })).toBeFocused();
  await page.keyboard.press("Enter");
  const find = page.getByPlaceholder("Find a subject");
  await expect(find).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(find).toBeHidden();
  await expect(page.getByRole("button", { name: "Only they know it" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(inbox).toBeFocused();

  await page.keyboard.press("c");
  await expect(text).toBeFocused();
  await page.keyboard.press("Control+Enter");
  await expect(rows).toHaveCount(1);
  await expect(inbox).toBeFocused();
  await page.keyboard.press("d");
  await expect(page.getByText("Nothing contradicts your canon")).toBeVisible();
  await expect(page.getByRole("tab", { name: "Contradictions", exact: true })).toBeVisible();
  expect((await driftsOf(core)).map((it) => it.decision)).toEqual([
    "canon_stands",
    "canon_changes",
    "dismiss",
  ]);
});
