package dev.superstep.model;

import java.math.BigDecimal;

/// The providers of chat models, each with its protocol.
enum Provider {
  /// Any server of OpenAI's chat completions.
  OPENAI("https://api.openai.com/v1", "1.25"),
  ANTHROPIC("https://api.anthropic.com", "1.25"),
  OLLAMA("http://localhost:11434", "1"),
  /// No provider: a script of the operator's answers.
  STUB("http://stub.invalid", "1");

  private final String standardUrl;
  private final BigDecimal cacheWriteFactor;

  Provider(String standardUrl, String cacheWriteFactor) {
    this.standardUrl = standardUrl;
    this.cacheWriteFactor = new BigDecimal(cacheWriteFactor);
  }

  String standardUrl() {
    return standardUrl;
  }

  /// What a token costs at most that the provider says it has written into its cache, in tokens of
  /// input.
  BigDecimal cacheWriteFactor() {
    return cacheWriteFactor;
  }
}
