/** A worker as its hooks see it: events are asked in order, answered by id, and never left open. */
import { Alarm } from "../lib/alarm.ts";
import type { JsonObject } from "../lib/json.ts";
import type { Hook } from "../model/hook.ts";
import type { RunResult } from "../model/run.ts";
import type { NotHeld } from "./confinement.ts";
import { plain, type RunnerResult } from "./runner.ts";
import { Backoff } from "./worker-backoff.ts";
import { endText, lostAnswer, type WorkerEnd } from "./worker-end.ts";
import { readWorkerLine, type WorkerLine } from "./worker-line.ts";
import { WorkerProcess, type WorkerLaunch } from "./worker-process.ts";
import { Question } from "./worker-question.ts";
import { Remarks } from "./worker-remarks.ts";

/** What a worker is made from. */
export interface WorkerOptions {
  /** What to start, asked each time; a text says why nothing can be. */
  readonly launch: () => WorkerLaunch | NotHeld | string;
  /** What an object without an id would mean as the answer to a hook. */
  readonly unnamed: (value: JsonObject, hook: Hook) => "denial" | "answer" | "noise";
  /** Whether ending with this exit code denies what was asked. */
  readonly denies: (exitCode: number) => boolean;
  readonly limitBytes: number;
  /** After so long without a question it is ended. */
  readonly idleMs: number;
  /** Milliseconds that only grow. */
  readonly now: () => number;
}

const NONE_STUBBED: readonly string[] = [];
const CANCELLED: RunResult = { kind: "skipped", why: "the caller cancelled the event" };
/** How long a worker that does one thing at a time may go on with an event that was cancelled. */
const ABANDONED_MS = 1_000;

/** One worker: no process before there is something to ask, another one after it died. */
export class Worker {
  readonly #options: WorkerOptions;
  readonly #backoff = new Backoff();
  readonly #remarks = new Remarks();
  readonly #waiting: Question[] = [];
  readonly #asked = new Map<number, Question>();
  readonly #ending = new Set<Promise<void>>();
  readonly #alarm: Alarm;
  #process: WorkerProcess | undefined;
  #concurrency = 1;
  #hearsCancel = false;
  /** How many answers the running process has given. */
  #answers = 0;
  /** How many questions somebody waits for. */
  #open = 0;
  #lastId = 0;
  #usedAt = 0;
  #stays: "until-idle" | "until-answered" | "closed" = "until-idle";

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#alarm = new Alarm(options.now, (now) => this.#wake(now));
  }

  /** Whether its process runs, as far as we know. */
  get isRunning(): boolean {
    return this.#process !== undefined;
  }

  /** Asks, at once or when those before it were answered. Never rejects. `signal` is the caller's: the engine closes its workers itself. */
  ask(hook: Hook, text: string, signal: AbortSignal | undefined): Promise<RunnerResult> {
    if (signal?.aborted || this.#stays === "closed") return Promise.resolve(plain(CANCELLED));
    return new Promise((resolve) => {
      const question = new Question({ hook, text, signal, resolve, cancel: this.#abandon });
      if (signal) signal.addEventListener("abort", question);
      this.#open += 1;
      if (this.#open === 1) this.#process?.hold(true);
      this.#waiting.push(question);
      this.#askNext();
      if (question.id > 0 || question.closed) return;
      question.until = this.#options.now() + hook.timeoutMs;
      this.#alarm.by(question.until);
    });
  }

  /** It ends as soon as nobody waits for it. */
  retire(): void {
    if (this.#stays === "until-idle") this.#stays = "until-answered";
    this.#rest();
  }

  /** Its process is ended, and with it what else it was asked; the next question starts another. */
  renew(): void {
    const asked = [...this.#asked.values()];
    this.#endProcess();
    const why = "it was ended while it was asked: a file that its approval covers changed";
    this.#fail(asked, { result: { kind: "failed", fault: "answer", message: why }, why, counts: false });
    this.#askNext();
  }

  /** Ends it now, and resolves when it is gone. */
  async close(): Promise<void> {
    this.#stays = "closed";
    for (const question of [...this.#waiting, ...this.#asked.values()]) if (!question.closed) this.#abandon(question);
    this.#alarm.stop();
    this.#endProcess();
    await Promise.all(this.#ending);
  }

  #askNext(): void {
    while (this.#waiting.length > 0) {
      if (!this.#process && !this.#start()) return;
      if (this.#asked.size >= this.#concurrency) return;
      const question = this.#waiting.shift();
      if (!question) return;
      this.#lastId += 1;
      question.id = this.#lastId;
      question.until = this.#options.now() + question.hook.timeoutMs;
      this.#asked.set(question.id, question);
      this.#alarm.by(question.until);
      this.#process?.write(`{"id":${question.id},${question.text.slice(1)}\n`);
    }
  }

  /** False when nothing can be started now: then nobody waits any longer. */
  #start(): boolean {
    const message = this.#backoff.refusal(this.#options.now());
    const launch = message ?? this.#options.launch();
    if (typeof launch === "string" || "kind" in launch) {
      const result = typeof launch === "string" ? ({ kind: "not-started", message: launch } as const) : launch;
      for (const question of this.#waiting.splice(0)) this.#settle(question, result);
      return false;
    }
    this.#process = new WorkerProcess(launch, {
      limitBytes: this.#options.limitBytes,
      listener: { line: (text) => this.#hear(text), oversized: () => this.#oversized(), ended: (end) => this.#ended(end) },
    });
    this.#process.hold(true);
    return true;
  }

  #hear(text: string): void {
    readWorkerLine(text, this.#read);
  }

  readonly #read = (line: WorkerLine): void => {
    switch (line.kind) {
      case "answer":
        return this.#answered(line.id, { kind: "returned", value: line.value });
      case "error":
        return this.#answered(line.id, { kind: "failed", fault: "exception", message: `it failed: ${line.message}` });
      case "unnamed":
        return this.#readUnnamed(line.value);
      case "noise":
        return this.#remarks.hear(line.text);
      case "hello":
        this.#concurrency = line.concurrency;
        this.#hearsCancel = line.hearsCancel;
        return this.#askNext();
    }
  };

  /** Nobody knows which event it is about. A denial counts all the same, and nothing else does: the rest would be a guess that lets a call pass. */
  #readUnnamed(value: JsonObject): void {
    const [question, ...more] = this.#asked.values();
    const reading = question && more.length === 0 ? this.#options.unnamed(value, question.hook) : "noise";
    if (!question || reading === "noise") return this.#remarks.hear(JSON.stringify(value));
    if (reading === "answer") return this.#answered(question.id, { kind: "failed", fault: "answer", message: 'its answer lacks the "id" of the event' });
    this.#remarks.add('its answer lacks the "id" of the event; a denial counts all the same');
    return this.#answered(question.id, { kind: "returned", value });
  }

  #answered(id: number, result: RunResult): void {
    const question = this.#asked.get(id);
    if (!question) return this.#remarks.add(`an answer with the id ${id}, which no event waits for, was ignored`);
    this.#answers += 1;
    this.#backoff.succeeded();
    this.#process?.answered();
    this.#asked.delete(id);
    this.#settle(question, result);
    this.#askNext();
  }

  /** Closes a question, with what else the worker said since the last one. */
  #settle(question: Question, result: RunResult): void {
    this.#usedAt = this.#options.now();
    const stderr = this.#process?.takeStderr();
    const remarks = this.#remarks.take();
    if (question.closed) return;
    question.closed = true;
    if (question.signal) question.signal.removeEventListener("abort", question);
    question.resolve({
      result: result.kind === "returned" && stderr ? { ...result, stderr: stderr.text } : result,
      stubbed: NONE_STUBBED,
      remarks: stderr?.over ? [...remarks, `stderr was cut after ${this.#options.limitBytes} bytes`] : remarks,
    });
    this.#open -= 1;
    if (this.#open === 0) this.#rest();
  }

  /** Nobody waits: the process may stay for a while, and must not keep ours. */
  #rest(): void {
    if (this.#open > 0) return;
    this.#process?.hold(false);
    if (this.#stays !== "until-idle") this.#endProcess();
    else if (this.#process) this.#alarm.by(this.#usedAt + this.#options.idleMs);
  }

  /** The worker gets a moment to finish, so that a cancelled event does not cost a start. */
  readonly #abandon = (question: Question): void => {
    const place = this.#waiting.indexOf(question);
    if (place >= 0) this.#waiting.splice(place, 1);
    else {
      if (this.#hearsCancel) this.#process?.write(`{"cancel":${question.id}}\n`);
      if (this.#concurrency === 1) question.until = Math.min(question.until, this.#options.now() + ABANDONED_MS);
      this.#alarm.by(question.until);
    }
    this.#settle(question, CANCELLED);
  };

  #ended(end: WorkerEnd): void {
    const stderr = this.#process?.takeStderr()?.text ?? "";
    // A worker may end itself after any answer: an event that crossed with its end is asked anew, of a process that has answered nothing yet.
    const crossed = end.kind === "exited" && end.code === 0 && this.#answers > 0;
    const asked = [...this.#asked.values()].filter(({ closed }) => !closed);
    this.#forget();
    if (crossed) this.#waiting.unshift(...asked);
    else this.#fail(asked, { result: lostAnswer(end, stderr), why: endText(end, stderr), counts: end.kind !== "exited" || !this.#options.denies(end.code) });
    this.#askNext();
  }

  #oversized(): void {
    const { limitBytes } = this.#options;
    const asked = [...this.#asked.values()];
    this.#endProcess();
    this.#fail(asked, { result: { kind: "oversized", limitBytes, code: null, stderr: "" }, why: `more than ${limitBytes} bytes of output`, counts: true });
    this.#askNext();
  }

  /** `counts`: it is a failure, after which a restart may have to wait. A denial by exit code is none: waiting would lose the next one. */
  #fail(asked: readonly Question[], { result, why, counts }: { readonly result: RunResult; readonly why: string; readonly counts: boolean }): void {
    if (counts && asked.length > 0) this.#backoff.failed(why, this.#options.now());
    for (const question of asked) this.#settle(question, result);
  }

  #wake(now: number): void {
    const late = [...this.#asked.values()].filter(({ until }) => until <= now);
    if (late.length > 0) this.#overrun(late);
    for (const question of this.#waiting.filter(({ until }) => until <= now)) {
      this.#waiting.splice(this.#waiting.indexOf(question), 1);
      this.#settle(question, { kind: "failed", fault: "timeout", message: `other events kept it busy for ${question.hook.timeoutMs} ms: it was not asked` });
    }
    if (this.#open === 0 && this.#usedAt + this.#options.idleMs <= now) this.#endProcess();
    this.#askNext();
    for (const { until } of [...this.#asked.values(), ...this.#waiting]) this.#alarm.by(until);
    this.#rest();
  }

  /** Whoever overruns takes the process along, and with it what else it was asked. */
  #overrun(late: readonly Question[]): void {
    const others = [...this.#asked.values()].filter((question) => !late.includes(question));
    const awaited = late.filter(({ closed }) => !closed);
    this.#endProcess();
    for (const question of awaited) {
      this.#fail([question], {
        result: { kind: "timed-out", afterMs: question.hook.timeoutMs },
        why: `no answer within ${question.hook.timeoutMs} ms`,
        counts: question === awaited[0],
      });
    }
    const why = "it was ended while it was asked: another event overran its time";
    this.#fail(others, { result: { kind: "failed", fault: "answer", message: why }, why, counts: false });
  }

  #endProcess(): void {
    const ended = this.#process?.end();
    this.#forget();
    if (!ended) return;
    const ending = ended.finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }

  #forget(): void {
    this.#process = undefined;
    this.#asked.clear();
    this.#concurrency = 1;
    this.#hearsCancel = false;
    this.#answers = 0;
  }
}
