package dev.superstep.node.llm;

import dev.superstep.engine.node.LiveText;
import dev.superstep.engine.node.NodeCall;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Publishes the text of a model to the subscribers of a run while it is generated, piece by piece.
final class TextStream implements Consumer<String> {
  private final NodeCall call;
  private final Optional<String> messageId;
  private @Nullable LiveText liveText;
  private String half = "";

  /// @param messageId of the message that the answer becomes, if it does
  TextStream(NodeCall call, Optional<String> messageId) {
    this.call = call;
    this.messageId = messageId;
  }

  /// Half a character waits for its other half.
  @Override
  public void accept(String piece) {
    var text = half + piece;
    boolean cut = Character.isHighSurrogate(text.charAt(text.length() - 1));
    int end = cut ? text.length() - 1 : text.length();
    half = text.substring(end);
    if (end > 0) {
      begun().append(text.substring(0, end));
    }
  }

  /// A call that gets no text begins none: the one before stays in force.
  private LiveText begun() {
    var begun = liveText == null ? call.watchers().begin(messageId) : liveText;
    liveText = begun;
    return begun;
  }
}
