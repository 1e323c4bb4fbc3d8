package dev.superstep.testing;

/// A test cannot go on: it lacks a mock, or has had all the time there is.
final class TestStoppedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  TestStoppedException(String message) {
    super(message, null, false, false);
  }
}
