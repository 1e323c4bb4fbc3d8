package dev.superstep.starter.springai;

import java.util.concurrent.Callable;

/// Bodies of steps that throw nothing which their callers do not know.
final class Unchecked {
  private Unchecked() {}

  static <T> T get(Callable<T> body) {
    try {
      return body.call();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
