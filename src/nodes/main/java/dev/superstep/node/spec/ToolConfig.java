package dev.superstep.node.spec;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Runs the tool calls of the last assistant message, in parallel, each once: what is known of a
/// call is on disk before the next, so that a crash repeats none that has its result.
public interface ToolConfig {
  /// Whether a person approves calls first. The answer is {decision: approve | edit | reject |
  /// reply, arguments?, reason?, message?}.: never, always, when
  ToolConfig approval(@Nullable Object value);

  /// CEL: whether a call needs approval. `input` is the call {id, name, arguments}.
  ToolConfig approvalWhen(String value);

  /// The person who alone is to answer, until that one releases or delegates the question. An empty
  /// text is nobody, and needs candidates. Templates, with the call as `input`.
  ToolConfig assignee(String value);

  /// Tools whose results come later: each is called with the header `Callback-Url`, the run waits
  /// once the call has returned, and what is sent there is the result, a failure or a time-out an
  /// error for the model. One after the other.
  ToolConfig callback(Map<String, ?> value);

  /// Who may answer or claim the question while it has no assignee: people by the id of their key,
  /// or by subject or verified address of mail of their token, group:<a word of the token's claim
  /// of roles>, role:<name>. Default: anybody. Templates, with the call as `input`.
  @Key(form = Key.Form.ITEM)
  ToolConfig candidates(String... items);

  /// Who may answer or claim the question while it has no assignee: people by the id of their key,
  /// or by subject or verified address of mail of their token, group:<a word of the token's claim
  /// of roles>, role:<name>. Default: anybody. Templates, with the call as `input`.
  ToolConfig candidates(String value);

  /// The answer when the question expires, for example {decision: reject, reason: nobody answered};
  /// templates. Where the server's operator requires the approval, an answer that calls the tool
  /// does not count: the task fails.
  ToolConfig defaultAnswer(@Nullable Object value);

  /// How long the question for approval waits. A duration: 500ms, 30s, 5m, 1h, 2d or ISO 8601; may
  /// be a template.
  ToolConfig expiresAfter(String value);

  /// Who may answer: anybody, or not whoever has started the run. Without keys there is nobody to
  /// tell apart, and anybody may.: anybody, other_than_starter
  ToolConfig mayAnswer(@Nullable Object value);

  /// The channel with the messages. Default: `messages`.
  ToolConfig messages(String value);

  /// Who may not answer, whoever else may: as for candidates, besides starter (who has started the
  /// run) and answered (who has answered a question of the run before). Templates, with the call as
  /// `input`.
  @Key(form = Key.Form.ITEM)
  ToolConfig not(String... items);

  /// Who may not answer, whoever else may: as for candidates, besides starter (who has started the
  /// run) and answered (who has answered a question of the run before). Templates, with the call as
  /// `input`.
  ToolConfig not(String value);

  /// What happens then: the task fails with interrupt_expired, or default_answer answers.: fail,
  /// answer
  ToolConfig onExpiry(@Nullable Object value);

  /// A node result, as templates over `response`, the list of the results of the calls: [{id, name,
  /// content, is_error}], [] if there was none to call. Default: nothing but the messages is
  /// written. The messages are written in any case.
  ToolConfig result(Map<String, ?> value);

  /// A node result, as templates over `response`, the list of the results of the calls: [{id, name,
  /// content, is_error}], [] if there was none to call. Default: nothing but the messages is
  /// written. The messages are written in any case.
  ToolConfig result(String value);

  /// What the person needs to know before approving: a template, with the call as `input`.
  ToolConfig text(String value);

  /// The title of the question for approval: a template, with the call as `input` {id, name,
  /// arguments}. Default: a sentence with the name of the tool.
  ToolConfig title(String value);

  /// Tools that may be called, by name. Default: all.
  @Key(form = Key.Form.ITEM)
  ToolConfig tools(String... items);
}
