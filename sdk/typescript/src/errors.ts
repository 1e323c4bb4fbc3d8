import type { FieldError, JsonObject, Problem, Run, TaskFailure } from "./generated.js";

const CODE = /^[a-z0-9_]{1,64}$/;
const DAY_MS = 86_400_000;
const MESSAGE_MAX = 2000;

/** What every error of this client is. */
export class SuperstepError extends Error {
  override readonly name: string = "SuperstepError";
}

/** The service could not be reached, or did not answer in time, however often it was asked. */
export class ServiceUnreachableError extends SuperstepError {
  override readonly name: string = "ServiceUnreachableError";
}

/** The time given to a wait is over. The run goes on; `run` is how it was last seen. */
export class RunTimeoutError extends SuperstepError {
  override readonly name: string = "RunTimeoutError";

  constructor(readonly run: Run) {
    super(`run ${run.id} is ${run.status}, and the time to wait for it is over`);
  }
}

/** The service refused a request. */
export class ApiError extends SuperstepError {
  override readonly name: string = "ApiError";
  readonly status: number;
  /** Does not change from release to release: `run_not_found`. */
  readonly code: string;
  readonly detail: string;
  /** What is wrong with the content, all at once, each with a JSON pointer. */
  readonly violations: readonly FieldError[];
  /** Seconds after which the service wants to be asked again. */
  readonly retryAfter: number | undefined;
  /** The whole answer; of a proxy it has no more than a status. */
  readonly problem: Partial<Problem>;

  constructor(status: number, problem: Partial<Problem>, retryAfter?: number) {
    const code = problem.code ?? `http_${status}`;
    const violations = problem.errors ?? [];
    const places = violations.map((it) => `\n  ${it.pointer}: ${it.message}`).join("");
    super(`${status} ${code}: ${problem.detail ?? ""}${places}`);
    this.status = status;
    this.code = code;
    this.detail = problem.detail ?? "";
    this.violations = violations;
    this.retryAfter = retryAfter;
    this.problem = problem;
  }
}

/** 400, 405, 406, 413, 415, 422: the request is wrong; `violations` say where. */
export class InvalidRequestError extends ApiError {
  override readonly name = "InvalidRequestError";
}

/** 401, 403: the key is missing, wrong, or may not do this. */
export class AccessDeniedError extends ApiError {
  override readonly name = "AccessDeniedError";
}

/** 404 */
export class NotFoundError extends ApiError {
  override readonly name = "NotFoundError";
}

/** 409: the state of the resource forbids it, as `thread_busy`. */
export class ConflictError extends ApiError {
  override readonly name = "ConflictError";
}

/** 408, 429, 502, 503, 504: too slow, too much at a time, or away, however often it was asked. */
export class OverloadedError extends ApiError {
  override readonly name = "OverloadedError";
}

/** Makes the error for an answer. */
export function apiError(status: number, problem: Partial<Problem>, retryAfter?: number): ApiError {
  const Type =
    status === 404
      ? NotFoundError
      : status === 409
        ? ConflictError
        : status === 401 || status === 403
          ? AccessDeniedError
          : [408, 429, 502, 503, 504].includes(status)
            ? OverloadedError
            : status < 500
              ? InvalidRequestError
              : ApiError;
  return new Type(status, problem, retryAfter);
}

/**
 * What a handler throws to say why. The retry policy of the node decides about `retryable`
 * failures, its edges may name the `code`; `retryAfterMs` is the least pause.
 */
export class TaskFailed extends Error {
  override readonly name = "TaskFailed";
  readonly error: TaskFailure;

  /** @internal */
  static of(error: unknown): TaskFailed {
    const failed = () => new TaskFailed("node_failed", String(error), { retryable: true });
    return error instanceof TaskFailed ? error : failed();
  }

  constructor(
    code: string,
    message = code,
    more: { retryable?: boolean; retryAfterMs?: number; details?: JsonObject } = {},
  ) {
    super(message);
    const pause = more.retryAfterMs ?? 0;
    if (!CODE.test(code) || !(pause >= 0 && pause <= DAY_MS)) {
      throw new RangeError(`"${code}" is no ${CODE.source}, or ${pause} ms are beyond a day`);
    }
    this.error = {
      code,
      message: message.slice(0, MESSAGE_MAX),
      retryable: more.retryable ?? false,
      retry_after: more.retryAfterMs === undefined ? undefined : `${Math.round(more.retryAfterMs)}ms`,
      details: more.details,
    };
  }
}

/** @internal Whether the service itself says so, and will say so again: not a proxy, and not a failure. */
export function isWord(error: unknown): error is ApiError {
  const final = error instanceof ApiError && error.status < 500 && ![408, 429].includes(error.status);
  return final && error.code !== `http_${error.status}`;
}

/** @internal Whether the task is another worker's, or nobody's. */
export function isLost(error: unknown): error is ApiError & { status: 404 | 409 } {
  return isWord(error) && [404, 409].includes(error.status) && error.code !== "step_mismatch";
}
