package dev.superstep.context;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A pattern for whole keys, case-sensitive (P4): `*` is any run of characters, dots included, `?`
/// is one character, everything else is itself. `llm.*` matches `llm.model` and `llm.a.b`, neither
/// `llm` nor `llmx`.
///
/// Matching goes forward only and never tries an earlier star again: it takes at most length of the
/// pattern × length of the key steps, and the pattern's length is limited.
public final class Glob {
  public static final int LENGTH_MAX = 256;
  private final String text;
  private final GlobKind kind;
  private final String fixed;

  private enum GlobKind {
    ANY,
    LITERAL,
    PREFIX,
    SUFFIX,
    GENERAL
  }

  private Glob(String text) {
    this.text = text;
    kind = kind(text);
    fixed = text.replace("*", "");
  }

  /// @throws IllegalArgumentException if [#refusal] is present
  public static Glob of(String text) {
    refusal(text)
        .ifPresent(it -> {
          throw new IllegalArgumentException(it);
        });
    return new Glob(text);
  }

  /// The error in a pattern, if there is one.
  public static Optional<String> refusal(String text) {
    if (text.isBlank()) {
      return Optional.of("a pattern must not be blank; write * for every key");
    }
    return text.length() > LENGTH_MAX
        ? Optional.of("a pattern has at most %d characters".formatted(LENGTH_MAX))
        : Optional.empty();
  }

  private static GlobKind kind(String text) {
    int star = text.indexOf('*');
    if (text.indexOf('?') >= 0 || star != text.lastIndexOf('*')) {
      return GlobKind.GENERAL;
    }
    if (star < 0) {
      return GlobKind.LITERAL;
    }
    if (text.length() == 1) {
      return GlobKind.ANY;
    }
    return star == text.length() - 1
        ? GlobKind.PREFIX
        : star == 0 ? GlobKind.SUFFIX : GlobKind.GENERAL;
  }

  public boolean matches(String key) {
    return switch (kind) {
      case ANY -> true;
      case LITERAL -> fixed.equals(key);
      case PREFIX -> key.startsWith(fixed);
      case SUFFIX -> key.endsWith(fixed);
      case GENERAL -> search(key, null);
    };
  }

  /// Whether some key may match both patterns: false only if certainly none does.
  public boolean mayMeet(Glob other) {
    var mine = start(text);
    var theirs = start(other.text);
    return mine.startsWith(theirs) || theirs.startsWith(mine);
  }

  /// What every match begins with.
  private static String start(String pattern) {
    int at = 0;
    while (at < pattern.length() && pattern.charAt(at) != '*' && pattern.charAt(at) != '?') {
      at++;
    }
    return pattern.substring(0, at);
  }

  /// Whether this is a key rather than a pattern.
  public boolean isLiteral() {
    return kind == GlobKind.LITERAL;
  }

  /// What every matching key has before its first dot, or as a whole if it has none; empty if that
  /// is not known.
  public Optional<String> segment() {
    int dot = text.indexOf('.');
    var first = dot < 0 ? text : text.substring(0, dot);
    boolean known = first.indexOf('*') < 0 && first.indexOf('?') < 0;
    return known ? Optional.of(first) : Optional.empty();
  }

  public int stars() {
    return stars(text);
  }

  public static int stars(String text) {
    return (int) text.chars().filter(it -> it == '*').count();
  }

  /// The key that `target` makes of `key`: its stars stand for what this pattern's stars matched.
  /// Empty if this pattern does not match.
  ///
  /// @param target a pattern without `?` and with no more stars than this one
  public Optional<String> rename(String key, String target) {
    var runs = new int[2 * stars()];
    if (!search(key, runs)) {
      return Optional.empty();
    }
    var parts = new ArrayList<String>(List.of(target.split("\\*", -1)));
    var renamed = new StringBuilder(parts.getFirst());
    for (int i = 1; i < parts.size(); i++) {
      renamed.append(key, runs[2 * i - 2], runs[2 * i - 1]).append(parts.get(i));
    }
    return Optional.of(renamed.toString());
  }

  /// @param runs takes where each star's run begins and ends
  private boolean search(String key, int @Nullable [] runs) {
    int k = 0;
    int p = 0;
    int star = -1;
    int afterStar = -1;
    int runEnd = 0;
    while (k < key.length()) {
      if (isStar(p)) {
        afterStar = ++p;
        runEnd = k;
        note(runs, 2 * ++star, k);
        note(runs, 2 * star + 1, k);
      } else if (takes(p, key.charAt(k))) {
        k = text.charAt(p) == '?' ? next(key, k) : k + 1;
        p++;
      } else if (afterStar >= 0) {
        runEnd = next(key, runEnd);
        note(runs, 2 * star + 1, runEnd);
        k = runEnd;
        p = afterStar;
      } else {
        return false;
      }
    }
    for (; isStar(p); p++) {
      note(runs, 2 * ++star, k);
      note(runs, 2 * star + 1, k);
    }
    return p == text.length();
  }

  private boolean isStar(int at) {
    return at < text.length() && text.charAt(at) == '*';
  }

  private boolean takes(int at, char found) {
    return at < text.length() && (text.charAt(at) == '?' || text.charAt(at) == found);
  }

  private static int next(String key, int at) {
    return at + Character.charCount(key.codePointAt(at));
  }

  private static void note(int @Nullable [] runs, int at, int position) {
    if (runs != null) {
      runs[at] = position;
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Glob glob && text.equals(glob.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /// The pattern as written.
  @Override
  public String toString() {
    return text;
  }
}
