export * from "./client.js";
export * from "./errors.js";
export * from "./generated.js";
export type { StreamOptions } from "./stream.js";
export type { StepCall, Steps } from "./steps.js";
export type { CallOptions, Definition, Settings } from "./transport.js";
export * from "./worker.js";
