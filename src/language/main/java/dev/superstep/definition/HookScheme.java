package dev.superstep.definition;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// How senders of webhooks sign what they send.
public enum HookScheme {
  /// [Standard Webhooks](https://www.standardwebhooks.com), as Svix, OpenAI and others send it.
  STANDARD,
  GITHUB,
  STRIPE,
  SLACK;

  /// As definitions write it.
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<HookScheme> find(String text) {
    return Stream.of(values()).filter(it -> it.text().equals(text)).findFirst();
  }
}
