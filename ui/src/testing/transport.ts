import type { CommandError } from "../ipc/bindings.gen";

/** How commands reach the core: from a page over `fetch`, from Node over its own client. */
export type Wire = {
  /** Sends a command; rejects with a `CommandError`. */
  call(command: string, args: Record<string, unknown>): Promise<unknown>;
  /** Hears every event from when this resolves until the function is called that it resolves with. */
  listen(hear: (event: CoreEvent) => void): Promise<() => void>;
};

export type CoreEvent = { event: string; payload: unknown };
export type Call = { command: string; args: Record<string, unknown> };

/**
 * What stands between a window under test and the real core: passes every command on, records it, and makes the faults
 * that a wire can have. It knows no rule of memory.
 */
export class Transport {
  /** Every command that the window called, oldest first. */
  calls: Call[] = [];
  /** Commands that fail before they reach the core, until taken off again. */
  failing = new Set<string>();
  /** Milliseconds that a command waits before it is sent. */
  delay = 0;
  /** The commands that wait, where not all do. */
  slow = new Set<string>();
  /** Answers of the program around the page, where a test puts one there: a browser has none. */
  shell: Record<string, (args: Record<string, unknown>) => unknown> = {};
  private closed = false;
  private readonly held = new Map<string, Promise<void>>();
  private readonly changed = new Map<string, (answer: never) => unknown>();

  constructor(private readonly wire: Wire) {}

  /** Answers the window. */
  handler = async (command: string, args: Record<string, unknown>): Promise<unknown> => {
    this.calls.push({ command, args });
    const ofShell = this.shell[command];
    if (ofShell) return ofShell(args);
    if (command.startsWith("plugin:")) throw refusal(`no such command: ${command}`);
    if (this.delay > 0 && (this.slow.size === 0 || this.slow.has(command)))
      await new Promise((resolve) => setTimeout(resolve, this.delay));
    await this.held.get(command);
    if (this.failing.has(command)) throw refusal("The database did not answer.");
    const answer = await this.wire.call(command, args).catch((refused: unknown) => {
      // A window that was closed hears nothing any more, and least of all that its core has gone.
      if (this.closed) return new Promise(() => undefined);
      throw refused;
    });
    const change = this.changed.get(command);
    return change ? change(answer as never) : answer;
  };

  /** Holds commands of a name back until the function is called that it gives. */
  hold(command: string): () => void {
    let release = () => {};
    this.held.set(
      command,
      new Promise((resolve) => {
        release = () => {
          this.held.delete(command);
          resolve();
        };
      }),
    );
    return () => release();
  }

  /** Shows the window another answer than the core gave, for what a core can say and a test cannot bring about. */
  change<T = never>(command: string, change: (answer: T) => unknown): void {
    this.changed.set(command, change);
  }

  /** Shows the answers of the core again. */
  unchange(command: string): void {
    this.changed.delete(command);
  }

  /** The window is closed: what is still under way is not answered. */
  close(): void {
    this.closed = true;
  }

  /** The arguments of the calls of one command so far. */
  callsOf(command: string): Record<string, unknown>[] {
    return this.calls.filter((call) => call.command === command).map((call) => call.args);
  }

  /** Calls the core beside the window: not recorded, and without any fault. */
  call<T>(command: string, args: Record<string, unknown> = {}): Promise<T> {
    return this.wire.call(command, args) as Promise<T>;
  }
}

const refusal = (message: string): CommandError => ({ code: "internal", message, details: null });
