import type { FieldError, Problem, Run } from "./generated.js";

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
