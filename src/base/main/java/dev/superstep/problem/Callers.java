package dev.superstep.problem;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// Identifies the caller, for counts and limits per caller.
public interface Callers {
  /// The only caller when there are no API keys.
  String EVERYBODY = "";

  /// The caller of the request that this thread answers: a name that may be logged and stored;
  /// [#EVERYBODY] without keys and outside of requests.
  String current();

  /// Whether the credential of the request that this thread answers is not valid any more, for
  /// answers that last. May be asked on any thread, and reads nothing most times.
  BooleanSupplier ended();

  /// Makes sure that the caller may answer what runs ask, edit what they are asked about, and say
  /// what runs next in place of a node.
  ///
  /// @throws ServiceException `insufficient_scope` if it may not
  void requireAnswering();

  /// The caller as rows name it; empty without keys and outside of requests.
  default Optional<String> stored() {
    return named(current());
  }

  /// The caller as one who answers questions of runs.
  default Answerer answerer() {
    return Answerer.of(current());
  }

  /// The caller of the request that this thread answers, as the audit log has it; empty outside of
  /// requests, and if nothing is recorded.
  default Optional<AuditedCaller> audited() {
    return Optional.empty();
  }

  /// Keeps the token of the request that this thread answers, if `starter` sends it, for the tools
  /// that are called on behalf of who has started `run`: in the memory of this process only.
  ///
  /// @param starter the caller who has started the run; asked only where there is a token
  /// @return whether that one sends a token
  default boolean lend(String run, Supplier<String> starter) {
    return false;
  }

  /// A caller that a row names.
  static Optional<String> named(String caller) {
    return Optional.of(caller).filter(it -> !it.equals(EVERYBODY));
  }
}
