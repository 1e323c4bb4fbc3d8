import createClient, { type Middleware } from 'openapi-fetch';
import type { components, paths } from './schema';
import { apiKey } from '../lib/key';

/** The shapes of the API, by the names they have in the OpenAPI document. */
export type Schemas = components['schemas'];

/** What the service answers instead of a result: what went wrong, where, and what to do. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly problem: Partial<Schemas['Problem']>,
  ) {
    super(problem.detail ?? problem.title ?? `The service answered ${status}`);
    this.name = 'ApiError';
  }

  /** The error code, as in the documentation: `run_not_found`. */
  get code(): string | undefined {
    return this.problem.code;
  }
}

const authorization: Middleware = {
  onRequest({ request }) {
    const key = apiKey.get();
    if (key) request.headers.set('Authorization', `Bearer ${key}`);
    return request;
  },
  onResponse({ response }) {
    if (response.status === 401) apiKey.ask();
  },
};

/** The API of the service that serves this page, typed from its OpenAPI document. */
export const api = createClient<paths>({ baseUrl: '/' });
api.use(authorization);

/** The data of an answer, or an `ApiError`: `await unwrap(api.GET('/v1/runs/{id}', …))`. */
export async function unwrap<T>(call: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await call;
  if (error !== undefined || !response.ok) {
    const problem = typeof error === 'object' && error !== null ? error : { detail: String(error ?? '') };
    throw new ApiError(response.status, problem as Partial<Schemas['Problem']>);
  }
  return data as T;
}
