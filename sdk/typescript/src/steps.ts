import { TaskFailed, isLost, isWord } from "./errors.js";
import type { ClaimedTask, NewTaskStep, TaskStep, TaskSteps, TaskStepsRequest } from "./generated.js";

const INVALID = "invalid_result";
const MISMATCH = "step_mismatch";
const NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;
const COUNT_MAX = 1000;

/** @param key the step's own, equal for every attempt */
export type StepCall<T> = (key: string) => T | Promise<T>;

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
    private readonly held: () => void = () => {},
  ) {}

  /** Makes a call, again if it was in flight when its process died, or has failed. */
  run<T>(name: string, call: StepCall<T>): Promise<T> {
    return this.make(name, call, false);
  }

  /** Makes a call once at most: if its process dies meanwhile, it fails with `unknown_outcome`. */
  once<T>(name: string, call: StepCall<T>): Promise<T> {
    return this.make(name, call, true);
  }

  private async make<T>(name: string, call: StepCall<T>, once: boolean): Promise<T> {
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

  private async next<T>(name: string, call: StepCall<T>, once: boolean): Promise<T> {
    this.held();
    const ordinal = this.begun++;
    const known = (await this.recorded()).get(ordinal);
    if (known) {
      return this.ended(known, name);
    }
    if (ordinal >= COUNT_MAX) {
      throw new TaskFailed("too_many_steps", `a task has ${COUNT_MAX} steps at most`);
    }
    for (const it of this.failures.splice(0)) {
      await this.record(it); // It was caught.
    }
    const begun = once ? await this.record({ ordinal, name }) : undefined;
    if (begun && begun.status !== "begun") {
      return this.ended(begun, name);
    }
    this.held();
    let made: NewTaskStep;
    try {
      made = { ordinal, name, result: plain(await call(`${this.claimed.idempotency_key}-${ordinal}`)) };
    } catch (error) {
      const thrown = TaskFailed.of(error);
      const failure = { ordinal, name, error: thrown.error };
      once ? await this.record(failure) : this.failures.push(failure);
      throw thrown;
    }
    return this.ended(await this.recordResult(made), name);
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

  private ended({ ordinal, name, status, result, error }: TaskStep, asked: string): any {
    if (name !== asked) {
      throw this.checked(differs({ ordinal, name }, `step "${asked}"`));
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
  const status = step?.error ? "failed" : step && "result" in step ? "succeeded" : "begun";
  return { items: step ? [{ ...step, status }] : [], more: false };
}

function differs({ ordinal, name }: { ordinal: number; name: string }, asked: string): TaskFailed {
  return new TaskFailed(MISMATCH, `step ${ordinal + 1} is recorded as "${name}", the code has ${asked}`);
}
