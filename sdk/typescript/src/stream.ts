import { SuperstepError } from "./errors.js";
import type { RunEvent } from "./generated.js";
import { type Call, type CallOptions, Limit, type Transport, newKey, part } from "./transport.js";

/** What a stream of events takes. */
export interface StreamOptions extends CallOptions {
  /** Only what comes behind this event. */
  lastEventId?: string | number;
  /** Stays open over questions and failures. */
  follow?: boolean;
  /** Only events of these types. */
  type?: string[];
  /** Only events of these nodes. */
  node?: string[];
  /** What comes along with each commit: `changes`, `state`, or `changes,state`. */
  with?: string;
}

interface Frame {
  id?: string;
  data?: string;
}

const AT_REST = ["run.succeeded", "run.failed", "run.cancelled", "run.interrupted"];
const OVER = ["run.succeeded", "run.cancelled"];

/**
 * The events of a run until it is at rest. A connection that breaks is made again behind the last
 * stored event; live events, which have no `seq`, may be lost meanwhile.
 *
 * @param first what opens the stream
 * @param runId of the run if it exists already
 */
export async function* events(
  transport: Transport,
  first: Call,
  runId: string | undefined,
  options: StreamOptions,
): AsyncGenerator<RunEvent, void, undefined> {
  const key = options.idempotencyKey ?? newKey();
  let lastId = options.lastEventId === undefined ? undefined : String(options.lastEventId);
  let lastType = "";
  let failures = 0;
  for (;;) {
    const limit = new Limit(transport.idleMs, options.signal);
    let failure: unknown = new SuperstepError("the stream ends although the run is not at rest");
    try {
      const call = runId === undefined ? first : follow(runId, options);
      const headers: Record<string, string> = { Accept: "text/event-stream, application/problem+json" };
      if (lastId !== undefined && call.method === "GET") {
        headers["Last-Event-ID"] = lastId;
      }
      const response = await transport.send(call, key, headers, limit);
      if (response.status === 204) {
        return;
      }
      runId ??= response.headers.get("Location")?.split("/").pop();
      for await (const frame of frames(response, limit)) {
        lastId = frame.id ?? lastId;
        failures = frame.id === undefined ? failures : 0;
        const event = frame.data === undefined ? undefined : (JSON.parse(frame.data) as RunEvent);
        if (event !== undefined && event.type !== "stream.cut") {
          runId ??= event.run_id;
          lastType = frame.id === undefined ? lastType : event.type;
          yield event;
        }
      }
    } catch (error) {
      if (!transport.repeatable(error)) {
        throw error;
      }
      failure = error;
    } finally {
      limit.end();
    }
    if ((options.follow ? OVER : AT_REST).includes(lastType)) {
      return;
    }
    if (failures >= transport.retries) {
      throw failure;
    }
    await transport.pause(failures, failure, options.signal);
    failures++;
  }
}

/** What opens the stream of a run that exists. */
export function follow(runId: string, options: StreamOptions): Call {
  return {
    method: "GET",
    path: `/v1/runs/${part(runId)}/stream`,
    query: { follow: options.follow, type: options.type, node: options.node, with: options.with },
    repeat: "safe",
    answer: "none",
    options,
  };
}

async function* frames(response: Response, limit: Limit): AsyncGenerator<Frame> {
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let frame: Frame = {};
  for (;;) {
    const { done, value } = await limit.guard(reader.read());
    if (done) {
      return; // A frame without an empty line behind it is incomplete.
    }
    limit.renew();
    const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
    rest = lines.pop()!;
    for (const line of lines) {
      const text = line.replace(/\r$/, "");
      if (text === "") {
        if (frame.id !== undefined || frame.data !== undefined) {
          yield frame;
        }
        frame = {};
      } else if (text.startsWith("data:")) {
        const data = text.slice(5).replace(/^ /, "");
        frame.data = frame.data === undefined ? data : `${frame.data}\n${data}`;
      } else if (text.startsWith("id:")) {
        frame.id = text.slice(3).trim();
      }
    }
  }
}
