package dev.superstep.expression;

import dev.superstep.state.value.Value;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Implements `hash`, `uuid` and `format`.
final class TextFunctions {
  /// What a scope knows the id of its task by.
  private static final String TASK = "uuid";

  private static final String USUAL = "SHA-256";
  private static final Set<String> ALGORITHMS = Set.of("MD5", "SHA-1", USUAL, "SHA-384", "SHA-512");
  private static final int HASH = 8;
  private static final Pattern VERB = Pattern.compile("%(?:\\.(\\d{1,2}))?(.?)", Pattern.DOTALL);

  private TextFunctions() {}

  static String hash(Object value) {
    return hash(value, USUAL);
  }

  /// Of a string; of anything else, of its JSON text.
  static String hash(Object value, String algorithm) {
    if (!ALGORITHMS.contains(algorithm)) {
      throw CelProblem.of("hash: one of MD5, SHA-1, SHA-256, SHA-384, SHA-512, in quotes");
    }
    var text = value instanceof String string ? string : DataFunctions.toJson(value);
    WorkBudget.current().spend((long) text.length() * HASH);
    return HexFormat.of().formatHex(digest(algorithm, text));
  }

  private static byte[] digest(String algorithm, String text) {
    try {
      return MessageDigest.getInstance(algorithm).digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /// The same for each attempt of a task.
  static String uuid(String name) {
    if (!(WorkBudget.current().variable(TASK) instanceof Value.Text(var task))) {
      throw CelProblem.of("uuid: there is no task here that it could be of");
    }
    WorkBudget.current().spend((long) name.length() * HASH);
    var digest = digest(USUAL, task + "/" + name);
    long high = 0;
    long low = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      high = (high << 8) | (digest[i] & 0xff);
      low = (low << 8) | (digest[i + Long.BYTES] & 0xff);
    }
    // Version 8 and the variant of RFC 9562.
    return new UUID((high & ~0xf000L) | 0x8000L, (low >>> 2) | (1L << 63)).toString();
  }

  /// As CEL's extension for strings has it, which the library for Java lacks.
  static String format(String pattern, List<?> arguments) {
    var workBudget = WorkBudget.current();
    workBudget.write(pattern.length());
    var out = new StringBuilder();
    var verbs = VERB.matcher(pattern);
    int taken = 0;
    int done = 0;
    while (verbs.find()) {
      out.append(pattern, done, verbs.start());
      done = verbs.end();
      var verb = verbs.group(2);
      if (verb.equals("%") && verbs.group(1) == null) {
        out.append('%');
        continue;
      }
      if (taken == arguments.size()) {
        throw CelProblem.of("format: the list has no value for the last %" + verb);
      }
      var shown = shown(verb, verbs.group(1), arguments.get(taken++));
      workBudget.write(out.length() + (long) shown.length());
      out.append(shown);
    }
    if (taken < arguments.size()) {
      throw CelProblem.of("format: the list has more values than the text has places");
    }
    return out.append(pattern, done, pattern.length()).toString();
  }

  private static String shown(String verb, @Nullable String precision, Object value) {
    var digits = precision == null ? 6 : Integer.parseInt(precision);
    return switch (verb) {
      case "s" -> value instanceof String text ? text : plain(DataFunctions.toJson(value));
      case "d" -> String.valueOf(whole(verb, value));
      case "b" ->
          value instanceof Boolean ? value.toString() : Long.toString(whole(verb, value), 2);
      case "o" -> Long.toString(whole(verb, value), 8);
      case "x" -> hexadecimal(verb, value);
      case "X" -> hexadecimal(verb, value).toUpperCase(Locale.ROOT);
      case "f", "e" -> String.format(Locale.ROOT, "%." + digits + verb, number(verb, value));
      default -> throw CelProblem.of("format: %" + verb + " is none of %s %d %f %e %b %o %x %X %%");
    };
  }

  /// A time is JSON in quotes.
  private static String plain(String json) {
    return json.startsWith("\"") ? json.substring(1, json.length() - 1) : json;
  }

  private static String hexadecimal(String verb, Object value) {
    return value instanceof String text
        ? HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8))
        : Long.toString(whole(verb, value), 16);
  }

  private static long whole(String verb, Object value) {
    return switch (value) {
      case Long whole -> whole;
      case Number number when number.doubleValue() == number.longValue() -> number.longValue();
      default -> throw CelProblem.wrongType("format", "a whole number for %" + verb, value);
    };
  }

  private static double number(String verb, Object value) {
    if (value instanceof Number number) {
      return number.doubleValue();
    }
    throw CelProblem.wrongType("format", "a number for %" + verb, value);
  }
}
