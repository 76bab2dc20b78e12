/** A text as lines of at most so many columns; a word that is longer stands alone. */
export function wrap(text: string, columns: number): readonly string[] {
  return text.split("\n").flatMap((line) => wrapLine(line, columns));
}

/** A text cut to a width, with a mark where it was cut. */
export function cut(text: string, columns: number): string {
  return text.length <= columns ? text : `${text.slice(0, Math.max(0, columns - 1))}…`;
}

function wrapLine(line: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(" ")) {
    const longer = current === "" ? word : `${current} ${word}`;
    if (longer.length <= columns || current === "") current = longer;
    else {
      lines.push(current);
      current = word;
    }
  }
  return [...lines, current];
}
