import { act, render } from "@testing-library/react";
import { useMemo } from "react";
import { expect, test } from "vitest";
import { ActionsProvider, useAction, useActions } from "./actions";

let drawn = 0;

function Menu() {
  const action = useAction("write");
  drawn += 1;
  return <p>{action?.label ?? "nobody offers it"}</p>;
}

function Offer({ id, label, enabled = true }: { id: string; label: string; enabled?: boolean }) {
  useActions(
    useMemo(() => [{ id, group: "view", label, enabled, run: () => undefined }], [id, label, enabled]),
  );
  return null;
}

const page = (write: string | null, other: string | null, enabled = true) => (
  <ActionsProvider>
    <Menu />
    {write !== null && <Offer id="write" label={write} enabled={enabled} />}
    {other !== null && <Offer id="other" label={other} />}
  </ActionsProvider>
);

test("a user of an action is rendered again when that action changes, not when others do", () => {
  const view = render(page("Write", null));
  expect(view.container.textContent).toBe("Write");
  const rerender = (...args: Parameters<typeof page>) => {
    drawn = 0;
    act(() => view.rerender(page(...args)));
    return drawn;
  };
  // Each takes the drawing of the page itself.
  expect(rerender("Write", "Other")).toBe(1);
  expect(rerender("Write", "Another")).toBe(1);
  expect(rerender("Write", null)).toBe(1);
  expect(rerender("Write more", null)).toBe(2);
  expect(view.container.textContent).toBe("Write more");
  expect(rerender("Write more", null, false)).toBe(2);
  expect(view.container.textContent).toBe("nobody offers it");
});
