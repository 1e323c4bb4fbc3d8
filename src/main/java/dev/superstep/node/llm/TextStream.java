package dev.superstep.node.llm;

import dev.superstep.engine.node.MessageDelta;
import dev.superstep.engine.node.NodeCall;
import java.util.function.Consumer;

/// Publishes the text of a model to the subscribers of a run while it is generated, piece by piece.
final class TextStream implements Consumer<String> {
  private final NodeCall call;
  private long offset;
  private String half = "";

  TextStream(NodeCall call) {
    this.call = call;
  }

  /// Half a character waits for its other half.
  @Override
  public void accept(String piece) {
    var text = half + piece;
    boolean cut = Character.isHighSurrogate(text.charAt(text.length() - 1));
    int end = cut ? text.length() - 1 : text.length();
    half = text.substring(end);
    if (end > 0) {
      publish(text.substring(0, end));
    }
  }

  private void publish(String text) {
    var delta = new MessageDelta(call.attempt(), offset, text);
    offset = delta.end();
    if (call.watchers().hasSubscribers()) {
      call.watchers().publish(MessageDelta.TYPE, delta.data());
    }
  }
}
