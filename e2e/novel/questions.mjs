// The questions of a worldbuilder to the world of the novel, with the answers that must come.

/** What somebody holds or bears at a date: name, dates, names. */
export const HELD = [
  ["Ahab", "1 January, 1841", ["Doubloon", "Quadrant"]],
  ["Ahab", "1840", ["Doubloon", "Quadrant"]],
  ["Ahab", "2 February, 1841", ["Quadrant"]],
  ["Ahab", "1 November, 1841", ["Fire-forged harpoon", "Quadrant"]],
  ["Ahab", "20 November, 1841", ["Fire-forged harpoon"]],
  ["Ahab", "1839", []],
  ["Queequeg", "6 October, 1841", ["Sea-coffin"]],
  ["Queequeg", "2 December, 1841", []],
  ["Pequod", "2 December, 1841", ["Doubloon", "Sea-coffin"]],
];

/** What a fact is at a date: category, key, dates, values. */
export const VALUES = [
  ["Ahab", "leg", "1838", ["his own"]],
  ["Ahab", "leg", "1 February, 1841", ["jaw of a sperm whale"]],
  ["Ahab", "leg", "10 October, 1841", ["ivory of the carpenter"]],
  ["Ahab", "leg", "1841", ["jaw of a sperm whale", "ivory of the carpenter", "keel of a wrecked boat"]],
  ["Sea-coffin", "use", "6 October, 1841", ["coffin"]],
  ["Sea-coffin", "use", "1 November, 1841", ["sea chest"]],
  ["Sea-coffin", "use", "1842", ["life-buoy"]],
];

/** Chapters up to which the Reader has read, and what the Reader looks for then. */
export const READ_UP_TO = [20, 47, 54, 100, 116];
export const LOOKED_FOR = [
  "the White Whale",
  "what Fedallah tells Ahab",
  "how the ship sinks",
  "Queequeg and his coffin",
];

/** Recall tests: question, knower, chapter, the key of the secret, whether it must come. */
export const RECALL = [
  ["what does the prophecy foretell of hearses and hemp?", "Reader", 116, "prophecy", false],
  ["what does the prophecy foretell of hearses and hemp?", "Reader", 117, "prophecy", true],
  ["who hides in the after hold?", "Ishmael", 47, "hidden crew", false],
  ["who hides in the after hold?", "Ishmael", 48, "hidden crew", true],
  ["who stood at my door with a loaded musket?", "Ahab", 135, "musket", false],
  ["who stood at the door of the captain with a loaded musket?", "Starbuck", 123, "musket", true],
  ["how did Radney of the Town-Ho die?", "Stubb", 135, "Town-Ho", false],
  ["how did Radney of the Town-Ho die?", "Tashtego", 55, "Town-Ho", true],
  ["whose son is lost in a boat?", "Daggoo", 128, "lost son", true],
];
