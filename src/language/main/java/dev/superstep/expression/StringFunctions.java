package dev.superstep.expression;

import dev.cel.runtime.CelFunctionBinding;
import java.util.ArrayList;
import java.util.List;

/// CEL's string functions, with their costs paid before they are run. Positions count code points.
final class StringFunctions {
  private static final int SEARCH_SHARE = 32;

  private StringFunctions() {}

  public static List<CelFunctionBinding> bindings() {
    var all = new ArrayList<>(searching());
    all.addAll(building());
    return all;
  }

  private static List<CelFunctionBinding> searching() {
    var ints = Long.class;
    var texts = String.class;
    return List.of(
        CelFunctionBinding.from("string_index_of_string", texts, texts, (s, t) -> indexOf(s, t, 0)),
        CelFunctionBinding.from(
            "string_index_of_string_int",
            List.of(texts, texts, ints),
            it -> indexOf((String) it[0], (String) it[1], (Long) it[2])),
        CelFunctionBinding.from(
            "string_last_index_of_string", texts, texts, (s, t) -> lastIndexOf(s, t, s.length())),
        CelFunctionBinding.from(
            "string_last_index_of_string_int",
            List.of(texts, texts, ints),
            it -> lastIndexOf((String) it[0], (String) it[1], unit((String) it[0], (Long) it[2]))));
  }

  private static List<CelFunctionBinding> building() {
    var ints = Long.class;
    var texts = String.class;
    return List.of(
        CelFunctionBinding.from("list_join", List.class, it -> join(it, "")),
        CelFunctionBinding.from("list_join_string", List.class, texts, StringFunctions::join),
        CelFunctionBinding.from("strings_quote", texts, StringFunctions::quote),
        CelFunctionBinding.from(
            "string_replace_string_string",
            List.of(texts, texts, texts),
            it -> replace((String) it[0], (String) it[1], (String) it[2], -1)),
        CelFunctionBinding.from(
            "string_replace_string_string_int",
            List.of(texts, texts, texts, ints),
            it -> replace((String) it[0], (String) it[1], (String) it[2], (Long) it[3])),
        CelFunctionBinding.from("string_split_string", texts, texts, (s, t) -> split(s, t, -1)),
        CelFunctionBinding.from(
            "string_split_string_int",
            List.of(texts, texts, ints),
            it -> split((String) it[0], (String) it[1], (Long) it[2])));
  }

  static boolean contains(String text, String part) {
    paySearch(text, part);
    return text.contains(part);
  }

  /// Searching is quadratic at worst.
  private static void paySearch(String text, String part) {
    WorkBudget.current().spend(text.length() + (long) text.length() * part.length() / SEARCH_SHARE);
  }

  private static long indexOf(String text, String part, long from) {
    paySearch(text, part);
    int found = text.indexOf(part, unit(text, from));
    return found < 0 ? -1 : text.codePointCount(0, found);
  }

  private static long lastIndexOf(String text, String part, int from) {
    paySearch(text, part);
    int found = text.lastIndexOf(part, from);
    return found < 0 ? -1 : text.codePointCount(0, found);
  }

  /// The UTF-16 index of a code point.
  private static int unit(String text, long codePoint) {
    if (codePoint < 0 || codePoint > text.codePointCount(0, text.length())) {
      throw CelProblem.of("position %d is outside the string".formatted(codePoint));
    }
    return text.offsetByCodePoints(0, (int) codePoint);
  }

  private static String join(List<?> parts, String separator) {
    var workBudget = WorkBudget.current();
    workBudget.visit(parts.size());
    long length = 0;
    for (var part : parts) {
      if (!(part instanceof String text)) {
        throw CelProblem.wrongType("join", "strings in the list", part);
      }
      length += text.length() + separator.length();
    }
    workBudget.write(length);
    var out = new StringBuilder();
    var before = "";
    for (var part : parts) {
      out.append(before).append((String) part);
      before = separator;
    }
    return out.toString();
  }

  private static String replace(String text, String part, String by, long limit) {
    paySearch(text, part);
    int count = count(text, part, limit);
    if (count == 0) {
      return text;
    }
    WorkBudget.current().write(text.length() + count * (long) (by.length() - part.length()));
    var out = new StringBuilder();
    int done = 0;
    for (int i = 0; i < count; i++) {
      int found = next(text, part, i == 0 ? 0 : done, i);
      out.append(text, done, found).append(by);
      done = found + part.length();
    }
    return out.append(text, done, text.length()).toString();
  }

  private static int count(String text, String part, long limit) {
    int count = 0;
    int from = 0;
    while (limit < 0 || count < limit) {
      int found = next(text, part, from, count);
      if (found < 0) {
        break;
      }
      count++;
      from = found + part.length();
    }
    return count;
  }

  /// Where `part` stands next. The empty string stands before each character and at the end.
  private static int next(String text, String part, int from, int count) {
    if (!part.isEmpty()) {
      return text.indexOf(part, from);
    }
    if (count == 0) {
      return 0;
    }
    return from < text.length() ? text.offsetByCodePoints(from, 1) : -1;
  }

  private static List<String> split(String text, String separator, long limit) {
    paySearch(text, separator);
    var parts = new ArrayList<String>();
    if (limit == 0) {
      return parts;
    }
    int from = 0;
    while (limit < 0 || parts.size() < limit - 1) {
      int end = endOfPart(text, separator, from);
      if (end < 0) {
        break;
      }
      parts.add(text.substring(from, end));
      from = end + separator.length();
      WorkBudget.current().requireLength(parts.size());
    }
    if (!separator.isEmpty() || from < text.length()) {
      parts.add(text.substring(from));
    }
    WorkBudget.current().copy(parts.size());
    WorkBudget.current().spend(text.length());
    return parts;
  }

  private static int endOfPart(String text, String separator, int from) {
    if (!separator.isEmpty()) {
      return text.indexOf(separator, from);
    }
    return from < text.length() ? text.offsetByCodePoints(from, 1) : -1;
  }

  private static String quote(String text) {
    var out = new StringBuilder("\"");
    text.codePoints()
        .forEach(c -> {
          switch (c) {
            case 0x07 -> out.append("\\a");
            case '\b' -> out.append("\\b");
            case '\f' -> out.append("\\f");
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            case 0x0b -> out.append("\\v");
            case '\\' -> out.append("\\\\");
            case '"' -> out.append("\\\"");
            default -> out.appendCodePoint(c);
          }
        });
    WorkBudget.current().write(out.length() + 1L);
    return out.append('"').toString();
  }
}
