import { screen, waitFor, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import type { ConversationView } from "../../ipc/bindings.gen";
import { LEDGER } from "../../testing/fixtures/ids";
import { openWindow } from "../../testing/open";
import { chapter, subject } from "../../testing/story";

test("an empty conversation gets a lens, which stays once something was said", async () => {
  const { user, core, router } = await openWindow("/memory");
  const mira = await subject(core, "Mira", "character");
  await subject(core, "The Reader", "audience");
  const flood = await chapter(core, "The Flood", "", 12);
  const ref = (await core.call<ConversationView>("start_conversation", { channelId: null, title: "A ghost" }))
    .refCode;
  const lensOf = async () =>
    (await core.call<ConversationView>("get_conversation", { conversation: ref })).lens;
  await router.navigate({ to: "/conversations/$ref", params: { ref } });
  await user.click(await screen.findByRole("button", { name: "Speak as…" }));
  const popup = within(await screen.findByRole("dialog", { name: "Speak as somebody" }));
  expect(popup.queryByText(/learns by the order of reading/)).toBeNull();
  await user.click(popup.getByRole("button", { name: "As: Anybody" }));
  await user.click(await screen.findByRole("option", { name: "Mira" }));
  await user.click(popup.getByRole("combobox", { name: "At" }));
  await user.click(await screen.findByRole("option", { name: "12. The Flood" }));
  await user.click(popup.getByRole("button", { name: "Set" }));
  const set = await screen.findByRole("button", { name: "Speaking as Mira in The Flood" });
  await waitFor(() => expect(document.activeElement).toBe(set));
  expect(await lensOf()).toEqual({ knowerId: mira, knower: "Mira", at: "The Flood", chapterId: flood });
  await user.click(screen.getByRole("button", { name: "Speak as nobody in particular" }));
  const again = await screen.findByRole("button", { name: "Speak as…" });
  await waitFor(() => expect(document.activeElement).toBe(again));
  expect(await lensOf()).toBeNull();
  await core.call("set_conversation_lens", { conversation: ref, lens: { knower: "Mira", at: null } });
  await router.navigate({ to: "/memory" });
  await router.navigate({ to: "/conversations/$ref", params: { ref } });
  await user.type(await screen.findByRole("textbox", { name: "Your message" }), "Who goes there?{Enter}");
  const chip = await screen.findByRole("button", { name: /^Speaking as Mira\. This stays/ });
  expect(chip.getAttribute("aria-disabled")).toBe("true");
  expect(screen.queryByRole("button", { name: "Speak as nobody in particular" })).toBeNull();
});

test("a conversation in which something was said offers no lens", async () => {
  const { core, router } = await openWindow("/memory");
  await subject(core, "Mira", "character");
  await router.navigate({ to: "/conversations/$ref", params: { ref: LEDGER } });
  await screen.findByRole("region", { name: "Transcript" });
  expect(screen.queryByRole("button", { name: "Speak as…" })).toBeNull();
});
