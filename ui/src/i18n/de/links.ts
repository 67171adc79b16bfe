import type { links as english } from "../en/links";

export const links: Record<keyof typeof english, string> = {
  "links.unknown": "Nichts heißt so",
  "links.add": "{name} als Thema anlegen",
};
