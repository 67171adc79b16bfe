import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useSyncExternalStore,
} from "react";
import { isShortcut } from "./shortcuts/chosen";
import { strokeOf, worksInText } from "./shortcuts/strokes";
import { isShortcutId, shortcutOf } from "./shortcuts/table";

export type ActionGroup =
  | "go"
  | "memory"
  | "conversation"
  | "named"
  | "world"
  | "pages"
  | "activity"
  | "view"
  | "workspace"
  | "transfer"
  | "control"
  | "settings";

/**
 * Something the worldbuilder can do. Registered ones are all in the command palette. The keys of an action are those that the
 * table of shortcuts has for its id.
 */
export type Action = {
  id: string;
  group: ActionGroup;
  label: string;
  icon?: ReactNode;
  /** Further words to find it by in the palette. */
  words?: string;
  /** Its keys run while a dialog or a menu is open, too. */
  inDialogs?: true;
  /** Hides it from the palette and its keys while false. */
  enabled?: boolean;
  run(): void;
};

type Registry = {
  set(owner: symbol, actions: Action[]): void;
  remove(owner: symbol): void;
  subscribe(listener: () => void): () => void;
  all(): Action[];
};

function createRegistry(): Registry {
  const owners = new Map<symbol, Action[]>();
  const listeners = new Set<() => void>();
  let flat: Action[] = [];
  const publish = () => {
    flat = [...owners.values()].flat();
    for (const listener of listeners) listener();
  };
  return {
    set(owner, actions) {
      owners.set(owner, actions);
      publish();
    },
    remove(owner) {
      owners.delete(owner);
      publish();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    all: () => flat,
  };
}

const Context = createContext<Registry | null>(null);

function useRegistry(): Registry {
  const registry = use(Context);
  if (!registry) throw new Error("ActionsProvider is missing");
  return registry;
}

function isWriting(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches("input, textarea, select, [role='textbox'], [role='combobox']"))
  );
}

/** Marks a dialog that leaves the keyboard to the page. */
export const PASSIVE = { "data-passive": "" };

/** Whether an open dialog or menu has the keyboard to itself. */
export const hasKeyboardOwner = (): boolean =>
  document.querySelector("[role='dialog']:not([data-passive]), [role='alertdialog'], [role='menu']") !== null;

/** Whether the window listens to the keys of an action. */
const isBound = (id: string) => isShortcutId(id) && !shortcutOf(id).isLocal;

export function ActionsProvider({ children }: { children: ReactNode }) {
  const registry = useMemo(createRegistry, []);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      const stroke = strokeOf(event);
      if (stroke === null || (isWriting(event.target) && !worksInText(stroke))) return;
      const action = registry
        .all()
        .find((it) => it.enabled !== false && isBound(it.id) && isShortcut(event, it.id));
      if (!action) return;
      if (!action.inDialogs && hasKeyboardOwner()) return;
      event.preventDefault();
      action.run();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [registry]);
  return <Context value={registry}>{children}</Context>;
}

/** Offers actions for as long as the calling component is shown. Memoise the array. */
export function useActions(actions: Action[]): void {
  const registry = useRegistry();
  const owner = useRef(Symbol("actions"));
  useEffect(() => {
    registry.set(owner.current, actions);
  }, [registry, actions]);
  useEffect(() => {
    const { current } = owner;
    return () => registry.remove(current);
  }, [registry]);
}

export function useAllActions(): Action[] {
  const registry = useRegistry();
  return useSyncExternalStore(registry.subscribe, registry.all).filter((it) => it.enabled !== false);
}

/** An action by its id, whoever offers it; undefined while nobody does. */
export function useAction(id: string): Action | undefined {
  const registry = useRegistry();
  // This one alone: others come and go with every list that is drawn.
  const find = () => registry.all().find((it) => it.id === id && it.enabled !== false);
  return useSyncExternalStore(registry.subscribe, find);
}

/** Milliseconds that a page may take to open and to offer its actions. */
const OFFERED_WITHIN = 5000;

/** Runs an action of a page that is being opened, as soon as the page offers it. */
export function useRunOffered(): (id: string) => void {
  const registry = useRegistry();
  return useCallback(
    (id) => {
      let stop = () => {};
      const run = () => {
        const action = registry.all().find((it) => it.id === id && it.enabled !== false);
        if (!action) return false;
        stop();
        // Behind the effects of the page that offers it.
        setTimeout(action.run, 0);
        return true;
      };
      if (run()) return;
      const remove = registry.subscribe(run);
      const timer = setTimeout(() => stop(), OFFERED_WITHIN);
      stop = () => {
        remove();
        clearTimeout(timer);
      };
    },
    [registry],
  );
}
