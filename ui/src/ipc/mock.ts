/** For tests and the browser harness only: answers commands from `handler` instead of the core. */
import { emit } from "@tauri-apps/api/event";
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

/** Drags and drops files on the window, as the system would. */
export const dragFiles = {
  enter: (paths: string[]) => emit("tauri://drag-enter", { paths, position: { x: 0, y: 0 } }),
  drop: (paths: string[]) => emit("tauri://drag-drop", { paths, position: { x: 0, y: 0 } }),
  leave: () => emit("tauri://drag-leave", null),
};
