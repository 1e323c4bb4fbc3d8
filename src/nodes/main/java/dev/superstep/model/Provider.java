package dev.superstep.model;

/// The providers of chat models, each with its protocol.
enum Provider {
  /// Any server of OpenAI's chat completions.
  OPENAI("https://api.openai.com/v1"),
  ANTHROPIC("https://api.anthropic.com"),
  OLLAMA("http://localhost:11434"),
  /// No provider: a script of the operator's answers.
  STUB("http://stub.invalid");

  private final String standardUrl;

  Provider(String standardUrl) {
    this.standardUrl = standardUrl;
  }

  String standardUrl() {
    return standardUrl;
  }
}
