package dev.superstep.security;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// What a caller may do: the parts of which [Role]s are made.
public enum ApiScope {
  /// Look at everything that is stored.
  READ,
  /// Start, resume, cancel and fork runs.
  RUN,
  /// Answer questions, and say what runs next in place of a node.
  ANSWER,
  /// Write, check and try out graphs.
  AUTHOR,
  /// What erases, and what is stored.
  OPERATE,
  /// Claim tasks, and end them.
  WORK,
  /// Keys.
  ADMIN;

  /// As requests, tokens and settings write it.
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// What somebody has who was given a scope by this name; nothing if there is none. `run` was all
  /// of running and answering before there was `answer`, and `operate` all of erasing and keys.
  public static Stream<ApiScope> granted(String text) {
    return find(text).stream().flatMap(ApiScope::granted);
  }

  private Stream<ApiScope> granted() {
    return switch (this) {
      case RUN -> Stream.of(RUN, ANSWER);
      case OPERATE -> Stream.of(OPERATE, ADMIN);
      case READ, ANSWER, AUTHOR, WORK, ADMIN -> Stream.of(this);
    };
  }

  private static Optional<ApiScope> find(String text) {
    return Stream.of(values()).filter(it -> it.text().equals(text)).findFirst();
  }
}
