package dev.superstep.node.spec;

import java.util.Map;

/// The table WebhookDefinition of the language.
public interface WebhookSpec {
  /// Templates over body and headers; default: the body
  WebhookSpec input(Map<String, ?> value);

  /// Who signs it, and how; standard: Standard Webhooks: standard, github, stripe, slack
  WebhookSpec scheme(String value);

  /// secret:<name> of the secret, released by the operator, with which it is signed
  WebhookSpec secret(String value);

  /// A condition over body and headers; others start no run
  WebhookSpec when(String value);
}
