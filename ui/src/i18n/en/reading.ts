export const reading = {
  "reading.title": "Reading view",
  "reading.read": "Read",
  "reading.list": "Read the list as one text",
  "reading.selected": "Read what is selected as one text",
  "reading.print": "Print",
  "reading.open": "Open",
  "reading.openFor": "Open “{name}”",
  "reading.source": "{who}, {when}",
  "reading.from": "from {sources}",
  "reading.cut": "These are the first {most}, in the order of the list. Filter or select to read others.",
  "reading.cutOf":
    "These are the first {most} of {total}, in the order of the list. Filter or select to read others.",
  "reading.missing":
    "{count, plural, one {# that you selected is not there any more, or is hidden.} other {# that you selected are not there any more, or are hidden.}}",
  "reading.none": "Nothing to read here",
  "reading.noneBody": "No memory of this list is left. Go back and choose others.",
} as const;
