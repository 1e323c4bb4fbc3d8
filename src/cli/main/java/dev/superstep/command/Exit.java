package dev.superstep.command;

/// How a command ends.
enum Exit {
  /// Everything is as it should be.
  OK(0),
  /// A test failed.
  FAILED(1),
  /// A definition or an argument cannot be used.
  UNUSABLE(2);

  private final int code;

  Exit(int code) {
    this.code = code;
  }

  /// The exit code of the process.
  int code() {
    return code;
  }

  Exit worse(Exit other) {
    return other.code > code ? other : this;
  }
}
