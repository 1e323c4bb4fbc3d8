import { Superstep } from "./client.js";
import { ApiError, SuperstepError, TaskFailed, isLost, isWord } from "./errors.js";
import type { ClaimedTask, TaskOutcome, TaskSteps, TaskStepsRequest } from "./generated.js";
import { Steps } from "./steps.js";

const TYPE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
const PROGRESS_MAX = 16_384;
const CLAIM_MAX = 20;
const TYPES_MAX = 20;
const INVALID = "invalid_result";
/** Of one claim, which a stop waits for: what an answer hands out must not be lost. */
const WAIT_MS = 5000;
/** What a stop has for giving tasks back, and then gives to their handlers. */
const CLEAN_UP_MS = 2000;

/** What a handler may know of its task, besides the input. */
export class WorkerTask {
  /** Equal for every attempt: what an effect is to be made once under. */
  readonly idempotencyKey: string;
  /** Of the node, from 1. */
  readonly attempt: number;
  /**
   * Aborted when nothing of this task counts any more: the run was cancelled, the lease is lost,
   * a step has given it back, or the worker stops.
   */
  readonly signal: AbortSignal;
  /** @internal */
  readonly controller = new AbortController();
  /** @internal */
  news: unknown;
  /** @internal When its lease ends, unless it is prolonged. */
  over = Number.POSITIVE_INFINITY;
  /** @internal Only the outcome is left. */
  made = false;
  /** What is done once, whoever repeats the task. */
  readonly steps: Steps;

  /** @param claimed everything that the service says of the task */
  constructor(
    readonly claimed: ClaimedTask,
    post?: (body: TaskStepsRequest) => Promise<TaskSteps>,
  ) {
    this.steps = new Steps(claimed, post, (givenBack) => this.hold(givenBack));
    this.idempotencyKey = claimed.idempotency_key;
    this.attempt = claimed.attempt;
    this.signal = this.controller.signal;
  }

  private hold(givenBack = false): void {
    if (givenBack || performance.now() >= this.over) {
      this.controller.abort();
    }
    this.signal.throwIfAborted();
  }

  /** Goes along with heartbeats, up to 16 KB; the last one is kept. */
  progress(value: unknown): void {
    const text = JSON.stringify(value) ?? "null";
    if (text.length > PROGRESS_MAX) {
      throw new RangeError(`progress has more than ${PROGRESS_MAX} bytes`);
    }
    this.news = JSON.parse(text);
  }
}

/** Executes a task. What it returns is the result; what it throws, the failure. */
export type Handler<I, O> = (input: I, task: WorkerTask) => O | Promise<O>;

export interface WorkerOptions {
  /** Tasks at a time; 10 unless set. */
  concurrency?: number;
  /** Up to 128 characters. */
  name?: string;
  /** For how long a stop lets tasks go on; 20,000 unless set. */
  graceMs?: number;
  /** Who hears of what went wrong on the way; `console.warn` unless set. */
  log?: (message: string, error?: unknown) => void;
}

/** Executes the tasks of `worker` nodes, once. It claims no more than it has places for. */
export class Worker {
  private readonly handlers = new Map<string, Handler<any, unknown>>();
  private readonly inHand = new Map<WorkerTask, Promise<void>>();
  private readonly stopping = new AbortController();
  private readonly concurrency: number;
  private readonly log: (message: string, error?: unknown) => void;
  private client: Superstep | undefined;
  /** What the service has against this worker's claims, if it has ended by that. */
  failure: unknown;
  private claims: Promise<void> = Promise.resolve();
  private stopped = false;
  private freed = () => {};

  constructor(private readonly options: WorkerOptions = {}) {
    this.concurrency = options.concurrency ?? 10;
    if (!Number.isInteger(this.concurrency) || this.concurrency < 1) {
      throw new RangeError("concurrency must be at least 1, and whole");
    }
    this.log = (message, error) => {
      try {
        (options.log ?? console.warn)(message, error instanceof Error ? String(error) : error);
      } catch {
        // That nobody can be told must not end the worker.
      }
    };
  }

  /** Makes a function the handler of a type of tasks. */
  handle<I = any, O = unknown>(type: string, handler: Handler<I, O>): this {
    if (!TYPE.test(type)) {
      throw new RangeError(`"${type}" cannot name a type of tasks`);
    }
    if (this.handlers.size >= TYPES_MAX || this.handlers.has(type)) {
      throw new RangeError(`${type} has a handler, or ${TYPES_MAX} other types have`);
    }
    this.handlers.set(type, handler);
    return this;
  }

  /** What the handler makes of an input, without a service; `claimed` are members of the task. */
  async test(type: string, input: unknown, claimed: Partial<ClaimedTask> = {}): Promise<TaskOutcome> {
    const task = { id: "test", token: "test", idempotency_key: "test", attempt: 1 };
    const given = JSON.parse(JSON.stringify(input));
    const all = { ...task, type, input: given, ...claimed } as ClaimedTask;
    return { token: all.token, ...(await this.outcome(new WorkerTask(all))) };
  }

  /**
   * Works until the process gets SIGTERM or SIGINT, or somebody calls `stop`. Throws what the
   * service has against its claims.
   */
  async run(client?: Superstep): Promise<void> {
    const { process } = globalThis as { process?: any };
    const stop = new Promise<void>((done) => {
      process?.once("SIGTERM", done).once("SIGINT", done);
      this.stopping.signal.addEventListener("abort", () => done());
    });
    this.start(client);
    await stop;
    await this.stop();
    if (this.failure !== undefined) {
      throw this.failure;
    }
  }

  /** Works, once, until `stop`. */
  start(client: Superstep = new Superstep()): this {
    if (this.client || this.stopping.signal.aborted || this.handlers.size === 0) {
      throw new Error("a worker is started once, and has handlers");
    }
    this.client = client;
    this.claims = this.claim(client);
    return this;
  }

  /**
   * Claims nothing more, and waits for what is in hand. What is not done within the grace is
   * cancelled and given back.
   */
  async stop(graceMs = this.options.graceMs ?? 20_000): Promise<void> {
    this.stopping.abort();
    await this.settled(graceMs);
    this.stopped = true;
    const left = [...this.inHand.keys()].filter((it) => !it.made);
    await Promise.all(left.map((it) => this.giveBack(it)));
    await this.settled(CLEAN_UP_MS);
  }

  private async settled(ms: number): Promise<void> {
    const all = this.claims.then(() => Promise.all(this.inHand.values()));
    const over = new AbortController();
    await Promise.race([all, sleep(ms, over.signal)]);
    over.abort();
  }

  private async claim(client: Superstep): Promise<void> {
    const type = [...this.handlers.keys()];
    const { signal } = this.stopping;
    let failures = 0;
    while (!signal.aborted) {
      const max = Math.min(this.concurrency - this.inHand.size, CLAIM_MAX);
      if (max <= 0) {
        await new Promise<void>((done) => (this.freed = done));
        continue;
      }
      try {
        const options = { type, max, wait: `${WAIT_MS}ms`, worker: this.options.name };
        const { items } = await client.tasks.claim(options);
        failures = 0;
        items.map((it) => this.task(it)).forEach((it) => this.inHand.set(it, this.execute(it)));
      } catch (error) {
        if (isWord(error)) {
          this.log("The worker ends, since its claims are refused", error);
          this.failure = error;
          this.stopping.abort();
        } else {
          this.log("No tasks can be claimed, which is tried again", error);
          await sleep(pause(failures++, error), signal);
        }
      }
    }
  }

  private task(claimed: ClaimedTask): WorkerTask {
    const task: WorkerTask = new WorkerTask(claimed, (body) =>
      this.deliver(task, "A step", () =>
        this.client!.tasks.step(claimed.id, body, { signal: task.signal }),
      ),
    );
    return task;
  }

  private async execute(task: WorkerTask): Promise<void> {
    await Promise.resolve(); // Until it is known as being in hand.
    const done = new AbortController();
    try {
      if (this.stopped) {
        return await this.giveBack(task); // A claim was open for longer than the stop has waited.
      }
      void this.beat(task, done.signal);
      const outcome = await this.outcome(task);
      task.made = true;
      await this.end(task, outcome);
    } finally {
      done.abort();
      this.inHand.delete(task);
      this.freed();
    }
  }

  private async outcome(task: WorkerTask): Promise<Omit<TaskOutcome, "token">> {
    let outcome: Omit<TaskOutcome, "token">;
    try {
      const handler = this.handlers.get(task.claimed.type)!;
      outcome = { result: (await handler(task.claimed.input, task)) ?? {} };
      await task.steps.compare();
    } catch (error) {
      if (!(error instanceof TaskFailed || task.signal.aborted)) {
        this.log(`Task ${task.claimed.id} has failed`, (error as Error)?.stack ?? error);
      }
      outcome = { error: TaskFailed.of(error).error };
    }
    if (task.steps.mismatch) {
      return { error: task.steps.mismatch.error };
    }
    try {
      const plain = JSON.parse(JSON.stringify(outcome));
      return Object.keys(plain).length > 0 ? plain : invalid("the result is no JSON");
    } catch (error) {
      return invalid(`the result is no JSON: ${error}`);
    }
  }

  private async end(task: WorkerTask, outcome: Omit<TaskOutcome, "token">): Promise<void> {
    const { id, token } = task.claimed;
    const call = () => this.client!.tasks.end(id, { token, ...outcome }, { signal: task.signal });
    try {
      await this.deliver(task, "The outcome", call);
    } catch (error) {
      if (isWord(error) && [400, 413, 422].includes(error.status) && outcome.error?.code !== INVALID) {
        await this.end(task, invalid(error.message));
      }
    }
  }

  /** Calls until the service has taken or refused it, or nothing of the task counts any more. */
  private async deliver<T>(task: WorkerTask, what: string, call: () => Promise<T>): Promise<T> {
    for (let failures = 0; ; failures++) {
      task.signal.throwIfAborted();
      try {
        return await call();
      } catch (error) {
        this.log(`${what} of task ${task.claimed.id} is not taken`, error);
        if (isLost(error)) {
          this.lose(task, error.message);
        }
        task.signal.throwIfAborted();
        if (isWord(error) || !(error instanceof SuperstepError)) {
          throw error;
        }
        await sleep(pause(failures, error), task.signal);
      }
    }
  }

  private lose(task: WorkerTask, why: string): void {
    if (!task.made && !task.signal.aborted) {
      this.log(`Task ${task.claimed.id} is cancelled: ${why}`);
      task.controller.abort();
    }
  }

  private async beat(task: WorkerTask, done: AbortSignal): Promise<void> {
    const { id, token, heartbeat_ms: lease } = task.claimed;
    let wait = lease / 3;
    task.over = performance.now() + lease;
    let why = "the lease is over";
    while (!done.aborted && !task.signal.aborted) {
      await sleep(Math.min(wait, task.over - performance.now()), done);
      const begin = performance.now();
      if (done.aborted || begin >= task.over) {
        break;
      }
      wait = lease / 12;
      try {
        const body = { token, progress: task.news };
        const signal = AbortSignal.timeout(Math.ceil(Math.min(lease / 3, task.over - begin)));
        if (!(await this.client!.tasks.heartbeat(id, body, { signal })).wanted) {
          why = "no run wants it";
          break;
        }
        wait = lease / 3;
        task.over = begin + lease;
      } catch (error) {
        if (isLost(error)) {
          why = error.message;
          break;
        }
        this.log(`No heartbeat of task ${id}`, error);
      }
    }
    if (!done.aborted) {
      this.lose(task, why);
    }
  }

  /** Once more behind a failure, as long as a stop has time for it. */
  private async giveBack(task: WorkerTask): Promise<void> {
    task.controller.abort();
    const { id, token } = task.claimed;
    const signal = AbortSignal.timeout(CLEAN_UP_MS);
    while (!signal.aborted) {
      try {
        return await this.client!.tasks.release(id, { token }, { signal });
      } catch (error) {
        if (isWord(error) || signal.aborted) {
          return this.log(`Task ${id} is not given back`, error);
        }
        await sleep(100, signal);
      }
    }
  }
}

function invalid(message: string): Omit<TaskOutcome, "token"> {
  return { error: new TaskFailed(INVALID, message).error };
}

/** Grows up to ten seconds; a share is left to chance, so that workers do not come all at once. */
function pause(failures: number, error: unknown): number {
  const grown = Math.min(500 * 2 ** failures, 10_000) * (0.5 + Math.random() / 2);
  const asked = (error instanceof ApiError ? error.retryAfter : undefined) ?? 0;
  return Math.min(asked * 1000, 60_000) + grown;
}

/** Ends early with the signal. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const end = () => {
      clearTimeout(timeout);
      signal.removeEventListener("abort", end);
      done();
    };
    const timeout = setTimeout(end, Math.max(0, ms));
    signal.aborted ? end() : signal.addEventListener("abort", end);
  });
}
