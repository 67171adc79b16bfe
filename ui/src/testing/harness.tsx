/**
 * The whole window on the in-memory backend, for the browser suite and for looking at. The page's query string
 * picks the scenario, e.g. `?extra=100000`, `?empty&offer`, `?model=missing`, `?readonly`, `?fail=list_memories`, `?delay=300&slow=scope_counts`,
 * `?turns=10000`, `?chat=ok`, `?chat=dead`, `?silent` (no conversations), `?damaged` (a data file
 * was put aside), `?untouched` (no clients, no backups).
 */
import { start } from "../app/start";
import { pseudoMessages } from "../i18n/pseudo";
import type { ModelState } from "../ipc/bindings.gen";
import { dragFiles, installBackend } from "../ipc/mock";
import { Backend } from "./backend";
import type { ChatScenario } from "./talk";

declare global {
  interface Window {
    inklings: Backend;
    drag: typeof dragFiles;
  }
}

const query = new URLSearchParams(window.location.search);
const backend = new Backend({
  extra: query.has("empty") ? null : Number(query.get("extra") ?? 220),
  offerSample: query.has("offer"),
  readOnly: query.has("readonly"),
  model: (query.get("model") as ModelState | null) ?? "ready",
  noWorkspace: query.has("noworkspace"),
  failing: query.get("fail")?.split(",") ?? [],
  delay: Number(query.get("delay") ?? 0),
  slow: query.get("slow")?.split(",") ?? [],
  talks: query.has("silent") ? null : Number(query.get("talks") ?? 12),
  turns: Number(query.get("turns") ?? 0),
  damaged: query.has("damaged"),
  untouched: query.has("untouched"),
  chat: (query.get("chat") as ChatScenario | null) ?? "none",
});
// Hash history would take the page's own query for the route's.
window.history.replaceState(null, "", window.location.pathname + window.location.hash);
window.inklings = backend;
window.drag = dragFiles;
installBackend(backend.handler);
start(query.get("locale") === "pseudo" ? pseudoMessages() : undefined);
