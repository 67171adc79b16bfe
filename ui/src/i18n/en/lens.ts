export const lens = {
  "knownBy.everybody": "Everybody knows of it",
  "knownBy.only": "Known by",
  "knownBy.since": "since {at}",
  "knownBy.set": "Set who knows",
  "knownBy.change": "Change",
  "knownBy.changeLabel": "Change who knows",
  "knownBy.title": "Who knows of it",
  "knownBy.body":
    "Only who is in the list, each from a time on or always. What a group knows, its members know too.",
  "knownBy.list": "Who knows of it",
  "knownBy.nobody": "Nobody is in the list: everybody knows of it.",
  "knownBy.who": "Who",
  "knownBy.when": "Since",
  "knownBy.whenOf": "Since when {name} knows",
  "knownBy.always": "Always",
  "knownBy.add": "Add who knows",
  "knownBy.remove": "Remove {name}",
  "knownBy.example": "A chapter, such as “chapter 12”, or a date. Left empty: always.",
  "knownBy.save": "Save",
  "knownBy.done": "Set who knows of it.",

  "knows.title": "Knows, which not everybody does",

  "lens.others": "Others",
  "lens.gone": "a subject that is gone",
  "lens.chapter": "Chapter: {name}",
} as const;
