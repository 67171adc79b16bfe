// Files of other programs, as the suites bring them in.

/** A small lorebook, as SillyTavern writes them. */
export const LOREBOOK = {
  entries: {
    0: {
      uid: 0,
      key: ["ferrymen"],
      comment: "The ferrymen's guild",
      content: "Its oldest debt is older than the bridge.",
    },
    1: {
      uid: 1,
      key: ["salt gate"],
      comment: "The salt gate",
      content: "It is locked on one night of the year.",
    },
  },
};

/** An export of ChatGPT with `count` conversations of four turns. */
export function chatgptExport(count, extra = "") {
  return Array.from({ length: count }, (_, n) => {
    const ids = Array.from({ length: 4 }, (_, turn) => `m${n}-${turn}`);
    const mapping = Object.fromEntries(
      ids.map((id, turn) => [
        id,
        {
          id,
          parent: ids[turn - 1] ?? null,
          children: ids[turn + 1] ? [ids[turn + 1]] : [],
          message: {
            id,
            author: { role: turn % 2 ? "assistant" : "user" },
            create_time: 1_700_000_000 + n * 100 + turn,
            content: {
              content_type: "text",
              parts: [`Turn ${turn} of tale ${n}: the heron king ${extra}waits.`],
            },
          },
        },
      ]),
    );
    const times = { create_time: 1_700_000_000 + n * 100, update_time: 1_700_000_050 + n * 100 };
    return { title: `Tale ${n}`, conversation_id: `c${n}`, mapping, current_node: ids[3], ...times };
  });
}
