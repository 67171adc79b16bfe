import { CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { expect, test } from "vitest";
import { linkCompletion } from "./linkCompletion";

const asked: string[] = [];
const source = linkCompletion(async (typed) => {
  asked.push(typed);
  return [{ name: "Łucja", detail: "Character" }];
});

const complete = (doc: string, at = doc.length) =>
  source(new CompletionContext(EditorState.create({ doc }), at, false)) as Promise<CompletionResult | null>;

test("names are offered behind two brackets, by what is typed since", async () => {
  const found = await complete("She met [[Łu");
  expect(asked.at(-1)).toBe("Łu");
  expect(found?.from).toBe("She met [[".length);
  expect(found?.options.map(({ label, detail }) => [label, detail])).toEqual([["Łucja", "Character"]]);
});

test("nothing is offered elsewhere: not without brackets, behind a closed link, in a heading or a label", async () => {
  for (const doc of ["Łu", "[Łu", "[[Łucja]] w", "[[Łucja#Bo", "[[Łucja|sh"])
    expect(await complete(doc)).toBeNull();
});

test("a chosen name closes the link once, and writing goes on behind it", async () => {
  for (const rest of ["", "]]"]) {
    const doc = `[[Łu${rest}`;
    const view = new EditorView({ state: EditorState.create({ doc }) });
    const found = await complete(doc, 4);
    const [option] = found?.options ?? [];
    if (typeof option?.apply !== "function") throw new Error("the option writes itself");
    option.apply(view, option, found?.from ?? 0, 4);
    expect(view.state.doc.toString()).toBe("[[Łucja]]");
    expect(view.state.selection.main.head).toBe("[[Łucja]]".length);
    view.destroy();
  }
});
