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
import { singleKeys } from "../preferences/preferences";
import { isSingleKey } from "./Keys";

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

/** Something the worldbuilder can do. Registered ones are all in the command palette; `keys` also run from anywhere. */
export type Action = {
  id: string;
  group: ActionGroup;
  label: string;
  /** Such as "n", "/", "mod+k". Single keys are ignored while writing. */
  keys?: string;
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

const SIGNS: Record<string, string> = { "+": "plus", "=": "plus", "-": "minus", _: "minus" };

/** The name of a key press in the notation of `Action.keys`. */
function keyName(event: KeyboardEvent): string {
  const mod = event.ctrlKey || event.metaKey;
  // Which of these signs needs Shift depends on the keyboard.
  const sign = mod && !event.altKey ? SIGNS[event.key] : undefined;
  if (sign) return `mod+${sign}`;
  const key = event.key === " " ? "space" : event.key.toLowerCase();
  // "?" and the like already carry their shift.
  const shift = event.shiftKey && (key.length > 1 || mod);
  return [mod && "mod", event.altKey && "alt", shift && "shift", key].filter(Boolean).join("+");
}

export function ActionsProvider({ children }: { children: ReactNode }) {
  const registry = useMemo(createRegistry, []);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      const name = keyName(event);
      if (isSingleKey(name) && singleKeys.get() === "off") return;
      const writing = isWriting(event.target);
      if (writing && (!name.startsWith("mod+") || name === "mod+z")) return;
      const action = registry.all().find((it) => it.enabled !== false && it.keys?.split(" ").includes(name));
      if (!action) return;
      // An open dialog or menu owns the keyboard.
      if (!action.inDialogs && document.querySelector("[role='dialog'], [role='alertdialog'], [role='menu']"))
        return;
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
