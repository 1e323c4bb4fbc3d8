package dev.superstep.engine.node;

/// A text that a task writes piece by piece, as those who watch its run see it. Safe for use by
/// several threads, one after the other.
public interface LiveText {
  LiveText NONE =
      new LiveText() {
        @Override
        public void append(String piece) {
          // no subscribers
        }

        @Override
        public void close() {
          // nothing is kept
        }
      };

  /// Publishes the next piece, and keeps it for subscribers that come later. Does not block.
  ///
  /// @param piece not empty, and no half character at its end
  void append(String piece);

  /// Drops the text: later pieces are ignored, and new subscribers do not get it.
  void close();
}
