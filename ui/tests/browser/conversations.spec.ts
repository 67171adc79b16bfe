import { answers, inPieces } from "../../src/testing/answers";
import { callsOf, expect, open, test } from "./support";

const LONG = "/conversations/longTalk001";

test.describe("with a language model", () => {
  test.use({ world: { folder: "usual", chat: answers(2, 60) } });

  test("a conversation is started, written in, stopped, searched and opened at a turn by keyboard", async ({
    page,
  }) => {
    await open(page, "/conversations");
    await expect(page.getByRole("listbox", { name: "Conversations" })).toBeVisible();
    await page.keyboard.press("n");
    await page.keyboard.type("By keyboard");
    await page.keyboard.press("Enter");
    const box = page.getByRole("textbox", { name: "Your message" });
    await expect(box).toBeFocused();
    await page.keyboard.type("First line");
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("second line");
    await page.keyboard.press("Enter");
    const transcript = page.getByRole("region", { name: "Transcript" });
    await expect(transcript).toContainText("second line");
    await expect(transcript).toContainText("The tide");
    await page.keyboard.press("Escape");
    await expect(transcript.getByText("The answer was stopped here.")).toBeVisible();
    // The turn is over: Escape leaves the box from now on.
    await expect(page.getByRole("button", { name: "Send" })).toBeVisible();
    await expect(box).toBeFocused();
    await page.keyboard.press("Escape");
    await page.keyboard.press("/");
    await expect(page.getByRole("textbox", { name: "Search conversations" })).toBeFocused();
    await page.keyboard.type("equal weight");
    const found = page.getByRole("listbox", { name: "Results" });
    await expect(found.locator("mark").first()).toBeVisible();
    await page.keyboard.press("ArrowDown");
    await expect(found).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(transcript).toBeFocused();
    await expect(transcript.locator("[data-marked]")).toContainText("equal weight");
    await page.goBack();
    await expect(page.getByRole("heading", { name: "By keyboard" })).toBeVisible();
  });
});

test("an unsent message is kept with its conversation", async ({ page }) => {
  await open(page, "/conversations/k3T9wPq2LxA");
  await page.getByRole("textbox", { name: "Your message" }).fill("Not yet");
  await page.getByRole("option").filter({ hasText: "Chapter four" }).click();
  await expect(page.getByRole("heading", { name: /Chapter four/ })).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Your message" })).toHaveValue("");
  await page.goBack();
  await expect(page.getByRole("textbox", { name: "Your message" })).toHaveValue("Not yet");
});

test.describe("10,000 messages", () => {
  test.setTimeout(120_000);
  test.use({ world: { folder: "long", noModel: true }, looks: true });

  test("a transcript opens at its end and scrolls back without a jump or a long frame", async ({ page }) => {
    await open(page, LONG);
    const transcript = page.getByRole("region", { name: "Transcript" });
    await expect(transcript.getByRole("article").first()).toBeVisible();
    const fromEnd = () => transcript.evaluate((it) => it.scrollHeight - it.clientHeight - it.scrollTop);
    await expect.poll(fromEnd).toBeLessThan(4);
    await page.waitForTimeout(400);
    const result = await transcript.evaluate(async (element) => {
      const frames: number[] = [];
      let jumps = 0;
      let last = performance.now();
      for (let step = 0; step < 240; step += 1) {
        element.scrollTop -= 400;
        await new Promise((resolve) => requestAnimationFrame(resolve));
        const now = performance.now();
        frames.push(now - last);
        last = now;
        // A row in view: where it stands before and after what comes in above it.
        if (step % 24 === 23) {
          const middle = element.getBoundingClientRect().top + element.clientHeight / 2;
          const inView = () =>
            [...element.querySelectorAll<HTMLElement>("[data-index] article")].find(
              (it) => it.getBoundingClientRect().bottom > middle,
            );
          // A machine with much else to do draws the rows later than it scrolls.
          for (let frame = 0; frame < 60 && !inView(); frame += 1)
            await new Promise((resolve) => requestAnimationFrame(resolve));
          const row = inView();
          const label = row?.getAttribute("aria-label");
          const before = row?.getBoundingClientRect().top ?? 0;
          await new Promise((resolve) => setTimeout(resolve, 120));
          const again = [...element.querySelectorAll<HTMLElement>("[data-index] article")].find(
            (it) => it.getAttribute("aria-label") === label,
          );
          if (!again || Math.abs(again.getBoundingClientRect().top - before) > 8) jumps += 1;
          last = performance.now();
        }
      }
      frames.sort((a, b) => a - b);
      return { p95: frames[Math.floor(frames.length * 0.95)] ?? 0, jumps };
    });
    expect(result.jumps).toBe(0);
    expect(result.p95).toBeLessThan(250);
    expect(await transcript.getByRole("article").count()).toBeLessThan(60);
    expect(await callsOf(page, "list_messages")).toBeGreaterThan(5);
  });

  test("a link to a turn opens there, marked, with its neighbours on both sides", async ({ page }) => {
    await open(page, `${LONG}?at=5000`);
    const marked = page.locator("[data-marked]");
    await expect(marked).toBeInViewport();
    await page.waitForTimeout(600);
    await expect(marked).toBeInViewport();
    await page.getByRole("button", { name: "To the latest" }).click();
    const transcript = page.getByRole("region", { name: "Transcript" });
    await expect
      .poll(() => transcript.evaluate((it) => it.scrollHeight - it.clientHeight - it.scrollTop))
      .toBeLessThan(4);
    await expect(page).not.toHaveURL(/at=/);
  });
});

test.describe("10,000 messages and a language model", () => {
  test.setTimeout(120_000);
  test.use({ world: { folder: "long", noModel: true, chat: answers(1, 60) } });

  test("an answer that streams in draws no other turn again", async ({ page }) => {
    await open(page, LONG);
    const transcript = page.getByRole("region", { name: "Transcript" });
    await expect(transcript.getByRole("article").first()).toBeVisible();
    await page.getByRole("textbox", { name: "Your message" }).fill("And now?");
    await page.keyboard.press("Enter");
    await expect(transcript).toContainText("The tide decides");
    const touched = await transcript.evaluate(async (element) => {
      const rows = new Set<Node>();
      const watcher = new MutationObserver((changes) => {
        for (const { target } of changes) {
          const row = (target instanceof Element ? target : target.parentElement)?.closest("article");
          if (row) rows.add(row);
        }
      });
      watcher.observe(element, { subtree: true, childList: true, characterData: true });
      await new Promise((resolve) => setTimeout(resolve, 300));
      watcher.disconnect();
      return rows.size;
    });
    expect(touched).toBeLessThanOrEqual(1);
    await expect(transcript).toContainText("comes up with the mud.");
    await expect
      .poll(() => transcript.evaluate((it) => it.scrollHeight - it.clientHeight - it.scrollTop))
      .toBeLessThan(4);
  });
});

test.describe("an answer in large pieces", () => {
  test.use({ world: { folder: "long", noModel: true, chat: inPieces(6, 700) } });

  test("the transcript stays at its end during fast answers, and at the position somebody scrolled to", async ({
    page,
  }) => {
    await open(page, LONG);
    const transcript = page.getByRole("region", { name: "Transcript" });
    await expect(transcript.getByRole("article").first()).toBeVisible();
    const fromEnd = () => transcript.evaluate((it) => it.scrollHeight - it.clientHeight - it.scrollTop);
    await page.getByRole("textbox", { name: "Your message" }).fill("And now?");
    await page.keyboard.press("Enter");
    for (const piece of [1, 2, 3]) {
      await expect(transcript).toContainText(`(${piece})`);
      await expect.poll(fromEnd).toBeLessThan(4);
    }
    await transcript.hover();
    await page.mouse.wheel(0, -900);
    await expect.poll(fromEnd).toBeGreaterThan(300);
    const left = await fromEnd();
    await expect(page.getByRole("button", { name: "Send" })).toBeVisible({ timeout: 20_000 });
    expect(await fromEnd()).toBeGreaterThanOrEqual(left - 4);
  });
});
