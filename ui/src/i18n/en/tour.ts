export const tour = {
  "command.tour": "Take the tour",
  "tour.step": "{step} of {count}",
  "tour.next": "Next",
  "tour.done": "Done",
  "tour.leave": "Leave the tour",
  "tour.memory.title": "A memory",
  "tour.memory.body":
    "Each line is one thing your World Agent remembers. Open it to see where it came from, change it, pin it or undo it.",
  "tour.search.title": "Find it again",
  "tour.search.body":
    "Type a name, a few words or what you mean. Memories come up while you type, with the reason for each.",
  "tour.subject.title": "A subject has a page",
  "tour.subject.body":
    "People, places and things each have one: what is known of them, how they are connected, and where they are mentioned.",
  "tour.shown.title": "What the agent sees",
  "tour.shown.body":
    "Next to a conversation stands everything the agent was shown for its answer, and what was left out and why.",
  "tour.access.title": "Who may read",
  "tour.access.body":
    "Nothing leaves this computer by itself. Another AI program reads only what you grant here, and you can end it at any time.",
} as const;
