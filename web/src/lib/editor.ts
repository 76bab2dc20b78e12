/** A JSON editor: completion from our own schema, and errors where they stand. */
import { autocompletion, closeBrackets, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, defaultHighlightStyle, syntaxHighlighting, syntaxTree } from "@codemirror/language";
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

/** Opens an editor. */
export function openEditor({ parent, text, label, onchange, complete }: EditorOptions): EditorView {
  const changed = EditorView.updateListener.of((update) => {
    if (update.docChanged) onchange(update.state.doc.toString());
  });
  return new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        bracketMatching(),
        closeBrackets(),
        json(),
        syntaxHighlighting(defaultHighlightStyle, { fallback: true }),
        autocompletion({ override: [(context) => completions(context, complete)] }),
        // Tab leaves the editor: a keyboard must not be caught in it.
        keymap.of([...defaultKeymap, ...historyKeymap]),
        EditorView.contentAttributes.of({ "aria-label": label }),
        EditorView.lineWrapping,
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
  const options = complete(pathAt(context)).map((label) => ({ label: JSON.stringify(label), displayLabel: label }));
  return { from: word?.from ?? context.pos, options, validFor: /^"[^"\n]*$/ };
}

/** The keys around a place, outermost first. */
function pathAt({ state, pos }: CompletionContext): readonly string[] {
  const path: string[] = [];
  for (let node = syntaxTree(state).resolveInner(pos, -1).parent; node; node = node.parent) {
    const name = node.name === "Property" ? node.getChild("PropertyName") : null;
    if (name) path.unshift(state.sliceDoc(name.from, name.to).replaceAll('"', ""));
  }
  return path;
}
