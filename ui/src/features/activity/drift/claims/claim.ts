import { BookCheck, FilePenLine, type LucideIcon } from "lucide-react";

/** Whether the worldbuilder's value stays, or the claimed one takes its place. */
export const ANSWERS = ["keep", "take"] as const;
export type Answer = (typeof ANSWERS)[number];

/** Those of the like decisions about a contradiction: canon stands, canon changes. */
export const ANSWER_ICONS: Record<Answer, LucideIcon> = { keep: BookCheck, take: FilePenLine };
