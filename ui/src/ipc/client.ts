/**
 * The one way from the window to the core. Everything outside `ipc/` imports this, never the generated file or
 * `@tauri-apps/*`, so a change of transport stays inside this folder.
 */
import { commands } from "./bindings.gen";

/** Every command of the core, typed. A failed one throws a `CommandError`. */
export const core = {
  ...commands,
  // `use…` names are for hooks; these two are ordinary calls.
  activateModel: commands.useModel,
  activateModelFolder: commands.useModelFolder,
};
