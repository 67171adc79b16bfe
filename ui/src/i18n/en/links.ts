export const links = {
  "links.unknown": "Nothing has this name",
  "links.add": "Add {name} as a subject",
} as const;
