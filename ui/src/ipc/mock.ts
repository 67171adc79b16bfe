/** For tests and the browser harness only: answers commands from `handler` instead of the core. */
import { clearMocks, mockIPC } from "@tauri-apps/api/mocks";
import { events } from "./bindings.gen";

export type Handler = (command: string, args: Record<string, unknown>) => unknown;

export function installBackend(handler: Handler): () => void {
  mockIPC((command, args) => handler(command, (args ?? {}) as Record<string, unknown>), {
    shouldMockEvents: true,
  });
  return () => {
    clearMocks();
    // A core that still speaks after its window was closed is not heard, and no test that ran then fails for it.
    mockIPC(() => new Promise(() => undefined));
  };
}

/** Sends events as the core would. */
export const emitEvent = events;
