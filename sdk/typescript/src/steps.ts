import { TaskFailed, isLost, isWord } from "./errors.js";
import type { ClaimedTask, NewTaskStep, TaskStep, TaskSteps, TaskStepsRequest } from "./generated.js";

const INVALID = "invalid_result";
const MISMATCH = "step_mismatch";
const NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;
const COUNT_MAX = 1000;

/** @param key the step's own, equal for every attempt */
export type StepCall<T> = (key: string) => T | Promise<T>;

/** A step that gives the task back. */
type Wait = { sleep: string } | { ask: Record<string, any> };

/**
 * Calls whose results are recorded before they are returned: whoever repeats the task gets them at
 * once, as JSON. Steps are known by their order and names, so code between them does the same each
 * time; they are made one behind the other.
 */
export class Steps {
  /** @internal Set if other steps are recorded than the handler makes. */
  mismatch: TaskFailed | undefined;
  private readonly failures: NewTaskStep[] = [];
  private known: Promise<Map<number, TaskStep>> | undefined;
  private begun = 0;
  private open = false;

  /** @internal @param held throws if nothing of the task counts any more */
  constructor(
    private readonly claimed: ClaimedTask,
    private readonly post: (body: TaskStepsRequest) => Promise<TaskSteps> = echo,
    private readonly held: (givenBack?: boolean) => void = () => {},
  ) {}

  /** Makes a call, again if it was in flight when its process died, or has failed. */
  run<T>(name: string, call: StepCall<T>): Promise<T> {
    return this.make(name, call, false);
  }

  /** Makes a call once at most: if its process dies meanwhile, it fails with `unknown_outcome`. */
  once<T>(name: string, call: StepCall<T>): Promise<T> {
    return this.make(name, call, true);
  }

  /** Gives the task back: whoever gets it once the time is over goes on behind this. */
  async sleep(name: string, ms: number): Promise<void> {
    await this.make(name, { sleep: `${Math.ceil(ms)}ms` });
  }

  /**
   * Likewise, until somebody has answered: a question is what `interrupt` is in the result of a
   * node. `Worker.test` answers it with its `default_answer`.
   */
  ask<T = any>(name: string, question: Record<string, any>): Promise<T> {
    return this.make<T>(name, { ask: question });
  }

  private async make<T>(name: string, call: StepCall<T> | Wait, once = false): Promise<T> {
    if (!NAME.test(name) || this.open) {
      throw new Error(this.open ? "steps are made one behind the other" : `no name: "${name}"`);
    }
    this.open = true;
    try {
      return await this.next(name, call, once);
    } finally {
      this.open = false;
    }
  }

  private async next<T>(name: string, call: StepCall<T> | Wait, once: boolean): Promise<T> {
    this.held();
    const ordinal = this.begun++;
    const step: NewTaskStep = { ordinal, name, ...(typeof call === "function" ? {} : call) };
    const known = (await this.recorded()).get(ordinal);
    if (known && known.status !== "waiting") {
      return this.ended(known, step);
    }
    if (ordinal >= COUNT_MAX) {
      throw new TaskFailed("too_many_steps", `a task has ${COUNT_MAX} steps at most`);
    }
    for (const it of this.failures.splice(0)) {
      await this.record(it); // It was caught.
    }
    if (typeof call !== "function") {
      return this.ended(await this.record(step), step);
    }
    const begun = once ? await this.record(step) : undefined;
    if (begun && begun.status !== "begun") {
      return this.ended(begun, step);
    }
    this.held();
    let made: NewTaskStep;
    try {
      made = { ordinal, name, result: plain(await call(`${this.claimed.idempotency_key}-${ordinal}`)) };
    } catch (error) {
      const thrown = TaskFailed.of(error);
      const failure = { ordinal, name, error: thrown.error };
      if (once) {
        return this.ended(await this.record(failure), step); // It stays, and says so.
      }
      this.failures.push(failure);
      throw thrown;
    }
    return this.ended(await this.recordResult(made), step);
  }

  /** A result that the service does not take is a failure: its call was made. */
  private async recordResult(made: NewTaskStep): Promise<TaskStep> {
    try {
      return await this.record(made);
    } catch (error) {
      if (!(error instanceof TaskFailed) || this.mismatch) {
        throw error;
      }
      return this.record({ ordinal: made.ordinal, name: made.name, error: error.error });
    }
  }

  /** @internal What is recorded, and the handler has not come to, is of other code. */
  async compare(): Promise<void> {
    const steps = this.begun > 0 ? [...(await this.recorded()).values()] : [];
    const left = steps.find((it) => it.ordinal >= this.begun);
    this.mismatch ??= left && differs(left, "the end");
  }

  private recorded(): Promise<Map<number, TaskStep>> {
    return (this.known ??= this.claimed.repeated ? this.read() : Promise.resolve(new Map()));
  }

  private async read(): Promise<Map<number, TaskStep>> {
    const known = new Map<number, TaskStep>();
    for (let from = 0, more = true; more; ) {
      const page = await this.post({ token: this.claimed.token, from });
      page.items.forEach((it) => known.set(it.ordinal, it));
      from = Math.max(-1, ...known.keys()) + 1;
      more = page.more;
    }
    return known;
  }

  private async record(step: NewTaskStep): Promise<TaskStep> {
    try {
      return (await this.post({ token: this.claimed.token, step })).items[0]!;
    } catch (error) {
      if (!isWord(error) || isLost(error)) {
        throw error;
      }
      const refused = error.code === MISMATCH ? error.code : INVALID;
      throw this.checked(new TaskFailed(refused, error.message));
    }
  }

  private ended(step: TaskStep, asked: NewTaskStep): any {
    const { name, status, result, error } = step;
    if (name !== asked.name || step.kind !== kind(asked)) {
      throw this.checked(differs(step, `${kind(asked)} "${asked.name}"`));
    }
    if (status === "waiting") {
      this.held(true);
    }
    if (status === "succeeded") {
      return result ?? null;
    }
    const failure = error ?? {
      code: "unknown_outcome",
      message: `nobody knows what became of step "${name}"`,
    };
    throw Object.assign(new TaskFailed(failure.code, failure.message), { error: failure });
  }

  private checked(failure: TaskFailed): TaskFailed {
    this.mismatch ??= failure.error.code === MISMATCH ? failure : undefined;
    return failure;
  }
}

function plain(result: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(result ?? null));
  } catch (error) {
    throw new TaskFailed(INVALID, `the result of a step is no JSON: ${error}`);
  }
}

/** Without a service. */
async function echo({ step }: TaskStepsRequest): Promise<TaskSteps> {
  const begins = step && kind(step) === "call" && !("result" in step);
  const status = step?.error ? "failed" : begins ? "begun" : "succeeded";
  const made = step && { result: step.ask?.default_answer, ...step, kind: kind(step), status };
  return { items: made ? [made as TaskStep] : [], more: false };
}

function kind(step: NewTaskStep): TaskStep["kind"] {
  return step.sleep ? "sleep" : step.ask ? "ask" : "call";
}

function differs({ ordinal, name, kind }: TaskStep, asked: string): TaskFailed {
  const recorded = `step ${ordinal + 1} is recorded as ${kind} "${name}"`;
  return new TaskFailed(MISMATCH, `${recorded}, the code has ${asked}`);
}
