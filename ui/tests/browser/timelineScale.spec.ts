import { framesDuring, importedEntry, importWorld } from "./large";
import { callsOf, expect, open, test } from "./support";
import { seedTimeline } from "./timelineViews";

declare global {
  interface Window {
    /** How often the lanes were drawn within one frame at most. */
    drawings: number;
  }
}

const EVENTS = 5_000;
const CHAPTERS = 1_000;
/** The number of a day, as story time is stored. */
const moment = (day: number) => day * 10_000;

const entries = () => [
  ...Array.from({ length: EVENTS }, (_, n) => ({
    ...importedEntry(n),
    name: `Event ${n + 1}`,
    subject: ["event", "character", "place", "item"][n % 4],
    content: "",
    holds_from: moment((n * 7_919) % 36_500),
    holds_until: moment(((n * 7_919) % 36_500) + (n % 60)),
  })),
  // They follow one another; each tenth one is a flashback.
  ...Array.from({ length: CHAPTERS }, (_, n) => ({
    ...importedEntry(EVENTS + n),
    name: `Chapter ${n + 1}`,
    subject: "chapter",
    content: "",
    holds_from: moment(n * 36 - (n % 10 === 9 ? 400 : 0)),
    holds_until: moment(n * 36 + 35 - (n % 10 === 9 ? 400 : 0)),
    reading_number: n + 1,
  })),
];

test.describe("5,000 entries and 1,000 chapters", () => {
  test.setTimeout(300_000);
  test.use({ world: { folder: "empty", noModel: true } });

  test("are moved and zoomed without blocking a frame for long", async ({ page, core }) => {
    await seedTimeline(core, []);
    await importWorld(core, { memories: [], named_entries: entries() });
    await page.addInitScript(() => {
      const { clearRect } = CanvasRenderingContext2D.prototype;
      let [frame, inFrame]: [unknown, number] = [undefined, 0];
      window.drawings = 0;
      CanvasRenderingContext2D.prototype.clearRect = function (...args) {
        if (this.canvas.role === "img") {
          const now = document.timeline.currentTime;
          inFrame = now === frame ? inFrame + 1 : 1;
          frame = now;
          window.drawings = Math.max(window.drawings, inFrame);
        }
        clearRect.apply(this, args);
      };
    });
    await open(page, "/timeline?look=lanes");
    const picture = page.getByRole("img", { name: /^6,000 entries in lanes/ });
    await expect(picture).toBeVisible({ timeout: 120_000 });
    await page.waitForTimeout(500);
    const shot = async (name: string) => {
      if (process.env.SHOTS)
        await page.screenshot({ path: `${process.env.SHOTS}/timeline-6000-${name}.png` });
    };
    await shot("whole");
    const box = await picture.boundingBox();
    const [x, y] = [(box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + 200];
    await page.mouse.move(x, y);
    const pan = () =>
      framesDuring(page, async () => {
        await page.mouse.down();
        for (let step = 0; step < 40; step += 1) await page.mouse.move(x + 300 * Math.sin(step / 6), y);
        await page.mouse.up();
      });
    const reads = await callsOf(page, "timeline_ticks");
    await page.evaluate(() => {
      window.drawings = 0;
    });
    const measured: Record<string, Awaited<ReturnType<typeof framesDuring>>> = { wholePan: await pan() };
    // There and back, twice: the marks of a scale are read for more than is in sight.
    expect((await callsOf(page, "timeline_ticks")) - reads).toBeLessThan(8);
    // Several movements of the pointer between two frames are drawn once, like this.
    await page.evaluate(async () => {
      const box = document.querySelector("canvas[role=img]")?.parentElement;
      if (!box) throw new Error("there are no lanes");
      box.setPointerCapture = () => undefined;
      const at = (type: string, clientX: number) =>
        box.dispatchEvent(new PointerEvent(type, { bubbles: true, clientX, clientY: 300 }));
      at("pointerdown", 600);
      for (let step = 1; step <= 30; step += 1) {
        at("pointermove", 600 + step);
        await new Promise((done) => setTimeout(done));
      }
      at("pointerup", 600);
    });
    expect(await page.evaluate(() => window.drawings)).toBe(1);
    await page.keyboard.down("Control");
    measured.zoom = await framesDuring(page, async () => {
      for (let step = 0; step < 10; step += 1) {
        await page.mouse.wheel(0, -100);
        await page.waitForTimeout(30);
      }
    });
    await page.keyboard.up("Control");
    await page.waitForTimeout(500);
    await shot("near");
    measured.nearPan = await pan();
    process.stdout.write(`${JSON.stringify(measured)}\n`);
    // The bound leaves room for whatever else a build machine does meanwhile.
    expect(Math.max(...Object.values(measured).map(({ p95 }) => p95))).toBeLessThan(250);
  });
});
