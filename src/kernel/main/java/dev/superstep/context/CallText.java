package dev.superstep.context;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Parses a call in the syntax of CEL: a name, or a name with literals in parentheses: strings in
/// single or double quotes, numbers, `true`, `false`, `null`, lists and maps of these.
record CallText(String name, List<Value> arguments) {
  static final int LENGTH_MAX = 4096;
  private static final int DEPTH_MAX = 20;

  /// Reads the whole text. Empty if it is no such call.
  static Optional<CallText> read(String text) {
    if (text.length() > LENGTH_MAX) {
      return Optional.empty();
    }
    try {
      return Optional.of(new CallReader(text).call());
    } catch (Unreadable | NumberFormatException _) {
      return Optional.empty();
    }
  }

  private static final class Unreadable extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private static final class CallReader {
    private static final Pattern SPACE = Pattern.compile("\\s*");
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final Pattern REAL =
        Pattern.compile("-?[0-9]+(?:\\.[0-9]+(?:[eE][+-]?[0-9]+)?|[eE][+-]?[0-9]+)");
    private static final Pattern INTEGER = Pattern.compile("-?[0-9]+");
    private static final Pattern STRING =
        Pattern.compile("'[^'\\\\]*+(?:\\\\.[^'\\\\]*+)*+'|\"[^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+\"");
    private final String text;
    private final Matcher matcher;
    private int at;

    CallReader(String text) {
      this.text = text;
      matcher = NAME.matcher(text);
    }

    CallText call() {
      var name = next(NAME).orElseThrow(Unreadable::new);
      var arguments = skips('(') ? items(')', 0) : List.<Value>of();
      next(SPACE);
      if (at < text.length()) {
        throw new Unreadable();
      }
      return new CallText(name, arguments);
    }

    private Optional<String> next(Pattern token) {
      if (token != SPACE) {
        next(SPACE);
      }
      if (matcher.usePattern(token).region(at, text.length()).lookingAt()) {
        at = matcher.end();
        return Optional.of(matcher.group());
      }
      return Optional.empty();
    }

    private boolean skips(char sign) {
      next(SPACE);
      if (at < text.length() && text.charAt(at) == sign) {
        at++;
        return true;
      }
      return false;
    }

    private void require(char sign) {
      if (!skips(sign)) {
        throw new Unreadable();
      }
    }

    private List<Value> items(char end, int depth) {
      var items = new ArrayList<Value>();
      while (!skips(end)) {
        if (!items.isEmpty()) {
          require(',');
        }
        items.add(literal(depth));
      }
      return items;
    }

    private Value literal(int depth) {
      if (depth > DEPTH_MAX) {
        throw new Unreadable();
      }
      if (skips('[')) {
        return ListValue.of(items(']', depth + 1));
      }
      if (skips('{')) {
        return members(depth + 1);
      }
      return next(STRING)
          .<Value>map(_ -> Value.of(string()))
          .or(() -> next(REAL).map(it -> Value.of(Double.parseDouble(it))))
          .or(() -> next(INTEGER).map(it -> Value.of(Long.parseLong(it))))
          .or(() -> next(NAME).map(CallReader::word))
          .orElseThrow(Unreadable::new);
    }

    private ObjectValue members(int depth) {
      var members = ObjectValue.builder();
      for (boolean first = true; !skips('}'); first = false) {
        if (!first) {
          require(',');
        }
        var key = next(STRING).map(_ -> string()).orElseThrow(Unreadable::new);
        require(':');
        members.put(key, literal(depth));
      }
      return members.build();
    }

    private static Value word(String word) {
      return switch (word) {
        case "true" -> Value.TRUE;
        case "false" -> Value.FALSE;
        case "null" -> Value.NULL;
        default -> throw new Unreadable();
      };
    }

    /// The text of the string that has just been read.
    private String string() {
      var quoted = matcher.group();
      var inner = quoted.substring(1, quoted.length() - 1);
      try {
        return inner.translateEscapes();
      } catch (IllegalArgumentException _) {
        throw new Unreadable();
      }
    }
  }
}
