import type { links as english } from "../en/links";

export const links: Record<keyof typeof english, string> = {
  "links.unknown": "Rien ne porte ce nom",
  "links.add": "Ajouter {name} comme sujet",
};
