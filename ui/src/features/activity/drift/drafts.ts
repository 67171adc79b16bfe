import { draftStore } from "../../../components/draftStore";

/** New texts of a canon that were begun, by the contradiction. */
export const rewrites = draftStore<string>({ closeBody: "drift.closeBody" });
