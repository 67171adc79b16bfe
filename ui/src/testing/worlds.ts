import type { WorkspaceView } from "../ipc/bindings.gen";

/** The workspaces that the mock begins with; with `damaged`, a third one whose name is not allowed. */
export function worlds(damaged = false): WorkspaceView[] {
  const world = (id: string, name: string): WorkspaceView => ({
    id,
    name,
    createdAt: new Date().toISOString(),
    current: id === "ws-1",
    damaged: null,
  });
  const whole = [world("ws-1", "The Drowned Coast"), world("ws-2", "Ember Court")];
  if (!damaged) return whole;
  return [
    ...whole,
    {
      ...world("ws-3", "Ember truoC"),
      damaged: {
        fault: "name",
        waysOut: ["rename", "restore", "set_aside", "doctor"],
        newestBackup: "20261121T091500000Z-activity",
      },
    },
  ];
}
