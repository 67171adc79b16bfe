import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { makeClient } from "../testing/queryClient";
import { ShowMore } from "./ShowMore";

test("a page that could not be read says why, and the button reads it again", async () => {
  const { wrapper } = makeClient();
  const error = { code: "internal", message: "The database did not answer.", details: null };
  const fetchNextPage = vi.fn(async () => ({ isFetchNextPageError: true }));
  const query = {
    hasNextPage: true,
    isFetchingNextPage: false,
    isFetchNextPageError: true,
    error,
    fetchNextPage,
  };
  render(
    <ShowMore queryKey={["reads"]} query={query}>
      Earlier ones
    </ShowMore>,
    { wrapper },
  );
  expect(screen.getByRole("alert").textContent).toContain("The database did not answer.");
  expect(screen.queryByRole("button", { name: "Earlier ones" })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(fetchNextPage).toHaveBeenCalledTimes(1);
});
