package dev.superstep.pattern;

/// The size of a regular expression when it is compiled.
///
/// @param positions instructions of its program; the time of a match is linear in them
/// @param tables classes of Unicode, such as `\pL`, as often as they are written: each takes about
///   as long to compile as a thousand letters
/// @param folded characters of the ranges that `(?i)` goes through one by one
record PatternSize(long positions, int tables, long folded) {
  private static final int TABLE_COST = 32_768;
  private static final int POSITION_COST = 256;

  /// @throws PatternException when RE2J would not finish compiling it
  static PatternSize of(String regex) {
    return new PatternMeter(regex).measure();
  }

  /// What compiling it takes, in the order of nanoseconds.
  long compileCost() {
    return positions * POSITION_COST + (long) tables * TABLE_COST + folded * 16;
  }

  /// With the exact number of positions.
  PatternSize with(long compiled) {
    return new PatternSize(compiled, tables, folded);
  }
}
