package dev.superstep.compute;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingRegistry;
import com.knuddels.jtokkit.api.EncodingType;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.TokenCounter;
import dev.superstep.state.value.Value;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Counts tokens as a family of models does: exactly for OpenAI's, about right for others.
///
/// A message counts its texts, names and arguments and four for the frame around it. A part of a
/// message that is no text, such as an image, counts as its JSON does, and at most as 1,000: its
/// cost depends on the model, and its bytes are no measure of it.
///
/// There is one for each encoding, so that cached counts are comparable by identity. The tables of
/// an encoding are read when it counts for the first time.
public final class Tokenizer implements TokenCounter {
  private static final EncodingRegistry ENCODINGS = Encodings.newLazyEncodingRegistry();
  private static final Map<EncodingType, Tokenizer> ALL =
      Arrays.stream(EncodingType.values())
          .collect(Collectors.toUnmodifiableMap(Function.identity(), Tokenizer::new));
  private static final long FRAME = 4;
  private static final long PART_MAX = 1_000;

  private final EncodingType type;

  private Tokenizer(EncodingType type) {
    this.type = type;
  }

  /// @param model such as `gpt-4o` or `openai/gpt-4o-mini`, or an encoding, such as `cl100k_base`;
  ///   `o200k_base` counts for all that is unknown
  public static Tokenizer forModel(String model) {
    var name = model.substring(model.lastIndexOf('/') + 1);
    var type =
        EncodingType.fromName(name)
            .or(() ->
                com.knuddels.jtokkit.api.ModelType.fromName(name).map(it -> it.getEncodingType()))
            .orElseGet(() -> byFamily(name));
    return of(type);
  }

  /// For unknown models.
  public static Tokenizer usual() {
    return of(EncodingType.O200K_BASE);
  }

  private static Tokenizer of(EncodingType type) {
    var found = ALL.get(type);
    if (found == null) {
      throw new IllegalArgumentException("no tokenizer " + type);
    }
    return found;
  }

  /// Dated names, such as `gpt-4-0613`, count as those they begin with.
  private static EncodingType byFamily(String name) {
    boolean old = name.startsWith("gpt-3.5") || name.equals("gpt-4") || name.startsWith("gpt-4-");
    return old ? EncodingType.CL100K_BASE : EncodingType.O200K_BASE;
  }

  /// The name of the encoding.
  public String name() {
    return type.getName();
  }

  /// Long texts are counted in pieces, between which other threads can run.
  public long count(String text) {
    return count(text, Thread::yield);
  }

  /// @param pause is run between two pieces of a long text; what it throws ends the count
  public long count(String text, Runnable pause) {
    var encoding = encoding();
    long tokens = 0;
    for (int from = 0; from < text.length(); ) {
      int to = Pieces.end(text, from);
      tokens +=
          encoding.countTokensOrdinary(
              from == 0 && to == text.length() ? text : text.substring(from, to));
      from = to;
      if (to < text.length()) {
        pause.run();
      }
    }
    return tokens;
  }

  private Encoding encoding() {
    return ENCODINGS.getEncoding(type);
  }

  @Override
  public long count(Value item) {
    if (!(item instanceof ObjectValue message) || !message.has("role")) {
      return text(item);
    }
    return FRAME
        + content(message.get("content"))
        + text(message.get("name"))
        + calls(message.get("tool_calls"));
  }

  private long content(@Nullable Value content) {
    if (!(content instanceof ListValue parts)) {
      return text(content);
    }
    long tokens = 0;
    for (var part : parts) {
      tokens +=
          part instanceof ObjectValue object && object.get("text") instanceof Value.Text text
              ? text(text)
              : Math.min(PART_MAX, textOfAtMost(part));
    }
    return tokens;
  }

  /// Does not tokenize megabytes to find out that they are more than a thousand tokens.
  private long textOfAtMost(Value part) {
    var text = Canonical.text(part);
    return count(text.substring(0, Math.min(text.length(), (int) PART_MAX * 8)));
  }

  private long calls(@Nullable Value calls) {
    long tokens = 0;
    if (calls instanceof ListValue list) {
      for (var item : list) {
        if (item instanceof ObjectValue call) {
          tokens += text(call.get("name")) + text(call.get("arguments"));
        }
      }
    }
    return tokens;
  }

  private long text(@Nullable Value value) {
    return switch (value) {
      case null -> 0;
      case Value.Null _ -> 0;
      case Value.Text(var text) -> count(text);
      case ListValue _, ObjectValue _, Value.Bool _, Value.Int _, Value.Real _ ->
          count(Canonical.text(value));
    };
  }

  /// Splits a text where every encoding begins a new token anyway: between a letter and the space
  /// or the end of line behind it. A word too long for the encodings, whose time grows faster than
  /// its length, is cut within: that may count a token more for each cut.
  private static final class Pieces {
    private static final int WORD_MAX = 256;
    private static final int PIECE = 4_096;

    private Pieces() {}

    /// The end of the piece that begins here.
    static int end(String text, int from) {
      int words = from;
      int last = from;
      int max = Math.min(text.length(), from + PIECE);
      for (int i = from + 1; i < max; i++) {
        if (isBoundary(text, i)) {
          last = i;
        }
        if (kind(text.charAt(i)) != kind(text.charAt(i - 1))) {
          words = i;
        } else if (i - words >= WORD_MAX) {
          return whole(text, from, i);
        }
      }
      if (max == text.length()) {
        return max;
      }
      return last > from ? last : whole(text, from, max);
    }

    private static boolean isBoundary(String text, int i) {
      char next = text.charAt(i);
      return (next == ' ' || next == '\n') && Character.isLetter(text.charAt(i - 1));
    }

    /// Not between the halves of a surrogate pair.
    private static int whole(String text, int from, int end) {
      return Character.isHighSurrogate(text.charAt(end - 1)) && end - 1 > from ? end - 1 : end;
    }

    /// The runs of characters that tokens consist of.
    private static int kind(char c) {
      if (Character.isLetter(c) || Character.isSurrogate(c)) {
        return 0;
      }
      if (Character.isWhitespace(c)) {
        return 1;
      }
      return Character.isDigit(c) ? 2 : 3;
    }
  }
}
