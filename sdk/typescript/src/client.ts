import { RunTimeoutError } from "./errors.js";
import {
  CatalogOperations,
  GraphsOperations,
  type Interrupt,
  InterruptsOperations,
  KeysOperations,
  type Run,
  type RunEvent,
  RunsOperations,
  type StartRun,
  TasksOperations,
  ThreadsOperations,
} from "./generated.js";
import { type StreamOptions, events, follow } from "./stream.js";
import { type CallOptions, type Settings, Transport } from "./transport.js";

/** How long to wait for a run, and who answers its questions. */
export interface WaitOptions extends CallOptions {
  /** {@link RunTimeoutError} after so long; without end unless set. */
  timeoutMs?: number;
  /**
   * The answer to a question of the run; `undefined` leaves it open. Without this, or with no
   * question answered, the wait ends with the run as `interrupted`.
   */
  answer?: (interrupt: Interrupt, run: Run) => unknown;
}

/** What a stream takes that starts its run. */
export interface StartStreamOptions extends Omit<StreamOptions, "lastEventId"> {
  /** `cancel` ends the run when the connection breaks, so that the stream has nothing to come back to. */
  on_disconnect?: "continue" | "cancel";
}

/** Below what proxies commonly cut off, and below what the service allows. */
const SLICE_MS = 30_000;
const AT_REST = ["succeeded", "failed", "cancelled", "interrupted"];

/** Whether nothing happens in a run until somebody does something. */
export function isAtRest(run: Pick<Run, "status">): boolean {
  return AT_REST.includes(run.status);
}

/** Runs: start, wait, follow, answer. */
export class Runs extends RunsOperations {
  /** Starts a run and waits until it is at rest, however long that takes. */
  async run(body: StartRun, options: WaitOptions = {}): Promise<Run> {
    const clock = new Clock(options.timeoutMs);
    const { signal, idempotencyKey } = options;
    const run = await this.start(body, { signal, idempotencyKey, wait: clock.slice() });
    return this.settle(run, clock, options);
  }

  /** Waits until a run is at rest. */
  async wait(runId: string, options: WaitOptions = {}): Promise<Run> {
    const clock = new Clock(options.timeoutMs);
    const run = await this.get(runId, { signal: options.signal, wait: clock.slice() });
    return this.settle(run, clock, options);
  }

  /** Answers the only open question of a run, and waits until it is at rest again. */
  async answer(runId: string, value: unknown, options: WaitOptions = {}): Promise<Run> {
    const clock = new Clock(options.timeoutMs);
    const { signal, idempotencyKey } = options;
    const body = { answers: [{ value }] };
    const run = await this.resume(runId, body, { signal, idempotencyKey, wait: clock.slice() });
    return this.settle(run, clock, options);
  }

  /** The events of a run, from its first one or behind `lastEventId`, until it is at rest. */
  stream(runId: string, options: StreamOptions = {}): AsyncGenerator<RunEvent, void, undefined> {
    return events(this.transport, follow(runId, options), runId, options);
  }

  /** Starts a run, and misses nothing of it. */
  startStream(
    body: StartRun,
    options: StartStreamOptions = {},
  ): AsyncGenerator<RunEvent, void, undefined> {
    const { query } = follow("-", options);
    return events(
      this.transport,
      {
        method: "POST",
        path: "/v1/runs/stream",
        query: { ...query, on_disconnect: options.on_disconnect },
        body,
        repeat: "keyed",
        answer: "none",
        options,
      },
      undefined,
      options,
    );
  }

  private async settle(seen: Run, clock: Clock, options: WaitOptions): Promise<Run> {
    const { signal } = options;
    let run = seen;
    for (;;) {
      while (!isAtRest(run)) {
        if (clock.isOver()) {
          throw new RunTimeoutError(run);
        }
        run = await this.get(run.id, { signal, wait: clock.slice() });
      }
      const answers = await answersTo(run, options);
      if (answers.length === 0) {
        return run;
      }
      run = await this.resume(run.id, { answers }, { signal, wait: clock.slice() });
    }
  }
}

async function answersTo(run: Run, options: WaitOptions) {
  const answers: { interrupt_id: string; value: unknown }[] = [];
  if (options.answer !== undefined && run.status === "interrupted") {
    for (const interrupt of run.interrupts) {
      const value = await options.answer(interrupt, run);
      if (value !== undefined) {
        answers.push({ interrupt_id: interrupt.id, value });
      }
    }
  }
  return answers;
}

/** A client of one service. It holds no connection, and may be shared. */
export class Superstep {
  readonly graphs: GraphsOperations;
  readonly runs: Runs;
  readonly interrupts: InterruptsOperations;
  readonly tasks: TasksOperations;
  readonly threads: ThreadsOperations;
  readonly keys: KeysOperations;
  readonly catalog: CatalogOperations;

  constructor(settings: Settings = {}) {
    const transport = new Transport(settings);
    this.graphs = new GraphsOperations(transport);
    this.runs = new Runs(transport);
    this.interrupts = new InterruptsOperations(transport);
    this.tasks = new TasksOperations(transport);
    this.threads = new ThreadsOperations(transport);
    this.keys = new KeysOperations(transport);
    this.catalog = new CatalogOperations(transport);
  }
}

/** Everything that a list has: `paginate((cursor) => client.runs.search({ cursor }))`. */
export async function* paginate<T>(
  page: (cursor: string | undefined) => Promise<{ items: T[]; next_cursor?: string }>,
): AsyncGenerator<T, void, undefined> {
  let cursor: string | undefined;
  do {
    const { items, next_cursor } = await page(cursor);
    yield* items;
    cursor = next_cursor;
  } while (cursor !== undefined);
}

/** How much of the time to wait is left. */
class Clock {
  private readonly end: number;

  constructor(timeoutMs: number = Infinity) {
    this.end = Date.now() + timeoutMs;
  }

  slice(): string {
    return `${Math.ceil(Math.max(0, Math.min(SLICE_MS, this.end - Date.now())))}ms`;
  }

  isOver(): boolean {
    return Date.now() >= this.end;
  }
}
