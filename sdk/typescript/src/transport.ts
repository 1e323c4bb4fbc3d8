import { ApiError, ServiceUnreachableError, apiError } from "./errors.js";

/** What any call takes. */
export interface CallOptions {
  /** Ends the call, its repetitions and pauses. */
  signal?: AbortSignal;
  /** One is made for each changing call otherwise, and kept over its repetitions. */
  idempotencyKey?: string;
}

/** A graph: YAML as text, JSON as an object, a bundle as the bytes of a zip. */
export type Definition = string | Uint8Array | { [key: string]: any };

/** Where the service is, and how patient the client is. */
export interface Settings {
  /** `SUPERSTEP_URL` of the environment, or `http://127.0.0.1:8080`, unless set. */
  baseUrl?: string;
  /** `SUPERSTEP_API_KEY` of the environment unless set; sent as bearer token. */
  apiKey?: string;
  headers?: Record<string, string>;
  /** How often a request is repeated that found the service away or busy; 4 unless set. */
  retries?: number;
  /** The first pause in milliseconds; it doubles up to 10 s. 500 unless set. */
  retryPauseMs?: number;
  /** A `Retry-After` beyond this is an error at once; 60,000 unless set. */
  retryAfterMaxMs?: number;
  /** How long one request may take; 90,000 unless set, which is more than the longest wait. */
  timeoutMs?: number;
  /** After so long a silence a stream is taken for broken; 45,000 unless set. */
  idleMs?: number;
  /** Another `fetch`, for tests and proxies. */
  fetch?: typeof fetch;
}

/** One operation of the API. */
export interface Call {
  method: string;
  path: string;
  query?: Record<string, unknown>;
  body?: unknown;
  definition?: Definition;
  repeat: "safe" | "keyed" | "never";
  answer: "json" | "text" | "none";
  options: CallOptions;
}

const PAUSE_MAX_MS = 10_000;
const BUSY = [408, 429, 502, 503, 504];

/** A value as part of a path. `.` and `..` would be taken for folders. */
export function part(value: string | number): string {
  const text = String(value);
  if (text === "" || text === "." || text === "..") {
    throw new TypeError(`"${text}" cannot be part of a path`);
  }
  return encodeURIComponent(text);
}

/** Sends requests, and repeats what can be repeated. */
export class Transport {
  readonly retries: number;
  readonly idleMs: number;
  private readonly baseUrl: string;
  private readonly headers: Record<string, string>;
  private readonly retryPauseMs: number;
  private readonly retryAfterMaxMs: number;
  private readonly timeoutMs: number;
  private readonly fetch: typeof fetch;

  constructor(settings: Settings) {
    const url = settings.baseUrl ?? environment("SUPERSTEP_URL") ?? "http://127.0.0.1:8080";
    this.baseUrl = url.replace(/\/+$/, "");
    const key = settings.apiKey ?? environment("SUPERSTEP_API_KEY");
    this.headers = { ...(key ? { Authorization: `Bearer ${key}` } : {}), ...settings.headers };
    this.retries = settings.retries ?? 4;
    this.retryPauseMs = settings.retryPauseMs ?? 500;
    this.retryAfterMaxMs = settings.retryAfterMaxMs ?? 60_000;
    this.timeoutMs = settings.timeoutMs ?? 90_000;
    this.idleMs = settings.idleMs ?? 45_000;
    this.fetch = settings.fetch ?? ((input, init) => globalThis.fetch(input, init));
  }

  async call<T>(call: Call): Promise<T> {
    const key = call.options.idempotencyKey ?? newKey();
    for (let attempt = 0; ; attempt++) {
      try {
        return (await this.once(call, key)) as T;
      } catch (error) {
        if (call.method === "DELETE" && attempt > 0 && (error as ApiError).status === 404) {
          return undefined as T; // An earlier attempt was not answered, but had its effect.
        }
        if (call.repeat === "never" || attempt >= this.retries || !this.repeatable(error)) {
          throw error;
        }
        await this.pause(attempt, error, call.options.signal);
      }
    }
  }

  private async once(call: Call, key: string): Promise<unknown> {
    const limit = new Limit(this.timeoutMs, call.options.signal);
    try {
      const response = await this.send(call, key, { Accept: accept(call) }, limit);
      return await limit.guard(
        call.answer === "none"
          ? response.arrayBuffer().then(() => undefined)
          : call.answer === "text"
            ? response.text()
            : response.json(),
      );
    } finally {
      limit.end();
    }
  }

  /** One request; an answer that is no success is thrown. */
  async send(
    call: Call,
    key: string,
    headers: Record<string, string>,
    limit: Limit,
  ): Promise<Response> {
    const all: Record<string, string> = { ...this.headers, ...headers };
    if (call.repeat === "keyed") {
      all["Idempotency-Key"] = key;
    }
    const init: RequestInit = { method: call.method, headers: all, signal: limit.signal };
    if (call.definition !== undefined) {
      [all["Content-Type"], init.body] = content(call.definition);
    } else if (call.body !== undefined) {
      [all["Content-Type"], init.body] = ["application/json", JSON.stringify(call.body)];
    }
    const url = this.baseUrl + call.path + search(call.query);
    const response = await limit.guard(this.fetch(url, init));
    if (response.ok) {
      return response;
    }
    const text = await limit.guard(response.text());
    throw apiError(response.status, problem(text), retryAfter(response.headers.get("Retry-After")));
  }

  /** Whether asking again may help. */
  repeatable(error: unknown): boolean {
    if (error instanceof ApiError) {
      const patient = (error.retryAfter ?? 0) * 1000 <= this.retryAfterMaxMs;
      return patient && (BUSY.includes(error.status) || error.code === "idempotency_in_progress");
    }
    return error instanceof ServiceUnreachableError;
  }

  async pause(attempt: number, error: unknown, signal?: AbortSignal): Promise<void> {
    const grown = Math.min(this.retryPauseMs * 2 ** attempt, PAUSE_MAX_MS);
    const asked = error instanceof ApiError ? error.retryAfter : undefined;
    // A share is left to chance, so that clients do not come back all at once.
    const pause = asked === undefined ? grown * (0.5 + Math.random() / 2) : asked * 1000;
    await new Promise<void>((done, failed) => {
      const stop = () => {
        clearTimeout(timer);
        failed(signal!.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", stop);
        done();
      }, pause);
      signal?.aborted ? stop() : signal?.addEventListener("abort", stop, { once: true });
    });
  }
}

/** Ends a request when its time is over, or its caller wants no more of it. */
export class Limit {
  private readonly controller = new AbortController();
  private readonly stop = () => this.controller.abort(this.caller!.reason);
  private timer: ReturnType<typeof setTimeout> | undefined;
  readonly signal = this.controller.signal;

  constructor(
    private readonly ms: number,
    private readonly caller?: AbortSignal,
  ) {
    caller?.aborted ? this.stop() : caller?.addEventListener("abort", this.stop, { once: true });
    this.renew();
  }

  /** The time begins anew. */
  renew(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.controller.abort(new ServiceUnreachableError(`no answer within ${this.ms} ms`));
    }, this.ms);
  }

  end(): void {
    clearTimeout(this.timer);
    this.caller?.removeEventListener("abort", this.stop);
    this.controller.abort(new ServiceUnreachableError("closed"));
  }

  /** Throws what the caller, the clock or the connection had to say. */
  async guard<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (this.caller?.aborted) {
        throw this.caller.reason;
      }
      if (this.signal.aborted) {
        throw this.signal.reason;
      }
      if (error instanceof SyntaxError) {
        throw new ServiceUnreachableError("the answer is no JSON", { cause: error });
      }
      const cause = (error as Error).cause ?? error;
      throw new ServiceUnreachableError(String((cause as Error).message ?? cause), { cause: error });
    }
  }
}

export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (it) => it.toString(16).padStart(2, "0")).join("");
}

function accept(call: Call): string {
  return call.answer === "text" ? "text/plain" : "application/json";
}

function content(definition: Definition): [string, BodyInit] {
  if (typeof definition === "string") {
    return ["application/yaml", definition];
  }
  return definition instanceof Uint8Array
    ? ["application/zip", definition as BufferSource]
    : ["application/json", JSON.stringify(definition)];
}

function search(query: Record<string, unknown> = {}): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined && item !== null) {
        pairs.append(name, String(item));
      }
    }
  }
  return pairs.size > 0 ? `?${pairs}` : "";
}

function problem(text: string): object {
  try {
    const parsed = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null ? parsed : { detail: text };
  } catch {
    return { detail: text.slice(0, 500) };
  }
}

function retryAfter(header: string | null): number | undefined {
  if (header === null || header === "") {
    return undefined;
  }
  const seconds = Number(header);
  const value = Number.isNaN(seconds) ? (Date.parse(header) - Date.now()) / 1000 : seconds;
  return Number.isNaN(value) ? undefined : Math.max(0, value);
}

function environment(name: string): string | undefined {
  return (globalThis as { process?: { env?: Record<string, string> } }).process?.env?.[name];
}
