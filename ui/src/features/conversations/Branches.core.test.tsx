import { screen, waitFor, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import type { ConversationLink, ConversationView, MessagePage } from "../../ipc/bindings.gen";
import { answers } from "../../testing/answers";
import { LEDGER as REF } from "../../testing/fixtures/ids";
import { type Core, openWindow } from "../../testing/open";

const LEDGER = "/conversations/k3T9wPq2LxA";
const transcript = () => screen.findByRole("region", { name: "Transcript" });
const box = () => screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Your message" });
const branchesOf = (core: Core) => core.call<ConversationLink[]>("list_branches", { conversation: REF });
const texts = async (core: Core, conversation: string) => {
  const range = { kind: "newest" };
  const page = await core.call<MessagePage>("list_messages", { conversation, range, limit: 100 });
  return page.messages.map((message) => message.content);
};

test("a message is written otherwise in a branch, and the conversation stays as it is", async () => {
  const { user, core, address } = await openWindow(LEDGER);
  const before = await texts(core, REF);
  const buttons = await within(await transcript()).findAllByRole("button", { name: "Edit in a branch" });
  const edit = buttons.at(-1);
  if (!edit) throw new Error("no message of the worldbuilder");
  await user.click(edit);
  await waitFor(() => expect(address().pathname).not.toBe(LEDGER));
  const field = await box();
  expect(before).toContain(field.value);
  const shared = before.slice(0, before.lastIndexOf(field.value));
  await waitFor(() => expect(document.activeElement).toBe(field));
  await user.type(field, " And why?{Enter}");
  const [branch] = await branchesOf(core);
  if (!branch) throw new Error("no branch");
  await waitFor(async () => expect(await texts(core, branch.refCode)).toHaveLength(shared.length + 1));
  expect((await texts(core, branch.refCode)).slice(0, -1)).toEqual(shared);
  expect(await texts(core, REF)).toEqual(before);
  await user.click(screen.getByRole("button", { name: /^branch of “What the Lanternmen want/ }));
  await waitFor(() => expect(address().pathname).toBe(LEDGER));
  await user.click(await screen.findByRole("button", { name: "1 branch" }));
  await user.click(await screen.findByRole("menuitem", { name: new RegExp(branch.refCode) }));
  await waitFor(() => expect(address().pathname).toBe(`/conversations/${branch.refCode}`));
});

test("the last answer is given again in a branch", async () => {
  const { user, core, address } = await openWindow(LEDGER, { chat: [...answers(1, 2), ...answers(1, 2)] });
  await user.type(await box(), "Who copies the page?{Enter}");
  await screen.findByRole("button", { name: "Stop" });
  await waitFor(async () => expect((await transcript()).textContent).toContain("comes up with the mud."));
  const again = await screen.findByRole("button", { name: "Answer again in a branch" });
  const before = await texts(core, REF);
  await user.click(again);
  await waitFor(() => expect(address().pathname).not.toBe(LEDGER));
  const [branch] = await branchesOf(core);
  if (!branch) throw new Error("no branch");
  await waitFor(async () =>
    expect((await texts(core, branch.refCode)).at(-1)).toContain("comes up with the mud."),
  );
  expect(await texts(core, branch.refCode)).toHaveLength(before.length);
  expect(await texts(core, REF)).toEqual(before);
});

test("the header shows the model of a conversation, which goes back to the usual one", async () => {
  const { user, core, router } = await openWindow(LEDGER, { chat: answers(1, 2) });
  await core.call<ConversationView>("set_conversation_model", { conversation: REF, model: "other" });
  await router.navigate({ to: "/memory" });
  await router.navigate({ to: "/conversations/$ref", params: { ref: REF } });
  await user.click(await screen.findByRole("button", { name: "Model: other" }));
  await user.click(await screen.findByRole("menuitem", { name: /^As in all conversations: / }));
  await waitFor(async () => {
    const view = await core.call<ConversationView>("get_conversation", { conversation: REF });
    expect(view.model).toBeNull();
  });
});
