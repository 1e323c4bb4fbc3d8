# Written by src/server/build/sdk/Sdk.java from docs/openapi.yaml. Do not edit.
from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict, List, Literal, Mapping, Optional
from typing import Sequence, Union

from .calls import Call, Definition, part
from .codec import given

if TYPE_CHECKING:
    from .transport import Transport


@dataclass(frozen=True, kw_only=True)
class Activation:
    """A node that is to run: a dispatch if it has a `dispatch_id`"""
    dispatch_id: Optional[str] = None
    input: Optional[Dict[str, Any]] = None
    metadata: Optional[Dict[str, Any]] = None
    node: str


@dataclass(frozen=True, kw_only=True)
class Answer:
    interrupt_id: Optional[str] = None
    """May be left out if only one interrupt is open"""
    value: Any


@dataclass(frozen=True, kw_only=True)
class AnswerInterrupt:
    override: Optional[bool] = None
    """true: an administrator answers what others are asked; the audit log says so"""
    value: Any
    """The answer; null is one too"""


@dataclass(frozen=True, kw_only=True)
class AppliedChange:
    """A change and the task it comes from, if any; `{}` of a task that has changed nothing"""
    change: Change
    child_run_id: Optional[str] = None
    """The last run that the task has begun, if it has"""
    dispatch_id: Optional[str] = None
    error: Optional[RunError] = None
    """What the task has failed with, whether that was handled or not"""
    node: Optional[str] = None
    task_id: Optional[str] = None


@dataclass(frozen=True, kw_only=True)
class AuditCaller:
    """Who called"""
    address: Optional[str] = None
    """From where the call came"""
    credential: str
    """`settings`, `key`, `token` or `none`"""
    id: Optional[str] = None
    """Of the key, or of the subject of the token; absent: none is needed, or none was known"""


@dataclass(frozen=True, kw_only=True)
class AuditEvent:
    """What somebody did"""
    action: str
    at: datetime.datetime
    caller: AuditCaller
    error_code: Optional[str] = None
    """With which code a call was answered that changed nothing"""
    id: str
    """Its place in the order of time, to be used as `cursor`"""
    object: Optional[AuditObject] = None
    outcome: str
    """`allowed`, `refused`, or `failed` if the caller might do that"""
    tenant: str
    times: int
    """How many equal calls it stands for"""


@dataclass(frozen=True, kw_only=True)
class AuditObject:
    id: str
    kind: str


@dataclass(frozen=True, kw_only=True)
class AuditVerification:
    """What came of verifying a part of the audit log"""
    broken: List[BrokenAudit]
    """The first hundred of this part"""
    events: int
    """How many are as they were sealed, in this part"""
    head: Optional[str] = None
    """Of the last part: number and hash of the last seal, to be kept elsewhere"""
    next_cursor: Optional[str] = None
    """`cursor` of the next part; absent at the end"""
    not_sealed: int
    """Of the last part: how many are too young to be sealed"""
    verified: bool
    """Whether nothing in this part is broken"""


@dataclass(frozen=True, kw_only=True)
class Breakpoint:
    """Where a run stopped between supersteps; a resume passes it"""
    nodes: List[str]
    when: Literal["before", "after", "pause"]


@dataclass(frozen=True, kw_only=True)
class BrokenAudit:
    """An event or a seal that is not as it was"""
    id: str
    """Of the event, or the number of the seal"""
    what: Literal["changed", "missing", "added"]
    where: Literal["event", "seal", "head"]


@dataclass(frozen=True, kw_only=True)
class BrokenRow:
    """A row that is not as it was written"""
    row: str
    """Its number, `seq` or id, or a range of these"""
    what: Literal["changed", "missing", "added"]
    where: str
    """Table, or `event`: some are in checkpoints; or `head`"""


@dataclass(frozen=True, kw_only=True)
class Budget:
    """What may be spent on models in a window of time, and what was"""
    limits: List[BudgetLimit]
    name: str
    per: Literal["tenant", "caller", "server"]
    """Who has an amount of its own"""
    renews_at: datetime.datetime
    """When the next window begins, with all of the budget"""
    window: Literal["day", "month"]
    """Of UTC"""


@dataclass(frozen=True, kw_only=True)
class BudgetLimit:
    """What is limited, as decimal numbers"""
    left: str
    limit: str
    reserved: str
    """By calls under way, and by those of which it is not known what they took"""
    spent: str
    what: Literal["model_calls", "tokens", "money"]


@dataclass(frozen=True, kw_only=True)
class BusyWorker:
    """A worker that has tasks"""
    last_claim: datetime.datetime
    """When it has claimed the newest of them"""
    name: Optional[str] = None
    """Its own word, `worker` of its claims; those without one are one"""
    tasks: int
    """How many it has"""


@dataclass(frozen=True, kw_only=True)
class CallbackLease:
    """A callback that is open"""
    open_until: datetime.datetime
    """Without another heartbeat, an answer or a failure until then the task fails"""


@dataclass(frozen=True, kw_only=True)
class Change:
    """A change of state, its parts acting in this order: `remove`, `remove_messages`, `overwrite`, `update`"""
    overwrite: Optional[Dict[str, Any]] = None
    """Channel → value, past the reducer"""
    remove: Optional[List[str]] = None
    """Channels to delete"""
    remove_messages: Optional[List[str]] = None
    """Ids of messages to delete"""
    update: Optional[Dict[str, Any]] = None
    """Channel → value, through the reducer"""


@dataclass(frozen=True, kw_only=True)
class Checkpoint:
    """What a commit of a run stored"""
    changes: Optional[List[AppliedChange]] = None
    """What the checkpoint applied, in task order; absent where a read is without it"""
    checkpoint: int
    """From 0, without gaps"""
    created_at: datetime.datetime
    interrupts: List[Interrupt]
    joins: Dict[str, List[str]]
    """Partly satisfied joins: edge id → sources that have arrived"""
    kind: Literal["input", "step", "held", "final", "update", "fork"]
    omitted: Optional[List[OmittedValue]] = None
    """With `values_max`: what `state` comes without"""
    parent: Optional[int] = None
    """The checkpoint before; absent for the first"""
    pending_activations: List[Activation]
    """What runs next, in task order"""
    pending_results: List[Task]
    """Tasks of the superstep that is held"""
    state: Dict[str, Any]
    state_hash: str
    superstep: int


@dataclass(frozen=True, kw_only=True)
class CheckpointRef:
    """A checkpoint of a run"""
    checkpoint: int
    run_id: str


@dataclass(frozen=True, kw_only=True)
class CheckpointSummary:
    """A checkpoint without its contents"""
    checkpoint: int
    """From 0, without gaps"""
    created_at: datetime.datetime
    kind: Literal["input", "step", "held", "final", "update", "fork"]
    parent: Optional[int] = None
    """The checkpoint before; absent for the first"""
    state_hash: str
    superstep: int


@dataclass(frozen=True, kw_only=True)
class ClaimedTask:
    """A task that a worker has, for as long as its lease lasts"""
    attempt: int
    """Of the node, from 1; a worker that was not heard of is not counted"""
    deadline: Optional[datetime.datetime] = None
    """When the node times out; absent: never"""
    dispatch_id: Optional[str] = None
    """Absent: a plain activation"""
    graph: str
    heartbeat_ms: int
    """For how long a heartbeat prolongs the lease"""
    id: str
    idempotency_key: str
    """Equal for every attempt and every worker: what an effect is to be made once under"""
    input: Any
    """What the node gives"""
    lease_until: datetime.datetime
    """Later, nothing of the worker counts"""
    node: str
    repeated: bool
    """Whether the task was claimed before: then steps of it may be recorded"""
    resume: Optional[Dict[str, Any]] = None
    """What was answered to the question of an earlier outcome: `interrupt_id` and `answer`"""
    run_id: str
    superstep: int
    token: str
    """Of this claim; heartbeat and outcome name it"""
    type: str


@dataclass(frozen=True, kw_only=True)
class ClaimedTasks:
    """Tasks for a worker"""
    items: List[ClaimedTask]


@dataclass(frozen=True, kw_only=True)
class ContextEdit:
    """A change of the prompt context: what is to go, then what is to be set"""
    history: Optional[HistoryEdit] = None
    metadata: Optional[Dict[str, Any]] = None
    """As variables"""
    remove_metadata: Optional[List[str]] = None
    """Patterns of keys"""
    remove_variables: Optional[List[str]] = None
    """Patterns of keys"""
    template: Optional[str] = None
    """Replaces the template"""
    variables: Optional[Dict[str, Any]] = None
    """On top of those that are there; objects become dotted keys"""


@dataclass(frozen=True, kw_only=True)
class ContextFailure:
    """A condition that failed and counts as false"""
    condition: str
    message: str
    """Why it failed"""
    rule: str
    """Where it stands in its filter"""


@dataclass(frozen=True, kw_only=True)
class ContextFilter:
    default_behavior: Optional[Literal["pass", "block"]] = None
    """What happens to variables that no rule matches; default pass"""
    priority: Optional[float] = None
    """Where filters meet, higher goes first"""
    rules: Optional[List[ContextFilterRule]] = None
    """Includes, excludes, transforms"""


@dataclass(frozen=True, kw_only=True)
class ContextFilterRule:
    condition: Optional[str] = None
    """CEL: the rule applies when true"""
    pattern: str
    """Glob over whole keys; * is any run of characters, ? one"""
    target: Optional[Literal["variables", "metadata", "history", "all"]] = None
    """What it is about; default variables"""
    transform: Optional[str] = None
    """Call of a transform, such as truncate(200)"""
    type: Literal["include", "exclude", "transform"]
    """What it does"""


@dataclass(frozen=True, kw_only=True)
class ContextItem:
    """An item of a prompt context, and why it is seen or not"""
    decided_by: Optional[ContextStep] = None
    """The step that settled it; absent: nothing touched the item"""
    kept: bool
    """Whether the node sees it"""
    key: str
    """The key, under the name it has at last; of history the entry's id"""
    node_id: Optional[str] = None
    """Of history: the node that wrote it"""
    part: Literal["variables", "metadata", "history"]
    steps: List[ContextStep]
    """What happened to it on its way, in order"""


@dataclass(frozen=True, kw_only=True)
class ContextPreview:
    """What a node would see, and why"""
    context: ContextView
    failures: List[ContextFailure]
    """Conditions that failed and counted as false"""
    items: List[ContextItem]
    """Every item that was sent or added on the way"""
    unmet: List[str]
    """Patterns of required_context that nothing matches: the node would fail"""
    warnings: List[FieldError]
    """What is questionable about the filters"""


@dataclass(frozen=True, kw_only=True)
class ContextProcessor:
    """A processor for nodes of context_type custom:<name>"""
    config_schema: Dict[str, Any]
    """JSON Schema of `processor_config`; {} if it does not say"""
    description: str
    name: str
    pure: bool
    """Whether its result depends on nothing but context and configuration"""


@dataclass(frozen=True, kw_only=True)
class ContextStep:
    """What one stage did to one item"""
    action: Literal["kept", "dropped", "transformed", "renamed", "added"]
    because: str
    """The same in words"""
    rule: str
    """The rule that decided: a pointer into the filter, or the name of the context type"""
    source: str
    """Id of the edge or node"""
    stage: Literal["edge", "type", "processor", "filter", "default_filter"]


@dataclass(frozen=True, kw_only=True)
class ContextTransform:
    """A transform that rules of context filters can call"""
    built_in: bool
    """Whether every server has it"""
    description: str
    example: str
    """A call of it, as rules write it"""
    name: str


@dataclass(frozen=True, kw_only=True)
class ContextTransformRule:
    source_pattern: str
    """Glob over whole keys"""
    target_pattern: str
    """The keys they get; * is what the source's * matched"""
    transform: Optional[str] = None
    """Call of a transform, applied to the values"""


@dataclass(frozen=True, kw_only=True)
class ContextView:
    """What a node sees of a prompt context"""
    history: List[Any]
    metadata: Dict[str, Any]
    template: str
    variables: Dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class ContextWay:
    """How a task was activated"""
    edge: Optional[str] = None
    """Absent: a node named it by goto or dispatch"""
    source_task: Optional[str] = None
    """In mode chain: the task whose context it is"""


@dataclass(frozen=True, kw_only=True)
class Cut:
    """Items of a channel that a compaction replaced"""
    channel: str
    count: int
    """How many"""
    from_: int
    """Position of the first one"""
    summary: Optional[Dict[str, Any]] = None
    """The message in their place; absent: there is none"""


@dataclass(frozen=True, kw_only=True)
class DelegateInterrupt:
    override: Optional[bool] = None
    """true: an administrator does it, whose the question is not; the audit log says so"""
    to: str
    """A person: the id of a key, or the subject or verified address of mail of a token"""


@dataclass(frozen=True, kw_only=True)
class Delivery:
    """What is sent, or was, to a webhook about an event of a run"""
    body: Optional[str] = None
    """What is sent; not in lists"""
    created_at: datetime.datetime
    id: str
    """The header `webhook-id`, the same for every attempt"""
    last_attempt: DeliveryAttempt
    """What came of the last attempt"""
    next_attempt_at: Optional[datetime.datetime] = None
    """When it is sent again at the latest"""
    run_id: str
    seq: int
    """Of the event"""
    status: Literal["pending", "delivered", "dead"]
    """`pending`: it is sent, or sent again; `delivered`; `dead`: it was given up"""
    type: str
    """Of the event"""
    url: str


@dataclass(frozen=True, kw_only=True)
class DeliveryAttempt:
    """An attempt to deliver"""
    answer: Optional[str] = None
    """The beginning of the answer, or why there was none"""
    at: Optional[datetime.datetime] = None
    number: int
    """Attempts since it was made or sent anew; 0: none"""
    status: Optional[int] = None
    """Of the answer (HTTP); absent: there was none"""


@dataclass(frozen=True, kw_only=True)
class EdgeContextFilter:
    condition: Optional[str] = None
    """CEL, for type conditional; the edge itself is taken"""
    exclude_patterns: Optional[List[str]] = None
    """Globs over keys that never pass"""
    include_patterns: Optional[List[str]] = None
    """Globs over keys that pass"""
    target: Optional[Literal["variables", "metadata", "history", "all"]] = None
    """What patterns are about; default variables and metadata"""
    transform_rules: Optional[List[ContextTransformRule]] = None
    """For type transform"""
    type: Literal["pass_all", "pass_none", "selective", "conditional", "transform"]
    """What it does"""


@dataclass(frozen=True, kw_only=True)
class ErrorCode:
    """What a code means and what to do about it"""
    causes: List[str]
    """The usual ones"""
    code: str
    """One that ends in `*` stands for all that begin so"""
    example: Dict[str, Any]
    """A document that has it"""
    found: List[str]
    """Where it is found: `request`, `definition`, `warning`, `run`, `test`, `tool`"""
    meaning: str
    """What has happened"""
    remedy: str
    """What to do"""
    status: Optional[int] = None
    """Of an answer with this code; absent if no answer has it as a whole"""
    title: str


@dataclass(frozen=True, kw_only=True)
class Evaluate:
    """An expression to try out"""
    expression: str
    variables: Optional[Dict[str, Any]] = None
    """What its variables are; those left out are null"""


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """What an expression came to"""
    value: Any
    """Any JSON value"""


@dataclass(frozen=True, kw_only=True)
class FieldError:
    code: str
    column: Optional[int] = None
    """Column in that line, from 1"""
    line: Optional[int] = None
    """Line in the text of the body or expression, from 1"""
    message: str
    """What is wrong and what to do"""
    pointer: str
    """JSON pointer into the body; `?name` names a query parameter, `{name}` a part of the path"""


@dataclass(frozen=True, kw_only=True)
class ForkRun:
    """A new run from a checkpoint of an old one"""
    as_node: Optional[str] = None
    """The change counts as this node's result; its edges decide what is next. `__start__` begins anew with the edited state, `__end__` ends"""
    change: Optional[Change] = None
    checkpoint: int
    context: Optional[ContextEdit] = None
    """An edit of the prompt context that the new run begins with"""
    if_busy: Optional[Literal["reject", "enqueue", "interrupt", "rollback"]] = None
    """If a run of the thread is active: `reject` answers 409 `thread_busy`; `enqueue` has the fork begin when the thread is free, in order of posting; `interrupt` ends the active run, which stays part of the thread; `rollback` ends it and leaves it out of the thread. Whatever is committed before the fork begins, its state is that of the checkpoint. Default: `reject`"""
    interrupt_after: Optional[List[str]] = None
    """Nodes to stop after, `*`: all. Replaces what the source was started with; the breakpoints of the graph hold in any case"""
    interrupt_before: Optional[List[str]] = None
    """Nodes to stop before, `*`: all. Replaces what the source was started with; the breakpoints of the graph hold in any case"""
    limits: Optional[Limits] = None
    thread_id: Optional[str] = None
    """The conversation that the new run joins: its checkpoints are the thread's state from when it begins"""
    version: Optional[int] = None
    """Another version of the same graph"""


@dataclass(frozen=True, kw_only=True)
class FunctionInfo:
    """A registered function that definitions can name"""
    arguments_schema: Dict[str, Any]
    """JSON Schema of its arguments; {} if it does not say"""
    description: str
    kind: Literal["node", "merge", "summary"]
    """What calls it: a node, a channel to merge two values, or a compaction to summarise messages"""
    name: str
    pure: bool
    """Whether calling it again does no harm"""


@dataclass(frozen=True, kw_only=True)
class Graph:
    """A graph version"""
    created_at: datetime.datetime
    created_by: Optional[str] = None
    """Who posted it: the id of a key or of a token's subject; absent: no key was needed"""
    definition: Dict[str, Any]
    hash: str
    """SHA-256 of the long form in RFC 8785 JSON"""
    name: str
    version: int
    warnings: List[FieldError]


@dataclass(frozen=True, kw_only=True)
class GraphStorage:
    """What the runs of a graph take"""
    active: int
    """Those that have not ended"""
    bytes: int
    """Of their data, about; without indexes"""
    checkpoints: int
    events: int
    graph: str
    """`parent#name` for an inline graph"""
    runs: int


@dataclass(frozen=True, kw_only=True)
class GraphSummary:
    """A graph version without its definition"""
    created_at: datetime.datetime
    created_by: Optional[str] = None
    """Who posted it: the id of a key or of a token's subject; absent: no key was needed"""
    hash: str
    """SHA-256 of the long form in RFC 8785 JSON"""
    name: str
    version: int
    warnings: List[FieldError]
    """What was questionable when it was posted"""


@dataclass(frozen=True, kw_only=True)
class HistoryEdit:
    """What is to go of the history"""
    keep_last: Optional[int] = None
    """The newest stay"""
    remove: Optional[List[str]] = None
    """Ids of entries"""


@dataclass(frozen=True, kw_only=True)
class Interrupt:
    """A question that a task of a run has asked"""
    answer: Optional[Any] = None
    answered_by: Optional[str] = None
    """Who answered: the id of a key or of a token's subject; absent: no key was needed"""
    assignee: Optional[str] = None
    """Who alone is to answer"""
    candidates: Optional[List[str]] = None
    """Who may answer or claim it while it has no assignee: people, `group:<name>` and `role:<name>`; absent: anybody"""
    created_at: datetime.datetime
    default_answer: Optional[Any] = None
    """With `on_expiry: answer`: what answers it when nobody has"""
    dispatch_id: Optional[str] = None
    expires_at: Optional[datetime.datetime] = None
    graph: str
    id: str
    may_answer: Optional[Literal["other_than_starter", "starter_with_token"]] = None
    """`other_than_starter`: not the key or token that started the run; `starter_with_token`: the subject that started it, with a token whatever the answer; absent: anybody"""
    node: str
    not_: Optional[List[str]] = None
    """Who may not answer, whoever else may"""
    on_expiry: Optional[Literal["fail", "answer"]] = None
    path: List[InterruptStep]
    """The tasks that wait for this run, from the outermost run inwards; empty if no task has begun it"""
    payload: Any
    reason: str
    run_id: str
    schema: Optional[Any] = None
    """JSON Schema of the answer"""
    status: Literal["open", "answered", "expired", "cancelled"]
    superstep: int


@dataclass(frozen=True, kw_only=True)
class InterruptStep:
    """A task that waits for a run of its own"""
    dispatch_id: Optional[str] = None
    graph: str
    node: str
    run_id: str
    superstep: int


@dataclass(frozen=True, kw_only=True)
class Key:
    """An API key"""
    created_at: datetime.datetime
    created_by: str
    """Id of the key that made it; empty on a server without keys"""
    expires_at: Optional[datetime.datetime] = None
    """Absent: never"""
    graphs: List[str]
    id: str
    """No secret; its second part"""
    last_used_at: Optional[datetime.datetime] = None
    """To some minutes; absent: it was never used"""
    name: str
    own_only: bool
    roles: List[str]
    rotation: Optional[LastRotation] = None
    """The last one; absent: it was never rotated"""
    scopes: List[str]
    """What it may do, by its roles or by scopes of its own"""
    secret: Optional[str] = None
    """What its bearer sends; shown this once"""
    task_types: List[str]
    tenant: str
    """Whose key it is; `default` on a server that nobody shares"""


@dataclass(frozen=True, kw_only=True)
class KeyRotation:
    """How an API key gets another secret"""
    overlap: Optional[str] = None
    """How long the secret that it has is taken, too, at most 30 days; `0s`: not any more. Default: `1h`"""


@dataclass(frozen=True, kw_only=True)
class LastRotation:
    """How an API key got its secret"""
    by: str
    """Id of the key that rotated it"""
    previous_ends_at: datetime.datetime
    """Until when the secret from before is taken, too"""


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Limits of a run, over those of its graph"""
    max_concurrency: Optional[int] = None
    """Tasks at a time"""
    max_dispatches: Optional[int] = None
    """Dispatches of the run"""
    max_model_calls: Optional[int] = None
    """Requests to models; compare `usage`"""
    max_supersteps: Optional[int] = None
    """Node supersteps"""
    max_tokens: Optional[int] = None
    """Tokens in and out. Checked before each request: those under way may exceed it"""
    timeout: Optional[str] = None
    """Wall time, interrupted and failed time not counted: `<n>(ms|s|m|h|d)` or ISO 8601"""


@dataclass(frozen=True, kw_only=True)
class ListingAuditEvent:
    items: List[AuditEvent]
    next_cursor: Optional[str] = None
    """`cursor` of the next part; absent at the end of the list"""


@dataclass(frozen=True, kw_only=True)
class ListingBudget:
    items: List[Budget]
    next_cursor: Optional[str] = None
    """`cursor` of the next part; absent at the end of the list"""


@dataclass(frozen=True, kw_only=True)
class ListingCheckpointSummary:
    items: List[CheckpointSummary]
    next_cursor: Optional[str] = None
    """`cursor` of the next part; absent at the end of the list"""


@dataclass(frozen=True, kw_only=True)
class ListingContextProcessor:
    items: List[ContextProcessor]
    next_cursor: Optional[str] = None
    """`cursor` of the next part; absent at the end of the list"""


@dataclass(frozen=True, kw_only=True)
class ListingContextTransform:
    items: List[ContextTransform]
    next_cursor: Optional[str] = None
    """`cursor` of the next part; absent at the end of the list"""


@dataclass(frozen=True, kw_only=True)
class ListingDelivery:
    items: List[Delivery]
    next_cursor: Optional[str] = None


@dataclass(frozen=True, kw_only=True)
class ListingErrorCode:
    items: List[ErrorCode]
    next_cursor: Optional[str] = None
    """`cursor` of the next part; absent at the end of the list"""


@dataclass(frozen=True, kw_only=True)
class ListingFunctionInfo:
    items: List[FunctionInfo]
    next_cursor: Optional[str] = None
    """`cursor` of the next part; absent at the end of the list"""


@dataclass(frozen=True, kw_only=True)
class ListingGraphSummary:
    items: List[GraphSummary]
    next_cursor: Optional[str] = None
    """`cursor` of the next part; absent at the end of the list"""


@dataclass(frozen=True, kw_only=True)
class ListingInterrupt:
    items: List[Interrupt]
    next_cursor: Optional[str] = None
    """`cursor` of the next part; absent at the end of the list"""


@dataclass(frozen=True, kw_only=True)
class ListingKey:
    items: List[Key]
    next_cursor: Optional[str] = None
    """`cursor` of the next part; absent at the end of the list"""


@dataclass(frozen=True, kw_only=True)
class ListingModel:
    items: List[Model]
    next_cursor: Optional[str] = None
    """`cursor` of the next part; absent at the end of the list"""


@dataclass(frozen=True, kw_only=True)
class ListingNodeType:
    items: List[NodeType]
    next_cursor: Optional[str] = None
    """`cursor` of the next part; absent at the end of the list"""


@dataclass(frozen=True, kw_only=True)
class ListingReducer:
    items: List[Reducer]
    next_cursor: Optional[str] = None
    """`cursor` of the next part; absent at the end of the list"""


@dataclass(frozen=True, kw_only=True)
class ListingRunEvent:
    items: List[RunEvent]
    next_cursor: Optional[str] = None
    """`cursor` of the next part; absent at the end of the list"""


@dataclass(frozen=True, kw_only=True)
class ListingRunMessage:
    items: List[RunMessage]
    next_cursor: Optional[str] = None


@dataclass(frozen=True, kw_only=True)
class ListingRunSummary:
    items: List[RunSummary]
    next_cursor: Optional[str] = None
    """`cursor` of the next part; absent at the end of the list"""


@dataclass(frozen=True, kw_only=True)
class ListingSchedule:
    items: List[Schedule]
    next_cursor: Optional[str] = None


@dataclass(frozen=True, kw_only=True)
class ListingTask:
    items: List[Task]
    next_cursor: Optional[str] = None
    """`cursor` of the next part; absent at the end of the list"""


@dataclass(frozen=True, kw_only=True)
class ListingThreadCheckpoint:
    items: List[ThreadCheckpoint]
    next_cursor: Optional[str] = None
    """`cursor` of the next part; absent at the end of the list"""


@dataclass(frozen=True, kw_only=True)
class ListingThreadInfo:
    items: List[ThreadInfo]
    next_cursor: Optional[str] = None
    """`cursor` of the next part; absent at the end of the list"""


@dataclass(frozen=True, kw_only=True)
class ListingThreadSummary:
    items: List[ThreadSummary]
    next_cursor: Optional[str] = None
    """`cursor` of the next part; absent at the end of the list"""


@dataclass(frozen=True, kw_only=True)
class ListingTool:
    items: List[Tool]
    next_cursor: Optional[str] = None
    """`cursor` of the next part; absent at the end of the list"""


@dataclass(frozen=True, kw_only=True)
class ListingTrigger:
    items: List[Trigger]
    next_cursor: Optional[str] = None


@dataclass(frozen=True, kw_only=True)
class ListingWebhook:
    items: List[Webhook]
    next_cursor: Optional[str] = None


@dataclass(frozen=True, kw_only=True)
class Model:
    """A chat model that llm nodes can name"""
    default: bool
    """Whether llm nodes that name none use it"""
    description: str
    model: str
    """As its provider names it"""
    name: str
    prices: Optional[ModelPrices] = None
    """Absent: what its calls cost is not known"""
    provider: Literal["openai", "anthropic", "ollama", "stub"]
    """Whose protocol it speaks"""


@dataclass(frozen=True, kw_only=True)
class ModelPrices:
    """What a million tokens cost, in the `currency` of the server"""
    cache_write: str
    cached_input: str
    """Of input that the provider has read from its cache"""
    input: str
    """A decimal number"""
    output: str
    """A decimal number"""


@dataclass(frozen=True, kw_only=True)
class NewKey:
    """An API key to make, with roles, scopes, or both"""
    expires_at: Optional[datetime.datetime] = None
    """When it ends, not after your own key; without, with your own key"""
    graphs: Optional[List[str]] = None
    """Patterns of names of the graphs that it may use and whose runs it may see; without, all of the tenant. A key with the scope `admin` cannot be limited"""
    name: str
    """Who or what is to use it; unique"""
    own_only: Optional[bool] = None
    """Whether it sees no runs, threads and items of the memory but those that it has made. Such a key has the scopes `read`, `run` and `answer` at most. Without, `false`"""
    roles: Optional[List[Literal["viewer", "runner", "answerer", "author", "worker", "operator", "admin"]]] = None
    """What it is; only roles whose scopes your own key has"""
    scopes: Optional[List[Literal["read", "run", "answer", "author", "operate", "work", "admin"]]] = None
    """What it may do besides; only what your own key may do. `run` includes `answer`, and `operate` includes `admin`"""
    task_types: Optional[List[str]] = None
    """Patterns of the types of tasks that it may execute; without, all. It limits the scope `work` only"""
    tenant: Optional[str] = None
    """Whose key it is; without, the tenant of your own key. Of another one only with a key from the settings of the server"""


@dataclass(frozen=True, kw_only=True)
class NewSchedule:
    """Runs to start by themselves"""
    catch_up: Optional[Literal["none", "last", "all"]] = None
    """What happens when no replica was there at some times. `none`: no run starts for them; `last`: one starts for the last of them; `all`: one starts for each of the last 100. A time is met as long as it is not over by more than a minute. Default: `last`"""
    cron: str
    """Minute, hour, day of month, month, day of week; with a second in front if there are six. Or `@hourly`, `@daily`, `@weekly`, `@monthly`, `@yearly`"""
    ends_at: Optional[datetime.datetime] = None
    """No run starts after that"""
    id: Optional[str] = None
    """Generated if it is missing"""
    jitter: Optional[str] = None
    """By up to how much a start is later than its time, so that many schedules of one time spread"""
    overlap: Optional[Literal["skip", "queue", "cancel_old", "allow"]] = None
    """At a time at which a run of the schedule has not ended. `skip`: no run starts; `queue`: it starts once that one has ended; `cancel_old`: that one is cancelled, and it starts once that has ended; `allow`: both run. Default: `skip`"""
    paused: Optional[bool] = None
    """Whether it starts no runs; without, `false`"""
    run: StartRun
    """What the runs are started with, as `POST /v1/runs` takes it, without `id` and `start_at`"""
    zone: Optional[str] = None
    """Whose clock the times are of; without, `UTC`"""


@dataclass(frozen=True, kw_only=True)
class NewTaskStep:
    """How a step ended: with a `result`, or with an `error`. Or it waits: it is to `sleep`, or to `ask`. With none of these it begins, and may be made once only"""
    ask: Optional[Dict[str, Any]] = None
    """A question, as `interrupt` in the result of a node. The answer is the result of the step"""
    error: Optional[TaskFailure] = None
    name: str
    """A word of the worker's"""
    ordinal: int
    """Its place among the steps of the task, from 0 to 999"""
    result: Optional[Any] = None
    """What it has made; JSON null is a result"""
    sleep: Optional[str] = None
    """For how long no worker has the task, at most 366 days"""


@dataclass(frozen=True, kw_only=True)
class NewThread:
    """A conversation before its first run"""
    if_exists: Optional[Literal["reject", "do_nothing"]] = None
    """If there is a thread of this id: `reject` answers 409 `thread_exists`; `do_nothing` answers 200 with that thread, unchanged. Default: `reject`"""
    metadata: Optional[Dict[str, Any]] = None
    """Any JSON object, to find the thread by"""
    thread_id: Optional[str] = None
    """Absent: one is made"""


@dataclass(frozen=True, kw_only=True)
class NewWebhook:
    """A webhook to be made"""
    description: Optional[str] = None
    """For people"""
    events: Optional[List[str]] = None
    """Of which it is told. Default: `run.succeeded`, `run.failed`, `run.interrupted`, `run.cancelled`. Besides: `run.waiting`, `custom`, `message.taken`, `message.rejected`"""
    graphs: Optional[List[str]] = None
    """Names of the graphs of whose runs it is told; absent: all"""
    url: Optional[str] = None
    """Where deliveries go, http or https; absent: it signs what is sent to URLs that runs name (`webhooks`)"""


@dataclass(frozen=True, kw_only=True)
class NodeContext:
    """What a task receives of the prompt context"""
    checkpoint: int
    """The one on which the task runs, or ran"""
    context: PromptContext
    context_type: str
    """How its node takes contexts"""
    failures: List[ContextFailure]
    """Conditions that failed and counted as false"""
    items: List[ContextItem]
    task_id: str
    ways: List[ContextWay]
    """What led the context to it; none: it gets the run's whole context"""


@dataclass(frozen=True, kw_only=True)
class NodeCounts:
    """The tasks of a run, counted by node and status"""
    committed: List[NodeTasks]
    """Of committed supersteps, as far as this answer has them"""
    next_cursor: Optional[str] = None
    """Where older supersteps are to be counted; absent: nowhere"""
    open: List[NodeTasks]
    """Of the superstep that is not committed; empty behind a cursor"""
    superstep: int
    """The last one that is committed"""


@dataclass(frozen=True, kw_only=True)
class NodeTasks:
    busy_ms: int
    """Of all of them together, as far as they have ended"""
    failed_code: Optional[str] = None
    failed_task: Optional[str] = None
    """The newest with an error"""
    longest_ms: int
    newest: Dict[str, int]
    """The same of that newest superstep alone"""
    node: str
    retried: int
    """Those that were tried more than once"""
    statuses: Dict[str, int]
    """How many are how"""
    superstep: int
    """The newest of these supersteps in which it has run"""
    tasks: int


@dataclass(frozen=True, kw_only=True)
class NodeType:
    """A kind of node that definitions can use"""
    available: bool
    """Whether this server can run it; other types are declared only"""
    config_schema: Dict[str, Any]
    """JSON Schema of `config`"""
    default_timeout: Optional[str] = None
    """Time-out of an attempt that declares none; absent: there is none"""
    description: str
    name: str


@dataclass(frozen=True, kw_only=True)
class NodeUsage:
    cache_write_tokens: Optional[int] = None
    cached_input_tokens: Optional[int] = None
    cost: Optional[str] = None
    """A decimal number in the unit of the prices, by those that were in force when the models answered; absent: not known, because no model has a price"""
    input_tokens: int
    model_calls: int
    node: str
    """A compaction counts as `__compact__:<channel>`"""
    output_tokens: int
    total_tokens: int
    unpriced_calls: Optional[int] = None
    """Calls whose cost is not known, so that `cost` is too low; absent: none, or no cost"""


@dataclass(frozen=True, kw_only=True)
class OmittedValue:
    """A value of a state that is left out, being large"""
    begin: str
    """Its first characters as JSON"""
    channel: str
    hash: str
    """SHA-256 of the value: equal values have equal ones"""
    size: int
    """Bytes that it takes as JSON"""


@dataclass(frozen=True, kw_only=True)
class Parent:
    checkpoint: int
    run_id: str
    task_id: Optional[str] = None
    """The task that has begun this run; absent: it is a fork"""


@dataclass(frozen=True, kw_only=True)
class PreviewContext:
    """A prompt context, and what it is led through"""
    context: PreviewedContext
    edge: Optional[PreviewedEdge] = None
    """Absent: everything arrives"""
    edges: Optional[List[PreviewedEdge]] = None
    """Several instead of edge; what they pass is merged"""
    node: Optional[PreviewedNode] = None
    """Absent: what arrives is the answer"""
    scope: Optional[Dict[str, Any]] = None
    """What conditions see besides the context: state, input, run, node, …"""


@dataclass(frozen=True, kw_only=True)
class PreviewedContext:
    """A prompt context to try filters on"""
    history: Optional[List[Any]] = None
    """Entries with id, node_id, prompt, response, superstep, metadata"""
    metadata: Optional[Dict[str, Any]] = None
    """Objects become dotted keys"""
    template: Optional[str] = None
    variables: Optional[Dict[str, Any]] = None
    """Objects become dotted keys"""


@dataclass(frozen=True, kw_only=True)
class PreviewedEdge:
    """What an edge's definition says about contexts"""
    context_filter: Optional[EdgeContextFilter] = None
    id: Optional[str] = None
    type: Optional[Literal["sequence", "conditional", "error"]] = None
    """Gives the default filter"""


@dataclass(frozen=True, kw_only=True)
class PreviewedNode:
    """What a node's definition says about contexts"""
    context_filter: Optional[ContextFilter] = None
    context_filters: Optional[List[Any]] = None
    """Several filters, as in a definition"""
    context_type: Optional[str] = None
    id: Optional[str] = None
    processor_config: Optional[Dict[str, Any]] = None
    required_context: Optional[List[str]] = None
    type: Optional[str] = None
    """Gives the default context type and filter"""


@dataclass(frozen=True, kw_only=True)
class Problem:
    """Why a call failed (RFC 9457)"""
    budget: Optional[str] = None
    """Its name; of `budget_exhausted`"""
    code: str
    detail: str
    """What happened and what to do"""
    errors: Optional[List[FieldError]] = None
    """What is wrong with the content, all at once; absent if the content is not to blame"""
    help: str
    """Where the service explains the code: causes, what to do, an example"""
    instance: str
    interrupts: Optional[List[str]] = None
    """Ids of the open ones; of `nothing_to_resume` and `interrupt_ambiguous`"""
    renews_at: Optional[datetime.datetime] = None
    """When the budget is renewed; of `budget_exhausted`"""
    retry_after: Optional[int] = None
    """Seconds until then; of `budget_exhausted` and `rate_limited`"""
    status: int
    title: str
    type: str
    """`urn:superstep:problem:` and the code"""


@dataclass(frozen=True, kw_only=True)
class PromptContext:
    """What models are told besides the messages"""
    history: List[Any]
    """One entry per executed node, oldest first"""
    metadata: Dict[str, Any]
    """Dotted key → value"""
    template: str
    variables: Dict[str, Any]
    """Dotted key → value"""


@dataclass(frozen=True, kw_only=True)
class Reducer:
    """A way in which a channel takes updates"""
    description: str
    name: str
    requires: Optional[str] = None
    """The channel key that it needs, if any"""


@dataclass(frozen=True, kw_only=True)
class Resolution:
    change: Optional[Change] = None
    """Counts as the task's result"""
    task_id: str


@dataclass(frozen=True, kw_only=True)
class ResumeRun:
    """How a run that stopped goes on; `{}` passes a breakpoint and re-runs failed tasks"""
    answers: Optional[List[Answer]] = None
    change: Optional[Change] = None
    """An edit of the state, committed before anything runs"""
    context: Optional[ContextEdit] = None
    """An edit of the prompt context, committed before anything runs"""
    continue_: Optional[bool] = None
    """`false`: the run is edited (`change`, `context`, `goto`, `limits`, breakpoints) and stays where it is. Default: `true`"""
    goto: Optional[List[str]] = None
    """Nodes that run besides those that are pending"""
    interrupt_after: Optional[List[str]] = None
    """Nodes to stop after, `*`: all. Replaces what the run was started with; the breakpoints of the graph hold in any case"""
    interrupt_before: Optional[List[str]] = None
    """Nodes to stop before, `*`: all. Replaces what the run was started with; the breakpoints of the graph hold in any case"""
    limits: Optional[Limits] = None
    """Those that are given replace the run's"""
    resolve: Optional[List[Resolution]] = None
    """Failed tasks that count as done"""


@dataclass(frozen=True, kw_only=True)
class Run:
    """A run as it is now"""
    breakpoint: Optional[Breakpoint] = None
    checkpoint: int
    """Number of the last checkpoint"""
    created_at: datetime.datetime
    created_by: Optional[str] = None
    """Who started it: the id of a key or of a token's subject; absent: no key was needed"""
    durability: Literal["sync"]
    """Deprecated: always `sync`, also of runs that an earlier release began otherwise"""
    error: Optional[RunError] = None
    failed_tasks: List[Task]
    """What a resume would run again"""
    finished_at: Optional[datetime.datetime] = None
    from_: Optional[CheckpointRef] = None
    """The checkpoint of its thread from whose state it has begun, which may have been erased since; absent: it has no thread, is its first run, waits for it, or began before an input in it"""
    graph: str
    id: str
    input: Optional[Dict[str, Any]] = None
    """Absent where a read is without it"""
    interrupts: List[Interrupt]
    """The open ones, in task order"""
    limits: Limits
    metadata: Dict[str, str]
    output: Optional[Any] = None
    """The declared channels, else the state; only when succeeded"""
    params: Optional[Dict[str, Any]] = None
    """The value of each param of the graph, as at the start; absent: it has none"""
    parent: Optional[Parent] = None
    """Where a fork or the run of a subgraph node comes from"""
    priority: int
    """Higher is claimed first"""
    started_at: Optional[datetime.datetime] = None
    status: Literal["queued", "running", "waiting", "interrupted", "failed", "cancelling", "succeeded", "cancelled"]
    superstep: int
    """The last committed one; the number of `__end__` once it succeeded"""
    thread_id: Optional[str] = None
    usage: Usage
    version: int
    wakes_at: Optional[datetime.datetime] = None
    """When a waiting run goes on by itself"""


@dataclass(frozen=True, kw_only=True)
class RunContext:
    """Prompt context of a run, over that of its graph"""
    metadata: Optional[Dict[str, Any]] = None
    template: Optional[str] = None
    variables: Optional[Dict[str, Any]] = None


@dataclass(frozen=True, kw_only=True)
class RunError:
    """Why a run or a task failed"""
    attempt: Optional[int] = None
    """The last attempt of the task"""
    code: str
    details: Optional[Dict[str, Any]] = None
    dispatch_id: Optional[str] = None
    message: str
    node: Optional[str] = None
    superstep: Optional[int] = None


@dataclass(frozen=True, kw_only=True)
class RunEvent:
    """Something that happened in a run"""
    at: datetime.datetime
    changes: Optional[List[AppliedChange]] = None
    """In streams with `with=changes`: how each task of the superstep has ended, and what it has changed, in task order"""
    data: Dict[str, Any]
    dispatch_id: Optional[str] = None
    node: Optional[str] = None
    run_id: str
    seq: Optional[int] = None
    """From 1, gap-free per run; absent for live events, which are not stored"""
    state: Optional[Dict[str, Any]] = None
    """In streams with `with=state`: the state that was committed"""
    superstep: Optional[int] = None
    type: str
    """`task.failed`: the superstep is held; `task.handled`: the task failed, and an error edge, `on_error: continue` or a dispatch policy took care of it; `task.cancelled`: a dispatch policy was decided without it"""


@dataclass(frozen=True, kw_only=True)
class RunMessage:
    """A message to a run, and what has become of it"""
    channel: str
    id: str
    next_run_id: Optional[str] = None
    """With `status: moved`: the run that begins with it"""
    run_id: str
    sender: Optional[str] = None
    """Who sent it: the id of a key or of a token's subject; absent: no key was needed"""
    sent_at: datetime.datetime
    seq: int
    """Its number among the messages of the run, from 1"""
    status: Literal["waiting", "taken", "rejected", "moved", "left"]
    """`waiting`: no superstep has taken it; `taken`; `rejected`: one has taken it, and its channel could not take the value, as an event says; `moved`: the next run of the thread begins with it; `left`: its run has ended without it"""
    superstep: Optional[int] = None
    """That has taken it; the next one sees it"""
    value: Any
    """What the reducer of the channel is given"""


@dataclass(frozen=True, kw_only=True)
class RunSummary:
    """A run without input, output and state"""
    breakpoint: Optional[Breakpoint] = None
    checkpoint: int
    """Number of the last checkpoint"""
    created_at: datetime.datetime
    created_by: Optional[str] = None
    """Who started it: the id of a key or of a token's subject; absent: no key was needed"""
    durability: Literal["sync"]
    """Deprecated: always `sync`, also of runs that an earlier release began otherwise"""
    error: Optional[RunError] = None
    finished_at: Optional[datetime.datetime] = None
    from_: Optional[CheckpointRef] = None
    """The checkpoint of its thread from whose state it has begun, which may have been erased since; absent: it has no thread, is its first run, waits for it, or began before an input in it"""
    graph: str
    id: str
    limits: Limits
    metadata: Dict[str, str]
    parent: Optional[Parent] = None
    """Where a fork or the run of a subgraph node comes from"""
    priority: int
    """Higher is claimed first"""
    started_at: Optional[datetime.datetime] = None
    status: Literal["queued", "running", "waiting", "interrupted", "failed", "cancelling", "succeeded", "cancelled"]
    superstep: int
    """The last committed one; the number of `__end__` once it succeeded"""
    thread_id: Optional[str] = None
    version: int
    wakes_at: Optional[datetime.datetime] = None
    """When a waiting run goes on by itself"""


@dataclass(frozen=True, kw_only=True)
class RunVerification:
    """What came of verifying a part of a run"""
    broken: List[BrokenRow]
    """The first hundred of this part"""
    checkpoints: int
    """How many are as they were written, in this part"""
    erased: int
    """Checkpoints that retention has removed"""
    head: Optional[str] = None
    """Of the last part: number and hash of the last checkpoint, to be kept elsewhere; absent if that is not chained"""
    next_cursor: Optional[str] = None
    """`cursor` of the next part; absent at the end"""
    not_chained: int
    """Rows without a hash, in this part: an earlier release has written them"""
    verified: bool
    """Whether nothing in this part is broken"""


@dataclass(frozen=True, kw_only=True)
class RunWebhook:
    """A URL that a run tells what happens in it"""
    events: Optional[List[str]] = None
    """As in `NewWebhook`"""
    url: Optional[str] = None
    """http or https"""


@dataclass(frozen=True, kw_only=True)
class Schedule:
    """Runs that start by themselves"""
    catch_up: Literal["none", "last", "all"]
    """What happens when no replica was there at some times. `none`: no run starts for them; `last`: one starts for the last of them; `all`: one starts for each of the last 100. A time is met as long as it is not over by more than a minute"""
    created_at: datetime.datetime
    created_by: Optional[str] = None
    """For whom runs start: the id of a key or of a token's subject; absent: no key was needed"""
    cron: str
    """Minute, hour, day of month, month, day of week; with a second in front if there are six. Or `@hourly`, `@daily`, `@weekly`, `@monthly`, `@yearly`"""
    ends_at: Optional[datetime.datetime] = None
    """No run starts after that"""
    graph: str
    id: str
    jitter: str
    """By up to how much a start is later than its time, so that many schedules of one time spread"""
    next: List[datetime.datetime]
    """The next five times, without jitter; none while it is paused"""
    overlap: Literal["skip", "queue", "cancel_old", "allow"]
    """At a time at which a run of the schedule has not ended. `skip`: no run starts; `queue`: it starts once that one has ended; `cancel_old`: that one is cancelled, and it starts once that has ended; `allow`: both run"""
    paused: bool
    """Whether it starts no runs"""
    run: Any
    """What the runs are started with"""
    starts: Optional[List[ScheduleStart]] = None
    """What became of the last twenty times, newest first; in lists it is left out"""
    trigger: Optional[str] = None
    """Its name in the definition of the graph; absent: it was made by a call"""
    zone: str
    """Whose clock the times are of"""


@dataclass(frozen=True, kw_only=True)
class ScheduleChange:
    """What is to change of a schedule"""
    catch_up: Optional[Literal["none", "last", "all"]] = None
    """What happens when no replica was there at some times. `none`: no run starts for them; `last`: one starts for the last of them; `all`: one starts for each of the last 100. A time is met as long as it is not over by more than a minute"""
    cron: Optional[str] = None
    """Minute, hour, day of month, month, day of week; with a second in front if there are six. Or `@hourly`, `@daily`, `@weekly`, `@monthly`, `@yearly`"""
    ends_at: Optional[datetime.datetime] = None
    """No run starts after that; `null` takes it away"""
    jitter: Optional[str] = None
    """By up to how much a start is later than its time, so that many schedules of one time spread"""
    overlap: Optional[Literal["skip", "queue", "cancel_old", "allow"]] = None
    """At a time at which a run of the schedule has not ended. `skip`: no run starts; `queue`: it starts once that one has ended; `cancel_old`: that one is cancelled, and it starts once that has ended; `allow`: both run"""
    paused: Optional[bool] = None
    """Whether it starts no runs"""
    run: Optional[StartRun] = None
    """What runs are started with from now on"""
    zone: Optional[str] = None
    """Whose clock the times are of"""


@dataclass(frozen=True, kw_only=True)
class ScheduleStart:
    """What became of a time of a schedule"""
    decided_at: datetime.datetime
    detail: Optional[str] = None
    """Of `missed`, for people"""
    planned_at: datetime.datetime
    """The time, without jitter"""
    reason: Optional[str] = None
    """Of `missed`: `outage`, no replica was there; `overlap`, the run before had not ended; `queue_full`, 100 starts waited already; `paused`; or the code of the error with which the start was refused"""
    run_id: Optional[str] = None
    """Of `started`"""
    status: Literal["waiting", "started", "missed"]
    """`waiting` for the run before"""


@dataclass(frozen=True, kw_only=True)
class SendMessage:
    """A message to a run. `message` or `value` is needed"""
    channel: Optional[str] = None
    """A channel of the graph; absent: the one that `inbox` names, else `messages`"""
    id: Optional[str] = None
    """Names the message: one that is sent again with its id is stored once. Absent: one is made"""
    if_ended: Optional[Literal["reject", "start"]] = None
    """If the run has ended, or ends without it: `reject` answers 409 `run_ended`, or leaves it part of the final state; `start` begins the next run of the thread with it. Default: `reject`"""
    message: Optional[Any] = None
    """A chat message: a text is one of the role `user`"""
    value: Optional[Any] = None
    """In place of `message`, what the reducer of the channel is given"""


@dataclass(frozen=True, kw_only=True)
class Server:
    """What this server is, how it fares, and what its caller may do"""
    cell: int
    """The number that the ids of its runs carry"""
    currency: Optional[str] = None
    """The unit of the prices and costs of models; absent: it is not said"""
    database_reachable: bool
    """Whether the database answers this replica"""
    ready: bool
    """Whether the replica that answers takes on runs"""
    replicas: Optional[int] = None
    """Replicas that are alive or not known to be dead yet; absent while the database does not answer"""
    scopes: List[str]
    """What the key of this call may do; everything where no keys are required"""
    time: datetime.datetime
    """Of the clock of this replica"""
    version: Optional[str] = None
    """Absent unless the service was packaged"""


@dataclass(frozen=True, kw_only=True)
class Spent:
    """Calls of models, their tokens and what they cost"""
    cache_write_tokens: Optional[int] = None
    cached_input_tokens: Optional[int] = None
    cost: Optional[str] = None
    """A decimal number in the unit of the prices, by those that were in force when the models answered; absent: not known, because no model has a price"""
    input_tokens: int
    model_calls: int
    output_tokens: int
    total_tokens: int
    unpriced_calls: Optional[int] = None
    """Calls whose cost is not known, so that `cost` is too low; absent: none, or no cost"""


@dataclass(frozen=True, kw_only=True)
class StartRun:
    """A new run of a stored graph"""
    callback_meta: Optional[Dict[str, Any]] = None
    """Goes along with every delivery about this run to a webhook, at most 4 KB"""
    context: Optional[RunContext] = None
    durability: Optional[Literal["sync", "async", "exit"]] = None
    """Deprecated, and without effect: whatever anybody can notice is on disk, as with `sync`. Default: `sync`"""
    from_: Optional[CheckpointRef] = None
    """The checkpoint of the thread with whose state and prompt context the run begins; absent: the newest. What came behind it stays in the thread's history, beside what this run adds"""
    graph: str
    id: Optional[str] = None
    """Absent: one is made"""
    if_busy: Optional[Literal["reject", "enqueue", "steer", "interrupt", "rollback"]] = None
    """If a run of the thread is active: `reject` answers 409 `thread_busy`; `enqueue` starts this run when the thread is free, in order of posting; `steer` sends the input to the active run as messages, and answers with that run; `interrupt` ends the active run where it is committed and goes on from there; `rollback` ends it and goes on from where it began. Default: `reject`"""
    input: Dict[str, Any]
    interrupt_after: Optional[List[str]] = None
    """Nodes after which the run stops; `*` for all"""
    interrupt_before: Optional[List[str]] = None
    """Nodes before which the run stops; `*` for all"""
    limits: Optional[Limits] = None
    metadata: Optional[Dict[str, str]] = None
    params: Optional[Dict[str, Any]] = None
    """Values of the graph's params, over those that the operator has set; the run keeps them. Never secrets: they are shown with the run"""
    priority: Optional[int] = None
    """Higher is claimed first. Default: `0`"""
    start_at: Optional[datetime.datetime] = None
    """Absent: at once"""
    thread_id: Optional[str] = None
    """The conversation this run goes on with: state and prompt context of its newest committed checkpoint, however the run ended, are what the input is folded into"""
    version: Optional[int] = None
    """Absent: the newest"""
    webhooks: Optional[List[RunWebhook]] = None
    """URLs that are told what happens in this run, besides the webhooks of the server, at most 10. Needs a webhook without `url`, which signs what is sent"""


@dataclass(frozen=True, kw_only=True)
class State:
    """The committed state at a checkpoint"""
    checkpoint: int
    omitted: Optional[List[OmittedValue]] = None
    """With `values_max`: what `state` comes without"""
    pending_results: Optional[List[Task]] = None
    """With `pending=true`: the held results of a held superstep"""
    state: Dict[str, Any]
    state_hash: str
    superstep: int


@dataclass(frozen=True, kw_only=True)
class Storage:
    """How much is stored for runs"""
    estimated: bool
    """Whether the figures of graphs are estimated from a sample of the runs"""
    graphs: List[GraphStorage]
    """Those that take the most first, at most 1,000"""
    runs_read: int
    """Runs that were read for it"""
    total_bytes: int
    """Of all runs and threads, with indexes and space that is free again"""


@dataclass(frozen=True, kw_only=True)
class Task:
    """One execution of one node in one superstep"""
    attempts: int
    change: Optional[Change] = None
    child_run_id: Optional[str] = None
    """Of a subgraph node: the last run that it has begun"""
    compacted: Optional[List[Cut]] = None
    """What it took out of channels: of a compaction"""
    dispatch_id: Optional[str] = None
    error: Optional[RunError] = None
    finished_at: Optional[datetime.datetime] = None
    idempotency_key: str
    """What the node call sends as `Idempotency-Key`"""
    input: Optional[Any] = None
    """Of a dispatch"""
    node: str
    started_at: Optional[datetime.datetime] = None
    status: Literal["running", "waiting", "succeeded", "handled", "failed", "interrupted", "cancelled"]
    """`handled`: it failed, and an error edge or `on_error: continue` took care of it"""
    superstep: int
    task_id: str
    usage: Optional[Spent] = None
    """What it has spent on models, in all its attempts and with the run that it has begun; absent: nothing"""
    wait: Optional[Wait] = None


@dataclass(frozen=True, kw_only=True)
class TaskFailure:
    """Why a worker could not do a task"""
    code: str
    """What retry policies and error edges of the graph name"""
    details: Optional[Dict[str, Any]] = None
    """Anything more"""
    message: str
    retry_after: Optional[str] = None
    """The least pause before another attempt: at most a day"""
    retryable: Optional[bool] = None
    """Whether another attempt may help; absent: no"""


@dataclass(frozen=True, kw_only=True)
class TaskHeartbeat:
    """That a worker is at it"""
    progress: Optional[Any] = None
    """Anything, up to 16 KB; the last one is kept"""
    token: str
    """Of the claim"""


@dataclass(frozen=True, kw_only=True)
class TaskLease:
    """The lease of a task"""
    lease_until: datetime.datetime
    """Later, nothing of the worker counts"""
    wanted: bool
    """false: drop it"""


@dataclass(frozen=True, kw_only=True)
class TaskOutcome:
    """How a task ended: with a `result`, or with an `error`"""
    error: Optional[TaskFailure] = None
    result: Optional[Any] = None
    """What the worker has made"""
    token: str
    """Of the claim"""


@dataclass(frozen=True, kw_only=True)
class TaskQueue:
    """The tasks of a type"""
    claimed: int
    """Tasks that workers have"""
    queued: int
    """Tasks that wait for a worker"""
    type: str
    waiting_since: Optional[datetime.datetime] = None
    """When the oldest of those was queued; absent: none waits"""
    workers: List[BusyWorker]
    """Who has tasks, up to 100, the last one to claim first"""


@dataclass(frozen=True, kw_only=True)
class TaskQueues:
    """What waits for workers"""
    items: List[TaskQueue]


@dataclass(frozen=True, kw_only=True)
class TaskRelease:
    """That a worker gives a task back"""
    token: str
    """Of the claim"""


@dataclass(frozen=True, kw_only=True)
class TaskStep:
    """A recorded step of a task"""
    error: Optional[TaskFailure] = None
    kind: Literal["call", "sleep", "ask"]
    """What was begun there"""
    name: str
    ordinal: int
    """Its place among the steps of the task, from 0"""
    result: Optional[Any] = None
    """What it has made"""
    status: Literal["succeeded", "failed", "begun", "lost", "waiting"]
    """`begun`: by this claim, and may be made once only. `lost`: likewise, by an earlier claim, and nobody knows what became of it. `waiting`: the task was given back until it ends"""


@dataclass(frozen=True, kw_only=True)
class TaskSteps:
    """Recorded steps of a task"""
    items: List[TaskStep]
    more: bool
    """Whether there are more: read on from behind the last one"""


@dataclass(frozen=True, kw_only=True)
class TaskStepsRequest:
    """A step to be recorded; without it, what is recorded is read"""
    from_: Optional[int] = None
    """The first place to be read; absent: 0"""
    step: Optional[NewTaskStep] = None
    token: str
    """Of the claim"""


@dataclass(frozen=True, kw_only=True)
class TestFailure:
    """What is not as expected"""
    actual: Optional[Any] = None
    expected: Optional[Any] = None
    message: str
    """What is wrong and what to do"""
    pointer: str
    """JSON pointer into the definition"""
    superstep: Optional[int] = None
    """The first superstep in which it shows"""


@dataclass(frozen=True, kw_only=True)
class TestReport:
    """What became of the tests of a definition"""
    duration_ms: int
    graph: str
    """Name of the graph"""
    passed: bool
    """Whether all tests passed"""
    tests: List[TestResult]


@dataclass(frozen=True, kw_only=True)
class TestResult:
    """What became of one test"""
    calls: Dict[str, int]
    """Node id to number of calls"""
    duration_ms: int
    failures: List[TestFailure]
    name: str
    passed: bool
    path: List[List[str]]
    """The nodes of each superstep, as an expected path names them"""
    status: Optional[str] = None
    """Of the run; absent if the test had to stop"""
    supersteps: int
    """Supersteps that have begun"""


@dataclass(frozen=True, kw_only=True)
class ThreadChange:
    """What changes about a conversation"""
    metadata: Dict[str, Any]
    """Members replace those of the same name, null removes them; the others stay"""


@dataclass(frozen=True, kw_only=True)
class ThreadCheckpoint:
    """A committed checkpoint of a conversation"""
    checkpoint: int
    created_at: datetime.datetime
    id: str
    """Ids ascend, compared as text, over all runs of the thread"""
    kind: Literal["input", "step", "final", "update", "fork"]
    parent: Optional[ThreadCheckpointParent] = None
    """From whose state it was made, in this run or another one of the thread; absent for the first, and where the one before is gone"""
    run_id: str
    state_hash: str
    superstep: int


@dataclass(frozen=True, kw_only=True)
class ThreadCheckpointParent:
    """Where a checkpoint comes from"""
    checkpoint: int
    id: str
    run_id: str


@dataclass(frozen=True, kw_only=True)
class ThreadHead:
    """The newest committed checkpoint of a thread"""
    checkpoint: int
    run_id: str


@dataclass(frozen=True, kw_only=True)
class ThreadInfo:
    """A conversation, perhaps before its first run"""
    created_at: datetime.datetime
    last_run: Optional[RunSummary] = None
    """Absent: it has no run"""
    metadata: Dict[str, Any]
    status: Literal["idle", "busy", "interrupted", "error"]
    thread_id: str
    updated_at: datetime.datetime
    """When it was last described, or a run of it began or ended"""


@dataclass(frozen=True, kw_only=True)
class ThreadSearch:
    """Which conversations are wanted: all conditions hold"""
    metadata: Optional[Dict[str, Any]] = None
    """Contained in the metadata of the thread, at any depth"""
    status: Optional[List[Literal["idle", "busy", "interrupted", "error"]]] = None
    """One of these; empty: any"""
    thread_ids: Optional[List[str]] = None
    """One of these; empty: any"""


@dataclass(frozen=True, kw_only=True)
class ThreadState:
    """A conversation: several runs, one after the other"""
    created_at: datetime.datetime
    head: Optional[ThreadHead] = None
    """Whose state it is; absent while nothing is committed"""
    last_run: Optional[RunSummary] = None
    """Absent: it has no run"""
    metadata: Dict[str, Any]
    state: Dict[str, Any]
    """What the next run would start from"""
    status: Literal["idle", "busy", "interrupted", "error"]
    """`busy`: a run is active or waits; `interrupted`: nodes are pending that nothing drives, as at a question; `error`: the last run failed"""
    thread_id: str
    updated_at: datetime.datetime


@dataclass(frozen=True, kw_only=True)
class ThreadSummary:
    """A conversation and its newest run"""
    created_at: datetime.datetime
    last_run: RunSummary
    metadata: Dict[str, Any]
    status: Literal["idle", "busy", "interrupted", "error"]
    thread_id: str
    updated_at: datetime.datetime


@dataclass(frozen=True, kw_only=True)
class Tool:
    """A tool that llm nodes can offer and tool nodes can run"""
    arguments_schema: Dict[str, Any]
    """JSON Schema of its arguments"""
    description: str
    execution: Literal["idempotent", "at_most_once"]
    """Whether a call with unknown outcome may be repeated"""
    name: str
    policies: List[ToolPolicy]
    """What the operator of the server says about its calls. Each of them applies, and no definition loosens one; none: definitions decide"""
    source: Literal["java", "http", "mcp", "stub"]
    """Where it comes from"""


@dataclass(frozen=True, kw_only=True)
class ToolPolicy:
    """What the operator says about calls of a tool"""
    approval: Literal["always", "other_than_starter", "defined"]
    """`always`: a person approves each call, whatever the definition says; `other_than_starter`: somebody else than who started the run. `defined`: the definition decides"""
    calls_per_message_max: Optional[int] = None
    """Most calls of one assistant message"""
    calls_per_run_max: Optional[int] = None
    """Most calls of a run and of all runs that it has begun"""
    conditional: bool
    """Whether calls are refused because of their arguments"""
    graphs: List[str]
    """Patterns of the names of graphs that may use the tool; none: all may"""


@dataclass(frozen=True, kw_only=True)
class Trigger:
    """A webhook or an event that starts runs"""
    condition: Optional[str] = None
    """CEL: what does not satisfy it starts no run"""
    created_by: Optional[str] = None
    """For whom runs start: the id of a key or of a token's subject; absent: no key was needed"""
    event: Optional[str] = None
    """Of an event: its type"""
    graph: str
    input: Dict[str, Any]
    """Templates of the input; none: what has come is the input"""
    path: Optional[str] = None
    """Of a webhook: where it is sent"""
    scheme: Optional[Literal["standard", "github", "stripe", "slack"]] = None
    """Of a webhook: who signs it, and how"""
    trigger: str
    """Its name in the definition of the graph"""


@dataclass(frozen=True, kw_only=True)
class Usage:
    """What the run has spent on models: what `max_model_calls` and `max_tokens` limit. A call counts when it is made, its tokens when the answer is there, and what runs of `subgraph` nodes have spent when they end"""
    cache_write_tokens: Optional[int] = None
    cached_input_tokens: Optional[int] = None
    cost: Optional[str] = None
    """A decimal number in the unit of the prices, by those that were in force when the models answered; absent: not known, because no model has a price"""
    input_tokens: int
    model_calls: int
    nodes: List[NodeUsage]
    """Those that have called a model, by id"""
    output_tokens: int
    total_tokens: int
    unpriced_calls: Optional[int] = None
    """Calls whose cost is not known, so that `cost` is too low; absent: none, or no cost"""


@dataclass(frozen=True, kw_only=True)
class Validation:
    """What is wrong with a definition"""
    definition: Optional[Dict[str, Any]] = None
    """The long form of a valid definition, where it was asked for"""
    errors: List[FieldError]
    valid: bool
    """Whether it could be posted"""
    warnings: List[FieldError]


@dataclass(frozen=True, kw_only=True)
class Wait:
    reason: str
    until: datetime.datetime


@dataclass(frozen=True, kw_only=True)
class Webhook:
    """Who is told what happens in runs"""
    created_at: datetime.datetime
    """It is told what is committed from then on"""
    description: str
    events: List[str]
    """Of which it is told"""
    graphs: List[str]
    """Of whose runs it is told; absent: all"""
    id: str
    paused: bool
    """Deliveries wait"""
    paused_because: Optional[str] = None
    """Why it has paused itself: its receiver has answered 410"""
    previous_ends_at: Optional[datetime.datetime] = None
    """Until when deliveries are signed with the secret from before, too"""
    secret: Optional[str] = None
    """Shown when it is made or rotated"""
    url: Optional[str] = None
    """Where deliveries go; absent: each run names its own"""


@dataclass(frozen=True, kw_only=True)
class WebhookRotation:
    """How a webhook gets another secret"""
    overlap: Optional[str] = None
    """How long deliveries are signed with the secret that it has, too, at most 30 days; `0s`: not any more. Default: `24h`"""


@dataclass(frozen=True, kw_only=True)
class WebhookUpdate:
    """What changes of a webhook"""
    description: Optional[str] = None
    paused: Optional[bool] = None
    """Whether deliveries wait. What waits is sent when it ends"""
    url: Optional[str] = None
    """Also for deliveries that wait or were given up"""


class AuditOperations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        since: Optional[Union[str, datetime.datetime]] = None,
        until: Optional[Union[str, datetime.datetime]] = None,
        caller: Optional[str] = None,
        action: Optional[str] = None,
        object: Optional[str] = None,
        outcome: Optional[Literal["allowed", "refused", "failed"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> ListingAuditEvent:
        """Search the audit log, newest first"""
        return self._transport.call(
            Call(
                method="GET",
                path=f"/v1/audit",
                query={"since": since, "until": until, "caller": caller, "action": action, "object": object, "outcome": outcome, "limit": limit, "cursor": cursor},
                repeat="safe",
            ),
            ListingAuditEvent,
        )

    def verify(
        self,
        *,
        since: Optional[Union[str, datetime.datetime]] = None,
        until: Optional[Union[str, datetime.datetime]] = None,
        head: Optional[str] = None,
        cursor: Optional[str] = None,
    ) -> AuditVerification:
        """Events of your tenant are sealed in batches some seconds behind their calls, each seal linked to the one before. Verifies a part of bounded size. Go on with `next_cursor`"""
        return self._transport.call(
            Call(
                method="GET",
                path=f"/v1/audit/verify",
                query={"since": since, "until": until, "head": head, "cursor": cursor},
                repeat="safe",
            ),
            AuditVerification,
        )


class CallbacksOperations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def answer(
        self,
        token: str,
    ) -> None:
        """`callback.url` in the templates of a graph leads here. The body, any JSON, is the answer; the first one counts. No key is needed: the token is the right to answer."""
        return self._transport.call(
            Call(
                method="POST",
                path=f"/v1/callbacks/{part(token)}",
                repeat="never",
            ),
            None,
        )

    def fail(
        self,
        token: str,
        *,
        code: str,
        message: str,
        details: Optional[Mapping[str, Any]] = None,
        retry_after: Optional[str] = None,
        retryable: Optional[bool] = None,
    ) -> None:
        """The retry policy of the node decides; a retry calls again, with a token of its own. No key is needed."""
        return self._transport.call(
            Call(
                method="POST",
                path=f"/v1/callbacks/{part(token)}/failure",
                body={"code": code, "message": message, **given({"details": details, "retry_after": retry_after, "retryable": retryable})},
                repeat="never",
            ),
            None,
        )

    def heartbeat(
        self,
        token: str,
    ) -> CallbackLease:
        """For callbacks with a `heartbeat`: it begins anew. No key is needed."""
        return self._transport.call(
            Call(
                method="POST",
                path=f"/v1/callbacks/{part(token)}/heartbeat",
                repeat="never",
            ),
            CallbackLease,
        )


class CatalogOperations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def budgets(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> ListingBudget:
        """Of the amounts on which runs of the caller draw, as of a second ago: its tenant's, its own, and those that it shares with other tenants."""
        return self._transport.call(
            Call(
                method="GET",
                path=f"/v1/budgets",
                query={"limit": limit, "cursor": cursor},
                repeat="safe",
            ),
            ListingBudget,
        )

    def context_processors(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> ListingContextProcessor:
        """List the registered context processors"""
        return self._transport.call(
            Call(
                method="GET",
                path=f"/v1/context-processors",
                query={"limit": limit, "cursor": cursor},
                repeat="safe",
            ),
            ListingContextProcessor,
        )

    def context_transforms(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> ListingContextTransform:
        """List the context transforms"""
        return self._transport.call(
            Call(
                method="GET",
                path=f"/v1/context-transforms",
                query={"limit": limit, "cursor": cursor},
                repeat="safe",
            ),
            ListingContextTransform,
        )

    def preview_context(
        self,
        *,
        context: Union[PreviewedContext, Mapping[str, Any]],
        edge: Optional[Union[PreviewedEdge, Mapping[str, Any]]] = None,
        edges: Optional[Sequence[Union[PreviewedEdge, Mapping[str, Any]]]] = None,
        node: Optional[Union[PreviewedNode, Mapping[str, Any]]] = None,
        scope: Optional[Mapping[str, Any]] = None,
    ) -> ContextPreview:
        """For authors: the view, and for each item the rule that kept or dropped it. It uses what runs use; nothing is stored."""
        return self._transport.call(
            Call(
                method="POST",
                path=f"/v1/context/preview",
                body={"context": context, **given({"edge": edge, "edges": edges, "node": node, "scope": scope})},
                repeat="safe",
            ),
            ContextPreview,
        )

    def error_codes(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> ListingErrorCode:
        """All codes of problems, definitions and runs. Needs no API key."""
        return self._transport.call(
            Call(
                method="GET",
                path=f"/v1/error-codes",
                query={"limit": limit, "cursor": cursor},
                repeat="safe",
            ),
            ListingErrorCode,
        )

    def error_code(
        self,
        code: str,
    ) -> ErrorCode:
        """What has happened, the usual causes, and what to do. Needs no API key: the `help` of a problem document leads here."""
        return self._transport.call(
            Call(
                method="GET",
                path=f"/v1/error-codes/{part(code)}",
                repeat="safe",
            ),
            ErrorCode,
        )

    def evaluate(
        self,
        *,
        expression: str,
        variables: Optional[Mapping[str, Any]] = None,
    ) -> Evaluation:
        """For authors. The bounds are those of runs; nothing is stored."""
        return self._transport.call(
            Call(
                method="POST",
                path=f"/v1/expressions/evaluate",
                body={"expression": expression, **given({"variables": variables})},
                repeat="safe",
            ),
            Evaluation,
        )

    def functions(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> ListingFunctionInfo:
        """List the registered functions"""
        return self._transport.call(
            Call(
                method="GET",
                path=f"/v1/functions",
                query={"limit": limit, "cursor": cursor},
                repeat="safe",
            ),
            ListingFunctionInfo,
        )

    def models(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> ListingModel:
        """List the chat models"""
        return self._transport.call(
            Call(
                method="GET",
                path=f"/v1/models",
                query={"limit": limit, "cursor": cursor},
                repeat="safe",
            ),
            ListingModel,
        )

    def node_types(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> ListingNodeType:
        """List the node types"""
        return self._transport.call(
            Call(
                method="GET",
                path=f"/v1/node-types",
                query={"limit": limit, "cursor": cursor},
                repeat="safe",
            ),
            ListingNodeType,
        )

    def reducers(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> ListingReducer:
        """List the reducers"""
        return self._transport.call(
            Call(
                method="GET",
                path=f"/v1/reducers",
                query={"limit": limit, "cursor": cursor},
                repeat="safe",
            ),
            ListingReducer,
        )

    def schema(
        self,
    ) -> Dict[str, Any]:
        """One document for editors: all keys, and the config of every node type of this server."""
        return self._transport.call(
            Call(
                method="GET",
                path=f"/v1/schema.json",
                repeat="safe",
            ),
            Any,
        )

    def server(
        self,
    ) -> Server:
        """Answers while the database is away, too, to callers whose keys are in the settings. The probes of an orchestrator are on the management port."""
        return self._transport.call(
            Call(
                method="GET",
                path=f"/v1/server",
                repeat="safe",
            ),
            Server,
        )

    def storage(
        self,
    ) -> Storage:
        """For operators. The figures of graphs are read where there are few runs, and estimated from a sample of the runs otherwise, so that the call costs about the same however much is stored. Graphs of which the sample has no run are absent then."""
        return self._transport.call(
            Call(
                method="GET",
                path=f"/v1/storage",
                repeat="safe",
            ),
            Storage,
        )

    def tools(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> ListingTool:
        """List the tools"""
        return self._transport.call(
            Call(
                method="GET",
                path=f"/v1/tools",
                query={"limit": limit, "cursor": cursor},
                repeat="safe",
            ),
            ListingTool,
        )


class EventsOperations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def send(
        self,
    ) -> None:
        """An event of CloudEvents 1.0: structured (`application/cloudevents+json`), a batch of up to 100 (`application/cloudevents-batch+json`), or with its attributes in headers `ce-…` and its data as JSON. It goes to every run that waits for it, and to those that begin to while it is kept, until its `expirytime` or for as long as the server keeps others. One with a known `source` and `id` is the same event."""
        return self._transport.call(
            Call(
                method="POST",
                path=f"/v1/events",
                repeat="never",
            ),
            None,
        )


class GraphsOperations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> ListingGraphSummary:
        """List the newest versions of all graphs"""
        return self._transport.call(
            Call(
                method="GET",
                path=f"/v1/graphs",
                query={"limit": limit, "cursor": cursor},
                repeat="safe",
            ),
            ListingGraphSummary,
        )

    def create(
        self,
        definition: Definition,
        *,
        test: Optional[bool] = None,
        idempotency_key: Optional[str] = None,
    ) -> GraphSummary:
        """The same content as the newest version makes no new one. Equal to an older one, it does: that is a rollback."""
        return self._transport.call(
            Call(
                method="POST",
                path=f"/v1/graphs",
                query={"test": test},
                definition=definition,
                repeat="keyed",
                idempotency_key=idempotency_key,
            ),
            GraphSummary,
        )

    def test(
        self,
        definition: Definition,
    ) -> TestReport:
        """In memory: nothing is stored, nothing is called, waits pass at once. The answer is 200 for failing tests too; a definition that could not be posted is refused."""
        return self._transport.call(
            Call(
                method="POST",
                path=f"/v1/graphs/test",
                definition=definition,
                repeat="safe",
            ),
            TestReport,
        )

    def validate(
        self,
        definition: Definition,
        *,
        form: Optional[Literal["authored", "long"]] = None,
    ) -> Validation:
        """Stores and executes nothing. The answer is 200 for an invalid one too."""
        return self._transport.call(
            Call(
                method="POST",
                path=f"/v1/graphs/validate",
                query={"form": form},
                definition=definition,
                repeat="safe",
            ),
            Validation,
        )

    def delete(
        self,
        name: str,
    ) -> None:
        """Its versions stay for the runs that have them; numbers are never reused."""
        return self._transport.call(
            Call(
                method="DELETE",
                path=f"/v1/graphs/{part(name)}",
                repeat="safe",
            ),
            None,
        )

    def get(
        self,
        name: str,
        *,
        form: Optional[Literal["authored", "long"]] = None,
    ) -> Graph:
        """Look at the newest version of a graph"""
        return self._transport.call(
            Call(
                method="GET",
                path=f"/v1/graphs/{part(name)}",
                query={"form": form},
                repeat="safe",
            ),
            Graph,
        )

    def diagram(
        self,
        name: str,
        *,
        version: Optional[int] = None,
        format: Optional[Literal["mermaid"]] = None,
    ) -> str:
        """Draw a graph"""
        return self._transport.call(
            Call(
                method="GET",
                path=f"/v1/graphs/{part(name)}/diagram",
                query={"version": version, "format": format},
                repeat="safe",
                accept="text/plain",
            ),
            Any,
        )

    def test_stored(
        self,
        name: str,
        *,
        version: Optional[int] = None,
    ) -> TestReport:
        """Those of the text that was posted last with this version."""
        return self._transport.call(
            Call(
                method="POST",
                path=f"/v1/graphs/{part(name)}/test",
                query={"version": version},
                repeat="safe",
            ),
            TestReport,
        )

    def versions(
        self,
        name: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> ListingGraphSummary:
        """List the versions of a graph"""
        return self._transport.call(
            Call(
                method="GET",
                path=f"/v1/graphs/{part(name)}/versions",
                query={"limit": limit, "cursor": cursor},
                repeat="safe",
            ),
            ListingGraphSummary,
        )

    def version(
        self,
        name: str,
        version: int,
        *,
        form: Optional[Literal["authored", "long"]] = None,
    ) -> Graph:
        """Look at one version of a graph"""
        return self._transport.call(
            Call(
                method="GET",
                path=f"/v1/graphs/{part(name)}/versions/{part(version)}",
                query={"form": form},
                repeat="safe",
            ),
            Graph,
        )


class InterruptsOperations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        status: Optional[Literal["open", "answered", "expired", "cancelled"]] = None,
        graph: Optional[str] = None,
        assigned: Optional[Literal["me", "nobody", "my_groups"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> ListingInterrupt:
        """List interrupts of all runs, newest first"""
        return self._transport.call(
            Call(
                method="GET",
                path=f"/v1/interrupts",
                query={"status": status, "graph": graph, "assigned": assigned, "limit": limit, "cursor": cursor},
                repeat="safe",
            ),
            ListingInterrupt,
        )

    def get(
        self,
        interrupt_id: str,
    ) -> Interrupt:
        """Look at an interrupt"""
        return self._transport.call(
            Call(
                method="GET",
                path=f"/v1/interrupts/{part(interrupt_id)}",
                repeat="safe",
            ),
            Interrupt,
        )

    def answer(
        self,
        interrupt_id: str,
        *,
        value: Any,
        override: Optional[bool] = None,
        wait: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Run:
        """Accepted while the interrupt is open, whatever its run is doing."""
        return self._transport.call(
            Call(
                method="POST",
                path=f"/v1/interrupts/{part(interrupt_id)}/answer",
                query={"wait": wait},
                body={"value": value, **given({"override": override})},
                repeat="keyed",
                idempotency_key=idempotency_key,
            ),
            Run,
        )

    def claim(
        self,
        interrupt_id: str,
    ) -> Interrupt:
        """Makes the caller the one who is to answer. Of several at once one gets it, the others 409 `interrupt_claimed`."""
        return self._transport.call(
            Call(
                method="POST",
                path=f"/v1/interrupts/{part(interrupt_id)}/claim",
                repeat="never",
            ),
            Interrupt,
        )

    def delegate(
        self,
        interrupt_id: str,
        *,
        to: str,
        override: Optional[bool] = None,
    ) -> Interrupt:
        """Make a question somebody else's"""
        return self._transport.call(
            Call(
                method="POST",
                path=f"/v1/interrupts/{part(interrupt_id)}/delegate",
                body={"to": to, **given({"override": override})},
                repeat="never",
            ),
            Interrupt,
        )

    def release(
        self,
        interrupt_id: str,
    ) -> Interrupt:
        """Give a question back to its candidates"""
        return self._transport.call(
            Call(
                method="POST",
                path=f"/v1/interrupts/{part(interrupt_id)}/release",
                repeat="never",
            ),
            Interrupt,
        )


class KeysOperations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> ListingKey:
        """List the API keys, without their secrets"""
        return self._transport.call(
            Call(
                method="GET",
                path=f"/v1/keys",
                query={"limit": limit, "cursor": cursor},
                repeat="safe",
            ),
            ListingKey,
        )

    def create(
        self,
        *,
        name: str,
        expires_at: Optional[Union[str, datetime.datetime]] = None,
        graphs: Optional[Sequence[str]] = None,
        own_only: Optional[bool] = None,
        roles: Optional[Sequence[Literal["viewer", "runner", "answerer", "author", "worker", "operator", "admin"]]] = None,
        scopes: Optional[Sequence[Literal["read", "run", "answer", "author", "operate", "work", "admin"]]] = None,
        task_types: Optional[Sequence[str]] = None,
        tenant: Optional[str] = None,
    ) -> Key:
        """The answer shows its secret, which is not stored and not shown again. A key may do nothing that its maker may not, and ends no later than it."""
        return self._transport.call(
            Call(
                method="POST",
                path=f"/v1/keys",
                body={"name": name, **given({"expires_at": expires_at, "graphs": graphs, "own_only": own_only, "roles": roles, "scopes": scopes, "task_types": task_types, "tenant": tenant})},
                repeat="never",
            ),
            Key,
        )

    def revoke(
        self,
        key_id: str,
    ) -> None:
        """Other replicas may accept it for two more seconds."""
        return self._transport.call(
            Call(
                method="DELETE",
                path=f"/v1/keys/{part(key_id)}",
                repeat="safe",
            ),
            None,
        )

    def rotate(
        self,
        key_id: str,
        *,
        overlap: Optional[str] = None,
    ) -> Key:
        """The answer shows the secret this once. The one that the key had is taken for as long as `overlap` says. While one from before is taken, only an overlap of `0s` is, which ends both. Id, roles and end stay. Your own key must have all that this one may do, and last as long."""
        return self._transport.call(
            Call(
                method="POST",
                path=f"/v1/keys/{part(key_id)}/rotate",
                body={**given({"overlap": overlap})},
                repeat="never",
            ),
            Key,
        )


class RunsOperations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def search(
        self,
        *,
        graph: Optional[str] = None,
        status: Optional[Sequence[Literal["queued", "running", "waiting", "interrupted", "failed", "cancelling", "succeeded", "cancelled"]]] = None,
        thread_id: Optional[str] = None,
        parent: Optional[str] = None,
        error_code: Optional[str] = None,
        metadata: Optional[Sequence[str]] = None,
        created_after: Optional[Union[str, datetime.datetime]] = None,
        created_before: Optional[Union[str, datetime.datetime]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> ListingRunSummary:
        """Search runs, newest first"""
        return self._transport.call(
            Call(
                method="GET",
                path=f"/v1/runs",
                query={"graph": graph, "status": status, "thread_id": thread_id, "parent": parent, "error_code": error_code, "metadata": metadata, "created_after": created_after, "created_before": created_before, "limit": limit, "cursor": cursor},
                repeat="safe",
            ),
            ListingRunSummary,
        )

    def start(
        self,
        *,
        graph: str,
        input: Mapping[str, Any],
        callback_meta: Optional[Mapping[str, Any]] = None,
        context: Optional[Union[RunContext, Mapping[str, Any]]] = None,
        durability: Optional[Literal["sync", "async", "exit"]] = None,
        from_: Optional[Union[CheckpointRef, Mapping[str, Any]]] = None,
        id: Optional[str] = None,
        if_busy: Optional[Literal["reject", "enqueue", "steer", "interrupt", "rollback"]] = None,
        interrupt_after: Optional[Sequence[str]] = None,
        interrupt_before: Optional[Sequence[str]] = None,
        limits: Optional[Union[Limits, Mapping[str, Any]]] = None,
        metadata: Optional[Mapping[str, str]] = None,
        params: Optional[Mapping[str, Any]] = None,
        priority: Optional[int] = None,
        start_at: Optional[Union[str, datetime.datetime]] = None,
        thread_id: Optional[str] = None,
        version: Optional[int] = None,
        webhooks: Optional[Sequence[Union[RunWebhook, Mapping[str, Any]]]] = None,
        wait: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Run:
        """The run and its input are on disk before the answer comes. With a header `traceparent` (W3C) the run is part of that trace, and passes it on."""
        return self._transport.call(
            Call(
                method="POST",
                path=f"/v1/runs",
                query={"wait": wait},
                body={"graph": graph, "input": input, **given({"callback_meta": callback_meta, "context": context, "durability": durability, "from": from_, "id": id, "if_busy": if_busy, "interrupt_after": interrupt_after, "interrupt_before": interrupt_before, "limits": limits, "metadata": metadata, "params": params, "priority": priority, "start_at": start_at, "thread_id": thread_id, "version": version, "webhooks": webhooks})},
                repeat="keyed",
                idempotency_key=idempotency_key,
            ),
            Run,
        )

    def delete(
        self,
        run_id: str,
    ) -> None:
        """Its checkpoints, tasks, interrupts and events go with it. A thread goes with its last run."""
        return self._transport.call(
            Call(
                method="DELETE",
                path=f"/v1/runs/{part(run_id)}",
                repeat="safe",
            ),
            None,
        )

    def get(
        self,
        run_id: str,
        *,
        without: Optional[str] = None,
        wait: Optional[str] = None,
    ) -> Run:
        """Look at a run"""
        return self._transport.call(
            Call(
                method="GET",
                path=f"/v1/runs/{part(run_id)}",
                query={"without": without, "wait": wait},
                repeat="safe",
            ),
            Run,
        )

    def cancel(
        self,
        run_id: str,
        *,
        wait: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Run:
        """Node calls that are running are interrupted. Safe to repeat."""
        return self._transport.call(
            Call(
                method="POST",
                path=f"/v1/runs/{part(run_id)}/cancel",
                query={"wait": wait},
                repeat="keyed",
                idempotency_key=idempotency_key,
            ),
            Run,
        )

    def checkpoints(
        self,
        run_id: str,
        *,
        superstep: Optional[int] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> ListingCheckpointSummary:
        """List the checkpoints of a run, newest first"""
        return self._transport.call(
            Call(
                method="GET",
                path=f"/v1/runs/{part(run_id)}/checkpoints",
                query={"superstep": superstep, "limit": limit, "cursor": cursor},
                repeat="safe",
            ),
            ListingCheckpointSummary,
        )

    def checkpoint(
        self,
        run_id: str,
        number: int,
        *,
        without: Optional[str] = None,
        values_max: Optional[int] = None,
    ) -> Checkpoint:
        """Read a checkpoint"""
        return self._transport.call(
            Call(
                method="GET",
                path=f"/v1/runs/{part(run_id)}/checkpoints/{part(number)}",
                query={"without": without, "values_max": values_max},
                repeat="safe",
            ),
            Checkpoint,
        )

    def node_context(
        self,
        run_id: str,
        number: int,
        *,
        node: str,
        dispatch_id: Optional[str] = None,
    ) -> NodeContext:
        """A task that the checkpoint activates, or one of the superstep that it commits. Of every variable, metadata key and history entry it says which rule kept or dropped it."""
        return self._transport.call(
            Call(
                method="GET",
                path=f"/v1/runs/{part(run_id)}/checkpoints/{part(number)}/context",
                query={"node": node, "dispatch_id": dispatch_id},
                repeat="safe",
            ),
            NodeContext,
        )

    def context(
        self,
        run_id: str,
        *,
        checkpoint: Optional[int] = None,
    ) -> PromptContext:
        """Read the prompt context of a run"""
        return self._transport.call(
            Call(
                method="GET",
                path=f"/v1/runs/{part(run_id)}/context",
                query={"checkpoint": checkpoint},
                repeat="safe",
            ),
            PromptContext,
        )

    def diagram(
        self,
        run_id: str,
        *,
        format: Optional[Literal["mermaid"]] = None,
    ) -> str:
        """Nodes that are done, active, failed or interrupted are marked."""
        return self._transport.call(
            Call(
                method="GET",
                path=f"/v1/runs/{part(run_id)}/diagram",
                query={"format": format},
                repeat="safe",
                accept="text/plain",
            ),
            Any,
        )

    def events(
        self,
        run_id: str,
        *,
        after: Optional[int] = None,
        type: Optional[Sequence[str]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> ListingRunEvent:
        """List the stored events of a run, oldest first"""
        return self._transport.call(
            Call(
                method="GET",
                path=f"/v1/runs/{part(run_id)}/events",
                query={"after": after, "type": type, "limit": limit, "cursor": cursor},
                repeat="safe",
            ),
            ListingRunEvent,
        )

    def fork(
        self,
        run_id: str,
        *,
        checkpoint: int,
        as_node: Optional[str] = None,
        change: Optional[Union[Change, Mapping[str, Any]]] = None,
        context: Optional[Union[ContextEdit, Mapping[str, Any]]] = None,
        if_busy: Optional[Literal["reject", "enqueue", "interrupt", "rollback"]] = None,
        interrupt_after: Optional[Sequence[str]] = None,
        interrupt_before: Optional[Sequence[str]] = None,
        limits: Optional[Union[Limits, Mapping[str, Any]]] = None,
        thread_id: Optional[str] = None,
        version: Optional[int] = None,
        wait: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Run:
        """The old run is left untouched, unless it is the active run of the thread and `if_busy` ends it."""
        return self._transport.call(
            Call(
                method="POST",
                path=f"/v1/runs/{part(run_id)}/fork",
                query={"wait": wait},
                body={"checkpoint": checkpoint, **given({"as_node": as_node, "change": change, "context": context, "if_busy": if_busy, "interrupt_after": interrupt_after, "interrupt_before": interrupt_before, "limits": limits, "thread_id": thread_id, "version": version})},
                repeat="keyed",
                idempotency_key=idempotency_key,
            ),
            Run,
        )

    def interrupts(
        self,
        run_id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> ListingInterrupt:
        """List the interrupts of a run, newest first"""
        return self._transport.call(
            Call(
                method="GET",
                path=f"/v1/runs/{part(run_id)}/interrupts",
                query={"limit": limit, "cursor": cursor},
                repeat="safe",
            ),
            ListingInterrupt,
        )

    def messages(
        self,
        run_id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> ListingRunMessage:
        """In the order in which they were accepted."""
        return self._transport.call(
            Call(
                method="GET",
                path=f"/v1/runs/{part(run_id)}/messages",
                query={"limit": limit, "cursor": cursor},
                repeat="safe",
            ),
            ListingRunMessage,
        )

    def send(
        self,
        run_id: str,
        *,
        channel: Optional[str] = None,
        id: Optional[str] = None,
        if_ended: Optional[Literal["reject", "start"]] = None,
        message: Optional[Any] = None,
        value: Optional[Any] = None,
        idempotency_key: Optional[str] = None,
    ) -> RunMessage:
        """The message is on disk before the answer comes. The next superstep that commits takes it, in the order in which messages were accepted. With an `id` the call may be repeated."""
        return self._transport.call(
            Call(
                method="POST",
                path=f"/v1/runs/{part(run_id)}/messages",
                body={**given({"channel": channel, "id": id, "if_ended": if_ended, "message": message, "value": value})},
                repeat="keyed",
                idempotency_key=idempotency_key,
            ),
            RunMessage,
        )

    def count_tasks(
        self,
        run_id: str,
        *,
        after: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> NodeCounts:
        """An answer has up to 2,000 supersteps or some 20,000 tasks, newest first: add up those behind `next_cursor`. What is committed does not change: later, ask with `after` for what has come since."""
        return self._transport.call(
            Call(
                method="GET",
                path=f"/v1/runs/{part(run_id)}/nodes",
                query={"after": after, "cursor": cursor},
                repeat="safe",
            ),
            NodeCounts,
        )

    def pause(
        self,
        run_id: str,
        *,
        wait: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Run:
        """The superstep in flight ends and is committed, nothing behind it is: the run is `interrupted` with the breakpoint `pause`, and the runs inside with it. A run that waits pauses at once. What it waited for is kept; `resumeRun` and `stepRun` have it go on. Safe to repeat."""
        return self._transport.call(
            Call(
                method="POST",
                path=f"/v1/runs/{part(run_id)}/pause",
                query={"wait": wait},
                repeat="keyed",
                idempotency_key=idempotency_key,
            ),
            Run,
        )

    def resume(
        self,
        run_id: str,
        *,
        answers: Optional[Sequence[Union[Answer, Mapping[str, Any]]]] = None,
        change: Optional[Union[Change, Mapping[str, Any]]] = None,
        context: Optional[Union[ContextEdit, Mapping[str, Any]]] = None,
        continue_: Optional[bool] = None,
        goto: Optional[Sequence[str]] = None,
        interrupt_after: Optional[Sequence[str]] = None,
        interrupt_before: Optional[Sequence[str]] = None,
        limits: Optional[Union[Limits, Mapping[str, Any]]] = None,
        resolve: Optional[Sequence[Union[Resolution, Mapping[str, Any]]]] = None,
        wait: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Run:
        """Answers interrupts, resolves failed tasks by hand, edits the state, activates more nodes, raises limits. `{}` passes a breakpoint and re-runs failed tasks. With `continue: false` a run that stopped is edited and stays where it is. A run that has succeeded or was cancelled is refused as `run_ended`: fork it."""
        return self._transport.call(
            Call(
                method="POST",
                path=f"/v1/runs/{part(run_id)}/resume",
                query={"wait": wait},
                body={**given({"answers": answers, "change": change, "context": context, "continue": continue_, "goto": goto, "interrupt_after": interrupt_after, "interrupt_before": interrupt_before, "limits": limits, "resolve": resolve})},
                repeat="keyed",
                idempotency_key=idempotency_key,
            ),
            Run,
        )

    def state(
        self,
        run_id: str,
        *,
        checkpoint: Optional[int] = None,
        pending: Optional[bool] = None,
        channel: Optional[Sequence[str]] = None,
        values_max: Optional[int] = None,
    ) -> State:
        """Read the committed state of a run"""
        return self._transport.call(
            Call(
                method="GET",
                path=f"/v1/runs/{part(run_id)}/state",
                query={"checkpoint": checkpoint, "pending": pending, "channel": channel, "values_max": values_max},
                repeat="safe",
            ),
            State,
        )

    def step(
        self,
        run_id: str,
        *,
        wait: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Run:
        """Of a run that is paused, stands at a breakpoint or has failed: it goes on as with `resumeRun`, past the breakpoints before what is next, and is paused behind the next superstep. The runs inside go on until that is committed. A run that asks is refused as `nothing_to_resume`: answer it."""
        return self._transport.call(
            Call(
                method="POST",
                path=f"/v1/runs/{part(run_id)}/step",
                query={"wait": wait},
                repeat="keyed",
                idempotency_key=idempotency_key,
            ),
            Run,
        )

    def tasks(
        self,
        run_id: str,
        *,
        superstep: Optional[int] = None,
        node: Optional[str] = None,
        status: Optional[Literal["running", "waiting", "succeeded", "handled", "failed", "interrupted", "cancelled"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        dispatch_id: Optional[str] = None,
        without: Optional[str] = None,
    ) -> ListingTask:
        """Newest superstep first, in task order within one. Without `input` and `change` an answer has up to 2,000 tasks."""
        return self._transport.call(
            Call(
                method="GET",
                path=f"/v1/runs/{part(run_id)}/tasks",
                query={"superstep": superstep, "node": node, "status": status, "limit": limit, "cursor": cursor, "dispatch_id": dispatch_id, "without": without},
                repeat="safe",
            ),
            ListingTask,
        )

    def verify(
        self,
        run_id: str,
        *,
        head: Optional[str] = None,
        cursor: Optional[str] = None,
    ) -> RunVerification:
        """Verifies a part of bounded size: checkpoints, which are linked by hash, events, the request, and questions with their answers. Go on with `next_cursor`"""
        return self._transport.call(
            Call(
                method="GET",
                path=f"/v1/runs/{part(run_id)}/verify",
                query={"head": head, "cursor": cursor},
                repeat="safe",
            ),
            RunVerification,
        )


class SchedulesOperations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        graph: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> ListingSchedule:
        """List the schedules"""
        return self._transport.call(
            Call(
                method="GET",
                path=f"/v1/schedules",
                query={"graph": graph, "limit": limit, "cursor": cursor},
                repeat="safe",
            ),
            ListingSchedule,
        )

    def create(
        self,
        *,
        cron: str,
        run: Union[StartRun, Mapping[str, Any]],
        catch_up: Optional[Literal["none", "last", "all"]] = None,
        ends_at: Optional[Union[str, datetime.datetime]] = None,
        id: Optional[str] = None,
        jitter: Optional[str] = None,
        overlap: Optional[Literal["skip", "queue", "cancel_old", "allow"]] = None,
        paused: Optional[bool] = None,
        zone: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Schedule:
        """Each start is a run of its own, whose id comes of the schedule's and the planned time. Runs start for the caller who has given the request; if that key is revoked or ends, they do not, and the schedule says so."""
        return self._transport.call(
            Call(
                method="POST",
                path=f"/v1/schedules",
                body={"cron": cron, "run": run, **given({"catch_up": catch_up, "ends_at": ends_at, "id": id, "jitter": jitter, "overlap": overlap, "paused": paused, "zone": zone})},
                repeat="keyed",
                idempotency_key=idempotency_key,
            ),
            Schedule,
        )

    def delete(
        self,
        schedule_id: str,
    ) -> None:
        """Runs that it has started go on. What the definition of a graph declares goes with the next version of that."""
        return self._transport.call(
            Call(
                method="DELETE",
                path=f"/v1/schedules/{part(schedule_id)}",
                repeat="safe",
            ),
            None,
        )

    def get(
        self,
        schedule_id: str,
    ) -> Schedule:
        """Look at a schedule"""
        return self._transport.call(
            Call(
                method="GET",
                path=f"/v1/schedules/{part(schedule_id)}",
                repeat="safe",
            ),
            Schedule,
        )

    def update(
        self,
        schedule_id: str,
        *,
        catch_up: Optional[Literal["none", "last", "all"]] = None,
        cron: Optional[str] = None,
        ends_at: Optional[Union[str, datetime.datetime]] = None,
        jitter: Optional[str] = None,
        overlap: Optional[Literal["skip", "queue", "cancel_old", "allow"]] = None,
        paused: Optional[bool] = None,
        run: Optional[Union[StartRun, Mapping[str, Any]]] = None,
        zone: Optional[str] = None,
    ) -> Schedule:
        """What is not given stays. Times that pass while it is paused are left out, and other times begin now. With `run`, runs start for you from then on. A schedule that the definition of a graph declares can be paused and resumed."""
        return self._transport.call(
            Call(
                method="PATCH",
                path=f"/v1/schedules/{part(schedule_id)}",
                body={**given({"catch_up": catch_up, "cron": cron, "ends_at": ends_at, "jitter": jitter, "overlap": overlap, "paused": paused, "run": run, "zone": zone})},
                repeat="safe",
            ),
            Schedule,
        )


class TasksOperations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def claim(
        self,
        *,
        type: Sequence[str],
        max: Optional[int] = None,
        wait: Optional[str] = None,
        worker: Optional[str] = None,
    ) -> ClaimedTasks:
        """Each task is claimed for as long as its lease lasts: a heartbeat prolongs it, an outcome ends it. A task whose lease is over goes to another worker under the same idempotency key. If an answer is lost, so are the tasks, until their leases are over."""
        return self._transport.call(
            Call(
                method="POST",
                path=f"/v1/tasks/claim",
                query={"type": type, "max": max, "wait": wait, "worker": worker},
                repeat="never",
            ),
            ClaimedTasks,
        )

    def queues(
        self,
    ) -> TaskQueues:
        """One item for each type of tasks that are queued or claimed, up to 200; for a worker, of those that it may claim. Of longer queues 10,000 tasks are counted."""
        return self._transport.call(
            Call(
                method="GET",
                path=f"/v1/tasks/queues",
                repeat="safe",
            ),
            TaskQueues,
        )

    def heartbeat(
        self,
        task_id: str,
        *,
        token: str,
        progress: Optional[Any] = None,
    ) -> TaskLease:
        """Prolongs the lease. `wanted: false`: the run was cancelled, or has gone on without the task; drop it."""
        return self._transport.call(
            Call(
                method="POST",
                path=f"/v1/tasks/{part(task_id)}/heartbeat",
                body={"token": token, **given({"progress": progress})},
                repeat="never",
            ),
            TaskLease,
        )

    def end(
        self,
        task_id: str,
        *,
        token: str,
        error: Optional[Union[TaskFailure, Mapping[str, Any]]] = None,
        result: Optional[Any] = None,
    ) -> None:
        """With `result`: what the node waits for, a node result unless the node has a `result` of its own. With `error`: the retry policy of the node decides. Safe to repeat."""
        return self._transport.call(
            Call(
                method="POST",
                path=f"/v1/tasks/{part(task_id)}/outcome",
                body={"token": token, **given({"error": error, "result": result})},
                repeat="never",
            ),
            None,
        )

    def release(
        self,
        task_id: str,
        *,
        token: str,
    ) -> None:
        """Another worker can claim it at once. This counts neither as an attempt nor as a lost worker."""
        return self._transport.call(
            Call(
                method="POST",
                path=f"/v1/tasks/{part(task_id)}/release",
                body={"token": token, **given({})},
                repeat="never",
            ),
            None,
        )

    def step(
        self,
        task_id: str,
        *,
        token: str,
        from_: Optional[int] = None,
        step: Optional[Union[NewTaskStep, Mapping[str, Any]]] = None,
    ) -> TaskSteps:
        """What is recorded is on disk when this answers. A place is the claim's that has recorded it first: another one is answered what is there, or 409 `step_mismatch` if that has another name. A step that is `waiting` ends the claim: the task comes again once it has slept, or is answered. Safe to repeat."""
        return self._transport.call(
            Call(
                method="POST",
                path=f"/v1/tasks/{part(task_id)}/steps",
                body={"token": token, **given({"from": from_, "step": step})},
                repeat="never",
            ),
            TaskSteps,
        )


class ThreadsOperations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        status: Optional[Sequence[Literal["idle", "busy", "interrupted", "error"]]] = None,
        metadata: Optional[Sequence[str]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> ListingThreadSummary:
        """`POST /v1/threads/search` finds those without runs, too."""
        return self._transport.call(
            Call(
                method="GET",
                path=f"/v1/threads",
                query={"status": status, "metadata": metadata, "limit": limit, "cursor": cursor},
                repeat="safe",
            ),
            ListingThreadSummary,
        )

    def create(
        self,
        *,
        if_exists: Optional[Literal["reject", "do_nothing"]] = None,
        metadata: Optional[Mapping[str, Any]] = None,
        thread_id: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> ThreadInfo:
        """Not needed to start a run in a thread, which makes it. A thread that is made here stays when its last run is erased."""
        return self._transport.call(
            Call(
                method="POST",
                path=f"/v1/threads",
                body={**given({"if_exists": if_exists, "metadata": metadata, "thread_id": thread_id})},
                repeat="keyed",
                idempotency_key=idempotency_key,
            ),
            ThreadInfo,
        )

    def search(
        self,
        *,
        metadata: Optional[Mapping[str, Any]] = None,
        status: Optional[Sequence[Literal["idle", "busy", "interrupted", "error"]]] = None,
        thread_ids: Optional[Sequence[str]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> ListingThreadInfo:
        """Those that have no run, too. `metadata` has at most 16 KiB and 64 items in its lists, `thread_ids` 1,000."""
        return self._transport.call(
            Call(
                method="POST",
                path=f"/v1/threads/search",
                query={"limit": limit, "cursor": cursor},
                body={**given({"metadata": metadata, "status": status, "thread_ids": thread_ids})},
                repeat="never",
            ),
            ListingThreadInfo,
        )

    def delete(
        self,
        thread_id: str,
    ) -> None:
        """Refused while a run of it is active or waits for it. The runs are erased in steps, the oldest first. When there are more than one call can erase, the answer is 503 `erasure_unfinished`: the thread is still there with fewer runs, and the same call erases more."""
        return self._transport.call(
            Call(
                method="DELETE",
                path=f"/v1/threads/{part(thread_id)}",
                repeat="safe",
            ),
            None,
        )

    def get(
        self,
        thread_id: str,
    ) -> ThreadState:
        """Its state is that of its newest committed checkpoint, however the run ended; a run that was rolled back does not count."""
        return self._transport.call(
            Call(
                method="GET",
                path=f"/v1/threads/{part(thread_id)}",
                repeat="safe",
            ),
            ThreadState,
        )

    def update(
        self,
        thread_id: str,
        *,
        metadata: Mapping[str, Any],
    ) -> ThreadInfo:
        """From then on it stays when its last run is erased."""
        return self._transport.call(
            Call(
                method="PATCH",
                path=f"/v1/threads/{part(thread_id)}",
                body={"metadata": metadata, **given({})},
                repeat="safe",
            ),
            ThreadInfo,
        )

    def copy(
        self,
        thread_id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> ThreadInfo:
        """A copy never goes on by itself: one of a run that has not ended is cancelled where that stands. Runs that wait for the thread, or were rolled back, are not copied."""
        return self._transport.call(
            Call(
                method="POST",
                path=f"/v1/threads/{part(thread_id)}/copy",
                repeat="keyed",
                idempotency_key=idempotency_key,
            ),
            ThreadInfo,
        )

    def history(
        self,
        thread_id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> ListingThreadCheckpoint:
        """Of all its runs, forks included, as one history: each names the checkpoint that it was made from. Runs that were rolled back, or have not begun, are left out."""
        return self._transport.call(
            Call(
                method="GET",
                path=f"/v1/threads/{part(thread_id)}/history",
                query={"limit": limit, "cursor": cursor},
                repeat="safe",
            ),
            ListingThreadCheckpoint,
        )

    def send(
        self,
        thread_id: str,
        *,
        channel: Optional[str] = None,
        id: Optional[str] = None,
        if_ended: Optional[Literal["reject", "start"]] = None,
        message: Optional[Any] = None,
        value: Optional[Any] = None,
        idempotency_key: Optional[str] = None,
    ) -> RunMessage:
        """It is for the run that is active, else for the first that waits, else for the last one."""
        return self._transport.call(
            Call(
                method="POST",
                path=f"/v1/threads/{part(thread_id)}/messages",
                body={**given({"channel": channel, "id": id, "if_ended": if_ended, "message": message, "value": value})},
                repeat="keyed",
                idempotency_key=idempotency_key,
            ),
            RunMessage,
        )

    def runs(
        self,
        thread_id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> ListingRunSummary:
        """Runs that wait for the thread are `queued` and have not started."""
        return self._transport.call(
            Call(
                method="GET",
                path=f"/v1/threads/{part(thread_id)}/runs",
                query={"limit": limit, "cursor": cursor},
                repeat="safe",
            ),
            ListingRunSummary,
        )


class TriggersOperations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        graph: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> ListingTrigger:
        """Those that the newest versions of graphs declare, by graph and name. Schedules are in a list of their own."""
        return self._transport.call(
            Call(
                method="GET",
                path=f"/v1/triggers",
                query={"graph": graph, "limit": limit, "cursor": cursor},
                repeat="safe",
            ),
            ListingTrigger,
        )


class WebhooksOperations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> ListingWebhook:
        """List webhooks, newest first"""
        return self._transport.call(
            Call(
                method="GET",
                path=f"/v1/webhooks",
                query={"limit": limit, "cursor": cursor},
                repeat="safe",
            ),
            ListingWebhook,
        )

    def create(
        self,
        *,
        description: Optional[str] = None,
        events: Optional[Sequence[str]] = None,
        graphs: Optional[Sequence[str]] = None,
        url: Optional[str] = None,
    ) -> Webhook:
        """It is told what is committed from `created_at` on. The answer shows its secret, which is not shown again."""
        return self._transport.call(
            Call(
                method="POST",
                path=f"/v1/webhooks",
                body={**given({"description": description, "events": events, "graphs": graphs, "url": url})},
                repeat="never",
            ),
            Webhook,
        )

    def delete(
        self,
        webhook_id: str,
    ) -> None:
        """With all its deliveries, also those that wait."""
        return self._transport.call(
            Call(
                method="DELETE",
                path=f"/v1/webhooks/{part(webhook_id)}",
                repeat="safe",
            ),
            None,
        )

    def get(
        self,
        webhook_id: str,
    ) -> Webhook:
        """Read a webhook"""
        return self._transport.call(
            Call(
                method="GET",
                path=f"/v1/webhooks/{part(webhook_id)}",
                repeat="safe",
            ),
            Webhook,
        )

    def update(
        self,
        webhook_id: str,
        *,
        description: Optional[str] = None,
        paused: Optional[bool] = None,
        url: Optional[str] = None,
    ) -> Webhook:
        """What is left out stays. Events and graphs do not change; make another webhook for others."""
        return self._transport.call(
            Call(
                method="PATCH",
                path=f"/v1/webhooks/{part(webhook_id)}",
                body={**given({"description": description, "paused": paused, "url": url})},
                repeat="safe",
            ),
            Webhook,
        )

    def deliveries(
        self,
        webhook_id: str,
        *,
        status: Optional[Literal["pending", "delivered", "dead"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> ListingDelivery:
        """List what a webhook was sent, newest first"""
        return self._transport.call(
            Call(
                method="GET",
                path=f"/v1/webhooks/{part(webhook_id)}/deliveries",
                query={"status": status, "limit": limit, "cursor": cursor},
                repeat="safe",
            ),
            ListingDelivery,
        )

    def delivery(
        self,
        webhook_id: str,
        delivery: str,
    ) -> Delivery:
        """With the body that is sent."""
        return self._transport.call(
            Call(
                method="GET",
                path=f"/v1/webhooks/{part(webhook_id)}/deliveries/{part(delivery)}",
                repeat="safe",
            ),
            Delivery,
        )

    def replay(
        self,
        webhook_id: str,
        delivery: str,
    ) -> None:
        """Whatever has become of it, under its id and with its body."""
        return self._transport.call(
            Call(
                method="POST",
                path=f"/v1/webhooks/{part(webhook_id)}/deliveries/{part(delivery)}:replay",
                repeat="never",
            ),
            None,
        )

    def replay_all(
        self,
        webhook_id: str,
    ) -> None:
        """The oldest first, at most 10,000; the same call takes the next ones. Each keeps its id."""
        return self._transport.call(
            Call(
                method="POST",
                path=f"/v1/webhooks/{part(webhook_id)}/deliveries:replay",
                repeat="never",
            ),
            None,
        )

    def rotate(
        self,
        webhook_id: str,
        *,
        overlap: Optional[str] = None,
    ) -> Webhook:
        """The answer shows the secret this once. Deliveries are signed with the one from before, too, for as long as `overlap` says. While one from before still counts, only an overlap of `0s` is taken, which ends it."""
        return self._transport.call(
            Call(
                method="POST",
                path=f"/v1/webhooks/{part(webhook_id)}/rotate",
                body={**given({"overlap": overlap})},
                repeat="never",
            ),
            Webhook,
        )
