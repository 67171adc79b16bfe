/**
 * The whole window on the real core, for the browser suite and for looking at: `inklings dev-serve --page ui/dist-harness`
 * serves it as `harness.html?token=…`. The rest of the query string makes faults: `fail=list_memories`,
 * `delay=300&slow=scope_counts`, `locale=pseudo`.
 */
import { start } from "../app/start";
import { pseudoMessages } from "../i18n/pseudo";
import { deliver, dragFiles, installHandler } from "../ipc/mock";
import { pageWire } from "./page";
import { Transport } from "./transport";

declare global {
  interface Window {
    transport: Transport;
    drag: typeof dragFiles;
    deliver: typeof deliver;
    /** What a test does to the wire before the window opens. */
    prepare?: (transport: Transport) => void;
  }
}

const query = new URLSearchParams(window.location.search);
const list = (name: string) => query.get(name)?.split(",") ?? [];
// A page that is loaded anew has lost its query.
const token = query.get("token") ?? sessionStorage.getItem("token") ?? "";
sessionStorage.setItem("token", token);
const wire = pageWire(token);
const transport = new Transport(wire);
transport.delay = Number(query.get("delay") ?? 0);
for (const command of list("slow")) transport.slow.add(command);
for (const command of list("fail")) transport.failing.add(command);
// Hash history would take the page's own query for the route's.
window.history.replaceState(null, "", window.location.pathname + window.location.hash);
window.transport = transport;
window.drag = dragFiles;
window.deliver = deliver;
window.prepare?.(transport);
installHandler(transport.handler);
await wire.listen(({ event, payload }) => void deliver(event, payload));
void start(query.get("locale") === "pseudo" ? pseudoMessages() : undefined);
