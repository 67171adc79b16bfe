import { createMemoryHistory } from "@tanstack/react-router";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { onTestFinished } from "vitest";
import { App } from "../app/App";
import { createAppRouter } from "../app/router";
import type { Catalogue } from "../i18n/i18n";
import { installBackend } from "../ipc/mock";
import { Backend, type Scenario } from "./backend";

/** Opens the whole window at an address, on an in-memory core. */
export async function openWindow(address = "/memory", scenario: Scenario = {}, catalogue?: Catalogue) {
  const backend = new Backend(scenario);
  const remove = installBackend(backend.handler);
  const history = createMemoryHistory({ initialEntries: [address] });
  const router = createAppRouter(history);
  const view = render(<App catalogue={catalogue} router={router} />);
  onTestFinished(() => {
    view.unmount();
    remove();
  });
  await screen.findByRole("navigation");
  const user = userEvent.setup({ delay: null });
  /** The search part of the address, as the route understands it. */
  const address_ = () => router.state.location;
  return { backend, user, router, history, address: address_ };
}

/** The commands of one name that reached the core so far. */
export function callsOf(backend: Backend, command: string) {
  return backend.calls.filter((call) => call.command === command).map((call) => call.args);
}
