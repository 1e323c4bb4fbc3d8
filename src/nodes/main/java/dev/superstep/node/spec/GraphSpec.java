package dev.superstep.node.spec;

import java.util.Map;
import java.util.function.Consumer;

/// A graph.
public interface GraphSpec {
  /// State fields by name
  @Key(form = Key.Form.MEMBER)
  GraphSpec channels(String name);

  /// State fields by name
  @Key(form = Key.Form.MEMBER)
  GraphSpec channels(String name, Consumer<ChannelSpec> author);

  /// Prompt context of every run
  GraphSpec context(Consumer<ContextSpec> author);

  /// Node type to what its nodes have unless they say otherwise; catch or on_failure for those of
  /// all types. The stored definition has it in its nodes
  @Key(form = Key.Form.MEMBER)
  GraphSpec defaults(String name, Consumer<NodeDefaultsSpec> author);

  /// For people
  GraphSpec description(String value);

  /// What leads where; without one from __start__ the first node begins
  @Key(form = Key.Form.ITEM)
  GraphSpec edges(Consumer<EdgeSpec> author);

  /// Graphs of this definition alone, by name, for subgraph nodes with graph: '#name'
  @Key(form = Key.Form.MEMBER)
  GraphSpec graphs(String name, Consumer<GraphSpec> author);

  /// How runs take the messages that are sent to them
  GraphSpec inbox(Consumer<InboxSpec> author);

  /// What a run takes
  GraphSpec input(Consumer<InputSpec> author);

  /// Nodes to stop after; * is all
  @Key(form = Key.Form.ITEM)
  GraphSpec interruptAfter(String... items);

  /// Nodes to stop before; * is all
  @Key(form = Key.Form.ITEM)
  GraphSpec interruptBefore(String... items);

  /// Limits of every run
  GraphSpec limits(Consumer<GraphLimitsSpec> author);

  /// Kept, and ignored by the engine
  GraphSpec metadata(Map<String, ?> value);

  /// What a run gives
  GraphSpec output(Consumer<OutputSpec> author);

  /// What differs from deployment to deployment; never secrets
  @Key(form = Key.Form.MEMBER)
  GraphSpec params(String name);

  /// What differs from deployment to deployment; never secrets
  @Key(form = Key.Form.MEMBER)
  GraphSpec params(String name, Consumer<ParamSpec> author);

  /// Templates by name, for segments {{ prompts.name }}
  @Key(form = Key.Form.MEMBER)
  GraphSpec prompts(String name, String value);

  /// Refuse writes to undeclared channels
  GraphSpec strictChannels(boolean value);

  /// agent: declares the channels of an agent, and three attempts for its calls; what the
  /// definition declares itself wins. The stored definition has what the template declares, and no
  /// template: agent
  GraphSpec template(String value);

  /// Runs with mocks and what is expected of them; no part of the stored definition
  @Key(form = Key.Form.ITEM)
  GraphSpec tests(Consumer<TestSpec> author);

  /// Web services as tools
  @Key(form = Key.Form.MEMBER)
  GraphSpec tools(String name, Consumer<ToolSpec> author);

  /// What starts runs of the newest version by itself, by name
  @Key(form = Key.Form.MEMBER)
  GraphSpec triggers(String name, Consumer<TriggerSpec> author);

  /// A node of any type, such as one of an extension.
  @Key(form = Key.Form.NODE)
  GraphSpec nodes(String id, String type, Consumer<NodeSpec> author);

  /// Compacts a channel of messages now: the last ones stay, the others become a summary.
  @Key(value = "compact", form = Key.Form.NODE)
  GraphSpec compact(String id, Consumer<CompactConfig> config);

  /// Compacts a channel of messages now: the last ones stay, the others become a summary.
  @Key(value = "compact", form = Key.Form.NODE)
  GraphSpec compact(String id, Consumer<CompactConfig> config, Consumer<NodeSpec> author);

  /// Computes a node result: every member is a template. `dispatch` that comes out empty leads to
  /// the node's `if_empty`, unless `goto` says otherwise.
  @Key(value = "expression", form = Key.Form.NODE)
  GraphSpec expression(String id, Consumer<ExpressionConfig> config);

  /// Computes a node result: every member is a template. `dispatch` that comes out empty leads to
  /// the node's `if_empty`, unless `goto` says otherwise.
  @Key(value = "expression", form = Key.Form.NODE)
  GraphSpec expression(String id, Consumer<ExpressionConfig> config, Consumer<NodeSpec> author);

  /// Ends the run as failed, with an error of its own, once the superstep has committed: what other
  /// nodes did beside it is kept, and nothing runs after it. Such a run cannot be resumed; it can
  /// be forked from an earlier checkpoint.
  @Key(value = "fail", form = Key.Form.NODE)
  GraphSpec fail(String id, Consumer<FailConfig> config);

  /// Ends the run as failed, with an error of its own, once the superstep has committed: what other
  /// nodes did beside it is kept, and nothing runs after it. Such a run cannot be resumed; it can
  /// be forked from an earlier checkpoint.
  @Key(value = "fail", form = Key.Form.NODE)
  GraphSpec fail(String id, Consumer<FailConfig> config, Consumer<NodeSpec> author);

  /// Calls a Java function: a Spring bean that implements NodeFunction. GET /v1/functions lists
  /// them.
  @Key(value = "function", form = Key.Form.NODE)
  GraphSpec function(String id, Consumer<FunctionConfig> config);

  /// Calls a Java function: a Spring bean that implements NodeFunction. GET /v1/functions lists
  /// them.
  @Key(value = "function", form = Key.Form.NODE)
  GraphSpec function(String id, Consumer<FunctionConfig> config, Consumer<NodeSpec> author);

  /// Calls a web service: a remote node function (mode function), or any REST call (mode request).
  @Key(value = "http", form = Key.Form.NODE)
  GraphSpec http(String id, Consumer<HttpConfig> config);

  /// Calls a web service: a remote node function (mode function), or any REST call (mode request).
  @Key(value = "http", form = Key.Form.NODE)
  GraphSpec http(String id, Consumer<HttpConfig> config, Consumer<NodeSpec> author);

  /// Asks a person: interrupts the run with a payload and makes its result from the answer.
  @Key(value = "human", form = Key.Form.NODE)
  GraphSpec human(String id, Consumer<HumanConfig> config);

  /// Asks a person: interrupts the run with a payload and makes its result from the answer.
  @Key(value = "human", form = Key.Form.NODE)
  GraphSpec human(String id, Consumer<HumanConfig> config, Consumer<NodeSpec> author);

  /// Calls a chat model with the node's prompt-context view and messages.
  @Key(value = "llm", form = Key.Form.NODE)
  GraphSpec llm(String id, Consumer<LlmConfig> config);

  /// Calls a chat model with the node's prompt-context view and messages.
  @Key(value = "llm", form = Key.Form.NODE)
  GraphSpec llm(String id, Consumer<LlmConfig> config, Consumer<NodeSpec> author);

  /// Does nothing; its edges decide.
  @Key(value = "router", form = Key.Form.NODE)
  GraphSpec router(String id);

  /// Does nothing; its edges decide.
  @Key(value = "router", form = Key.Form.NODE)
  GraphSpec router(String id, Consumer<NodeSpec> author);

  /// Runs another graph as one node: a run of its own, whose end, questions and failure are the
  /// node's. What the child spends on models counts in the usage of the calling run and draws on
  /// its budget, besides the limits that the child's own graph sets.
  @Key(value = "subgraph", form = Key.Form.NODE)
  GraphSpec subgraph(String id, Consumer<SubgraphConfig> config);

  /// Runs another graph as one node: a run of its own, whose end, questions and failure are the
  /// node's. What the child spends on models counts in the usage of the calling run and draws on
  /// its budget, besides the limits that the child's own graph sets.
  @Key(value = "subgraph", form = Key.Form.NODE)
  GraphSpec subgraph(String id, Consumer<SubgraphConfig> config, Consumer<NodeSpec> author);

  /// Runs the tool calls of the last assistant message, in parallel, each once: what is known of a
  /// call is on disk before the next, so that a crash repeats none that has its result.
  @Key(value = "tool", form = Key.Form.NODE)
  GraphSpec tool(String id, Consumer<ToolConfig> config);

  /// Runs the tool calls of the last assistant message, in parallel, each once: what is known of a
  /// call is on disk before the next, so that a crash repeats none that has its result.
  @Key(value = "tool", form = Key.Form.NODE)
  GraphSpec tool(String id, Consumer<ToolConfig> config, Consumer<NodeSpec> author);

  /// Sleeps without holding a thread, over restarts: for a time, until a moment, or until an event.
  @Key(value = "wait", form = Key.Form.NODE)
  GraphSpec wait(String id, Consumer<WaitConfig> config);

  /// Sleeps without holding a thread, over restarts: for a time, until a moment, or until an event.
  @Key(value = "wait", form = Key.Form.NODE)
  GraphSpec wait(String id, Consumer<WaitConfig> config, Consumer<NodeSpec> author);

  /// Queues a task for a worker, a process of your own that claims tasks over HTTP, and waits for
  /// it without holding anything. The time-out of the node counts from the claim.
  @Key(value = "worker", form = Key.Form.NODE)
  GraphSpec worker(String id, Consumer<WorkerConfig> config);

  /// Queues a task for a worker, a process of your own that claims tasks over HTTP, and waits for
  /// it without holding anything. The time-out of the node counts from the claim.
  @Key(value = "worker", form = Key.Form.NODE)
  GraphSpec worker(String id, Consumer<WorkerConfig> config, Consumer<NodeSpec> author);
}
