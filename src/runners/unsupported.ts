import { plain, type Runner } from "./runner.ts";

/** Hooks that ask a language model need a session: here there is none, and that is a fault with a name, not a silence. */
export const needsSession: Runner = async (hook) =>
  plain({ kind: "failed", fault: "unsupported", message: `a hook of type ${hook.action.type} asks a language model, and no model is configured here` });
