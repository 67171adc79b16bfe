import { z } from "zod";

const KEY = "inklings.capture";

/** Where a quick capture goes. The tiers that need no further choice. */
export const CAPTURE_TIERS = ["workspace", "account", "channel"] as const;

const choice = z.object({
  /** Null: the world that is open. */
  world: z.string().nullable().catch(null),
  tier: z.enum(CAPTURE_TIERS).catch("workspace"),
});

export type CaptureChoice = z.infer<typeof choice>;

const FIRST: CaptureChoice = { world: null, tier: "workspace" };

/** The last choice on this computer. It names a world by its id, and holds no text of it. */
export function readChoice(): CaptureChoice {
  try {
    return choice.parse(JSON.parse(localStorage.getItem(KEY) ?? "{}"));
  } catch {
    return FIRST;
  }
}

export function writeChoice(next: CaptureChoice): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(next));
  } catch {
    // Where nothing can be stored, the choice lasts as long as the window.
  }
}
