/** How long the answers of the core to a switch may come after it. */
const SETTLES_WITHIN = 500;

const underWay = new Set<symbol>();

/** True while this window switches to another world, until it has drawn that. */
export const isSwitching = () => underWay.size > 0;

/** Switches to another world from this window, which enters it by itself. */
export async function asOwnSwitch<T>(work: () => Promise<T>): Promise<T> {
  const own = Symbol();
  underWay.add(own);
  try {
    return await work();
  } finally {
    setTimeout(() => underWay.delete(own), SETTLES_WITHIN);
  }
}

/** For a window that was closed while it switched: nobody waits for the answer. */
export const dropOwnSwitches = () => underWay.clear();
