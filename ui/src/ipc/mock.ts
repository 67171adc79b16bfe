/** For tests and the browser harness only: commands go to a handler instead of Tauri, and events come from it. */
import { emit } from "@tauri-apps/api/event";
import { clearMocks, mockIPC, mockWindows } from "@tauri-apps/api/mocks";

export type Handler = (command: string, args: Record<string, unknown>) => unknown;

export function installHandler(handler: Handler): () => void {
  mockIPC((command, args) => handler(command, (args ?? {}) as Record<string, unknown>), {
    shouldMockEvents: true,
  });
  return () => {
    clearMocks();
    // A core that still speaks after its window was closed is not heard, and no test that ran then fails for it.
    mockIPC(() => new Promise(() => undefined));
  };
}

/** Makes the page believe that it stands in a window of the program. Call it after `installHandler`. */
export function pretendShell(label: string): () => void {
  mockWindows(label);
  Object.defineProperty(globalThis, "isTauri", { value: true, configurable: true });
  return () => Reflect.deleteProperty(globalThis, "isTauri");
}

/** Gives the window an event, as the core would. */
export const deliver = (event: string, payload: unknown) => emit(event, payload);

/** Drags and drops files on the window, as the system would. */
export const dragFiles = {
  enter: (paths: string[]) => emit("tauri://drag-enter", { paths, position: { x: 0, y: 0 } }),
  drop: (paths: string[]) => emit("tauri://drag-drop", { paths, position: { x: 0, y: 0 } }),
  leave: () => emit("tauri://drag-leave", null),
};
