package dev.superstep.node.spec;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Calls a chat model with the node's prompt-context view and messages.
public interface LlmConfig {
  /// auto: a provider that has to be told is told to keep what later calls send again. off: nothing
  /// of this node, whose prompts do not come again within minutes. Default: auto.: auto, off
  LlmConfig cache(@Nullable Object value);

  /// The failures for which the next of the models is asked. Default: model_bad_answer,
  /// model_quota_exceeded, model_rate_limited, model_unavailable, model_unreachable and
  /// node_timeout, that of a model's own timeout.
  @Key(form = Key.Form.ITEM)
  LlmConfig fallbackOn(@Nullable Object... items);

  /// How long a turn of a model with limits may be waited for before the next of the models is
  /// asked. Default: 10s.
  LlmConfig fallbackWait(String value);

  /// The channel whose messages are sent and extended; "" for none. It must be declared with
  /// reducer messages, append or block_append. Default: `messages`, if it is declared so. A node
  /// that extends messages also writes finish_reason, iteration and validated_content, unless it is
  /// dispatched; under strict_channels they must be declared.
  LlmConfig messages(String value);

  /// The model, as GET /v1/models names it; may be a template. Default: the server's.
  LlmConfig model(String value);

  /// Models in the order of preference, in place of model: where one cannot answer, the next one is
  /// asked, with an event model.fallback. One that has failed is asked last for half a minute, or
  /// as long as its Retry-After says, by all replicas. Default: none.
  @Key(form = Key.Form.ITEM)
  LlmConfig models(String... items);

  /// Options of the model: temperature, top_p, top_k, max_tokens, stop, seed, frequency_penalty,
  /// presence_penalty, reasoning_effort, parallel_tool_calls.
  LlmConfig options(Map<String, ?> value);

  /// Options of the model: temperature, top_p, top_k, max_tokens, stop, seed, frequency_penalty,
  /// presence_penalty, reasoning_effort, parallel_tool_calls.
  LlmConfig options(String value);

  /// JSON Schema of a structured answer. An answer that does not satisfy it is sent back once to be
  /// repaired; then the node fails with invalid_output.
  LlmConfig outputSchema(Map<String, ?> value);

  /// JSON Schema of a structured answer. An answer that does not satisfy it is sent back once to be
  /// repaired; then the node fails with invalid_output.
  LlmConfig outputSchema(boolean value);

  /// A channel that takes the answer: its text, or its value if output_schema is given. A
  /// dispatched node with it writes nothing else. Short for result with one update. Default: none;
  /// without messages and result the channel named like the node.
  LlmConfig outputTo(String value);

  /// A user message for this call. It is not kept in the messages.
  LlmConfig prompt(String value);

  /// The node result, as templates over `response`, the answer: its text, or its value if
  /// output_schema is given. It is in place of output_to; messages and agent fields are written as
  /// without it, and a dispatched node writes what it says only. While the model asks for tools
  /// there is no answer yet, and it is not applied.
  LlmConfig result(Map<String, ?> value);

  /// The node result, as templates over `response`, the answer: its text, or its value if
  /// output_schema is given. It is in place of output_to; messages and agent fields are written as
  /// without it, and a dispatched node writes what it says only. While the model asks for tools
  /// there is no answer yet, and it is not applied.
  LlmConfig result(String value);

  /// Whether the provider is asked to stream its answer, which those who watch the run see as
  /// message.delta events. Default: if somebody watches the run as the call begins.
  LlmConfig stream(boolean value);

  /// The system prompt. Default: `system_prompt` of the state, else the context's template.
  LlmConfig system(String value);

  /// Tools the model may ask for, as GET /v1/tools names them; a tool node runs them. Default:
  /// those that `tools` of the state names.
  @Key(form = Key.Form.ITEM)
  LlmConfig tools(String... items);
}
