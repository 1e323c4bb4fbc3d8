package dev.superstep.node.spec;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Asks a person: interrupts the run with a payload and makes its result from the answer.
public interface HumanConfig {
  /// JSON Schema of the answer; a wrong answer is refused. The console makes its form of it (title,
  /// description, enum). Keys that it does not list are taken, unless additionalProperties is
  /// false.
  HumanConfig answerSchema(Map<String, ?> value);

  /// JSON Schema of the answer; a wrong answer is refused. The console makes its form of it (title,
  /// description, enum). Keys that it does not list are taken, unless additionalProperties is
  /// false.
  HumanConfig answerSchema(boolean value);

  /// The channel that takes the answer: short for result with one update. Default: the node's id.
  HumanConfig answerTo(String value);

  /// The person who alone is to answer, until that one releases or delegates the question. An empty
  /// text is nobody, and needs candidates. Templates.
  HumanConfig assignee(String value);

  /// Who may answer or claim the question while it has no assignee: people by the id of their key,
  /// or by subject or verified address of mail of their token, group:<a word of the token's claim
  /// of roles>, role:<name>. Default: anybody. Templates.
  @Key(form = Key.Form.ITEM)
  HumanConfig candidates(String... items);

  /// Who may answer or claim the question while it has no assignee: people by the id of their key,
  /// or by subject or verified address of mail of their token, group:<a word of the token's claim
  /// of roles>, role:<name>. Default: anybody. Templates.
  HumanConfig candidates(String value);

  /// The answer when the question expires: any JSON; templates.
  HumanConfig defaultAnswer(@Nullable Object value);

  /// How long the question waits. A duration: 500ms, 30s, 5m, 1h, 2d or ISO 8601; may be a
  /// template.
  HumanConfig expiresAfter(String value);

  /// Who may answer: anybody, or not whoever has started the run. Without keys there is nobody to
  /// tell apart, and anybody may.: anybody, other_than_starter
  HumanConfig mayAnswer(@Nullable Object value);

  /// Who may not answer, whoever else may: as for candidates, besides starter (who has started the
  /// run) and answered (who has answered a question of the run before). Templates.
  @Key(form = Key.Form.ITEM)
  HumanConfig not(String... items);

  /// Who may not answer, whoever else may: as for candidates, besides starter (who has started the
  /// run) and answered (who has answered a question of the run before). Templates.
  HumanConfig not(String value);

  /// What happens then: the task fails with interrupt_expired, or default_answer answers.: fail,
  /// answer
  HumanConfig onExpiry(@Nullable Object value);

  /// What the person needs to know: any JSON; templates.
  HumanConfig payload(@Nullable Object value);

  /// The node result, as templates over `response`, the answer. Default: the answer goes to
  /// answer_to.
  HumanConfig result(Map<String, ?> value);

  /// The node result, as templates over `response`, the answer. Default: the answer goes to
  /// answer_to.
  HumanConfig result(String value);
}
