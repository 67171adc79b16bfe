import { draftStore } from "../../../components/draftStore";

/** Texts that were begun over a proposal, by its id. */
export const proposalEdits = draftStore<string>({ closeBody: "proposal.closeBody" });
