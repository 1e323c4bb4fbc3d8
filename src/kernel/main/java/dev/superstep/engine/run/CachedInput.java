package dev.superstep.engine.run;

/// Those tokens of an input that a provider has read from its cache of prompts, or written into it.
public record CachedInput(long read, long written) {
  public static final CachedInput NOTHING = new CachedInput(0, 0);

  public CachedInput plus(CachedInput other) {
    return other.isNothing() ? this : new CachedInput(read + other.read, written + other.written);
  }

  CachedInput beyond(CachedInput counted) {
    return new CachedInput(
        Math.max(0, read - counted.read), Math.max(0, written - counted.written));
  }

  public boolean isNothing() {
    return read == 0 && written == 0;
  }

  public long total() {
    return read + written;
  }
}
