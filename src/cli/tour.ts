/** The tour: scripted events through the example hooks of five dialects, told as a timeline. */
import { mkdtemp, rm } from "node:fs/promises";
import { join, sep } from "node:path";
import { createEngine, type Engine } from "../engine/engine.ts";
import type { Decision } from "../model/decision.ts";
import { SnaphookError } from "../model/errors.ts";
import type { Heard } from "../model/heard.ts";
import type { Command, Surface } from "./command.ts";
import { decisionJson } from "../model/decision-json.ts";
import { packageRoot } from "./tour/package-root.ts";
import { painter } from "./tour/paint.ts";
import { readScript, type Scene, type Script } from "./tour/script.ts";
import { sceneLines } from "./tour/timeline.ts";
import { totalsOf, totalsText, type Totals } from "./tour/totals.ts";

/** `snaphook tour`. */
export const tourCommand: Command = {
  summary: "a scripted walk through the dialects, told as a timeline",
  usage: "tour [--json]",
  options: {},
  notes: [
    "Fires the events of examples/tour/tour.yaml through the example hooks of five dialects.",
    "It needs no key and no network, writes only into a temporary folder, and ends by itself.",
  ],
  run: async ({ positionals, flags }, surface) => {
    if (positionals.length > 0) throw new SnaphookError("SNAP_USAGE", { message: "tour takes no words. `snaphook tour --help` lists the options." });
    const root = join(packageRoot(import.meta.url), "examples", "tour");
    const script = await readScript(join(root, "tour.yaml"));
    const { env } = surface;
    const scratch = await mkdtemp(join(env["TMPDIR"] ?? env["TEMP"] ?? join(sep, "tmp"), "snaphook-tour-"));
    const teller = flags["json"] ? jsonTeller(surface) : textTeller(surface, root);
    try {
      await walk({ script, root, scratch, surface, teller });
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
    return 0;
  },
};

/** Someone who tells the tour. */
interface Teller {
  begin(script: Script, engine: Engine): void;
  scene(scene: Scene, decision: Decision, detached: readonly Heard[]): void;
  end(totals: Totals): void;
}

interface Walk {
  readonly script: Script;
  readonly root: string;
  readonly scratch: string;
  readonly surface: Surface;
  readonly teller: Teller;
}

async function walk({ script, root, scratch, surface, teller }: Walk): Promise<void> {
  let detached: Heard[] = [];
  const engine = await createEngine({
    cwd: root,
    // A home folder of its own: a login shell must not read the profile of whoever looks on.
    env: { ...surface.env, HOME: scratch, TOUR_DIR: scratch },
    configs: script.configs.map((file) => ({ file })),
    tempDir: scratch,
    onDetached: (heard) => void detached.push(heard),
  });
  const decisions: Decision[] = [];
  const unawaited: Heard[] = [];
  try {
    teller.begin(script, engine);
    for (const scene of script.scenes) {
      detached = [];
      const decision = await engine.fire({ sessionId: "tour", cwd: root, ...scene.event }, { signal: surface.signal });
      await engine.settled();
      teller.scene(scene, decision, detached);
      decisions.push(decision);
      unawaited.push(...detached);
    }
    teller.end(totalsOf(decisions, unawaited));
  } finally {
    await engine.close();
  }
}

/** Below this the columns do not fit; above the other, lines are tiring to read. */
const COLUMNS = { least: 72, most: 120 } as const;

function textTeller({ stdout, terminal }: Surface, root: string): Teller {
  const paint = painter(terminal);
  const columns = Math.min(Math.max(terminal.columns, COLUMNS.least), COLUMNS.most);
  const print = (lines: readonly string[]): void => stdout(lines.map((line) => `${line}\n`).join(""));
  return {
    begin: ({ configs }, { registry }) => print(["", `${registry.hooks.length} hooks armed from ${configs.length} files in examples/tour`, ""]),
    scene: (scene, decision, detached) => print(sceneLines(scene, decision, { look: { columns, paint }, context: { detached, root } })),
    end: (totals) => print([...totalsText(totals), "", "Next: edit examples/tour and run it again, or read docs/guides/write-a-hook.md.", ""]),
  };
}

/** One JSON object a line. */
function jsonTeller({ stdout }: Surface): Teller {
  const print = (line: object): void => stdout(`${JSON.stringify(line)}\n`);
  return {
    begin: () => {},
    scene: ({ event, tell }, decision, detached) => {
      print({ type: "event", event: event.name, agent: null, tell, decision: decisionJson(decision) });
      for (const { hook, run, outcome } of detached)
        print({
          type: "detached",
          event: event.name,
          name: hook.name,
          dialect: hook.dialect,
          ended: run.result.kind,
          durationMs: run.durationMs,
          fault: outcome.fault,
        });
    },
    end: (totals) => print({ type: "tour.end", ...totals }),
  };
}
