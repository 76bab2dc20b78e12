/** Whether a name fits a pattern of `*` (any text) and `?` or `[…]` (any one character). Never slower than length times length. */
export function fitsWildcards(name: string, pattern: string): boolean {
  const parts = pattern.match(/\[[^\]]*\]|[\s\S]/g) ?? [];
  let at = 0;
  let part = 0;
  let star = -1;
  let retry = 0;
  while (at < name.length) {
    const wanted = parts[part];
    if (wanted === "*") {
      star = part++;
      retry = at;
    } else if (wanted !== undefined && (wanted === "?" || wanted.length > 1 || wanted === name[at])) {
      part++;
      at++;
    } else if (star >= 0) {
      part = star + 1;
      at = ++retry;
    } else return false;
  }
  return parts.slice(part).every((rest) => rest === "*");
}
