import type { Request, ShellStatus, TrayProblem } from "../ipc/bindings.gen";
import { deliver } from "../ipc/mock";
import type { Transport } from "./transport";

/** What the double of the shell has and does. */
export type ShellDouble = {
  label: string;
  status: ShellStatus;
  /** What the system asks, until the page takes it. */
  requests: Request[];
  /** Whether there is another window, or the tray. */
  others: boolean;
  /** Places that were opened in further windows. */
  opened: string[];
  destroyed: number;
  answers: Transport["shell"];
  /** The system asks something while the page is there. */
  ask(request: Request): Promise<void>;
};

/** The program around a page under test: it keeps settings, and hands on what the system asks. Its rules are tested in Rust. */
export function makeShell(label = "main", problems: { tray?: TrayProblem } = {}): ShellDouble {
  const shell: ShellDouble = {
    label,
    status: {
      captureOn: true,
      captureShortcut: "control+alt+KeyI",
      captureProblem: null,
      tray: false,
      trayProblem: null,
    },
    requests: [],
    others: true,
    opened: [],
    destroyed: 0,
    answers: {
      open_window: ({ place }) => {
        shell.opened.push(String(place));
        return null;
      },
      take_requests: () => shell.requests.splice(0),
      open_capture: () => null,
      put_aside_capture: () => shell.others,
      shell_status: () => shell.status,
      set_capture_shortcut: ({ on, shortcut }) => {
        const captureProblem = shortcut === "control+alt+KeyT" ? "taken" : null;
        const captureShortcut = String(shortcut);
        shell.status = { ...shell.status, captureOn: on === true, captureShortcut, captureProblem };
        return shell.status;
      },
      set_tray: ({ on }) => {
        const tray = on === true;
        shell.status = { ...shell.status, tray, trayProblem: tray ? (problems.tray ?? null) : null };
        return shell.status;
      },
      set_tray_texts: () => null,
      "plugin:window|set_title": () => null,
      "plugin:window|destroy": () => {
        shell.destroyed += 1;
        return null;
      },
    },
    ask: async (request) => {
      shell.requests.push(request);
      await deliver("requests-waiting", null);
    },
  };
  return shell;
}
