import type { Explanation } from "./explain.ts";

/** The explanation as `--json` writes it: everything as data, whole paths. */
export function explanationJson(explanation: Explanation): object {
  const { verdict, because, step, mode, call, judgement, commands, ifTrusted, hooks, byFile, byMode, configuration, decision, passes, starter } = explanation;
  return {
    verdict,
    because,
    step,
    mode,
    tool: call.name,
    input: call.input,
    ...(decision && { originalInput: decision.originalInput }),
    rule: judgement.rule ?? null,
    commands,
    spoke: judgement.spoke,
    doubts: judgement.doubts,
    ran: decision !== null,
    hooks,
    byFile,
    byMode,
    files: configuration.files.map(({ source }) => source.path),
    notices: decision?.notices ?? configuration.notices,
    passes,
    ifTrusted,
    starter,
  };
}
