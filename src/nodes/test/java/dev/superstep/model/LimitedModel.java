package dev.superstep.model;

import dev.superstep.secret.Secrets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.springframework.core.env.StandardEnvironment;

/// A model with limits, for tests that make no call of it.
public final class LimitedModel {
  private LimitedModel() {}

  public static Model of(ModelLimits limits) {
    var entry =
        new ModelSettings.ModelEntry(
            Provider.STUB, null, "tiny", null, Duration.ofSeconds(5), "", Map.of(), null);
    var apiKey = new ApiKey(Optional.empty(), new Secrets(new StandardEnvironment()));
    return new Model(
        "tiny",
        entry,
        new ModelFailures("tiny", apiKey),
        () -> {
          throw new IllegalStateException("nobody calls it");
        },
        Optional.of(limits));
  }
}
