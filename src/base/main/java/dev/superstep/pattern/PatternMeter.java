package dev.superstep.pattern;

import java.util.ArrayDeque;

/// Computes an upper bound on the size of a regular expression in one pass, without building
/// anything: `a{1000}` counts as a thousand.
final class PatternMeter {
  private static final long HUGE = 1L << 40;

  /// RE2J 1.8 looks for the end of a cycle of cases for ever when it begins with one of these.
  private static final int ENDLESS_FIRST = 0x1c80;

  private static final int ENDLESS_LAST = 0x1c88;

  private final String regex;
  private final ArrayDeque<Group> open = new ArrayDeque<>();
  private Group group = new Group();
  private boolean folds;
  private int tables;
  private long folded;
  private int at;

  /// The parts of a group before the last, and the last, which a repetition may follow.
  private static final class Group {
    private long before;
    private long last;

    void add(long size) {
      before = Math.min(HUGE, before + last);
      last = size;
    }

    long size() {
      return before + last;
    }
  }

  PatternMeter(String regex) {
    this.regex = regex;
  }

  PatternSize measure() {
    while (at < regex.length()) {
      step(regex.charAt(at));
    }
    while (!open.isEmpty()) { // unbalanced: the compiler will report it
      close();
    }
    return new PatternSize(group.size() + 3, tables, folded);
  }

  private void step(char c) {
    switch (c) {
      case '(' -> open();
      case ')' -> {
        at++;
        close();
      }
      case '[' -> {
        group.add(1);
        characterClass();
      }
      case '\\' -> escape();
      case '*', '+', '?' -> {
        at++;
        group.last = Math.min(HUGE, group.last + 2);
      }
      case '{' -> repeat();
      case '|' -> {
        at++;
        group.add(2);
      }
      default -> {
        group.add(1);
        rune();
      }
    }
  }

  private void open() {
    at++;
    if (regex.startsWith("?", at)) {
      int end = at + 1;
      while (end < regex.length() && ":)>".indexOf(regex.charAt(end)) < 0) {
        folds |= regex.charAt(end) == 'i';
        end++;
      }
      boolean onlyFlags = end < regex.length() && regex.charAt(end) == ')';
      at = Math.min(regex.length(), end + 1);
      if (onlyFlags) {
        return;
      }
    }
    open.push(group);
    group = new Group();
  }

  private void close() {
    if (!open.isEmpty()) {
      long size = group.size();
      group = open.pop();
      group.add(size + 3);
    }
  }

  private void escape() {
    if (regex.startsWith("\\Q", at)) {
      int end = regex.indexOf("\\E", at);
      int stop = end < 0 ? regex.length() : end;
      for (at += 2; at < stop; ) {
        group.add(1);
        rune();
      }
      at = end < 0 ? stop : end + 2;
    } else {
      group.add(1);
      rune();
    }
  }

  /// `{n}`, `{n,}`, `{n,m}`; anything else is text.
  private void repeat() {
    int end = regex.indexOf('}', at);
    var inside = end < 0 ? "" : regex.substring(at + 1, Math.min(end, at + 12));
    if (!inside.matches("\\d{1,5}(,\\d{0,5})?")) {
      group.add(1);
      at++;
      return;
    }
    int comma = inside.indexOf(',');
    long least = Long.parseLong(comma < 0 ? inside : inside.substring(0, comma));
    boolean endless = comma == inside.length() - 1;
    long most = comma < 0 || endless ? least : Long.parseLong(inside.substring(comma + 1));
    long times = Math.max(1, Math.max(least, most));
    long options = Math.max(0, most - least) + (endless ? 2 : 0);
    group.last = Math.min(HUGE, group.last * times + options);
    at = end + 1;
  }

  private void characterClass() {
    at++;
    if (regex.startsWith("^", at)) {
      at++;
    }
    boolean first = true;
    while (at < regex.length() && (first || regex.charAt(at) != ']')) {
      first = false;
      int named = regex.startsWith("[:", at) ? regex.indexOf(":]", at + 2) : -1;
      if (named >= 0) {
        at = named + 2;
      } else {
        range();
      }
    }
    at++;
  }

  private void range() {
    int from = rune();
    if (regex.startsWith("-", at) && at + 1 < regex.length() && regex.charAt(at + 1) != ']') {
      at++;
      int to = rune();
      if (folds && from >= 0 && to >= from) {
        requireEnding(from, to);
        folded += to - from;
      }
    }
  }

  /// Goes behind one character, escape or class of Unicode.
  ///
  /// @return the character; -1 if it is none, or not one that matters here
  private int rune() {
    boolean escaped = regex.charAt(at) == '\\';
    int rune = escaped ? escapedRune() : regex.codePointAt(at);
    if (!escaped) {
      at += Character.charCount(rune);
    }
    if (folds && rune >= 0) {
      requireEnding(rune, rune);
    }
    return rune;
  }

  private int escapedRune() {
    int start = at;
    char kind = at + 1 < regex.length() ? regex.charAt(at + 1) : 0;
    at = Math.min(regex.length(), at + 2);
    if (kind != 'p' && kind != 'P' && kind != 'x') {
      return -1;
    }
    tables += kind == 'x' ? 0 : 1;
    if (regex.startsWith("{", at)) {
      int end = regex.indexOf('}', at);
      at = end < 0 ? regex.length() : end + 1;
    } else {
      at = Math.min(regex.length(), at + (kind == 'x' ? 2 : 1));
    }
    return kind == 'x' ? hex(regex.substring(start + 2, at)) : -1;
  }

  private static int hex(String digits) {
    var bare = digits.replaceAll("[{}]", "");
    return bare.matches("[0-9A-Fa-f]{1,6}") ? Integer.parseInt(bare, 16) : -1;
  }

  private static void requireEnding(int from, int to) {
    if (from <= ENDLESS_LAST && to >= ENDLESS_FIRST) {
      throw new PatternException(
          "the characters U+1C80 to U+1C88 cannot stand behind (?i); leave them out, or split the"
              + " range");
    }
  }
}
