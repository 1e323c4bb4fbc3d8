package dev.superstep.engine;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// How tests wait where they do not say otherwise: they look soon, and give up late. A busy machine
/// takes long for what takes no time; what comes at once is not waited for. JUnit finds it in each
/// module (`META-INF/services`).
public final class AwaitilityDefaults implements BeforeAllCallback {
  private static final Duration FIRST = Duration.ofMillis(10);
  private static final Duration LONGEST = Duration.ofMillis(100);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @Override
  public void beforeAll(ExtensionContext context) {
    Awaitility.setDefaultTimeout(PATIENCE);
    Awaitility.setDefaultPollDelay(FIRST);
    Awaitility.setDefaultPollInterval((_, last) -> next(last));
  }

  private static Duration next(Duration last) {
    return last.compareTo(FIRST) < 0 ? FIRST : min(last.multipliedBy(2));
  }

  private static Duration min(Duration interval) {
    return interval.compareTo(LONGEST) < 0 ? interval : LONGEST;
  }
}
