import { act, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { I18nProvider } from "../i18n/i18n";
import { Time } from "./Time";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const show = () =>
  render(
    <I18nProvider>
      <Time iso={new Date().toISOString()} />
    </I18nProvider>,
  );

test("what was written now is never in the future, however long no time was shown before", () => {
  const first = show();
  first.unmount();
  vi.advanceTimersByTime(10 * 60_000);
  show();
  expect(screen.getByText("just now")).toBeTruthy();
});

test("a time that is shown keeps up with the clock", () => {
  show();
  act(() => void vi.advanceTimersByTime(3 * 60_000));
  expect(screen.getByText("3 minutes ago")).toBeTruthy();
});
