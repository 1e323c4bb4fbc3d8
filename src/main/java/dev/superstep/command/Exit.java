package dev.superstep.command;

/// How a command ends, worst last.
enum Exit {
  /// Everything is as it should be.
  OK,
  /// A test or a run failed.
  FAILED,
  /// A definition, an argument or the server cannot be used.
  UNUSABLE,
  /// The run waits for answers.
  ASKED;

  /// The exit code of the process.
  int code() {
    return ordinal();
  }

  Exit worse(Exit other) {
    return other.code() > code() ? other : this;
  }
}
