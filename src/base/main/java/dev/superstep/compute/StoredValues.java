package dev.superstep.compute;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.superstep.json.Json;
import dev.superstep.json.JsonException;
import dev.superstep.json.JsonLimits;
import dev.superstep.state.value.Value;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.function.Supplier;

/// The gate through which JSON of the database becomes values: what a request reads is weighed and
/// paid for before it is decoded. Engine threads work for no request, and pay nothing.
public final class StoredValues {
  /// Stored values were checked on input; here they are read whatever their size.
  private static final JsonLimits LIMITS = new JsonLimits(10_000, Integer.MAX_VALUE, 0, 1);

  private static final int PART_BYTES = 8_192;

  /// What a byte is worth: it stands in the row, in the text, in the value and in the answer.
  private static final int BYTE = 4;

  private static final int ITEM = 40;
  private static final int COLLECTION = 96;

  /// Two of them enclose a text.
  private static final int QUOTE = 24;

  private StoredValues() {}

  /// @throws JsonException if it is no JSON
  public static Value read(byte[] utf8) {
    if (RequestWork.isBound()) {
      charge(new ByteArrayInputStream(utf8));
    }
    return Json.read(utf8, LIMITS);
  }

  /// @throws JsonException if it is no JSON
  public static Value read(String text) {
    if (RequestWork.isBound()) {
      return read(text.getBytes(UTF_8));
    }
    return Json.read(text, LIMITS);
  }

  /// Reads what is to be unpacked: what comes of it is not known before.
  ///
  /// @param utf8 begins anew each time
  /// @throws JsonException if it is no JSON
  public static Value read(Supplier<InputStream> utf8) {
    if (RequestWork.isBound()) {
      charge(utf8.get());
    }
    try (var in = utf8.get()) {
      return Json.read(in.readAllBytes(), LIMITS);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void charge(InputStream utf8) {
    try (utf8) {
      var weight = new Weight();
      var part = new byte[PART_BYTES];
      for (int read = utf8.read(part); read >= 0; read = utf8.read(part)) {
        weight.add(part, read);
      }
      RequestWork.current().decode(weight.bytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// What JSON needs in memory, at most about: measured are 29 bytes for each number of a list, 70
  /// for a short text, 140 for a list of one number, 130 for an object of one member.
  static final class Weight {
    private long count;
    private long marks;
    private boolean inText;
    private boolean escaped;

    void add(byte[] utf8, int length) {
      count += length;
      for (int i = 0; i < length; i++) {
        byte at = utf8[i];
        if (inText) {
          text(at);
        } else {
          mark(at);
        }
      }
    }

    private void text(byte at) {
      if (escaped) {
        escaped = false;
      } else if (at == '\\') {
        escaped = true;
      } else if (at == '"') {
        inText = false;
        marks += QUOTE;
      }
    }

    private void mark(byte at) {
      switch (at) {
        case ',', ':' -> marks += ITEM;
        case '[', '{' -> marks += COLLECTION;
        case '"' -> {
          inText = true;
          marks += QUOTE;
        }
        default -> {}
      }
    }

    long bytes() {
      return BYTE * count + marks;
    }
  }
}
