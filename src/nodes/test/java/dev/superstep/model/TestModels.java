package dev.superstep.model;

import dev.superstep.model.ModelSettings.PriceSettings;
import dev.superstep.model.identity.IdentityException;
import dev.superstep.secret.Secrets;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.springframework.core.env.StandardEnvironment;

/// Models for tests of other packages.
public final class TestModels {
  private TestModels() {}

  /// One that speaks OpenAI's protocol, under its own name.
  public static Model named(String name, String url, Optional<ModelLimits> limits) {
    return model(name, url, Duration.ofSeconds(5), limits);
  }

  /// One that does not wait long for its answers.
  public static Model impatient(String name, String url, Duration timeout) {
    return model(name, url, timeout, Optional.empty());
  }

  private static Model model(
      String name, String url, Duration timeout, Optional<ModelLimits> limits) {
    var entry =
        new ModelSettings.ModelEntry(Provider.OPENAI, url, name, null, timeout, "", Map.of(), null);
    var apiKey = new ApiKey(Optional.empty(), new Secrets(new StandardEnvironment()));
    var clients = new ChatClients(Thread.ofVirtual().factory());
    return new Model(
        name,
        entry,
        new ModelFailures(name, apiKey),
        () -> clients.create(entry, apiKey, PromptCache.AUTO),
        limits);
  }

  /// One of a cloud that gives nobody a token.
  public static Model unproved() {
    var entry =
        new ModelSettings.ModelEntry(
            Provider.OPENAI, null, "m", null, Duration.ofSeconds(5), "", Map.of(), null);
    var apiKey = new ApiKey(Optional.empty(), new Secrets(new StandardEnvironment()));
    return new Model(
        "m",
        entry,
        new ModelFailures("m", apiKey),
        () ->
            (_, _) -> {
              throw IdentityException.away(new IOException("reset"));
            });
  }

  /// One that speaks OpenAI's protocol, and whose tokens cost a millionth each.
  public static Model priced(String url, Map<String, String> options) {
    var prices = new PriceSettings(BigDecimal.ONE, BigDecimal.ONE, null, BigDecimal.ONE);
    var entry =
        new ModelSettings.ModelEntry(
            Provider.OPENAI, url, "tiny", null, Duration.ofSeconds(5), "", options, prices);
    var apiKey = new ApiKey(Optional.empty(), new Secrets(new StandardEnvironment()));
    var clients = new ChatClients(Thread.ofVirtual().factory());
    return new Model(
        "tiny",
        entry,
        new ModelFailures("tiny", apiKey),
        () -> clients.create(entry, apiKey, PromptCache.AUTO),
        Optional.empty());
  }
}
