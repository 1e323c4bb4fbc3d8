package dev.superstep.model;

import dev.superstep.model.identity.TokenHttp;
import dev.superstep.model.identity.WorkloadIdentity;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/// Makes the clients of providers, which share their connections.
final class ChatClients {
  private final ThreadFactory threads;
  private @Nullable ModelHttp http;

  /// @param threads makes a virtual one for each call
  ChatClients(ThreadFactory threads) {
    this.threads = threads;
  }

  Model.Client create(ModelSettings.ModelEntry model, ApiKey apiKey, PromptCache cache) {
    return create(model, apiKey, cache, Optional.empty());
  }

  /// @param identity in place of the key
  Model.Client create(
      ModelSettings.ModelEntry model,
      ApiKey apiKey,
      PromptCache cache,
      Optional<WorkloadIdentity> identity) {
    return new HttpChat(model, protocol(model.provider(), cache), apiKey, identity, http());
  }

  /// Asks for tokens over the same connections.
  TokenHttp tokens() {
    return question -> http().ask(question);
  }

  private static Protocol protocol(Provider provider, PromptCache cache) {
    return switch (provider) {
      case OPENAI -> new OpenAi();
      case ANTHROPIC -> new Anthropic(cache);
      case OLLAMA -> new Ollama();
      case STUB -> throw new IllegalStateException("a script answers; there is nobody to call");
    };
  }

  private synchronized ModelHttp http() {
    var made = http;
    if (made == null) {
      made = new ModelHttp(threads);
      http = made;
    }
    return made;
  }
}
