/** A JSON editor: completion from our own schema, and errors where they stand. */
import { autocompletion, closeBrackets, insertCompletionText, type Completion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, defaultHighlightStyle, HighlightStyle, syntaxHighlighting, syntaxTree } from "@codemirror/language";
import { setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, keymap, lineNumbers } from "@codemirror/view";

/** A problem of the settings, as the server tells it. */
export interface Problem {
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

/** What an editor is opened with. */
export interface EditorOptions {
  readonly parent: Element;
  readonly text: string;
  readonly label: string;
  readonly onchange: (text: string) => void;
  /** Words that fit at a place, by the keys around it. */
  readonly complete: (path: readonly string[]) => readonly string[];
}

const LOOK = EditorView.theme({
  "&": { fontSize: "0.86rem", height: "100%" },
  "&.cm-focused": { outline: "2px solid var(--accent)" },
  ".cm-content": { fontFamily: "var(--mono)", caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { backgroundColor: "var(--back)", color: "var(--dim)", borderRight: "1px solid var(--line)" },
  ".cm-tooltip": { backgroundColor: "var(--raised)", color: "var(--text)", border: "1px solid var(--line)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--raised)" },
});

/** The usual colours are made for light pages: these are the page's own. */
const INKS: { readonly [usual: string]: string } = {
  "#a11": "var(--allow)",
  "#164": "var(--ask)",
  "#219": "var(--ask)",
  "#708": "var(--accent)",
  "#f00": "var(--deny)",
};
const COLOURS = HighlightStyle.define(
  defaultHighlightStyle.specs.map(({ tag, color }) => ({ tag, color: INKS[typeof color === "string" ? color : ""] ?? "var(--text)" })),
);

/** Opens an editor. */
export function openEditor({ parent, text, label, onchange, complete }: EditorOptions): EditorView {
  const changed = EditorView.updateListener.of((update) => {
    if (update.docChanged) onchange(update.state.doc.toString());
  });
  // In a shadow root the editor's style sheets are adopted, not written into the page: the page's policy allows no inline style.
  const root = parent.shadowRoot ?? parent.attachShadow({ mode: "open" });
  return new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        bracketMatching(),
        closeBrackets(),
        json(),
        syntaxHighlighting(COLOURS),
        autocompletion({ override: [(context) => completions(context, complete)] }),
        // Tab leaves the editor: a keyboard must not be caught in it.
        keymap.of([...defaultKeymap, ...historyKeymap]),
        EditorView.contentAttributes.of({ "aria-label": label }),
        EditorView.lineWrapping,
        LOOK,
        changed,
      ],
    }),
  });
}

/** Underlines problems where they stand. */
export function showProblems(view: EditorView, problems: readonly Problem[]): void {
  const { doc } = view.state;
  const diagnostics = problems.map(({ message, line = 1, column = 1 }): Diagnostic => {
    const at = doc.line(Math.min(Math.max(1, line), doc.lines));
    const from = Math.min(at.from + Math.max(0, column - 1), at.to);
    return { from, to: Math.max(from, at.to), severity: "error", message };
  });
  view.dispatch(setDiagnostics(view.state, diagnostics));
}

function completions(context: CompletionContext, complete: EditorOptions["complete"]): CompletionResult | null {
  const word = context.matchBefore(/"[^"\n]*/);
  if (!word && !context.explicit) return null;
  const options = complete(pathAt(context)).map((label) => ({ label: JSON.stringify(label), displayLabel: label, apply: put }));
  return { from: word?.from ?? context.pos, options, validFor: /^"[^"\n]*$/ };
}

/** Puts a word in its place; the quotation mark that was closed while one typed is part of that place. */
function put(view: EditorView, { label }: Completion, from: number, to: number): void {
  const end = view.state.sliceDoc(to, to + 1) === '"' ? to + 1 : to;
  view.dispatch({ ...insertCompletionText(view.state, label, from, end), userEvent: "input.complete" });
}

type Node = ReturnType<ReturnType<typeof syntaxTree>["resolveInner"]>["parent"];

/** The keys around a place, outermost first. */
function pathAt({ state, pos }: CompletionContext): readonly string[] {
  const path: string[] = [];
  for (let node: Node = syntaxTree(state).resolveInner(pos, -1); node; node = node.parent) {
    const name = node.name === "Property" ? node.getChild("PropertyName") : null;
    // A name that is being written leads nowhere yet.
    if (name && name.to < pos) path.unshift(state.sliceDoc(name.from, name.to).replaceAll('"', ""));
  }
  return path;
}
