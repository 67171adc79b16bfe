import { SALTMERE } from "../../src/testing/fixtures/ids";
import { detail, expect, expectAccessible, open, test } from "./support";

test("a test that is added from a memory fails once the memory is forgotten, with the rule in words", async ({
  page,
}) => {
  await open(page, `/memory?id=${SALTMERE}`);
  // By keyboard alone.
  const more = detail(page).getByRole("button", { name: "More actions" });
  await more.press("Enter");
  await page.getByRole("menuitem", { name: "Must come up for…" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Add a recall test" });
  const question = dialog.getByRole("textbox", { name: "Question" });
  await expect(question).toBeFocused();
  await expect(dialog.getByRole("list", { name: "Must come up" }).getByRole("listitem")).toHaveCount(1);
  // Escape closes the list of memories, and then the dialog.
  await dialog.getByRole("button", { name: "Add a memory or a fact" }).first().press("Enter");
  await page.keyboard.type("herons");
  await expect(page.getByRole("option").first()).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("option")).toHaveCount(0);
  await question.fill("What is Saltmere built on?");
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(page.getByText("Test added. It passes.")).toBeVisible();
  await expect(more).toBeFocused();

  await page.getByRole("button", { name: "See the tests" }).click();
  const only = page.getByRole("list", { name: "Recall tests" }).locator("> li");
  await expect(only).toHaveCount(1);
  await expect(only).toContainText("Passed");
  await only.getByRole("link", { name: /Saltmere/ }).click();
  await expect(detail(page)).toContainText("harbour town");
  await detail(page).getByRole("button", { name: "Forget" }).click();
  await expect(detail(page).getByText("Reason: by hand")).toBeVisible();
  await page.goBack();

  const run = only.getByRole("button", { name: /^Run the test/ });
  await run.press("Enter");
  await expect(only).toContainText("It is forgotten.");
  await expect(only).toContainText("Failed");
  await expect(only).toContainText("Passed until the run of");
  await expect(run).toBeFocused();
  await expect(page.getByRole("status").filter({ hasText: "0 of 1 passed" })).toBeVisible();
  await expect(page.getByRole("tab", { name: /Recall\s*, 1 test failed/ })).toBeVisible();
  await expectAccessible(page);

  await only.getByRole("button", { name: /^Remove the test/ }).press("Enter");
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove the test" }).press("Enter");
  await expect(page.getByText("No recall test yet")).toBeVisible();
  // The focus does not go with the row.
  const pane = page.getByRole("region", { name: "Recall tests" });
  await expect(pane).toBeFocused();

  // Nor with the button that began the first test.
  await page.getByRole("button", { name: "Add test…" }).press("Enter");
  await expect(question).toBeFocused();
  await page.keyboard.type("Where is the light?");
  await dialog.getByRole("button", { name: "Add a memory or a fact" }).last().press("Enter");
  await page.keyboard.type("herons");
  await expect(page.getByRole("option").first()).toBeVisible();
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Add and run" }).press("Enter");
  await expect(only).toContainText("Must not come up");
  await expect(pane).toBeFocused();
});
