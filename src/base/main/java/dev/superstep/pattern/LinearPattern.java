package dev.superstep.pattern;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

/// A regular expression (RE2: no look-around, no back-references), compiled once it has been found
/// small enough. Compiled ones are cached, bounded by their size.
public final class LinearPattern {
  private static final int TABLES_MAX = 64;
  private static final int FOLDED_MAX = 100_000;
  private static final int TEXT_PER_POSITION = 8;

  /// The measure is an upper bound; patterns that pass are measured exactly once compiled.
  private static final int MARGIN = 4;

  private static final int SHOWN_MAX = 60;

  /// In positions, of which each takes about a hundred bytes.
  private static final long KEPT_MAX = 200_000;

  private static final int TABLE_WEIGHT = 50;
  private static final int STEP_COST = 16;
  private static final int READ_COST = 8;

  private static final Cache<String, LinearPattern> KEPT =
      Caffeine.newBuilder().maximumWeight(KEPT_MAX).weigher(LinearPattern::weight).build();

  private final Pattern compiled;
  private final PatternSize size;

  private LinearPattern(Pattern compiled, PatternSize size) {
    this.compiled = compiled;
    this.size = size;
  }

  private static int weight(String regex, LinearPattern pattern) {
    return (int) (pattern.size.positions() + (long) pattern.size.tables() * TABLE_WEIGHT)
        + regex.length() / TEXT_PER_POSITION;
  }

  /// @param positionsMax instructions of its program
  /// @throws PatternException before anything is compiled, if it is too large; and if it is no
  ///   regular expression
  public static LinearPattern compile(String regex, int positionsMax) {
    if (regex.length() > (long) positionsMax * TEXT_PER_POSITION) {
      throw tooLarge(regex, positionsMax);
    }
    var size = PatternSize.of(regex);
    if (size.positions() > (long) positionsMax * MARGIN) {
      throw tooLarge(regex, positionsMax);
    }
    if (size.tables() > TABLES_MAX || size.folded() > FOLDED_MAX) {
      throw PatternException.tooLarge(
          "the regular expression '%s' has too many classes of characters".formatted(shown(regex)));
    }
    var pattern = KEPT.get(regex, it -> parse(it, size));
    if (pattern.positions() > positionsMax) {
      throw tooLarge(regex, positionsMax);
    }
    return pattern;
  }

  private static LinearPattern parse(String regex, PatternSize measured) {
    try {
      var compiled = Pattern.compile(regex);
      return new LinearPattern(compiled, measured.with(compiled.programSize()));
    } catch (PatternSyntaxException e) {
      throw new PatternException(
          "'%s' is no regular expression (RE2): %s"
              .formatted(shown(regex), reason(e.getDescription())),
          e);
    }
  }

  private static PatternException tooLarge(String regex, int max) {
    return PatternException.tooLarge(
        "the regular expression '%s' is too large: at most %d positions, where a{10} counts as ten"
            .formatted(shown(regex), max));
  }

  private static String shown(String regex) {
    return regex.length() <= SHOWN_MAX ? regex : regex.substring(0, SHOWN_MAX) + "…";
  }

  /// The cost of compiling it, in the order of nanoseconds; the same whether it was cached or not.
  public long compileCost() {
    return size.compileCost();
  }

  /// Instructions of its program.
  public long positions() {
    return size.positions();
  }

  /// The maximum cost of a search in a text of this length, in the order of nanoseconds.
  public long cost(long length) {
    long step = size.tables() > 0 ? 2L * STEP_COST : STEP_COST;
    return length * (READ_COST + size.positions() * step);
  }

  /// Whether it occurs in the text.
  public boolean find(CharSequence text, Pause pause) {
    return compiled.matcher(new WatchedText(text, pause)).find();
  }

  private static String reason(String words) {
    return words.contains("Perl syntax")
        ? "it has no look-ahead, look-behind or back-references"
        : words;
  }

  /// A text that takes a [Pause] every 2,048 characters while it is read.
  private record WatchedText(CharSequence text, Pause pause) implements CharSequence {
    private static final int EVERY = 2_048;

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public char charAt(int index) {
      if (index % EVERY == EVERY - 1) {
        pause.take();
      }
      return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return text.subSequence(start, end);
    }

    @Override
    public String toString() {
      return text.toString();
    }
  }
}
