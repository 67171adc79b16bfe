/** How long the answers of the core to a switch may come after it. */
const SETTLES_WITHIN = 500;

let own = 0;

/** True while this window switches to another world, until it has drawn that. */
export const isSwitching = () => own > 0;

/** Switches to another world from this window, which enters it by itself. */
export async function asOwnSwitch<T>(work: () => Promise<T>): Promise<T> {
  own += 1;
  try {
    return await work();
  } finally {
    setTimeout(() => {
      own -= 1;
    }, SETTLES_WITHIN);
  }
}
