/** The session's list of tasks, in its memory. */

/** What may become of a task. */
export const TASK_STATES = ["pending", "in_progress", "completed", "deleted"] as const;

/** One task of the list. */
export interface Task {
  readonly id: string;
  readonly subject: string;
  readonly description: string;
  readonly status: (typeof TASK_STATES)[number];
}

/** Tasks that a list holds at most. */
export const TASKS_LIMIT = 500;

const KEY = "tasks";

/** A list of tasks, in the order of their making. */
export class Tasks {
  readonly #tasks = new Map<string, Task>();
  #last = 0;

  add(task: Omit<Task, "id" | "status">): Task {
    const made: Task = { id: String(++this.#last), status: "pending", subject: task.subject, description: task.description };
    this.#tasks.set(made.id, made);
    return made;
  }

  find(id: string): Task | undefined {
    return this.#tasks.get(id);
  }

  /** Puts a changed task in its place; a deleted one leaves the list. */
  put(task: Task): void {
    if (task.status === "deleted") this.#tasks.delete(task.id);
    else this.#tasks.set(task.id, task);
  }

  get all(): readonly Task[] {
    return [...this.#tasks.values()];
  }
}

/** The task list of a session. */
export function tasksOf(memory: Map<string, unknown>): Tasks {
  const known = memory.get(KEY);
  if (known instanceof Tasks) return known;
  const tasks = new Tasks();
  memory.set(KEY, tasks);
  return tasks;
}
