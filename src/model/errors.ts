/** What a caller can do wrong. A broken hook is never one of these: it is a fault in an outcome. */
export const ERRORS = {
  SNAP_USAGE: { exit: 64, text: "{message}" },
  SNAP_UNKNOWN_EVENT: { exit: 64, text: 'unknown event "{name}"{hint} `snaphook fire --help` lists the events.' },
  SNAP_AMBIGUOUS_EVENT: { exit: 64, text: '"{name}" is {meanings}: use the canonical name, or one --dialect.' },
  SNAP_UNKNOWN_DIALECT: { exit: 64, text: 'unknown dialect "{name}"{hint} Known: {known}.' },
  SNAP_BAD_EVENT: { exit: 64, text: "the event is not valid: {message}" },
  SNAP_BAD_CONFIG: { exit: 78, text: "{message}" },
  SNAP_NOT_TRUSTED: { exit: 78, text: "{message}" },
  SNAP_NO_MODEL: { exit: 64, text: "no model: set ANTHROPIC_API_KEY or OPENAI_API_KEY, or try --model script:examples/tour/model.yaml." },
  SNAP_ENGINE_CLOSED: { exit: 1, text: "fire({event}) was called on an engine that is closed. Create a new engine first." },
  SNAP_SESSION_ENDED: { exit: 1, text: "session {id} has ended. Resume it with --resume {id}, or start a new one." },
  SNAP_SESSION_BUSY: { exit: 1, text: "session {id} is answering a prompt. Wait for its turn to end, or cancel it." },
  SNAP_DAEMON: { exit: 1, text: "{message}" },
  SNAP_INTERNAL: { exit: 1, text: "{message}" },
} as const satisfies Record<string, { readonly exit: number; readonly text: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** A mistake of the caller, with a code that is a row of `ERRORS`. */
export class SnaphookError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, values: { readonly [name: string]: string } = {}) {
    super(ERRORS[code].text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? ""));
    this.name = "SnaphookError";
    this.code = code;
  }

  /** The exit code of the command line for this error. */
  get exitCode(): number {
    return ERRORS[this.code].exit;
  }
}
