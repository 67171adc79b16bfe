import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { makeClient } from "../testing/queryClient";
import { ConversationPicker } from "./ConversationPicker";
import { MemoryPicker } from "./MemoryPicker";
import { SubjectPicker } from "./SubjectPicker";

const { read } = vi.hoisted(() => ({ read: vi.fn<() => Promise<unknown>>() }));
vi.mock("../ipc/client", () => ({
  core: { listSubjects: read, listConversations: read, searchMemories: read },
}));

const nothing = () => undefined;
const PICKERS = {
  subject: {
    node: <SubjectPicker label="Subject" value={null} onChange={nothing} />,
    opener: "Subject",
    answer: { rows: [], counts: [] },
    none: "No subject has this name.",
  },
  conversation: {
    node: <ConversationPicker value={null} onChange={nothing} />,
    opener: "Which conversation",
    answer: { rows: [], next: null },
    none: "No conversation of that name.",
  },
  memory: {
    node: <MemoryPicker value={null} onChange={nothing} />,
    opener: "Which memory",
    answer: { hits: [], more: false },
    none: "No memory has these words.",
  },
};
const names = Object.keys(PICKERS) as (keyof typeof PICKERS)[];

beforeAll(() => {
  Element.prototype.scrollIntoView ??= nothing;
});

beforeEach(() => {
  read.mockReset();
});

async function open(name: keyof typeof PICKERS) {
  const { wrapper } = makeClient();
  render(PICKERS[name].node, { wrapper });
  await userEvent.click(screen.getByRole("button", { name: PICKERS[name].opener }));
  await userEvent.type(await screen.findByRole("combobox"), "xyzzy");
}

test.each(names)("the picker of a %s says that nothing was found only once that is known", async (name) => {
  const { answer, none } = PICKERS[name];
  let resolve: (answer: unknown) => void = nothing;
  read.mockReturnValue(
    new Promise((done) => {
      resolve = done;
    }),
  );
  await open(name);
  expect(await screen.findByText("Loading")).toBeTruthy();
  expect(screen.queryByText(none)).toBeNull();
  resolve(answer);
  expect(await screen.findByText(none)).toBeTruthy();
});

test.each(names)(
  "the picker of a %s says that it could not read, and reads again by keyboard",
  async (name) => {
    const { answer, none } = PICKERS[name];
    read.mockRejectedValue({ code: "internal", message: "The database did not answer.", details: null });
    await open(name);
    expect((await screen.findByRole("alert")).textContent).toBe("The database did not answer.");
    expect(screen.queryByText(none)).toBeNull();
    read.mockResolvedValue(answer);
    screen.getByRole("button", { name: "Try again" }).focus();
    await userEvent.keyboard("{Enter}");
    expect(await screen.findByText(none)).toBeTruthy();
    expect(screen.queryByRole("alert")).toBeNull();
  },
);
