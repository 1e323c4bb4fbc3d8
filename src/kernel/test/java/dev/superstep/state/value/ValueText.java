package dev.superstep.state.value;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads the JSON that tests of the kernel are written in: valid texts, without escapes but `\"`.
/// The reader of the service is above the kernel.
public final class ValueText {
  private static final Pattern TOKEN =
      Pattern.compile("\\s*(?:\"((?:[^\"\\\\]|\\\\.)*)\"|([-+.0-9eE]+)|(true|false|null)|(\\S))");

  private final Matcher tokens;

  private ValueText(String text) {
    this.tokens = TOKEN.matcher(text);
  }

  public static Value read(String text) {
    var reader = new ValueText(text);
    reader.next();
    return reader.value();
  }

  private void next() {
    if (!tokens.find()) {
      throw new IllegalArgumentException("the text ends too early");
    }
  }

  private boolean at(String sign) {
    return sign.equals(tokens.group(4));
  }

  private Value value() {
    if (at("{")) {
      return object();
    }
    if (at("[")) {
      return list();
    }
    if (tokens.group(1) != null) {
      return Value.of(text());
    }
    if (tokens.group(2) != null) {
      return number(tokens.group(2));
    }
    return switch (tokens.group(3)) {
      case "true" -> Value.TRUE;
      case "false" -> Value.FALSE;
      case "null" -> Value.NULL;
      case null, default -> throw new IllegalArgumentException("unexpected " + tokens.group());
    };
  }

  private String text() {
    return tokens.group(1).replace("\\\"", "\"");
  }

  private static Value number(String digits) {
    return digits.matches("-?[0-9]+")
        ? Value.of(Long.parseLong(digits))
        : Value.of(new BigDecimal(digits).doubleValue());
  }

  private Value object() {
    var members = new LinkedHashMap<String, Value>();
    next();
    while (!at("}")) {
      var key = text();
      next();
      next();
      members.put(key, value());
      comma();
    }
    return ObjectValue.of(members);
  }

  private Value list() {
    var items = new ArrayList<Value>();
    next();
    while (!at("]")) {
      items.add(value());
      comma();
    }
    return ListValue.of(items);
  }

  private void comma() {
    next();
    if (at(",")) {
      next();
    }
  }
}
