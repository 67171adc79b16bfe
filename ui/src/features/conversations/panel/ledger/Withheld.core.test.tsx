import { screen, waitFor, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import type { ConversationView, OrientRequest } from "../../../../ipc/bindings.gen";
import { SALTMERE } from "../../../../testing/fixtures/ids";
import { openWindow } from "../../../../testing/open";
import { setKnownBy, subject } from "../../../../testing/story";

test("a question is tried with the lens of the conversation or another one, and what it withholds is a click away", async () => {
  const { user, core, router, transport } = await openWindow("/memory");
  const mira = await subject(core, "Mira", "character");
  await subject(core, "Toma", "character");
  await setKnownBy(core, SALTMERE, [{ subject: "Mira", since: null }]);
  const start = { channelId: null, title: "A ghost" };
  const { refCode: ref } = await core.call<ConversationView>("start_conversation", start);
  await core.call("set_conversation_lens", { conversation: ref, lens: { knower: "Toma", at: null } });
  await router.navigate({
    to: "/conversations/$ref",
    params: { ref },
    search: { tab: "shown", shown: "try" },
  });
  const panel = within(await screen.findByRole("tabpanel"));
  await user.type(await panel.findByRole("textbox", { name: "A question to try" }), "harbour town{Enter}");
  const withheld = within(await panel.findByRole("region", { name: "Hidden" }));
  expect(withheld.queryByText(/harbour town/)).toBeNull();
  await user.click(withheld.getByRole("button", { name: /^Hidden/ }));
  await withheld.findByRole("region", { name: "The agent speaks as somebody who does not know it" });
  expect(withheld.getByText(/harbour town/)).toBeTruthy();

  await user.click(panel.getByRole("button", { name: "As Toma" }));
  const popup = within(await screen.findByRole("dialog", { name: "Show what somebody knows" }));
  await user.click(popup.getByRole("button", { name: "As: Toma" }));
  await user.click(await screen.findByRole("option", { name: "Mira" }));
  await user.click(popup.getByRole("button", { name: "Try" }));
  await waitFor(() =>
    expect(panel.getByRole("region", { name: "Always in mind" }).textContent).toMatch(/harbour town/),
  );
  expect(withheld.queryByText(/harbour town/)).toBeNull();
  const { request } = transport.callsOf("orient").at(-1) as { request: OrientRequest };
  expect(request.lens).toEqual({ knower: mira, at: null });

  await user.click(panel.getByRole("button", { name: "Back to whom the conversation speaks as" }));
  await withheld.findByText(/harbour town/);
  expect(panel.getByRole("button", { name: "As Toma" })).toBeTruthy();
});
