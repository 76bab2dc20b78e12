/** Colours: they add to words, they never replace them. */

/** Puts a style on a text, or leaves it as it is. */
export type Paint = (style: Style, text: string) => string;

/** What a terminal can do to a text. */
export type Style = "bold" | "dim" | "red" | "yellow" | "green" | "cyan";

const CODES: { readonly [style in Style]: readonly [open: number, close: number] } = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  yellow: [33, 39],
  green: [32, 39],
  cyan: [36, 39],
};

/** A painter that paints, or one that does not. */
export function painter({ colour }: { readonly colour: boolean }): Paint {
  if (!colour) return (_, text) => text;
  return (style, text) => {
    const [open, close] = CODES[style];
    return `\u001B[${open}m${text}\u001B[${close}m`;
  };
}
