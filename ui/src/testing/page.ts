import type { CoreEvent, Wire } from "./transport";

/** Reaches the `inklings dev-serve` that served this page. */
export function pageWire(token: string): Wire {
  const headers = { authorization: `Bearer ${token}` };
  return {
    async call(command, args) {
      const body = JSON.stringify(args);
      const response = await fetch(`/call/${command}`, { method: "POST", headers, body });
      const answer: unknown = await response.json();
      if (!response.ok) throw answer;
      return answer;
    },
    async listen(hear) {
      const stop = new AbortController();
      const response = await fetch("/events", { headers, signal: stop.signal });
      // Ends with the page or the server, whichever is first.
      if (response.body) void follow(response.body, hear).catch(() => undefined);
      return () => stop.abort();
    },
  };
}

/** Reads server-sent events: one JSON object a line behind `data: `. */
async function follow(body: ReadableStream<Uint8Array>, hear: (event: CoreEvent) => void): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.startsWith("data: ")) hear(JSON.parse(line.slice(6)));
  }
}
