import type { IndexProgress } from "../../audit/index-store.ts";
import type { Surface } from "../command.ts";

/** Says how far an index has come, on a terminal, where that takes a while. */
export function progressOn({ stderr, terminal }: Surface): { readonly told: (progress: IndexProgress) => void; readonly done: () => void } {
  let told = false;
  return {
    told: ({ records, share }) => {
      if (!terminal.isTerminal) return;
      told = true;
      stderr(`\rindexing: ${Math.round(share * 100)} %, ${records.toLocaleString("en-US")} records…`);
    },
    done: () => {
      if (told) stderr("\r\u001B[K");
    },
  };
}
