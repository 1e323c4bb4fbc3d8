package dev.superstep.engine.run;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// Who may answer a question.
public enum MayAnswer {
  ANYBODY,
  /// Whoever has not started the run that asks.
  OTHER_THAN_STARTER,
  /// Whoever has started the run that asks, by a call with a token of an issuer: the answer is the
  /// token.
  STARTER_WITH_TOKEN;

  /// As definitions, answers and rows write it.
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// The stricter one.
  public MayAnswer or(MayAnswer other) {
    return this == ANYBODY ? other : this;
  }

  public static Optional<MayAnswer> find(String text) {
    return Stream.of(values()).filter(it -> it.text().equals(text)).findFirst();
  }
}
