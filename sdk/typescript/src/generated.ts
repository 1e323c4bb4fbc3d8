// Written by src/server/build/sdk/Sdk.java from docs/openapi.yaml. Do not edit.

import { type CallOptions, type Definition, Transport, part } from "./transport.js";

/** An object of JSON, with whatever members. */
export type JsonObject = { [key: string]: any };

/** A node that is to run: a dispatch if it has a `dispatch_id` */
export interface Activation {
  dispatch_id?: string;
  input?: JsonObject;
  metadata?: JsonObject;
  node: string;
}

export interface Answer {
  /** May be left out if only one interrupt is open */
  interrupt_id?: string;
  value: any;
}

export interface AnswerInterrupt {
  /** true: an administrator answers what others are asked; the audit log says so */
  override?: boolean;
  /** The answer; null is one too */
  value: any;
}

/** A change and the task it comes from, if any; `{}` of a task that has changed nothing */
export interface AppliedChange {
  change: Change;
  /** The last run that the task has begun, if it has */
  child_run_id?: string;
  dispatch_id?: string;
  /** What the task has failed with, whether that was handled or not */
  error?: RunError;
  node?: string;
  task_id?: string;
}

/** Who called */
export interface AuditCaller {
  /** From where the call came */
  address?: string;
  /** `settings`, `key`, `token` or `none` */
  credential: string;
  /** Of the key, or of the subject of the token; absent: none is needed, or none was known */
  id?: string;
}

/** What somebody did */
export interface AuditEvent {
  action: string;
  at: string;
  caller: AuditCaller;
  /** With which code a call was answered that changed nothing */
  error_code?: string;
  /** Its place in the order of time, to be used as `cursor` */
  id: string;
  object?: AuditObject;
  /** `allowed`, `refused`, or `failed` if the caller might do that */
  outcome: string;
  tenant: string;
  /** How many equal calls it stands for */
  times: number;
}

export interface AuditObject {
  id: string;
  kind: string;
}

/** What came of verifying a part of the audit log */
export interface AuditVerification {
  /** The first hundred of this part */
  broken: BrokenAudit[];
  /** How many are as they were sealed, in this part */
  events: number;
  /** Of the last part: number and hash of the last seal, to be kept elsewhere */
  head?: string;
  /** `cursor` of the next part; absent at the end */
  next_cursor?: string;
  /** Of the last part: how many are too young to be sealed */
  not_sealed: number;
  /** Whether nothing in this part is broken */
  verified: boolean;
}

/** Where a run stopped between supersteps; a resume passes it */
export interface Breakpoint {
  nodes: string[];
  when: "before" | "after" | "pause";
}

/** An event or a seal that is not as it was */
export interface BrokenAudit {
  /** Of the event, or the number of the seal */
  id: string;
  what: "changed" | "missing" | "added";
  where: "event" | "seal" | "head";
}

/** A row that is not as it was written */
export interface BrokenRow {
  /** Its number, `seq` or id, or a range of these */
  row: string;
  what: "changed" | "missing" | "added";
  /** Table, or `event`: some are in checkpoints; or `head` */
  where: string;
}

/** What may be spent on models in a window of time, and what was */
export interface Budget {
  limits: BudgetLimit[];
  name: string;
  /** Who has an amount of its own */
  per: "tenant" | "caller" | "server";
  /** When the next window begins, with all of the budget */
  renews_at: string;
  /** Of UTC */
  window: "day" | "month";
}

/** What is limited, as decimal numbers */
export interface BudgetLimit {
  left: string;
  limit: string;
  /** By calls under way, and by those of which it is not known what they took */
  reserved: string;
  spent: string;
  what: "model_calls" | "tokens" | "money";
}

/** A worker that has tasks */
export interface BusyWorker {
  /** When it has claimed the newest of them */
  last_claim: string;
  /** Its own word, `worker` of its claims; those without one are one */
  name?: string;
  /** How many it has */
  tasks: number;
}

/** A callback that is open */
export interface CallbackLease {
  /** Without another heartbeat, an answer or a failure until then the task fails */
  open_until: string;
}

/** A change of state, its parts acting in this order: `remove`, `remove_messages`, `overwrite`, `update` */
export interface Change {
  /** Channel → value, past the reducer */
  overwrite?: JsonObject;
  /** Channels to delete */
  remove?: string[];
  /** Ids of messages to delete */
  remove_messages?: string[];
  /** Channel → value, through the reducer */
  update?: JsonObject;
}

/** What a commit of a run stored */
export interface Checkpoint {
  /** What the checkpoint applied, in task order; absent where a read is without it */
  changes?: AppliedChange[];
  /** From 0, without gaps */
  checkpoint: number;
  created_at: string;
  interrupts: Interrupt[];
  /** Partly satisfied joins: edge id → sources that have arrived */
  joins: { [key: string]: string[] };
  kind: "input" | "step" | "held" | "final" | "update" | "fork";
  /** With `values_max`: what `state` comes without */
  omitted?: OmittedValue[];
  /** The checkpoint before; absent for the first */
  parent?: number;
  /** What runs next, in task order */
  pending_activations: Activation[];
  /** Tasks of the superstep that is held */
  pending_results: Task[];
  state: JsonObject;
  state_hash: string;
  superstep: number;
}

/** A checkpoint of a run */
export interface CheckpointRef {
  checkpoint: number;
  run_id: string;
}

/** A checkpoint without its contents */
export interface CheckpointSummary {
  /** From 0, without gaps */
  checkpoint: number;
  created_at: string;
  kind: "input" | "step" | "held" | "final" | "update" | "fork";
  /** The checkpoint before; absent for the first */
  parent?: number;
  state_hash: string;
  superstep: number;
}

/** A task that a worker has, for as long as its lease lasts */
export interface ClaimedTask {
  /** Of the node, from 1; a worker that was not heard of is not counted */
  attempt: number;
  /** When the node times out; absent: never */
  deadline?: string;
  /** Absent: a plain activation */
  dispatch_id?: string;
  graph: string;
  /** For how long a heartbeat prolongs the lease */
  heartbeat_ms: number;
  id: string;
  /** Equal for every attempt and every worker: what an effect is to be made once under */
  idempotency_key: string;
  /** What the node gives */
  input: any;
  /** Later, nothing of the worker counts */
  lease_until: string;
  node: string;
  /** Whether the task was claimed before: then steps of it may be recorded */
  repeated: boolean;
  /** What was answered to the question of an earlier outcome: `interrupt_id` and `answer` */
  resume?: JsonObject;
  run_id: string;
  superstep: number;
  /** Of this claim; heartbeat and outcome name it */
  token: string;
  type: string;
}

/** Tasks for a worker */
export interface ClaimedTasks {
  items: ClaimedTask[];
}

/** A change of the prompt context: what is to go, then what is to be set */
export interface ContextEdit {
  history?: HistoryEdit;
  /** As variables */
  metadata?: JsonObject;
  /** Patterns of keys */
  remove_metadata?: string[];
  /** Patterns of keys */
  remove_variables?: string[];
  /** Replaces the template */
  template?: string;
  /** On top of those that are there; objects become dotted keys */
  variables?: JsonObject;
}

/** A condition that failed and counts as false */
export interface ContextFailure {
  condition: string;
  /** Why it failed */
  message: string;
  /** Where it stands in its filter */
  rule: string;
}

export interface ContextFilter {
  /** What happens to variables that no rule matches; default pass */
  default_behavior?: "pass" | "block";
  /** Where filters meet, higher goes first */
  priority?: number;
  /** Includes, excludes, transforms */
  rules?: ContextFilterRule[];
}

export interface ContextFilterRule {
  /** CEL: the rule applies when true */
  condition?: string;
  /** Glob over whole keys; * is any run of characters, ? one */
  pattern: string;
  /** What it is about; default variables */
  target?: "variables" | "metadata" | "history" | "all";
  /** Call of a transform, such as truncate(200) */
  transform?: string;
  /** What it does */
  type: "include" | "exclude" | "transform";
}

/** An item of a prompt context, and why it is seen or not */
export interface ContextItem {
  /** The step that settled it; absent: nothing touched the item */
  decided_by?: ContextStep;
  /** Whether the node sees it */
  kept: boolean;
  /** The key, under the name it has at last; of history the entry's id */
  key: string;
  /** Of history: the node that wrote it */
  node_id?: string;
  part: "variables" | "metadata" | "history";
  /** What happened to it on its way, in order */
  steps: ContextStep[];
}

/** What a node would see, and why */
export interface ContextPreview {
  context: ContextView;
  /** Conditions that failed and counted as false */
  failures: ContextFailure[];
  /** Every item that was sent or added on the way */
  items: ContextItem[];
  /** Patterns of required_context that nothing matches: the node would fail */
  unmet: string[];
  /** What is questionable about the filters */
  warnings: FieldError[];
}

/** A processor for nodes of context_type custom:<name> */
export interface ContextProcessor {
  /** JSON Schema of `processor_config`; {} if it does not say */
  config_schema: JsonObject;
  description: string;
  name: string;
  /** Whether its result depends on nothing but context and configuration */
  pure: boolean;
}

/** What one stage did to one item */
export interface ContextStep {
  action: "kept" | "dropped" | "transformed" | "renamed" | "added";
  /** The same in words */
  because: string;
  /** The rule that decided: a pointer into the filter, or the name of the context type */
  rule: string;
  /** Id of the edge or node */
  source: string;
  stage: "edge" | "type" | "processor" | "filter" | "default_filter";
}

/** A transform that rules of context filters can call */
export interface ContextTransform {
  /** Whether every server has it */
  built_in: boolean;
  description: string;
  /** A call of it, as rules write it */
  example: string;
  name: string;
}

export interface ContextTransformRule {
  /** Glob over whole keys */
  source_pattern: string;
  /** The keys they get; * is what the source's * matched */
  target_pattern: string;
  /** Call of a transform, applied to the values */
  transform?: string;
}

/** What a node sees of a prompt context */
export interface ContextView {
  history: any[];
  metadata: JsonObject;
  template: string;
  variables: JsonObject;
}

/** How a task was activated */
export interface ContextWay {
  /** Absent: a node named it by goto or dispatch */
  edge?: string;
  /** In mode chain: the task whose context it is */
  source_task?: string;
}

/** Items of a channel that a compaction replaced */
export interface Cut {
  channel: string;
  /** How many */
  count: number;
  /** Position of the first one */
  from: number;
  /** The message in their place; absent: there is none */
  summary?: JsonObject;
}

export interface DelegateInterrupt {
  /** true: an administrator does it, whose the question is not; the audit log says so */
  override?: boolean;
  /** A person: the id of a key, or the subject or verified address of mail of a token */
  to: string;
}

/** What is sent, or was, to a webhook about an event of a run */
export interface Delivery {
  /** What is sent; not in lists */
  body?: string;
  created_at: string;
  /** The header `webhook-id`, the same for every attempt */
  id: string;
  /** What came of the last attempt */
  last_attempt: DeliveryAttempt;
  /** When it is sent again at the latest */
  next_attempt_at?: string;
  run_id: string;
  /** Of the event */
  seq: number;
  /** `pending`: it is sent, or sent again; `delivered`; `dead`: it was given up */
  status: "pending" | "delivered" | "dead";
  /** Of the event */
  type: string;
  url: string;
}

/** An attempt to deliver */
export interface DeliveryAttempt {
  /** The beginning of the answer, or why there was none */
  answer?: string;
  at?: string;
  /** Attempts since it was made or sent anew; 0: none */
  number: number;
  /** Of the answer (HTTP); absent: there was none */
  status?: number;
}

export interface EdgeContextFilter {
  /** CEL, for type conditional; the edge itself is taken */
  condition?: string;
  /** Globs over keys that never pass */
  exclude_patterns?: string[];
  /** Globs over keys that pass */
  include_patterns?: string[];
  /** What patterns are about; default variables and metadata */
  target?: "variables" | "metadata" | "history" | "all";
  /** For type transform */
  transform_rules?: ContextTransformRule[];
  /** What it does */
  type: "pass_all" | "pass_none" | "selective" | "conditional" | "transform";
}

/** What a code means and what to do about it */
export interface ErrorCode {
  /** The usual ones */
  causes: string[];
  /** One that ends in `*` stands for all that begin so */
  code: string;
  /** A document that has it */
  example: JsonObject;
  /** Where it is found: `request`, `definition`, `warning`, `run`, `test`, `tool` */
  found: string[];
  /** What has happened */
  meaning: string;
  /** What to do */
  remedy: string;
  /** Of an answer with this code; absent if no answer has it as a whole */
  status?: number;
  title: string;
}

/** An expression to try out */
export interface Evaluate {
  expression: string;
  /** What its variables are; those left out are null */
  variables?: JsonObject;
}

/** What an expression came to */
export interface Evaluation {
  /** Any JSON value */
  value: any;
}

export interface FieldError {
  code: string;
  /** Column in that line, from 1 */
  column?: number;
  /** Line in the text of the body or expression, from 1 */
  line?: number;
  /** What is wrong and what to do */
  message: string;
  /** JSON pointer into the body; `?name` names a query parameter, `{name}` a part of the path */
  pointer: string;
}

/** A new run from a checkpoint of an old one */
export interface ForkRun {
  /** The change counts as this node's result; its edges decide what is next. `__start__` begins anew with the edited state, `__end__` ends */
  as_node?: string;
  change?: Change;
  checkpoint: number;
  /** An edit of the prompt context that the new run begins with */
  context?: ContextEdit;
  /** If a run of the thread is active: `reject` answers 409 `thread_busy`; `enqueue` has the fork begin when the thread is free, in order of posting; `interrupt` ends the active run, which stays part of the thread; `rollback` ends it and leaves it out of the thread. Whatever is committed before the fork begins, its state is that of the checkpoint. Default: `reject` */
  if_busy?: "reject" | "enqueue" | "interrupt" | "rollback";
  /** Nodes to stop after, `*`: all. Replaces what the source was started with; the breakpoints of the graph hold in any case */
  interrupt_after?: string[];
  /** Nodes to stop before, `*`: all. Replaces what the source was started with; the breakpoints of the graph hold in any case */
  interrupt_before?: string[];
  limits?: Limits;
  /** The conversation that the new run joins: its checkpoints are the thread's state from when it begins */
  thread_id?: string;
  /** Another version of the same graph */
  version?: number;
}

/** A registered function that definitions can name */
export interface FunctionInfo {
  /** JSON Schema of its arguments; {} if it does not say */
  arguments_schema: JsonObject;
  description: string;
  /** What calls it: a node, a channel to merge two values, or a compaction to summarise messages */
  kind: "node" | "merge" | "summary";
  name: string;
  /** Whether calling it again does no harm */
  pure: boolean;
}

/** A graph version */
export interface Graph {
  created_at: string;
  /** Who posted it: the id of a key or of a token's subject; absent: no key was needed */
  created_by?: string;
  definition: JsonObject;
  /** SHA-256 of the long form in RFC 8785 JSON */
  hash: string;
  name: string;
  version: number;
  warnings: FieldError[];
}

/** What the runs of a graph take */
export interface GraphStorage {
  /** Those that have not ended */
  active: number;
  /** Of their data, about; without indexes */
  bytes: number;
  checkpoints: number;
  events: number;
  /** `parent#name` for an inline graph */
  graph: string;
  runs: number;
}

/** A graph version without its definition */
export interface GraphSummary {
  created_at: string;
  /** Who posted it: the id of a key or of a token's subject; absent: no key was needed */
  created_by?: string;
  /** SHA-256 of the long form in RFC 8785 JSON */
  hash: string;
  name: string;
  version: number;
  /** What was questionable when it was posted */
  warnings: FieldError[];
}

/** What is to go of the history */
export interface HistoryEdit {
  /** The newest stay */
  keep_last?: number;
  /** Ids of entries */
  remove?: string[];
}

/** A question that a task of a run has asked */
export interface Interrupt {
  answer?: any;
  /** Who answered: the id of a key or of a token's subject; absent: no key was needed */
  answered_by?: string;
  /** Who alone is to answer */
  assignee?: string;
  /** Who may answer or claim it while it has no assignee: people, `group:<name>` and `role:<name>`; absent: anybody */
  candidates?: string[];
  created_at: string;
  /** With `on_expiry: answer`: what answers it when nobody has */
  default_answer?: any;
  dispatch_id?: string;
  expires_at?: string;
  graph: string;
  id: string;
  /** `other_than_starter`: not the key or token that started the run; `starter_with_token`: the subject that started it, with a token whatever the answer; absent: anybody */
  may_answer?: "other_than_starter" | "starter_with_token";
  node: string;
  /** Who may not answer, whoever else may */
  not?: string[];
  on_expiry?: "fail" | "answer";
  /** The tasks that wait for this run, from the outermost run inwards; empty if no task has begun it */
  path: InterruptStep[];
  payload: any;
  reason: string;
  run_id: string;
  /** JSON Schema of the answer */
  schema?: any;
  status: "open" | "answered" | "expired" | "cancelled";
  superstep: number;
}

/** A task that waits for a run of its own */
export interface InterruptStep {
  dispatch_id?: string;
  graph: string;
  node: string;
  run_id: string;
  superstep: number;
}

/** An API key */
export interface Key {
  created_at: string;
  /** Id of the key that made it; empty on a server without keys */
  created_by: string;
  /** Absent: never */
  expires_at?: string;
  graphs: string[];
  /** No secret; its second part */
  id: string;
  /** To some minutes; absent: it was never used */
  last_used_at?: string;
  name: string;
  own_only: boolean;
  roles: string[];
  /** The last one; absent: it was never rotated */
  rotation?: LastRotation;
  /** What it may do, by its roles or by scopes of its own */
  scopes: string[];
  /** What its bearer sends; shown this once */
  secret?: string;
  task_types: string[];
  /** Whose key it is; `default` on a server that nobody shares */
  tenant: string;
}

/** How an API key gets another secret */
export interface KeyRotation {
  /** How long the secret that it has is taken, too, at most 30 days; `0s`: not any more. Default: `1h` */
  overlap?: string;
}

/** How an API key got its secret */
export interface LastRotation {
  /** Id of the key that rotated it */
  by: string;
  /** Until when the secret from before is taken, too */
  previous_ends_at: string;
}

/** Limits of a run, over those of its graph */
export interface Limits {
  /** Tasks at a time */
  max_concurrency?: number;
  /** Dispatches of the run */
  max_dispatches?: number;
  /** Requests to models; compare `usage` */
  max_model_calls?: number;
  /** Node supersteps */
  max_supersteps?: number;
  /** Tokens in and out. Checked before each request: those under way may exceed it */
  max_tokens?: number;
  /** Wall time, interrupted and failed time not counted: `<n>(ms|s|m|h|d)` or ISO 8601 */
  timeout?: string;
}

export interface ListingAuditEvent {
  items: AuditEvent[];
  /** `cursor` of the next part; absent at the end of the list */
  next_cursor?: string;
}

export interface ListingBudget {
  items: Budget[];
  /** `cursor` of the next part; absent at the end of the list */
  next_cursor?: string;
}

export interface ListingCheckpointSummary {
  items: CheckpointSummary[];
  /** `cursor` of the next part; absent at the end of the list */
  next_cursor?: string;
}

export interface ListingContextProcessor {
  items: ContextProcessor[];
  /** `cursor` of the next part; absent at the end of the list */
  next_cursor?: string;
}

export interface ListingContextTransform {
  items: ContextTransform[];
  /** `cursor` of the next part; absent at the end of the list */
  next_cursor?: string;
}

export interface ListingDelivery {
  items: Delivery[];
  next_cursor?: string;
}

export interface ListingErrorCode {
  items: ErrorCode[];
  /** `cursor` of the next part; absent at the end of the list */
  next_cursor?: string;
}

export interface ListingFunctionInfo {
  items: FunctionInfo[];
  /** `cursor` of the next part; absent at the end of the list */
  next_cursor?: string;
}

export interface ListingGraphSummary {
  items: GraphSummary[];
  /** `cursor` of the next part; absent at the end of the list */
  next_cursor?: string;
}

export interface ListingInterrupt {
  items: Interrupt[];
  /** `cursor` of the next part; absent at the end of the list */
  next_cursor?: string;
}

export interface ListingKey {
  items: Key[];
  /** `cursor` of the next part; absent at the end of the list */
  next_cursor?: string;
}

export interface ListingModel {
  items: Model[];
  /** `cursor` of the next part; absent at the end of the list */
  next_cursor?: string;
}

export interface ListingNodeType {
  items: NodeType[];
  /** `cursor` of the next part; absent at the end of the list */
  next_cursor?: string;
}

export interface ListingReducer {
  items: Reducer[];
  /** `cursor` of the next part; absent at the end of the list */
  next_cursor?: string;
}

export interface ListingRunEvent {
  items: RunEvent[];
  /** `cursor` of the next part; absent at the end of the list */
  next_cursor?: string;
}

export interface ListingRunMessage {
  items: RunMessage[];
  next_cursor?: string;
}

export interface ListingRunSummary {
  items: RunSummary[];
  /** `cursor` of the next part; absent at the end of the list */
  next_cursor?: string;
}

export interface ListingSchedule {
  items: Schedule[];
  next_cursor?: string;
}

export interface ListingTask {
  items: Task[];
  /** `cursor` of the next part; absent at the end of the list */
  next_cursor?: string;
}

export interface ListingThreadCheckpoint {
  items: ThreadCheckpoint[];
  /** `cursor` of the next part; absent at the end of the list */
  next_cursor?: string;
}

export interface ListingThreadInfo {
  items: ThreadInfo[];
  /** `cursor` of the next part; absent at the end of the list */
  next_cursor?: string;
}

export interface ListingThreadSummary {
  items: ThreadSummary[];
  /** `cursor` of the next part; absent at the end of the list */
  next_cursor?: string;
}

export interface ListingTool {
  items: Tool[];
  /** `cursor` of the next part; absent at the end of the list */
  next_cursor?: string;
}

export interface ListingTrigger {
  items: Trigger[];
  next_cursor?: string;
}

export interface ListingWebhook {
  items: Webhook[];
  next_cursor?: string;
}

/** A chat model that llm nodes can name */
export interface Model {
  /** Whether llm nodes that name none use it */
  default: boolean;
  description: string;
  /** As its provider names it */
  model: string;
  name: string;
  /** Absent: what its calls cost is not known */
  prices?: ModelPrices;
  /** Whose protocol it speaks */
  provider: "openai" | "anthropic" | "ollama" | "stub";
}

/** What a million tokens cost, in the `currency` of the server */
export interface ModelPrices {
  cache_write: string;
  /** Of input that the provider has read from its cache */
  cached_input: string;
  /** A decimal number */
  input: string;
  /** A decimal number */
  output: string;
}

/** An API key to make, with roles, scopes, or both */
export interface NewKey {
  /** When it ends, not after your own key; without, with your own key */
  expires_at?: string;
  /** Patterns of names of the graphs that it may use and whose runs it may see; without, all of the tenant. A key with the scope `admin` cannot be limited */
  graphs?: string[];
  /** Who or what is to use it; unique */
  name: string;
  /** Whether it sees no runs, threads and items of the memory but those that it has made. Such a key has the scopes `read`, `run` and `answer` at most. Without, `false` */
  own_only?: boolean;
  /** What it is; only roles whose scopes your own key has */
  roles?: ("viewer" | "runner" | "answerer" | "author" | "worker" | "operator" | "admin")[];
  /** What it may do besides; only what your own key may do. `run` includes `answer`, and `operate` includes `admin` */
  scopes?: ("read" | "run" | "answer" | "author" | "operate" | "work" | "admin")[];
  /** Patterns of the types of tasks that it may execute; without, all. It limits the scope `work` only */
  task_types?: string[];
  /** Whose key it is; without, the tenant of your own key. Of another one only with a key from the settings of the server */
  tenant?: string;
}

/** Runs to start by themselves */
export interface NewSchedule {
  /** What happens when no replica was there at some times. `none`: no run starts for them; `last`: one starts for the last of them; `all`: one starts for each of the last 100. A time is met as long as it is not over by more than a minute. Default: `last` */
  catch_up?: "none" | "last" | "all";
  /** Minute, hour, day of month, month, day of week; with a second in front if there are six. Or `@hourly`, `@daily`, `@weekly`, `@monthly`, `@yearly` */
  cron: string;
  /** No run starts after that */
  ends_at?: string;
  /** Generated if it is missing */
  id?: string;
  /** By up to how much a start is later than its time, so that many schedules of one time spread */
  jitter?: string;
  /** At a time at which a run of the schedule has not ended. `skip`: no run starts; `queue`: it starts once that one has ended; `cancel_old`: that one is cancelled, and it starts once that has ended; `allow`: both run. Default: `skip` */
  overlap?: "skip" | "queue" | "cancel_old" | "allow";
  /** Whether it starts no runs; without, `false` */
  paused?: boolean;
  /** What the runs are started with, as `POST /v1/runs` takes it, without `id` and `start_at` */
  run: StartRun;
  /** Whose clock the times are of; without, `UTC` */
  zone?: string;
}

/** How a step ended: with a `result`, or with an `error`. Or it waits: it is to `sleep`, or to `ask`. With none of these it begins, and may be made once only */
export interface NewTaskStep {
  /** A question, as `interrupt` in the result of a node. The answer is the result of the step */
  ask?: JsonObject;
  error?: TaskFailure;
  /** A word of the worker's */
  name: string;
  /** Its place among the steps of the task, from 0 to 999 */
  ordinal: number;
  /** What it has made; JSON null is a result */
  result?: any;
  /** For how long no worker has the task, at most 366 days */
  sleep?: string;
}

/** A conversation before its first run */
export interface NewThread {
  /** If there is a thread of this id: `reject` answers 409 `thread_exists`; `do_nothing` answers 200 with that thread, unchanged. Default: `reject` */
  if_exists?: "reject" | "do_nothing";
  /** Any JSON object, to find the thread by */
  metadata?: JsonObject;
  /** Absent: one is made */
  thread_id?: string;
}

/** A webhook to be made */
export interface NewWebhook {
  /** For people */
  description?: string;
  /** Of which it is told. Default: `run.succeeded`, `run.failed`, `run.interrupted`, `run.cancelled`. Besides: `run.waiting`, `custom`, `message.taken`, `message.rejected` */
  events?: string[];
  /** Names of the graphs of whose runs it is told; absent: all */
  graphs?: string[];
  /** Where deliveries go, http or https; absent: it signs what is sent to URLs that runs name (`webhooks`) */
  url?: string;
}

/** What a task receives of the prompt context */
export interface NodeContext {
  /** The one on which the task runs, or ran */
  checkpoint: number;
  context: PromptContext;
  /** How its node takes contexts */
  context_type: string;
  /** Conditions that failed and counted as false */
  failures: ContextFailure[];
  items: ContextItem[];
  task_id: string;
  /** What led the context to it; none: it gets the run's whole context */
  ways: ContextWay[];
}

/** The tasks of a run, counted by node and status */
export interface NodeCounts {
  /** Of committed supersteps, as far as this answer has them */
  committed: NodeTasks[];
  /** Where older supersteps are to be counted; absent: nowhere */
  next_cursor?: string;
  /** Of the superstep that is not committed; empty behind a cursor */
  open: NodeTasks[];
  /** The last one that is committed */
  superstep: number;
}

export interface NodeTasks {
  /** Of all of them together, as far as they have ended */
  busy_ms: number;
  failed_code?: string;
  /** The newest with an error */
  failed_task?: string;
  longest_ms: number;
  /** The same of that newest superstep alone */
  newest: { [key: string]: number };
  node: string;
  /** Those that were tried more than once */
  retried: number;
  /** How many are how */
  statuses: { [key: string]: number };
  /** The newest of these supersteps in which it has run */
  superstep: number;
  tasks: number;
}

/** A kind of node that definitions can use */
export interface NodeType {
  /** Whether this server can run it; other types are declared only */
  available: boolean;
  /** JSON Schema of `config` */
  config_schema: JsonObject;
  /** Time-out of an attempt that declares none; absent: there is none */
  default_timeout?: string;
  description: string;
  name: string;
}

export interface NodeUsage {
  cache_write_tokens?: number;
  cached_input_tokens?: number;
  /** A decimal number in the unit of the prices, by those that were in force when the models answered; absent: not known, because no model has a price */
  cost?: string;
  input_tokens: number;
  model_calls: number;
  /** A compaction counts as `__compact__:<channel>` */
  node: string;
  output_tokens: number;
  total_tokens: number;
  /** Calls whose cost is not known, so that `cost` is too low; absent: none, or no cost */
  unpriced_calls?: number;
}

/** A value of a state that is left out, being large */
export interface OmittedValue {
  /** Its first characters as JSON */
  begin: string;
  channel: string;
  /** SHA-256 of the value: equal values have equal ones */
  hash: string;
  /** Bytes that it takes as JSON */
  size: number;
}

export interface Parent {
  checkpoint: number;
  run_id: string;
  /** The task that has begun this run; absent: it is a fork */
  task_id?: string;
}

/** A prompt context, and what it is led through */
export interface PreviewContext {
  context: PreviewedContext;
  /** Absent: everything arrives */
  edge?: PreviewedEdge;
  /** Several instead of edge; what they pass is merged */
  edges?: PreviewedEdge[];
  /** Absent: what arrives is the answer */
  node?: PreviewedNode;
  /** What conditions see besides the context: state, input, run, node, … */
  scope?: JsonObject;
}

/** A prompt context to try filters on */
export interface PreviewedContext {
  /** Entries with id, node_id, prompt, response, superstep, metadata */
  history?: any[];
  /** Objects become dotted keys */
  metadata?: JsonObject;
  template?: string;
  /** Objects become dotted keys */
  variables?: JsonObject;
}

/** What an edge's definition says about contexts */
export interface PreviewedEdge {
  context_filter?: EdgeContextFilter;
  id?: string;
  /** Gives the default filter */
  type?: "sequence" | "conditional" | "error";
}

/** What a node's definition says about contexts */
export interface PreviewedNode {
  context_filter?: ContextFilter;
  /** Several filters, as in a definition */
  context_filters?: any[];
  context_type?: string;
  id?: string;
  processor_config?: JsonObject;
  required_context?: string[];
  /** Gives the default context type and filter */
  type?: string;
}

/** Why a call failed (RFC 9457) */
export interface Problem {
  /** Its name; of `budget_exhausted` */
  budget?: string;
  code: string;
  /** What happened and what to do */
  detail: string;
  /** What is wrong with the content, all at once; absent if the content is not to blame */
  errors?: FieldError[];
  /** Where the service explains the code: causes, what to do, an example */
  help: string;
  instance: string;
  /** Ids of the open ones; of `nothing_to_resume` and `interrupt_ambiguous` */
  interrupts?: string[];
  /** When the budget is renewed; of `budget_exhausted` */
  renews_at?: string;
  /** Seconds until then; of `budget_exhausted` and `rate_limited` */
  retry_after?: number;
  status: number;
  title: string;
  /** `urn:superstep:problem:` and the code */
  type: string;
}

/** What models are told besides the messages */
export interface PromptContext {
  /** One entry per executed node, oldest first */
  history: any[];
  /** Dotted key → value */
  metadata: JsonObject;
  template: string;
  /** Dotted key → value */
  variables: JsonObject;
}

/** A way in which a channel takes updates */
export interface Reducer {
  description: string;
  name: string;
  /** The channel key that it needs, if any */
  requires?: string;
}

export interface Resolution {
  /** Counts as the task's result */
  change?: Change;
  task_id: string;
}

/** How a run that stopped goes on; `{}` passes a breakpoint and re-runs failed tasks */
export interface ResumeRun {
  answers?: Answer[];
  /** An edit of the state, committed before anything runs */
  change?: Change;
  /** An edit of the prompt context, committed before anything runs */
  context?: ContextEdit;
  /** `false`: the run is edited (`change`, `context`, `goto`, `limits`, breakpoints) and stays where it is. Default: `true` */
  continue?: boolean;
  /** Nodes that run besides those that are pending */
  goto?: string[];
  /** Nodes to stop after, `*`: all. Replaces what the run was started with; the breakpoints of the graph hold in any case */
  interrupt_after?: string[];
  /** Nodes to stop before, `*`: all. Replaces what the run was started with; the breakpoints of the graph hold in any case */
  interrupt_before?: string[];
  /** Those that are given replace the run's */
  limits?: Limits;
  /** Failed tasks that count as done */
  resolve?: Resolution[];
}

/** A run as it is now */
export interface Run {
  breakpoint?: Breakpoint;
  /** Number of the last checkpoint */
  checkpoint: number;
  created_at: string;
  /** Who started it: the id of a key or of a token's subject; absent: no key was needed */
  created_by?: string;
  /** Deprecated: always `sync`, also of runs that an earlier release began otherwise */
  durability: "sync";
  error?: RunError;
  /** What a resume would run again */
  failed_tasks: Task[];
  finished_at?: string;
  /** The checkpoint of its thread from whose state it has begun, which may have been erased since; absent: it has no thread, is its first run, waits for it, or began before an input in it */
  from?: CheckpointRef;
  graph: string;
  id: string;
  /** Absent where a read is without it */
  input?: JsonObject;
  /** The open ones, in task order */
  interrupts: Interrupt[];
  limits: Limits;
  metadata: { [key: string]: string };
  /** The declared channels, else the state; only when succeeded */
  output?: any;
  /** The value of each param of the graph, as at the start; absent: it has none */
  params?: JsonObject;
  /** Where a fork or the run of a subgraph node comes from */
  parent?: Parent;
  /** Higher is claimed first */
  priority: number;
  started_at?: string;
  status: "queued" | "running" | "waiting" | "interrupted" | "failed" | "cancelling" | "succeeded" | "cancelled";
  /** The last committed one; the number of `__end__` once it succeeded */
  superstep: number;
  thread_id?: string;
  usage: Usage;
  version: number;
  /** When a waiting run goes on by itself */
  wakes_at?: string;
}

/** Prompt context of a run, over that of its graph */
export interface RunContext {
  metadata?: JsonObject;
  template?: string;
  variables?: JsonObject;
}

/** Why a run or a task failed */
export interface RunError {
  /** The last attempt of the task */
  attempt?: number;
  code: string;
  details?: JsonObject;
  dispatch_id?: string;
  message: string;
  node?: string;
  superstep?: number;
}

/** Something that happened in a run */
export interface RunEvent {
  at: string;
  /** In streams with `with=changes`: how each task of the superstep has ended, and what it has changed, in task order */
  changes?: AppliedChange[];
  data: JsonObject;
  dispatch_id?: string;
  node?: string;
  run_id: string;
  /** From 1, gap-free per run; absent for live events, which are not stored */
  seq?: number;
  /** In streams with `with=state`: the state that was committed */
  state?: JsonObject;
  superstep?: number;
  /** `task.failed`: the superstep is held; `task.handled`: the task failed, and an error edge, `on_error: continue` or a dispatch policy took care of it; `task.cancelled`: a dispatch policy was decided without it */
  type: string;
}

/** A message to a run, and what has become of it */
export interface RunMessage {
  channel: string;
  id: string;
  /** With `status: moved`: the run that begins with it */
  next_run_id?: string;
  run_id: string;
  /** Who sent it: the id of a key or of a token's subject; absent: no key was needed */
  sender?: string;
  sent_at: string;
  /** Its number among the messages of the run, from 1 */
  seq: number;
  /** `waiting`: no superstep has taken it; `taken`; `rejected`: one has taken it, and its channel could not take the value, as an event says; `moved`: the next run of the thread begins with it; `left`: its run has ended without it */
  status: "waiting" | "taken" | "rejected" | "moved" | "left";
  /** That has taken it; the next one sees it */
  superstep?: number;
  /** What the reducer of the channel is given */
  value: any;
}

/** A run without input, output and state */
export interface RunSummary {
  breakpoint?: Breakpoint;
  /** Number of the last checkpoint */
  checkpoint: number;
  created_at: string;
  /** Who started it: the id of a key or of a token's subject; absent: no key was needed */
  created_by?: string;
  /** Deprecated: always `sync`, also of runs that an earlier release began otherwise */
  durability: "sync";
  error?: RunError;
  finished_at?: string;
  /** The checkpoint of its thread from whose state it has begun, which may have been erased since; absent: it has no thread, is its first run, waits for it, or began before an input in it */
  from?: CheckpointRef;
  graph: string;
  id: string;
  limits: Limits;
  metadata: { [key: string]: string };
  /** Where a fork or the run of a subgraph node comes from */
  parent?: Parent;
  /** Higher is claimed first */
  priority: number;
  started_at?: string;
  status: "queued" | "running" | "waiting" | "interrupted" | "failed" | "cancelling" | "succeeded" | "cancelled";
  /** The last committed one; the number of `__end__` once it succeeded */
  superstep: number;
  thread_id?: string;
  version: number;
  /** When a waiting run goes on by itself */
  wakes_at?: string;
}

/** What came of verifying a part of a run */
export interface RunVerification {
  /** The first hundred of this part */
  broken: BrokenRow[];
  /** How many are as they were written, in this part */
  checkpoints: number;
  /** Checkpoints that retention has removed */
  erased: number;
  /** Of the last part: number and hash of the last checkpoint, to be kept elsewhere; absent if that is not chained */
  head?: string;
  /** `cursor` of the next part; absent at the end */
  next_cursor?: string;
  /** Rows without a hash, in this part: an earlier release has written them */
  not_chained: number;
  /** Whether nothing in this part is broken */
  verified: boolean;
}

/** A URL that a run tells what happens in it */
export interface RunWebhook {
  /** As in `NewWebhook` */
  events?: string[];
  /** http or https */
  url?: string;
}

/** Runs that start by themselves */
export interface Schedule {
  /** What happens when no replica was there at some times. `none`: no run starts for them; `last`: one starts for the last of them; `all`: one starts for each of the last 100. A time is met as long as it is not over by more than a minute */
  catch_up: "none" | "last" | "all";
  created_at: string;
  /** For whom runs start: the id of a key or of a token's subject; absent: no key was needed */
  created_by?: string;
  /** Minute, hour, day of month, month, day of week; with a second in front if there are six. Or `@hourly`, `@daily`, `@weekly`, `@monthly`, `@yearly` */
  cron: string;
  /** No run starts after that */
  ends_at?: string;
  graph: string;
  id: string;
  /** By up to how much a start is later than its time, so that many schedules of one time spread */
  jitter: string;
  /** The next five times, without jitter; none while it is paused */
  next: string[];
  /** At a time at which a run of the schedule has not ended. `skip`: no run starts; `queue`: it starts once that one has ended; `cancel_old`: that one is cancelled, and it starts once that has ended; `allow`: both run */
  overlap: "skip" | "queue" | "cancel_old" | "allow";
  /** Whether it starts no runs */
  paused: boolean;
  /** What the runs are started with */
  run: any;
  /** What became of the last twenty times, newest first; in lists it is left out */
  starts?: ScheduleStart[];
  /** Its name in the definition of the graph; absent: it was made by a call */
  trigger?: string;
  /** Whose clock the times are of */
  zone: string;
}

/** What is to change of a schedule */
export interface ScheduleChange {
  /** What happens when no replica was there at some times. `none`: no run starts for them; `last`: one starts for the last of them; `all`: one starts for each of the last 100. A time is met as long as it is not over by more than a minute */
  catch_up?: "none" | "last" | "all";
  /** Minute, hour, day of month, month, day of week; with a second in front if there are six. Or `@hourly`, `@daily`, `@weekly`, `@monthly`, `@yearly` */
  cron?: string;
  /** No run starts after that; `null` takes it away */
  ends_at?: string;
  /** By up to how much a start is later than its time, so that many schedules of one time spread */
  jitter?: string;
  /** At a time at which a run of the schedule has not ended. `skip`: no run starts; `queue`: it starts once that one has ended; `cancel_old`: that one is cancelled, and it starts once that has ended; `allow`: both run */
  overlap?: "skip" | "queue" | "cancel_old" | "allow";
  /** Whether it starts no runs */
  paused?: boolean;
  /** What runs are started with from now on */
  run?: StartRun;
  /** Whose clock the times are of */
  zone?: string;
}

/** What became of a time of a schedule */
export interface ScheduleStart {
  decided_at: string;
  /** Of `missed`, for people */
  detail?: string;
  /** The time, without jitter */
  planned_at: string;
  /** Of `missed`: `outage`, no replica was there; `overlap`, the run before had not ended; `queue_full`, 100 starts waited already; `paused`; or the code of the error with which the start was refused */
  reason?: string;
  /** Of `started` */
  run_id?: string;
  /** `waiting` for the run before */
  status: "waiting" | "started" | "missed";
}

/** A message to a run. `message` or `value` is needed */
export interface SendMessage {
  /** A channel of the graph; absent: the one that `inbox` names, else `messages` */
  channel?: string;
  /** Names the message: one that is sent again with its id is stored once. Absent: one is made */
  id?: string;
  /** If the run has ended, or ends without it: `reject` answers 409 `run_ended`, or leaves it part of the final state; `start` begins the next run of the thread with it. Default: `reject` */
  if_ended?: "reject" | "start";
  /** A chat message: a text is one of the role `user` */
  message?: any;
  /** In place of `message`, what the reducer of the channel is given */
  value?: any;
}

/** What this server is, how it fares, and what its caller may do */
export interface Server {
  /** The number that the ids of its runs carry */
  cell: number;
  /** The unit of the prices and costs of models; absent: it is not said */
  currency?: string;
  /** Whether the database answers this replica */
  database_reachable: boolean;
  /** Whether the replica that answers takes on runs */
  ready: boolean;
  /** Replicas that are alive or not known to be dead yet; absent while the database does not answer */
  replicas?: number;
  /** What the key of this call may do; everything where no keys are required */
  scopes: string[];
  /** Of the clock of this replica */
  time: string;
  /** Absent unless the service was packaged */
  version?: string;
}

/** Calls of models, their tokens and what they cost */
export interface Spent {
  cache_write_tokens?: number;
  cached_input_tokens?: number;
  /** A decimal number in the unit of the prices, by those that were in force when the models answered; absent: not known, because no model has a price */
  cost?: string;
  input_tokens: number;
  model_calls: number;
  output_tokens: number;
  total_tokens: number;
  /** Calls whose cost is not known, so that `cost` is too low; absent: none, or no cost */
  unpriced_calls?: number;
}

/** A new run of a stored graph */
export interface StartRun {
  /** Goes along with every delivery about this run to a webhook, at most 4 KB */
  callback_meta?: JsonObject;
  context?: RunContext;
  /** Deprecated, and without effect: whatever anybody can notice is on disk, as with `sync`. Default: `sync` */
  durability?: "sync" | "async" | "exit";
  /** The checkpoint of the thread with whose state and prompt context the run begins; absent: the newest. What came behind it stays in the thread's history, beside what this run adds */
  from?: CheckpointRef;
  graph: string;
  /** Absent: one is made */
  id?: string;
  /** If a run of the thread is active: `reject` answers 409 `thread_busy`; `enqueue` starts this run when the thread is free, in order of posting; `steer` sends the input to the active run as messages, and answers with that run; `interrupt` ends the active run where it is committed and goes on from there; `rollback` ends it and goes on from where it began. Default: `reject` */
  if_busy?: "reject" | "enqueue" | "steer" | "interrupt" | "rollback";
  input: JsonObject;
  /** Nodes after which the run stops; `*` for all */
  interrupt_after?: string[];
  /** Nodes before which the run stops; `*` for all */
  interrupt_before?: string[];
  limits?: Limits;
  metadata?: { [key: string]: string };
  /** Values of the graph's params, over those that the operator has set; the run keeps them. Never secrets: they are shown with the run */
  params?: JsonObject;
  /** Higher is claimed first. Default: `0` */
  priority?: number;
  /** Absent: at once */
  start_at?: string;
  /** The conversation this run goes on with: state and prompt context of its newest committed checkpoint, however the run ended, are what the input is folded into */
  thread_id?: string;
  /** Absent: the newest */
  version?: number;
  /** URLs that are told what happens in this run, besides the webhooks of the server, at most 10. Needs a webhook without `url`, which signs what is sent */
  webhooks?: RunWebhook[];
}

/** The committed state at a checkpoint */
export interface State {
  checkpoint: number;
  /** With `values_max`: what `state` comes without */
  omitted?: OmittedValue[];
  /** With `pending=true`: the held results of a held superstep */
  pending_results?: Task[];
  state: JsonObject;
  state_hash: string;
  superstep: number;
}

/** How much is stored for runs */
export interface Storage {
  /** Whether the figures of graphs are estimated from a sample of the runs */
  estimated: boolean;
  /** Those that take the most first, at most 1,000 */
  graphs: GraphStorage[];
  /** Runs that were read for it */
  runs_read: number;
  /** Of all runs and threads, with indexes and space that is free again */
  total_bytes: number;
}

/** One execution of one node in one superstep */
export interface Task {
  attempts: number;
  change?: Change;
  /** Of a subgraph node: the last run that it has begun */
  child_run_id?: string;
  /** What it took out of channels: of a compaction */
  compacted?: Cut[];
  dispatch_id?: string;
  error?: RunError;
  finished_at?: string;
  /** What the node call sends as `Idempotency-Key` */
  idempotency_key: string;
  /** Of a dispatch */
  input?: any;
  node: string;
  started_at?: string;
  /** `handled`: it failed, and an error edge or `on_error: continue` took care of it */
  status: "running" | "waiting" | "succeeded" | "handled" | "failed" | "interrupted" | "cancelled";
  superstep: number;
  task_id: string;
  /** What it has spent on models, in all its attempts and with the run that it has begun; absent: nothing */
  usage?: Spent;
  wait?: Wait;
}

/** Why a worker could not do a task */
export interface TaskFailure {
  /** What retry policies and error edges of the graph name */
  code: string;
  /** Anything more */
  details?: JsonObject;
  message: string;
  /** The least pause before another attempt: at most a day */
  retry_after?: string;
  /** Whether another attempt may help; absent: no */
  retryable?: boolean;
}

/** That a worker is at it */
export interface TaskHeartbeat {
  /** Anything, up to 16 KB; the last one is kept */
  progress?: any;
  /** Of the claim */
  token: string;
}

/** The lease of a task */
export interface TaskLease {
  /** Later, nothing of the worker counts */
  lease_until: string;
  /** false: drop it */
  wanted: boolean;
}

/** How a task ended: with a `result`, or with an `error` */
export interface TaskOutcome {
  error?: TaskFailure;
  /** What the worker has made */
  result?: any;
  /** Of the claim */
  token: string;
}

/** The tasks of a type */
export interface TaskQueue {
  /** Tasks that workers have */
  claimed: number;
  /** Tasks that wait for a worker */
  queued: number;
  type: string;
  /** When the oldest of those was queued; absent: none waits */
  waiting_since?: string;
  /** Who has tasks, up to 100, the last one to claim first */
  workers: BusyWorker[];
}

/** What waits for workers */
export interface TaskQueues {
  items: TaskQueue[];
}

/** That a worker gives a task back */
export interface TaskRelease {
  /** Of the claim */
  token: string;
}

/** A recorded step of a task */
export interface TaskStep {
  error?: TaskFailure;
  /** What was begun there */
  kind: "call" | "sleep" | "ask";
  name: string;
  /** Its place among the steps of the task, from 0 */
  ordinal: number;
  /** What it has made */
  result?: any;
  /** `begun`: by this claim, and may be made once only. `lost`: likewise, by an earlier claim, and nobody knows what became of it. `waiting`: the task was given back until it ends */
  status: "succeeded" | "failed" | "begun" | "lost" | "waiting";
}

/** Recorded steps of a task */
export interface TaskSteps {
  items: TaskStep[];
  /** Whether there are more: read on from behind the last one */
  more: boolean;
}

/** A step to be recorded; without it, what is recorded is read */
export interface TaskStepsRequest {
  /** The first place to be read; absent: 0 */
  from?: number;
  step?: NewTaskStep;
  /** Of the claim */
  token: string;
}

/** What is not as expected */
export interface TestFailure {
  actual?: any;
  expected?: any;
  /** What is wrong and what to do */
  message: string;
  /** JSON pointer into the definition */
  pointer: string;
  /** The first superstep in which it shows */
  superstep?: number;
}

/** What became of the tests of a definition */
export interface TestReport {
  duration_ms: number;
  /** Name of the graph */
  graph: string;
  /** Whether all tests passed */
  passed: boolean;
  tests: TestResult[];
}

/** What became of one test */
export interface TestResult {
  /** Node id to number of calls */
  calls: { [key: string]: number };
  duration_ms: number;
  failures: TestFailure[];
  name: string;
  passed: boolean;
  /** The nodes of each superstep, as an expected path names them */
  path: string[][];
  /** Of the run; absent if the test had to stop */
  status?: string;
  /** Supersteps that have begun */
  supersteps: number;
}

/** What changes about a conversation */
export interface ThreadChange {
  /** Members replace those of the same name, null removes them; the others stay */
  metadata: JsonObject;
}

/** A committed checkpoint of a conversation */
export interface ThreadCheckpoint {
  checkpoint: number;
  created_at: string;
  /** Ids ascend, compared as text, over all runs of the thread */
  id: string;
  kind: "input" | "step" | "final" | "update" | "fork";
  /** From whose state it was made, in this run or another one of the thread; absent for the first, and where the one before is gone */
  parent?: ThreadCheckpointParent;
  run_id: string;
  state_hash: string;
  superstep: number;
}

/** Where a checkpoint comes from */
export interface ThreadCheckpointParent {
  checkpoint: number;
  id: string;
  run_id: string;
}

/** The newest committed checkpoint of a thread */
export interface ThreadHead {
  checkpoint: number;
  run_id: string;
}

/** A conversation, perhaps before its first run */
export interface ThreadInfo {
  created_at: string;
  /** Absent: it has no run */
  last_run?: RunSummary;
  metadata: JsonObject;
  status: "idle" | "busy" | "interrupted" | "error";
  thread_id: string;
  /** When it was last described, or a run of it began or ended */
  updated_at: string;
}

/** Which conversations are wanted: all conditions hold */
export interface ThreadSearch {
  /** Contained in the metadata of the thread, at any depth */
  metadata?: JsonObject;
  /** One of these; empty: any */
  status?: ("idle" | "busy" | "interrupted" | "error")[];
  /** One of these; empty: any */
  thread_ids?: string[];
}

/** A conversation: several runs, one after the other */
export interface ThreadState {
  created_at: string;
  /** Whose state it is; absent while nothing is committed */
  head?: ThreadHead;
  /** Absent: it has no run */
  last_run?: RunSummary;
  metadata: JsonObject;
  /** What the next run would start from */
  state: JsonObject;
  /** `busy`: a run is active or waits; `interrupted`: nodes are pending that nothing drives, as at a question; `error`: the last run failed */
  status: "idle" | "busy" | "interrupted" | "error";
  thread_id: string;
  updated_at: string;
}

/** A conversation and its newest run */
export interface ThreadSummary {
  created_at: string;
  last_run: RunSummary;
  metadata: JsonObject;
  status: "idle" | "busy" | "interrupted" | "error";
  thread_id: string;
  updated_at: string;
}

/** A tool that llm nodes can offer and tool nodes can run */
export interface Tool {
  /** JSON Schema of its arguments */
  arguments_schema: JsonObject;
  description: string;
  /** Whether a call with unknown outcome may be repeated */
  execution: "idempotent" | "at_most_once";
  name: string;
  /** What the operator of the server says about its calls. Each of them applies, and no definition loosens one; none: definitions decide */
  policies: ToolPolicy[];
  /** Where it comes from */
  source: "java" | "http" | "mcp" | "stub";
}

/** What the operator says about calls of a tool */
export interface ToolPolicy {
  /** `always`: a person approves each call, whatever the definition says; `other_than_starter`: somebody else than who started the run. `defined`: the definition decides */
  approval: "always" | "other_than_starter" | "defined";
  /** Most calls of one assistant message */
  calls_per_message_max?: number;
  /** Most calls of a run and of all runs that it has begun */
  calls_per_run_max?: number;
  /** Whether calls are refused because of their arguments */
  conditional: boolean;
  /** Patterns of the names of graphs that may use the tool; none: all may */
  graphs: string[];
}

/** A webhook or an event that starts runs */
export interface Trigger {
  /** CEL: what does not satisfy it starts no run */
  condition?: string;
  /** For whom runs start: the id of a key or of a token's subject; absent: no key was needed */
  created_by?: string;
  /** Of an event: its type */
  event?: string;
  graph: string;
  /** Templates of the input; none: what has come is the input */
  input: JsonObject;
  /** Of a webhook: where it is sent */
  path?: string;
  /** Of a webhook: who signs it, and how */
  scheme?: "standard" | "github" | "stripe" | "slack";
  /** Its name in the definition of the graph */
  trigger: string;
}

/** What the run has spent on models: what `max_model_calls` and `max_tokens` limit. A call counts when it is made, its tokens when the answer is there, and what runs of `subgraph` nodes have spent when they end */
export interface Usage {
  cache_write_tokens?: number;
  cached_input_tokens?: number;
  /** A decimal number in the unit of the prices, by those that were in force when the models answered; absent: not known, because no model has a price */
  cost?: string;
  input_tokens: number;
  model_calls: number;
  /** Those that have called a model, by id */
  nodes: NodeUsage[];
  output_tokens: number;
  total_tokens: number;
  /** Calls whose cost is not known, so that `cost` is too low; absent: none, or no cost */
  unpriced_calls?: number;
}

/** What is wrong with a definition */
export interface Validation {
  /** The long form of a valid definition, where it was asked for */
  definition?: JsonObject;
  errors: FieldError[];
  /** Whether it could be posted */
  valid: boolean;
  warnings: FieldError[];
}

export interface Wait {
  reason: string;
  until: string;
}

/** Who is told what happens in runs */
export interface Webhook {
  /** It is told what is committed from then on */
  created_at: string;
  description: string;
  /** Of which it is told */
  events: string[];
  /** Of whose runs it is told; absent: all */
  graphs: string[];
  id: string;
  /** Deliveries wait */
  paused: boolean;
  /** Why it has paused itself: its receiver has answered 410 */
  paused_because?: string;
  /** Until when deliveries are signed with the secret from before, too */
  previous_ends_at?: string;
  /** Shown when it is made or rotated */
  secret?: string;
  /** Where deliveries go; absent: each run names its own */
  url?: string;
}

/** How a webhook gets another secret */
export interface WebhookRotation {
  /** How long deliveries are signed with the secret that it has, too, at most 30 days; `0s`: not any more. Default: `24h` */
  overlap?: string;
}

/** What changes of a webhook */
export interface WebhookUpdate {
  description?: string;
  /** Whether deliveries wait. What waits is sent when it ends */
  paused?: boolean;
  /** Also for deliveries that wait or were given up */
  url?: string;
}

export interface AuditListOptions extends CallOptions {
  /** Not before this */
  since?: string;
  /** Before this */
  until?: string;
  /** Id of a key, or of the subject of a token */
  caller?: string;
  /** Such as `run.start` */
  action?: string;
  /** Id of what it was done to */
  object?: string;
  outcome?: "allowed" | "refused" | "failed";
  /** How many items to answer with at most */
  limit?: number;
  /** `next_cursor` of the answer before */
  cursor?: string;
}

export interface AuditVerifyOptions extends CallOptions {
  /** Only seals with an event of this time or later */
  since?: string;
  /** Only seals with an event before this */
  until?: string;
  /** A `head` that an earlier answer had; if the seal does not have it any more, `broken` names `head` */
  head?: string;
  /** `next_cursor` of the answer before */
  cursor?: string;
}

export class AuditOperations {
  constructor(protected readonly transport: Transport) {}

  /** Search the audit log, newest first */
  list(options: AuditListOptions = {}): Promise<ListingAuditEvent> {
    return this.transport.call({
      method: "GET",
      path: `/v1/audit`,
      query: { since: options.since, until: options.until, caller: options.caller, action: options.action, object: options.object, outcome: options.outcome, limit: options.limit, cursor: options.cursor },
      repeat: "safe",
      answer: "json",
      options,
    });
  }

  /** Events of your tenant are sealed in batches some seconds behind their calls, each seal linked to the one before. Verifies a part of bounded size. Go on with `next_cursor` */
  verify(options: AuditVerifyOptions = {}): Promise<AuditVerification> {
    return this.transport.call({
      method: "GET",
      path: `/v1/audit/verify`,
      query: { since: options.since, until: options.until, head: options.head, cursor: options.cursor },
      repeat: "safe",
      answer: "json",
      options,
    });
  }
}

export class CallbacksOperations {
  constructor(protected readonly transport: Transport) {}

  /** `callback.url` in the templates of a graph leads here. The body, any JSON, is the answer; the first one counts. No key is needed: the token is the right to answer. */
  answer(token: string, options: CallOptions = {}): Promise<void> {
    return this.transport.call({
      method: "POST",
      path: `/v1/callbacks/${part(token)}`,
      repeat: "never",
      answer: "none",
      options,
    });
  }

  /** The retry policy of the node decides; a retry calls again, with a token of its own. No key is needed. */
  fail(token: string, body: TaskFailure, options: CallOptions = {}): Promise<void> {
    return this.transport.call({
      method: "POST",
      path: `/v1/callbacks/${part(token)}/failure`,
      body,
      repeat: "never",
      answer: "none",
      options,
    });
  }

  /** For callbacks with a `heartbeat`: it begins anew. No key is needed. */
  heartbeat(token: string, options: CallOptions = {}): Promise<CallbackLease> {
    return this.transport.call({
      method: "POST",
      path: `/v1/callbacks/${part(token)}/heartbeat`,
      repeat: "never",
      answer: "json",
      options,
    });
  }
}

export interface CatalogBudgetsOptions extends CallOptions {
  /** How many items to answer with at most */
  limit?: number;
  /** `next_cursor` of the answer before */
  cursor?: string;
}

export interface CatalogContextProcessorsOptions extends CallOptions {
  /** How many items to answer with at most */
  limit?: number;
  /** `next_cursor` of the answer before */
  cursor?: string;
}

export interface CatalogContextTransformsOptions extends CallOptions {
  /** How many items to answer with at most */
  limit?: number;
  /** `next_cursor` of the answer before */
  cursor?: string;
}

export interface CatalogErrorCodesOptions extends CallOptions {
  /** How many items to answer with at most */
  limit?: number;
  /** `next_cursor` of the answer before */
  cursor?: string;
}

export interface CatalogFunctionsOptions extends CallOptions {
  /** How many items to answer with at most */
  limit?: number;
  /** `next_cursor` of the answer before */
  cursor?: string;
}

export interface CatalogModelsOptions extends CallOptions {
  /** How many items to answer with at most */
  limit?: number;
  /** `next_cursor` of the answer before */
  cursor?: string;
}

export interface CatalogNodeTypesOptions extends CallOptions {
  /** How many items to answer with at most */
  limit?: number;
  /** `next_cursor` of the answer before */
  cursor?: string;
}

export interface CatalogReducersOptions extends CallOptions {
  /** How many items to answer with at most */
  limit?: number;
  /** `next_cursor` of the answer before */
  cursor?: string;
}

export interface CatalogToolsOptions extends CallOptions {
  /** How many items to answer with at most */
  limit?: number;
  /** `next_cursor` of the answer before */
  cursor?: string;
}

export class CatalogOperations {
  constructor(protected readonly transport: Transport) {}

  /** Of the amounts on which runs of the caller draw, as of a second ago: its tenant's, its own, and those that it shares with other tenants. */
  budgets(options: CatalogBudgetsOptions = {}): Promise<ListingBudget> {
    return this.transport.call({
      method: "GET",
      path: `/v1/budgets`,
      query: { limit: options.limit, cursor: options.cursor },
      repeat: "safe",
      answer: "json",
      options,
    });
  }

  /** List the registered context processors */
  contextProcessors(options: CatalogContextProcessorsOptions = {}): Promise<ListingContextProcessor> {
    return this.transport.call({
      method: "GET",
      path: `/v1/context-processors`,
      query: { limit: options.limit, cursor: options.cursor },
      repeat: "safe",
      answer: "json",
      options,
    });
  }

  /** List the context transforms */
  contextTransforms(options: CatalogContextTransformsOptions = {}): Promise<ListingContextTransform> {
    return this.transport.call({
      method: "GET",
      path: `/v1/context-transforms`,
      query: { limit: options.limit, cursor: options.cursor },
      repeat: "safe",
      answer: "json",
      options,
    });
  }

  /** For authors: the view, and for each item the rule that kept or dropped it. It uses what runs use; nothing is stored. */
  previewContext(body: PreviewContext, options: CallOptions = {}): Promise<ContextPreview> {
    return this.transport.call({
      method: "POST",
      path: `/v1/context/preview`,
      body,
      repeat: "safe",
      answer: "json",
      options,
    });
  }

  /** All codes of problems, definitions and runs. Needs no API key. */
  errorCodes(options: CatalogErrorCodesOptions = {}): Promise<ListingErrorCode> {
    return this.transport.call({
      method: "GET",
      path: `/v1/error-codes`,
      query: { limit: options.limit, cursor: options.cursor },
      repeat: "safe",
      answer: "json",
      options,
    });
  }

  /** What has happened, the usual causes, and what to do. Needs no API key: the `help` of a problem document leads here. */
  errorCode(code: string, options: CallOptions = {}): Promise<ErrorCode> {
    return this.transport.call({
      method: "GET",
      path: `/v1/error-codes/${part(code)}`,
      repeat: "safe",
      answer: "json",
      options,
    });
  }

  /** For authors. The bounds are those of runs; nothing is stored. */
  evaluate(body: Evaluate, options: CallOptions = {}): Promise<Evaluation> {
    return this.transport.call({
      method: "POST",
      path: `/v1/expressions/evaluate`,
      body,
      repeat: "safe",
      answer: "json",
      options,
    });
  }

  /** List the registered functions */
  functions(options: CatalogFunctionsOptions = {}): Promise<ListingFunctionInfo> {
    return this.transport.call({
      method: "GET",
      path: `/v1/functions`,
      query: { limit: options.limit, cursor: options.cursor },
      repeat: "safe",
      answer: "json",
      options,
    });
  }

  /** List the chat models */
  models(options: CatalogModelsOptions = {}): Promise<ListingModel> {
    return this.transport.call({
      method: "GET",
      path: `/v1/models`,
      query: { limit: options.limit, cursor: options.cursor },
      repeat: "safe",
      answer: "json",
      options,
    });
  }

  /** List the node types */
  nodeTypes(options: CatalogNodeTypesOptions = {}): Promise<ListingNodeType> {
    return this.transport.call({
      method: "GET",
      path: `/v1/node-types`,
      query: { limit: options.limit, cursor: options.cursor },
      repeat: "safe",
      answer: "json",
      options,
    });
  }

  /** List the reducers */
  reducers(options: CatalogReducersOptions = {}): Promise<ListingReducer> {
    return this.transport.call({
      method: "GET",
      path: `/v1/reducers`,
      query: { limit: options.limit, cursor: options.cursor },
      repeat: "safe",
      answer: "json",
      options,
    });
  }

  /** One document for editors: all keys, and the config of every node type of this server. */
  schema(options: CallOptions = {}): Promise<JsonObject> {
    return this.transport.call({
      method: "GET",
      path: `/v1/schema.json`,
      repeat: "safe",
      answer: "json",
      options,
    });
  }

  /** Answers while the database is away, too, to callers whose keys are in the settings. The probes of an orchestrator are on the management port. */
  server(options: CallOptions = {}): Promise<Server> {
    return this.transport.call({
      method: "GET",
      path: `/v1/server`,
      repeat: "safe",
      answer: "json",
      options,
    });
  }

  /** For operators. The figures of graphs are read where there are few runs, and estimated from a sample of the runs otherwise, so that the call costs about the same however much is stored. Graphs of which the sample has no run are absent then. */
  storage(options: CallOptions = {}): Promise<Storage> {
    return this.transport.call({
      method: "GET",
      path: `/v1/storage`,
      repeat: "safe",
      answer: "json",
      options,
    });
  }

  /** List the tools */
  tools(options: CatalogToolsOptions = {}): Promise<ListingTool> {
    return this.transport.call({
      method: "GET",
      path: `/v1/tools`,
      query: { limit: options.limit, cursor: options.cursor },
      repeat: "safe",
      answer: "json",
      options,
    });
  }
}

export class EventsOperations {
  constructor(protected readonly transport: Transport) {}

  /** An event of CloudEvents 1.0: structured (`application/cloudevents+json`), a batch of up to 100 (`application/cloudevents-batch+json`), or with its attributes in headers `ce-…` and its data as JSON. It goes to every run that waits for it, and to those that begin to while it is kept, until its `expirytime` or for as long as the server keeps others. One with a known `source` and `id` is the same event. */
  send(options: CallOptions = {}): Promise<void> {
    return this.transport.call({
      method: "POST",
      path: `/v1/events`,
      repeat: "never",
      answer: "none",
      options,
    });
  }
}

export interface GraphsListOptions extends CallOptions {
  /** How many items to answer with at most */
  limit?: number;
  /** `next_cursor` of the answer before */
  cursor?: string;
}

export interface GraphsCreateOptions extends CallOptions {
  /** true: run the definition's tests first, and store it only if all pass */
  test?: boolean;
}

export interface GraphsValidateOptions extends CallOptions {
  /** long: the answer has the long form of a valid definition, which would be run */
  form?: "authored" | "long";
}

export interface GraphsGetOptions extends CallOptions {
  /** For YAML: the text that was posted, comments included, or the long form that is run */
  form?: "authored" | "long";
}

export interface GraphsDiagramOptions extends CallOptions {
  /** Absent: the newest */
  version?: number;
  format?: "mermaid";
}

export interface GraphsTestStoredOptions extends CallOptions {
  /** Absent: the newest */
  version?: number;
}

export interface GraphsVersionsOptions extends CallOptions {
  /** How many items to answer with at most */
  limit?: number;
  /** `next_cursor` of the answer before */
  cursor?: string;
}

export interface GraphsVersionOptions extends CallOptions {
  /** For YAML: the text that was posted, comments included, or the long form that is run */
  form?: "authored" | "long";
}

export class GraphsOperations {
  constructor(protected readonly transport: Transport) {}

  /** List the newest versions of all graphs */
  list(options: GraphsListOptions = {}): Promise<ListingGraphSummary> {
    return this.transport.call({
      method: "GET",
      path: `/v1/graphs`,
      query: { limit: options.limit, cursor: options.cursor },
      repeat: "safe",
      answer: "json",
      options,
    });
  }

  /** The same content as the newest version makes no new one. Equal to an older one, it does: that is a rollback. */
  create(definition: Definition, options: GraphsCreateOptions = {}): Promise<GraphSummary> {
    return this.transport.call({
      method: "POST",
      path: `/v1/graphs`,
      query: { test: options.test },
      definition,
      repeat: "keyed",
      answer: "json",
      options,
    });
  }

  /** In memory: nothing is stored, nothing is called, waits pass at once. The answer is 200 for failing tests too; a definition that could not be posted is refused. */
  test(definition: Definition, options: CallOptions = {}): Promise<TestReport> {
    return this.transport.call({
      method: "POST",
      path: `/v1/graphs/test`,
      definition,
      repeat: "safe",
      answer: "json",
      options,
    });
  }

  /** Stores and executes nothing. The answer is 200 for an invalid one too. */
  validate(definition: Definition, options: GraphsValidateOptions = {}): Promise<Validation> {
    return this.transport.call({
      method: "POST",
      path: `/v1/graphs/validate`,
      query: { form: options.form },
      definition,
      repeat: "safe",
      answer: "json",
      options,
    });
  }

  /** Its versions stay for the runs that have them; numbers are never reused. */
  delete(name: string, options: CallOptions = {}): Promise<void> {
    return this.transport.call({
      method: "DELETE",
      path: `/v1/graphs/${part(name)}`,
      repeat: "safe",
      answer: "none",
      options,
    });
  }

  /** Look at the newest version of a graph */
  get(name: string, options: GraphsGetOptions = {}): Promise<Graph> {
    return this.transport.call({
      method: "GET",
      path: `/v1/graphs/${part(name)}`,
      query: { form: options.form },
      repeat: "safe",
      answer: "json",
      options,
    });
  }

  /** Draw a graph */
  diagram(name: string, options: GraphsDiagramOptions = {}): Promise<string> {
    return this.transport.call({
      method: "GET",
      path: `/v1/graphs/${part(name)}/diagram`,
      query: { version: options.version, format: options.format },
      repeat: "safe",
      answer: "text",
      options,
    });
  }

  /** Those of the text that was posted last with this version. */
  testStored(name: string, options: GraphsTestStoredOptions = {}): Promise<TestReport> {
    return this.transport.call({
      method: "POST",
      path: `/v1/graphs/${part(name)}/test`,
      query: { version: options.version },
      repeat: "safe",
      answer: "json",
      options,
    });
  }

  /** List the versions of a graph */
  versions(name: string, options: GraphsVersionsOptions = {}): Promise<ListingGraphSummary> {
    return this.transport.call({
      method: "GET",
      path: `/v1/graphs/${part(name)}/versions`,
      query: { limit: options.limit, cursor: options.cursor },
      repeat: "safe",
      answer: "json",
      options,
    });
  }

  /** Look at one version of a graph */
  version(name: string, version: number, options: GraphsVersionOptions = {}): Promise<Graph> {
    return this.transport.call({
      method: "GET",
      path: `/v1/graphs/${part(name)}/versions/${part(version)}`,
      query: { form: options.form },
      repeat: "safe",
      answer: "json",
      options,
    });
  }
}

export interface InterruptsListOptions extends CallOptions {
  status?: "open" | "answered" | "expired" | "cancelled";
  graph?: string;
  /** `me`: whose assignee the caller is; `nobody`: without an assignee, those that the caller may claim; `my_groups`: of these, those that name a group or role of the caller */
  assigned?: "me" | "nobody" | "my_groups";
  /** How many items to answer with at most */
  limit?: number;
  /** `next_cursor` of the answer before */
  cursor?: string;
}

export interface InterruptsAnswerOptions extends CallOptions {
  /** How long to wait for the run to be at rest (`succeeded`, `failed`, `cancelled`, `interrupted`), at most `60s`; the answer shows the run as it is then */
  wait?: string;
}

export class InterruptsOperations {
  constructor(protected readonly transport: Transport) {}

  /** List interrupts of all runs, newest first */
  list(options: InterruptsListOptions = {}): Promise<ListingInterrupt> {
    return this.transport.call({
      method: "GET",
      path: `/v1/interrupts`,
      query: { status: options.status, graph: options.graph, assigned: options.assigned, limit: options.limit, cursor: options.cursor },
      repeat: "safe",
      answer: "json",
      options,
    });
  }

  /** Look at an interrupt */
  get(interruptId: string, options: CallOptions = {}): Promise<Interrupt> {
    return this.transport.call({
      method: "GET",
      path: `/v1/interrupts/${part(interruptId)}`,
      repeat: "safe",
      answer: "json",
      options,
    });
  }

  /** Accepted while the interrupt is open, whatever its run is doing. */
  answer(interruptId: string, body: AnswerInterrupt, options: InterruptsAnswerOptions = {}): Promise<Run> {
    return this.transport.call({
      method: "POST",
      path: `/v1/interrupts/${part(interruptId)}/answer`,
      query: { wait: options.wait },
      body,
      repeat: "keyed",
      answer: "json",
      options,
    });
  }

  /** Makes the caller the one who is to answer. Of several at once one gets it, the others 409 `interrupt_claimed`. */
  claim(interruptId: string, options: CallOptions = {}): Promise<Interrupt> {
    return this.transport.call({
      method: "POST",
      path: `/v1/interrupts/${part(interruptId)}/claim`,
      repeat: "never",
      answer: "json",
      options,
    });
  }

  /** Make a question somebody else's */
  delegate(interruptId: string, body: DelegateInterrupt, options: CallOptions = {}): Promise<Interrupt> {
    return this.transport.call({
      method: "POST",
      path: `/v1/interrupts/${part(interruptId)}/delegate`,
      body,
      repeat: "never",
      answer: "json",
      options,
    });
  }

  /** Give a question back to its candidates */
  release(interruptId: string, options: CallOptions = {}): Promise<Interrupt> {
    return this.transport.call({
      method: "POST",
      path: `/v1/interrupts/${part(interruptId)}/release`,
      repeat: "never",
      answer: "json",
      options,
    });
  }
}

export interface KeysListOptions extends CallOptions {
  /** How many items to answer with at most */
  limit?: number;
  /** `next_cursor` of the answer before */
  cursor?: string;
}

export class KeysOperations {
  constructor(protected readonly transport: Transport) {}

  /** List the API keys, without their secrets */
  list(options: KeysListOptions = {}): Promise<ListingKey> {
    return this.transport.call({
      method: "GET",
      path: `/v1/keys`,
      query: { limit: options.limit, cursor: options.cursor },
      repeat: "safe",
      answer: "json",
      options,
    });
  }

  /** The answer shows its secret, which is not stored and not shown again. A key may do nothing that its maker may not, and ends no later than it. */
  create(body: NewKey, options: CallOptions = {}): Promise<Key> {
    return this.transport.call({
      method: "POST",
      path: `/v1/keys`,
      body,
      repeat: "never",
      answer: "json",
      options,
    });
  }

  /** Other replicas may accept it for two more seconds. */
  revoke(keyId: string, options: CallOptions = {}): Promise<void> {
    return this.transport.call({
      method: "DELETE",
      path: `/v1/keys/${part(keyId)}`,
      repeat: "safe",
      answer: "none",
      options,
    });
  }

  /** The answer shows the secret this once. The one that the key had is taken for as long as `overlap` says. While one from before is taken, only an overlap of `0s` is, which ends both. Id, roles and end stay. Your own key must have all that this one may do, and last as long. */
  rotate(keyId: string, body: KeyRotation, options: CallOptions = {}): Promise<Key> {
    return this.transport.call({
      method: "POST",
      path: `/v1/keys/${part(keyId)}/rotate`,
      body,
      repeat: "never",
      answer: "json",
      options,
    });
  }
}

export interface RunsSearchOptions extends CallOptions {
  /** Name of the graph */
  graph?: string;
  /** One of these; may be repeated */
  status?: ("queued" | "running" | "waiting" | "interrupted" | "failed" | "cancelling" | "succeeded" | "cancelled")[];
  thread_id?: string;
  /** Only runs that tasks of this run have begun */
  parent?: string;
  /** Only runs that have failed with this code */
  error_code?: string;
  /** `<key>:<value>`; repeated: all of them */
  metadata?: string[];
  /** Only runs that were created later than this */
  created_after?: string;
  /** Only runs that were created earlier than this */
  created_before?: string;
  /** How many items to answer with at most */
  limit?: number;
  /** `next_cursor` of the answer before */
  cursor?: string;
}

export interface RunsStartOptions extends CallOptions {
  /** How long to wait for the run to be at rest (`succeeded`, `failed`, `cancelled`, `interrupted`), at most `60s`; the answer shows the run as it is then */
  wait?: string;
}

export interface RunsGetOptions extends CallOptions {
  /** What the run comes without, to be read faster: `input`, `output`, or both with a comma */
  without?: string;
  /** How long to wait for the run to be at rest (`succeeded`, `failed`, `cancelled`, `interrupted`), at most `60s`; the answer shows the run as it is then */
  wait?: string;
}

export interface RunsCancelOptions extends CallOptions {
  /** How long to wait for the run to be at rest (`succeeded`, `failed`, `cancelled`, `interrupted`), at most `60s`; the answer shows the run as it is then */
  wait?: string;
}

export interface RunsCheckpointsOptions extends CallOptions {
  superstep?: number;
  /** How many items to answer with at most */
  limit?: number;
  /** `next_cursor` of the answer before */
  cursor?: string;
}

export interface RunsCheckpointOptions extends CallOptions {
  /** What the checkpoint comes without, to be read faster: `changes` */
  without?: string;
  /** Leaves values of channels out of `state` that take more bytes as JSON; `omitted` says which, and `GET /v1/runs/{id}/state?channel=` reads one */
  values_max?: number;
}

export interface RunsNodeContextOptions extends CallOptions {
  node: string;
  /** Absent: a plain activation */
  dispatch_id?: string;
}

export interface RunsContextOptions extends CallOptions {
  /** Absent: the last */
  checkpoint?: number;
}

export interface RunsDiagramOptions extends CallOptions {
  format?: "mermaid";
}

export interface RunsEventsOptions extends CallOptions {
  /** Only events behind this `seq` */
  after?: number;
  /** Only events of this type; may be repeated */
  type?: string[];
  /** How many items to answer with at most */
  limit?: number;
  /** `next_cursor` of the answer before */
  cursor?: string;
}

export interface RunsForkOptions extends CallOptions {
  /** How long to wait for the run to be at rest (`succeeded`, `failed`, `cancelled`, `interrupted`), at most `60s`; the answer shows the run as it is then */
  wait?: string;
}

export interface RunsInterruptsOptions extends CallOptions {
  /** How many items to answer with at most */
  limit?: number;
  /** `next_cursor` of the answer before */
  cursor?: string;
}

export interface RunsMessagesOptions extends CallOptions {
  /** How many items to answer with at most */
  limit?: number;
  /** `next_cursor` of the answer before */
  cursor?: string;
}

export interface RunsCountTasksOptions extends CallOptions {
  /** Only supersteps behind this one; absent: all */
  after?: number;
  /** `next_cursor` of the answer before */
  cursor?: string;
}

export interface RunsPauseOptions extends CallOptions {
  /** How long to wait for the run to be at rest (`succeeded`, `failed`, `cancelled`, `interrupted`), at most `60s`; the answer shows the run as it is then */
  wait?: string;
}

export interface RunsResumeOptions extends CallOptions {
  /** How long to wait for the run to be at rest (`succeeded`, `failed`, `cancelled`, `interrupted`), at most `60s`; the answer shows the run as it is then */
  wait?: string;
}

export interface RunsStateOptions extends CallOptions {
  /** Absent: the last */
  checkpoint?: number;
  /** Whether to add the held results of a held superstep */
  pending?: boolean;
  /** Only these channels; may be repeated */
  channel?: string[];
  /** Leaves values of channels out of `state` that take more bytes as JSON; `omitted` says which, and `GET /v1/runs/{id}/state?channel=` reads one */
  values_max?: number;
}

export interface RunsStepOptions extends CallOptions {
  /** How long to wait for the run to be at rest (`succeeded`, `failed`, `cancelled`, `interrupted`), at most `60s`; the answer shows the run as it is then */
  wait?: string;
}

export interface RunsTasksOptions extends CallOptions {
  superstep?: number;
  node?: string;
  status?: "running" | "waiting" | "succeeded" | "handled" | "failed" | "interrupted" | "cancelled";
  /** How many items to answer with at most; up to 200 with `input` or `change` */
  limit?: number;
  /** `next_cursor` of the answer before */
  cursor?: string;
  dispatch_id?: string;
  /** What the tasks come without, to be read faster: `input`, `change` (and `compacted`), or both with a comma */
  without?: string;
}

export interface RunsVerifyOptions extends CallOptions {
  /** A `head` that an earlier answer had; if the checkpoint does not have it any more, `broken` names `head` */
  head?: string;
  /** `next_cursor` of the answer before */
  cursor?: string;
}

export class RunsOperations {
  constructor(protected readonly transport: Transport) {}

  /** Search runs, newest first */
  search(options: RunsSearchOptions = {}): Promise<ListingRunSummary> {
    return this.transport.call({
      method: "GET",
      path: `/v1/runs`,
      query: { graph: options.graph, status: options.status, thread_id: options.thread_id, parent: options.parent, error_code: options.error_code, metadata: options.metadata, created_after: options.created_after, created_before: options.created_before, limit: options.limit, cursor: options.cursor },
      repeat: "safe",
      answer: "json",
      options,
    });
  }

  /** The run and its input are on disk before the answer comes. With a header `traceparent` (W3C) the run is part of that trace, and passes it on. */
  start(body: StartRun, options: RunsStartOptions = {}): Promise<Run> {
    return this.transport.call({
      method: "POST",
      path: `/v1/runs`,
      query: { wait: options.wait },
      body,
      repeat: "keyed",
      answer: "json",
      options,
    });
  }

  /** Its checkpoints, tasks, interrupts and events go with it. A thread goes with its last run. */
  delete(runId: string, options: CallOptions = {}): Promise<void> {
    return this.transport.call({
      method: "DELETE",
      path: `/v1/runs/${part(runId)}`,
      repeat: "safe",
      answer: "none",
      options,
    });
  }

  /** Look at a run */
  get(runId: string, options: RunsGetOptions = {}): Promise<Run> {
    return this.transport.call({
      method: "GET",
      path: `/v1/runs/${part(runId)}`,
      query: { without: options.without, wait: options.wait },
      repeat: "safe",
      answer: "json",
      options,
    });
  }

  /** Node calls that are running are interrupted. Safe to repeat. */
  cancel(runId: string, options: RunsCancelOptions = {}): Promise<Run> {
    return this.transport.call({
      method: "POST",
      path: `/v1/runs/${part(runId)}/cancel`,
      query: { wait: options.wait },
      repeat: "keyed",
      answer: "json",
      options,
    });
  }

  /** List the checkpoints of a run, newest first */
  checkpoints(runId: string, options: RunsCheckpointsOptions = {}): Promise<ListingCheckpointSummary> {
    return this.transport.call({
      method: "GET",
      path: `/v1/runs/${part(runId)}/checkpoints`,
      query: { superstep: options.superstep, limit: options.limit, cursor: options.cursor },
      repeat: "safe",
      answer: "json",
      options,
    });
  }

  /** Read a checkpoint */
  checkpoint(runId: string, number: number, options: RunsCheckpointOptions = {}): Promise<Checkpoint> {
    return this.transport.call({
      method: "GET",
      path: `/v1/runs/${part(runId)}/checkpoints/${part(number)}`,
      query: { without: options.without, values_max: options.values_max },
      repeat: "safe",
      answer: "json",
      options,
    });
  }

  /** A task that the checkpoint activates, or one of the superstep that it commits. Of every variable, metadata key and history entry it says which rule kept or dropped it. */
  nodeContext(runId: string, number: number, options: RunsNodeContextOptions): Promise<NodeContext> {
    return this.transport.call({
      method: "GET",
      path: `/v1/runs/${part(runId)}/checkpoints/${part(number)}/context`,
      query: { node: options.node, dispatch_id: options.dispatch_id },
      repeat: "safe",
      answer: "json",
      options,
    });
  }

  /** Read the prompt context of a run */
  context(runId: string, options: RunsContextOptions = {}): Promise<PromptContext> {
    return this.transport.call({
      method: "GET",
      path: `/v1/runs/${part(runId)}/context`,
      query: { checkpoint: options.checkpoint },
      repeat: "safe",
      answer: "json",
      options,
    });
  }

  /** Nodes that are done, active, failed or interrupted are marked. */
  diagram(runId: string, options: RunsDiagramOptions = {}): Promise<string> {
    return this.transport.call({
      method: "GET",
      path: `/v1/runs/${part(runId)}/diagram`,
      query: { format: options.format },
      repeat: "safe",
      answer: "text",
      options,
    });
  }

  /** List the stored events of a run, oldest first */
  events(runId: string, options: RunsEventsOptions = {}): Promise<ListingRunEvent> {
    return this.transport.call({
      method: "GET",
      path: `/v1/runs/${part(runId)}/events`,
      query: { after: options.after, type: options.type, limit: options.limit, cursor: options.cursor },
      repeat: "safe",
      answer: "json",
      options,
    });
  }

  /** The old run is left untouched, unless it is the active run of the thread and `if_busy` ends it. */
  fork(runId: string, body: ForkRun, options: RunsForkOptions = {}): Promise<Run> {
    return this.transport.call({
      method: "POST",
      path: `/v1/runs/${part(runId)}/fork`,
      query: { wait: options.wait },
      body,
      repeat: "keyed",
      answer: "json",
      options,
    });
  }

  /** List the interrupts of a run, newest first */
  interrupts(runId: string, options: RunsInterruptsOptions = {}): Promise<ListingInterrupt> {
    return this.transport.call({
      method: "GET",
      path: `/v1/runs/${part(runId)}/interrupts`,
      query: { limit: options.limit, cursor: options.cursor },
      repeat: "safe",
      answer: "json",
      options,
    });
  }

  /** In the order in which they were accepted. */
  messages(runId: string, options: RunsMessagesOptions = {}): Promise<ListingRunMessage> {
    return this.transport.call({
      method: "GET",
      path: `/v1/runs/${part(runId)}/messages`,
      query: { limit: options.limit, cursor: options.cursor },
      repeat: "safe",
      answer: "json",
      options,
    });
  }

  /** The message is on disk before the answer comes. The next superstep that commits takes it, in the order in which messages were accepted. With an `id` the call may be repeated. */
  send(runId: string, body: SendMessage, options: CallOptions = {}): Promise<RunMessage> {
    return this.transport.call({
      method: "POST",
      path: `/v1/runs/${part(runId)}/messages`,
      body,
      repeat: "keyed",
      answer: "json",
      options,
    });
  }

  /** An answer has up to 2,000 supersteps or some 20,000 tasks, newest first: add up those behind `next_cursor`. What is committed does not change: later, ask with `after` for what has come since. */
  countTasks(runId: string, options: RunsCountTasksOptions = {}): Promise<NodeCounts> {
    return this.transport.call({
      method: "GET",
      path: `/v1/runs/${part(runId)}/nodes`,
      query: { after: options.after, cursor: options.cursor },
      repeat: "safe",
      answer: "json",
      options,
    });
  }

  /** The superstep in flight ends and is committed, nothing behind it is: the run is `interrupted` with the breakpoint `pause`, and the runs inside with it. A run that waits pauses at once. What it waited for is kept; `resumeRun` and `stepRun` have it go on. Safe to repeat. */
  pause(runId: string, options: RunsPauseOptions = {}): Promise<Run> {
    return this.transport.call({
      method: "POST",
      path: `/v1/runs/${part(runId)}/pause`,
      query: { wait: options.wait },
      repeat: "keyed",
      answer: "json",
      options,
    });
  }

  /** Answers interrupts, resolves failed tasks by hand, edits the state, activates more nodes, raises limits. `{}` passes a breakpoint and re-runs failed tasks. With `continue: false` a run that stopped is edited and stays where it is. A run that has succeeded or was cancelled is refused as `run_ended`: fork it. */
  resume(runId: string, body: ResumeRun, options: RunsResumeOptions = {}): Promise<Run> {
    return this.transport.call({
      method: "POST",
      path: `/v1/runs/${part(runId)}/resume`,
      query: { wait: options.wait },
      body,
      repeat: "keyed",
      answer: "json",
      options,
    });
  }

  /** Read the committed state of a run */
  state(runId: string, options: RunsStateOptions = {}): Promise<State> {
    return this.transport.call({
      method: "GET",
      path: `/v1/runs/${part(runId)}/state`,
      query: { checkpoint: options.checkpoint, pending: options.pending, channel: options.channel, values_max: options.values_max },
      repeat: "safe",
      answer: "json",
      options,
    });
  }

  /** Of a run that is paused, stands at a breakpoint or has failed: it goes on as with `resumeRun`, past the breakpoints before what is next, and is paused behind the next superstep. The runs inside go on until that is committed. A run that asks is refused as `nothing_to_resume`: answer it. */
  step(runId: string, options: RunsStepOptions = {}): Promise<Run> {
    return this.transport.call({
      method: "POST",
      path: `/v1/runs/${part(runId)}/step`,
      query: { wait: options.wait },
      repeat: "keyed",
      answer: "json",
      options,
    });
  }

  /** Newest superstep first, in task order within one. Without `input` and `change` an answer has up to 2,000 tasks. */
  tasks(runId: string, options: RunsTasksOptions = {}): Promise<ListingTask> {
    return this.transport.call({
      method: "GET",
      path: `/v1/runs/${part(runId)}/tasks`,
      query: { superstep: options.superstep, node: options.node, status: options.status, limit: options.limit, cursor: options.cursor, dispatch_id: options.dispatch_id, without: options.without },
      repeat: "safe",
      answer: "json",
      options,
    });
  }

  /** Verifies a part of bounded size: checkpoints, which are linked by hash, events, the request, and questions with their answers. Go on with `next_cursor` */
  verify(runId: string, options: RunsVerifyOptions = {}): Promise<RunVerification> {
    return this.transport.call({
      method: "GET",
      path: `/v1/runs/${part(runId)}/verify`,
      query: { head: options.head, cursor: options.cursor },
      repeat: "safe",
      answer: "json",
      options,
    });
  }
}

export interface SchedulesListOptions extends CallOptions {
  /** Whose runs they start */
  graph?: string;
  /** How many items to answer with at most */
  limit?: number;
  /** `next_cursor` of the answer before */
  cursor?: string;
}

export class SchedulesOperations {
  constructor(protected readonly transport: Transport) {}

  /** List the schedules */
  list(options: SchedulesListOptions = {}): Promise<ListingSchedule> {
    return this.transport.call({
      method: "GET",
      path: `/v1/schedules`,
      query: { graph: options.graph, limit: options.limit, cursor: options.cursor },
      repeat: "safe",
      answer: "json",
      options,
    });
  }

  /** Each start is a run of its own, whose id comes of the schedule's and the planned time. Runs start for the caller who has given the request; if that key is revoked or ends, they do not, and the schedule says so. */
  create(body: NewSchedule, options: CallOptions = {}): Promise<Schedule> {
    return this.transport.call({
      method: "POST",
      path: `/v1/schedules`,
      body,
      repeat: "keyed",
      answer: "json",
      options,
    });
  }

  /** Runs that it has started go on. What the definition of a graph declares goes with the next version of that. */
  delete(scheduleId: string, options: CallOptions = {}): Promise<void> {
    return this.transport.call({
      method: "DELETE",
      path: `/v1/schedules/${part(scheduleId)}`,
      repeat: "safe",
      answer: "none",
      options,
    });
  }

  /** Look at a schedule */
  get(scheduleId: string, options: CallOptions = {}): Promise<Schedule> {
    return this.transport.call({
      method: "GET",
      path: `/v1/schedules/${part(scheduleId)}`,
      repeat: "safe",
      answer: "json",
      options,
    });
  }

  /** What is not given stays. Times that pass while it is paused are left out, and other times begin now. With `run`, runs start for you from then on. A schedule that the definition of a graph declares can be paused and resumed. */
  update(scheduleId: string, body: ScheduleChange, options: CallOptions = {}): Promise<Schedule> {
    return this.transport.call({
      method: "PATCH",
      path: `/v1/schedules/${part(scheduleId)}`,
      body,
      repeat: "safe",
      answer: "json",
      options,
    });
  }
}

export interface TasksClaimOptions extends CallOptions {
  /** A type of tasks, `task_type` of a node; may be repeated */
  type: string[];
  /** Most tasks */
  max?: number;
  /** How long to wait for the run to be at rest (`succeeded`, `failed`, `cancelled`, `interrupted`), at most `60s`; the answer shows the run as it is then */
  wait?: string;
  /** A name of its own choice, which is kept */
  worker?: string;
}

export class TasksOperations {
  constructor(protected readonly transport: Transport) {}

  /** Each task is claimed for as long as its lease lasts: a heartbeat prolongs it, an outcome ends it. A task whose lease is over goes to another worker under the same idempotency key. If an answer is lost, so are the tasks, until their leases are over. */
  claim(options: TasksClaimOptions): Promise<ClaimedTasks> {
    return this.transport.call({
      method: "POST",
      path: `/v1/tasks/claim`,
      query: { type: options.type, max: options.max, wait: options.wait, worker: options.worker },
      repeat: "never",
      answer: "json",
      options,
    });
  }

  /** One item for each type of tasks that are queued or claimed, up to 200; for a worker, of those that it may claim. Of longer queues 10,000 tasks are counted. */
  queues(options: CallOptions = {}): Promise<TaskQueues> {
    return this.transport.call({
      method: "GET",
      path: `/v1/tasks/queues`,
      repeat: "safe",
      answer: "json",
      options,
    });
  }

  /** Prolongs the lease. `wanted: false`: the run was cancelled, or has gone on without the task; drop it. */
  heartbeat(taskId: string, body: TaskHeartbeat, options: CallOptions = {}): Promise<TaskLease> {
    return this.transport.call({
      method: "POST",
      path: `/v1/tasks/${part(taskId)}/heartbeat`,
      body,
      repeat: "never",
      answer: "json",
      options,
    });
  }

  /** With `result`: what the node waits for, a node result unless the node has a `result` of its own. With `error`: the retry policy of the node decides. Safe to repeat. */
  end(taskId: string, body: TaskOutcome, options: CallOptions = {}): Promise<void> {
    return this.transport.call({
      method: "POST",
      path: `/v1/tasks/${part(taskId)}/outcome`,
      body,
      repeat: "never",
      answer: "none",
      options,
    });
  }

  /** Another worker can claim it at once. This counts neither as an attempt nor as a lost worker. */
  release(taskId: string, body: TaskRelease, options: CallOptions = {}): Promise<void> {
    return this.transport.call({
      method: "POST",
      path: `/v1/tasks/${part(taskId)}/release`,
      body,
      repeat: "never",
      answer: "none",
      options,
    });
  }

  /** What is recorded is on disk when this answers. A place is the claim's that has recorded it first: another one is answered what is there, or 409 `step_mismatch` if that has another name. A step that is `waiting` ends the claim: the task comes again once it has slept, or is answered. Safe to repeat. */
  step(taskId: string, body: TaskStepsRequest, options: CallOptions = {}): Promise<TaskSteps> {
    return this.transport.call({
      method: "POST",
      path: `/v1/tasks/${part(taskId)}/steps`,
      body,
      repeat: "never",
      answer: "json",
      options,
    });
  }
}

export interface ThreadsListOptions extends CallOptions {
  /** One of these; may be repeated */
  status?: ("idle" | "busy" | "interrupted" | "error")[];
  /** `<key>:<text>`; repeated: all of them */
  metadata?: string[];
  /** How many items to answer with at most */
  limit?: number;
  /** `next_cursor` of the answer before */
  cursor?: string;
}

export interface ThreadsSearchOptions extends CallOptions {
  /** How many items to answer with at most */
  limit?: number;
  /** `next_cursor` of the answer before */
  cursor?: string;
}

export interface ThreadsHistoryOptions extends CallOptions {
  /** How many items to answer with at most */
  limit?: number;
  /** `next_cursor` of the answer before */
  cursor?: string;
}

export interface ThreadsRunsOptions extends CallOptions {
  /** How many items to answer with at most */
  limit?: number;
  /** `next_cursor` of the answer before */
  cursor?: string;
}

export class ThreadsOperations {
  constructor(protected readonly transport: Transport) {}

  /** `POST /v1/threads/search` finds those without runs, too. */
  list(options: ThreadsListOptions = {}): Promise<ListingThreadSummary> {
    return this.transport.call({
      method: "GET",
      path: `/v1/threads`,
      query: { status: options.status, metadata: options.metadata, limit: options.limit, cursor: options.cursor },
      repeat: "safe",
      answer: "json",
      options,
    });
  }

  /** Not needed to start a run in a thread, which makes it. A thread that is made here stays when its last run is erased. */
  create(body: NewThread, options: CallOptions = {}): Promise<ThreadInfo> {
    return this.transport.call({
      method: "POST",
      path: `/v1/threads`,
      body,
      repeat: "keyed",
      answer: "json",
      options,
    });
  }

  /** Those that have no run, too. `metadata` has at most 16 KiB and 64 items in its lists, `thread_ids` 1,000. */
  search(body: ThreadSearch, options: ThreadsSearchOptions = {}): Promise<ListingThreadInfo> {
    return this.transport.call({
      method: "POST",
      path: `/v1/threads/search`,
      query: { limit: options.limit, cursor: options.cursor },
      body,
      repeat: "never",
      answer: "json",
      options,
    });
  }

  /** Refused while a run of it is active or waits for it. The runs are erased in steps, the oldest first. When there are more than one call can erase, the answer is 503 `erasure_unfinished`: the thread is still there with fewer runs, and the same call erases more. */
  delete(threadId: string, options: CallOptions = {}): Promise<void> {
    return this.transport.call({
      method: "DELETE",
      path: `/v1/threads/${part(threadId)}`,
      repeat: "safe",
      answer: "none",
      options,
    });
  }

  /** Its state is that of its newest committed checkpoint, however the run ended; a run that was rolled back does not count. */
  get(threadId: string, options: CallOptions = {}): Promise<ThreadState> {
    return this.transport.call({
      method: "GET",
      path: `/v1/threads/${part(threadId)}`,
      repeat: "safe",
      answer: "json",
      options,
    });
  }

  /** From then on it stays when its last run is erased. */
  update(threadId: string, body: ThreadChange, options: CallOptions = {}): Promise<ThreadInfo> {
    return this.transport.call({
      method: "PATCH",
      path: `/v1/threads/${part(threadId)}`,
      body,
      repeat: "safe",
      answer: "json",
      options,
    });
  }

  /** A copy never goes on by itself: one of a run that has not ended is cancelled where that stands. Runs that wait for the thread, or were rolled back, are not copied. */
  copy(threadId: string, options: CallOptions = {}): Promise<ThreadInfo> {
    return this.transport.call({
      method: "POST",
      path: `/v1/threads/${part(threadId)}/copy`,
      repeat: "keyed",
      answer: "json",
      options,
    });
  }

  /** Of all its runs, forks included, as one history: each names the checkpoint that it was made from. Runs that were rolled back, or have not begun, are left out. */
  history(threadId: string, options: ThreadsHistoryOptions = {}): Promise<ListingThreadCheckpoint> {
    return this.transport.call({
      method: "GET",
      path: `/v1/threads/${part(threadId)}/history`,
      query: { limit: options.limit, cursor: options.cursor },
      repeat: "safe",
      answer: "json",
      options,
    });
  }

  /** It is for the run that is active, else for the first that waits, else for the last one. */
  send(threadId: string, body: SendMessage, options: CallOptions = {}): Promise<RunMessage> {
    return this.transport.call({
      method: "POST",
      path: `/v1/threads/${part(threadId)}/messages`,
      body,
      repeat: "keyed",
      answer: "json",
      options,
    });
  }

  /** Runs that wait for the thread are `queued` and have not started. */
  runs(threadId: string, options: ThreadsRunsOptions = {}): Promise<ListingRunSummary> {
    return this.transport.call({
      method: "GET",
      path: `/v1/threads/${part(threadId)}/runs`,
      query: { limit: options.limit, cursor: options.cursor },
      repeat: "safe",
      answer: "json",
      options,
    });
  }
}

export interface TriggersListOptions extends CallOptions {
  /** Whose runs they start */
  graph?: string;
  /** How many items to answer with at most */
  limit?: number;
  /** `next_cursor` of the answer before */
  cursor?: string;
}

export class TriggersOperations {
  constructor(protected readonly transport: Transport) {}

  /** Those that the newest versions of graphs declare, by graph and name. Schedules are in a list of their own. */
  list(options: TriggersListOptions = {}): Promise<ListingTrigger> {
    return this.transport.call({
      method: "GET",
      path: `/v1/triggers`,
      query: { graph: options.graph, limit: options.limit, cursor: options.cursor },
      repeat: "safe",
      answer: "json",
      options,
    });
  }
}

export interface WebhooksListOptions extends CallOptions {
  /** How many items to answer with at most */
  limit?: number;
  /** `next_cursor` of the answer before */
  cursor?: string;
}

export interface WebhooksDeliveriesOptions extends CallOptions {
  /** Only those that stand so */
  status?: "pending" | "delivered" | "dead";
  /** How many items to answer with at most */
  limit?: number;
  /** `next_cursor` of the answer before */
  cursor?: string;
}

export class WebhooksOperations {
  constructor(protected readonly transport: Transport) {}

  /** List webhooks, newest first */
  list(options: WebhooksListOptions = {}): Promise<ListingWebhook> {
    return this.transport.call({
      method: "GET",
      path: `/v1/webhooks`,
      query: { limit: options.limit, cursor: options.cursor },
      repeat: "safe",
      answer: "json",
      options,
    });
  }

  /** It is told what is committed from `created_at` on. The answer shows its secret, which is not shown again. */
  create(body: NewWebhook, options: CallOptions = {}): Promise<Webhook> {
    return this.transport.call({
      method: "POST",
      path: `/v1/webhooks`,
      body,
      repeat: "never",
      answer: "json",
      options,
    });
  }

  /** With all its deliveries, also those that wait. */
  delete(webhookId: string, options: CallOptions = {}): Promise<void> {
    return this.transport.call({
      method: "DELETE",
      path: `/v1/webhooks/${part(webhookId)}`,
      repeat: "safe",
      answer: "none",
      options,
    });
  }

  /** Read a webhook */
  get(webhookId: string, options: CallOptions = {}): Promise<Webhook> {
    return this.transport.call({
      method: "GET",
      path: `/v1/webhooks/${part(webhookId)}`,
      repeat: "safe",
      answer: "json",
      options,
    });
  }

  /** What is left out stays. Events and graphs do not change; make another webhook for others. */
  update(webhookId: string, body: WebhookUpdate, options: CallOptions = {}): Promise<Webhook> {
    return this.transport.call({
      method: "PATCH",
      path: `/v1/webhooks/${part(webhookId)}`,
      body,
      repeat: "safe",
      answer: "json",
      options,
    });
  }

  /** List what a webhook was sent, newest first */
  deliveries(webhookId: string, options: WebhooksDeliveriesOptions = {}): Promise<ListingDelivery> {
    return this.transport.call({
      method: "GET",
      path: `/v1/webhooks/${part(webhookId)}/deliveries`,
      query: { status: options.status, limit: options.limit, cursor: options.cursor },
      repeat: "safe",
      answer: "json",
      options,
    });
  }

  /** With the body that is sent. */
  delivery(webhookId: string, delivery: string, options: CallOptions = {}): Promise<Delivery> {
    return this.transport.call({
      method: "GET",
      path: `/v1/webhooks/${part(webhookId)}/deliveries/${part(delivery)}`,
      repeat: "safe",
      answer: "json",
      options,
    });
  }

  /** Whatever has become of it, under its id and with its body. */
  replay(webhookId: string, delivery: string, options: CallOptions = {}): Promise<void> {
    return this.transport.call({
      method: "POST",
      path: `/v1/webhooks/${part(webhookId)}/deliveries/${part(delivery)}:replay`,
      repeat: "never",
      answer: "none",
      options,
    });
  }

  /** The oldest first, at most 10,000; the same call takes the next ones. Each keeps its id. */
  replayAll(webhookId: string, options: CallOptions = {}): Promise<void> {
    return this.transport.call({
      method: "POST",
      path: `/v1/webhooks/${part(webhookId)}/deliveries:replay`,
      repeat: "never",
      answer: "none",
      options,
    });
  }

  /** The answer shows the secret this once. Deliveries are signed with the one from before, too, for as long as `overlap` says. While one from before still counts, only an overlap of `0s` is taken, which ends it. */
  rotate(webhookId: string, body: WebhookRotation, options: CallOptions = {}): Promise<Webhook> {
    return this.transport.call({
      method: "POST",
      path: `/v1/webhooks/${part(webhookId)}/rotate`,
      body,
      repeat: "never",
      answer: "json",
      options,
    });
  }
}
