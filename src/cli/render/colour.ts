/** Colours that a row of a table may name. */
const CODES = { bold: "1", dim: "2", red: "31", green: "32", yellow: "33", cyan: "36" } as const;

/** A colour by name. */
export type Colour = keyof typeof CODES;

/** Colours a text, or leaves it as it is. */
export type Paint = (colour: Colour, text: string) => string;

/** A painter by plain ANSI codes; colour adds to the text and never carries its meaning. */
export function painter(wanted: boolean): Paint {
  return (colour, text) => (wanted && text !== "" ? `\u001B[${CODES[colour]}m${text}\u001B[0m` : text);
}
