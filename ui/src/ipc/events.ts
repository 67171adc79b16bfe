import { isTauri } from "@tauri-apps/api/core";
import { listen, TauriEvent } from "@tauri-apps/api/event";
import { getCurrentWindow } from "@tauri-apps/api/window";
import type { TransferProgress } from "./bindings.gen";
import {
  type DataChanged,
  type EmbedProgress,
  events,
  type ImportProgress,
  type ModelProgress,
  type RequestsWaiting,
  type RunProgress,
  type ShellChanged,
  type TurnProgress,
  type UpdateProgress,
  type VaultProgress,
} from "./bindings.gen";

type Stop = () => void;

/** Turns Tauri's asynchronous unlisten into a plain one, safe to call before the subscription is up. */
function subscribe<T>(
  listen: (cb: (event: { payload: T }) => void) => Promise<Stop>,
  cb: (payload: T) => void,
): Stop {
  let stopped = false;
  let stop: Stop | undefined;
  listen((event) => {
    if (!stopped) cb(event.payload);
  }).then(
    (unlisten) => {
      if (stopped) unlisten();
      else stop = unlisten;
    },
    () => {
      // Without the event channel the window still works; it only stops noticing writes by others.
    },
  );
  return () => {
    stopped = true;
    stop?.();
  };
}

export const onDataChanged = (cb: (change: DataChanged) => void) =>
  subscribe<DataChanged>((handler) => events.dataChanged.listen(handler), cb);

export const onModelProgress = (cb: (progress: ModelProgress) => void) =>
  subscribe<ModelProgress>((handler) => events.modelProgress.listen(handler), cb);

export const onEmbedProgress = (cb: (progress: EmbedProgress) => void) =>
  subscribe<EmbedProgress>((handler) => events.embedProgress.listen(handler), cb);

export const onTurnProgress = (cb: (progress: TurnProgress) => void) =>
  subscribe<TurnProgress>((handler) => events.turnProgress.listen(handler), cb);

export const onImportProgress = (cb: (progress: ImportProgress) => void) =>
  subscribe<ImportProgress>((handler) => events.importProgress.listen(handler), cb);

export const onVaultProgress = (cb: (progress: VaultProgress) => void) =>
  subscribe<VaultProgress>((handler) => events.vaultProgress.listen(handler), cb);

export const onRunProgress = (cb: (progress: RunProgress) => void) =>
  subscribe<RunProgress>((handler) => events.runProgress.listen(handler), cb);

export const onTransferProgress = (cb: (progress: TransferProgress) => void) =>
  subscribe<TransferProgress>((handler) => events.transferProgress.listen(handler), cb);

export const onUpdateProgress = (cb: (progress: UpdateProgress) => void) =>
  subscribe<UpdateProgress>((handler) => events.updateProgress.listen(handler), cb);

/** Hears that the system asks something of the first window. */
export const onRequestsWaiting = (cb: () => void) =>
  subscribe<RequestsWaiting>((handler) => events.requestsWaiting.listen(handler), cb);

/** Hears that settings of the shell changed. */
export const onShellChanged = (cb: () => void) =>
  subscribe<ShellChanged>((handler) => events.shellChanged.listen(handler), cb);

type Drag = { enter(paths: string[]): void; drop(paths: string[]): void; leave(): void };

/** Hears of files that are dragged over the window. Only the system can tell their paths, so only it is listened to. */
export function onFileDrag(drag: Drag): Stop {
  // Without a target, a page hears of the other windows, too.
  const here = isTauri()
    ? { target: { kind: "WebviewWindow" as const, label: getCurrentWindow().label } }
    : undefined;
  const stops = [
    subscribe<{ paths: string[] }>(
      (handler) => listen(TauriEvent.DRAG_ENTER, handler, here),
      ({ paths }) => drag.enter(paths),
    ),
    subscribe<{ paths: string[] }>(
      (handler) => listen(TauriEvent.DRAG_DROP, handler, here),
      ({ paths }) => drag.drop(paths),
    ),
    subscribe<unknown>((handler) => listen(TauriEvent.DRAG_LEAVE, handler, here), drag.leave),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
