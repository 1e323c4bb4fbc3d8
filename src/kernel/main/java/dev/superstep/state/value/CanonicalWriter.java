package dev.superstep.state.value;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Writes canonical JSON as UTF-8 into a growing array.
public final class CanonicalWriter {
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] TRUE = "true".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] FALSE = "false".getBytes(StandardCharsets.US_ASCII);
  private byte[] out;
  private int length;
  private int yieldAt = CarrierYield.EVERY_BYTES;

  public CanonicalWriter(int capacity) {
    out = new byte[capacity];
  }

  /// The array with the first [#length] bytes written; valid until the next write.
  byte[] buffer() {
    return out;
  }

  int length() {
    return length;
  }

  public byte[] toBytes() {
    return length == out.length ? out : Arrays.copyOf(out, length);
  }

  void clear() {
    length = 0;
    yieldAt = CarrierYield.EVERY_BYTES;
  }

  void value(Value value, int depth) {
    if (length >= yieldAt) {
      yieldAt = length + CarrierYield.EVERY_BYTES;
      CarrierYield.now();
    }
    switch (value) {
      case Value.Null _ -> raw(NULL);
      case Value.Bool(var flag) -> raw(flag ? TRUE : FALSE);
      case Value.Int(var number) -> integer(number);
      case Value.Real(var number) -> ascii(Double.toString(number));
      case Value.Text(var text) -> quoted(text);
      case ListValue list -> list(list, depth);
      case ObjectValue object -> object(object, depth);
    }
  }

  private void list(ListValue list, int depth) {
    Canonical.requireDepth(depth);
    ascii('[');
    boolean first = true;
    for (var item : list) {
      if (!first) {
        ascii(',');
      }
      first = false;
      value(item, depth + 1);
    }
    ascii(']');
  }

  private void object(ObjectValue object, int depth) {
    Canonical.requireDepth(depth);
    ascii('{');
    int start = length;
    object.forEach((key, value) -> {
      if (length > start) {
        ascii(',');
      }
      quoted(key);
      ascii(':');
      value(value, depth + 1);
    });
    ascii('}');
  }

  void ascii(char character) {
    room(1);
    out[length++] = (byte) character;
  }

  public void raw(byte[] bytes) {
    room(bytes.length);
    System.arraycopy(bytes, 0, out, length, bytes.length);
    length += bytes.length;
  }

  private void integer(long number) {
    if (number >= 0 && number < 10) {
      ascii((char) ('0' + number));
    } else {
      ascii(Long.toString(number));
    }
  }

  private void ascii(String text) {
    room(text.length());
    for (int i = 0; i < text.length(); i++) {
      out[length++] = (byte) text.charAt(i);
    }
  }

  public void quoted(String text) {
    ascii('"');
    int at = plain(text, 0);
    while (at < text.length()) {
      room(6);
      at += 1 + unusual(text, at, text.charAt(at));
      at = plain(text, at);
    }
    ascii('"');
  }

  /// Writes characters that stand for themselves, from `from` up to one that does not; returns
  /// where that is.
  private int plain(String text, int from) {
    int count = text.length();
    room(count - from);
    var into = out;
    int written = length;
    int at = from;
    while (at < count) {
      char c = text.charAt(at);
      if (c >= 0x80 || c < 0x20 || c == '"' || c == '\\') {
        break;
      }
      into[written++] = (byte) c;
      at++;
    }
    length = written;
    return at;
  }

  /// Writes a character that is not plain ASCII; returns how many more it has read.
  private int unusual(String text, int at, char c) {
    if (c < 0x80) {
      escape(c);
      return 0;
    }
    if (c < 0x800) {
      out[length++] = (byte) (0xC0 | (c >> 6));
      out[length++] = (byte) (0x80 | (c & 0x3F));
      return 0;
    }
    int point = text.codePointAt(at);
    if (point > 0xFFFF) {
      out[length++] = (byte) (0xF0 | (point >> 18));
      out[length++] = (byte) (0x80 | ((point >> 12) & 0x3F));
      out[length++] = (byte) (0x80 | ((point >> 6) & 0x3F));
      out[length++] = (byte) (0x80 | (point & 0x3F));
      return 1;
    }
    if (Character.isSurrogate(c)) {
      hex(c);
      return 0;
    }
    out[length++] = (byte) (0xE0 | (c >> 12));
    out[length++] = (byte) (0x80 | ((c >> 6) & 0x3F));
    out[length++] = (byte) (0x80 | (c & 0x3F));
    return 0;
  }

  private void escape(char c) {
    int letter = Canonical.shortEscape(c);
    if (letter == 0) {
      hex(c);
    } else {
      out[length++] = '\\';
      out[length++] = (byte) letter;
    }
  }

  private void hex(char c) {
    out[length++] = '\\';
    out[length++] = 'u';
    for (int shift = 12; shift >= 0; shift -= 4) {
      out[length++] = HEX[(c >> shift) & 0xF];
    }
  }

  private void room(int bytes) {
    if (out.length - length < bytes) {
      out = Arrays.copyOf(out, Math.max(out.length * 2, Math.addExact(length, bytes)));
    }
  }
}
