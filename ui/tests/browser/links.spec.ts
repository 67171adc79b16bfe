import { SALTMERE } from "../../src/testing/fixtures/ids";
import type { Core } from "../../src/testing/serve";
import { subject } from "../../src/testing/story";
import { detail, expect, expectAccessible, grid, open, test } from "./support";

async function seedLinks(core: Core) {
  await subject(core, "Łucja", "character", "She rows at night, and counts the lanterns.");
  await subject(core, "Lucky Quay", "place");
  const { row } = await core.call<{ row: { version: number } }>("get_memory", { id: SALTMERE });
  const content =
    "A harbour town. [[Łucja]] ferries people from [[Lucky Quay]] at night; [[Old Tam]] would know who.";
  await core.call("update_memory", { id: SALTMERE, version: row.version, patch: { content } });
}

const shot = (name: string) => ({ path: `${process.env.SHOTS}/${name}.png` });

for (const theme of ["light", "dark"] as const) {
  test(`written links, their card and the names that are offered are accessible, ${theme}`, async ({
    page,
    core,
  }) => {
    await seedLinks(core);
    await page.emulateMedia({ colorScheme: theme });
    await open(page, `/memory?id=${SALTMERE}`);
    const link = detail(page).getByRole("link", { name: "Łucja" });
    await expect(link).toBeVisible();
    await expect(detail(page).getByRole("link", { name: "Old Tam (Nothing has this name)" })).toBeVisible();
    await link.hover();
    await expect(page.getByRole("tooltip").getByText(/rows at night/)).toBeVisible();
    await expectAccessible(page);
    if (process.env.SHOTS) await page.screenshot(shot(`links-card-${theme}`));
    await page.mouse.move(0, 0);
    await page.keyboard.press("e");
    const editor = detail(page).locator(".cm-content");
    await editor.focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.type(" Ask [[lu");
    await expect(page.getByRole("listbox")).toContainText("Lucky Quay");
    await expectAccessible(page);
    if (process.env.SHOTS) await page.screenshot(shot(`links-offered-${theme}`));
  });
}

test("a name is chosen behind two brackets by keyboard, and Escape closes the list alone", async ({
  page,
  core,
}) => {
  await seedLinks(core);
  await open(page, `/memory?id=${SALTMERE}`);
  await expect(detail(page).getByRole("link", { name: "Łucja" })).toBeVisible();
  await page.keyboard.press("e");
  const editor = detail(page).locator(".cm-content");
  await editor.focus();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(" Ask [[luck");
  const names = page.getByRole("listbox");
  await expect(names.getByRole("option").first()).toContainText("Lucky Quay");
  await page.keyboard.press("Escape");
  await expect(names).toBeHidden();
  await expect(editor).toBeFocused();
  await page.keyboard.type("y");
  await expect(names.getByRole("option").first()).toContainText("Lucky Quay");
  // A list that has just come takes no Enter, so that none is taken that was meant for the text.
  await page.waitForTimeout(200);
  await page.keyboard.press("Enter");
  await page.keyboard.type(" of it.");
  await expect(editor).toContainText("Ask [[Lucky Quay]] of it.");
});

test("in a dialog Escape closes the list of names and not the dialog", async ({ page, core }) => {
  await seedLinks(core);
  await open(page);
  await expect(grid(page)).toBeVisible();
  await page.keyboard.press("n");
  const dialog = page.getByRole("dialog", { name: "New memory" });
  await dialog.locator(".cm-content").focus();
  await page.keyboard.type("Ask [[luck");
  await expect(page.getByRole("listbox")).toContainText("Lucky Quay");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("listbox")).toBeHidden();
  await expect(dialog.locator(".cm-content")).toBeFocused();
});
