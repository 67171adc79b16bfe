export const links = {
  "links.unknown": "Nothing has this name",
} as const;
