/** The text at a place of a list, counted from the end when negative; beyond the list there is nothing. */
export function textAt(texts: readonly string[], place: number): string {
  return texts.at(place) ?? "";
}
