import type { Notice } from "../model/notice.ts";
import { isGuest } from "./authority.ts";
import type { ConfigFile } from "./read.ts";

/** How long all hooks of one event may take together: managed settings say, else the last of the owner's. A repository may not: a short time would cut guards short that are not its own. */
export function combinedEventTimeout(files: readonly ConfigFile[], notices: Notice[]): number | null {
  const saying = files.flatMap((file) => (file.terms.eventTimeout ? [{ file, ...file.terms.eventTimeout }] : []));
  const owners = saying.filter(({ file }) => !isGuest(file));
  const chosen = owners.find(({ file }) => file.source.layer === "managed") ?? owners.at(-1);
  for (const each of saying.filter((one) => one !== chosen)) {
    const why = isGuest(each.file) ? "a project does not say how long your hooks may take" : `that of ${chosen?.source.file} holds`;
    notices.push({ kind: "authority", message: `eventTimeout of ${each.source.file} was left out: ${why}`, ...each.source });
  }
  return chosen?.ms ?? null;
}
