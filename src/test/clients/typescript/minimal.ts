import type { paths } from "./schema";

type Json<T> = T extends { content: { "application/json": infer Body } } ? Body : never;
type StartRun = Json<paths["/v1/runs"]["post"]["requestBody"]>;
type Run = Json<paths["/v1/runs"]["post"]["responses"]["200"]>;
type Query = NonNullable<paths["/v1/runs"]["get"]["parameters"]["query"]>;

// Everything that may be left out is left out.
export const body: StartRun = { graph: "hello", input: {} };
export const query: Query = {};

export function status(run: Run): string {
  return run.status;
}

// @ts-expect-error a run needs a graph
export const incomplete: StartRun = { input: {} };
