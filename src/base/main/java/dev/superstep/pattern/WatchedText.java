package dev.superstep.pattern;

/// A text that takes a [Pause] every 2,048 characters while it is read.
record WatchedText(CharSequence text, Pause pause) implements CharSequence {
  private static final int EVERY = 2_048;

  @Override
  public int length() {
    return text.length();
  }

  @Override
  public char charAt(int index) {
    if (index % EVERY == EVERY - 1) {
      pause.take();
    }
    return text.charAt(index);
  }

  @Override
  public CharSequence subSequence(int start, int end) {
    return text.subSequence(start, end);
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
