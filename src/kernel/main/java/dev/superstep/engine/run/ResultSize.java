package dev.superstep.engine.run;

import dev.superstep.state.Change;
import dev.superstep.state.value.Canonical;

/// Measures a task's result in canonical bytes, for the limit of E15.
public final class ResultSize {
  private ResultSize() {}

  public static long of(NodeResult result) {
    long bytes = of(result.change()) + Canonical.size(result.variables());
    for (var dispatch : result.dispatch()) {
      bytes += Canonical.size(dispatch.input()) + Canonical.size(dispatch.metadata());
    }
    for (var event : result.events()) {
      bytes += event.name().length() + Canonical.size(event.data());
    }
    return bytes
        + Canonical.size(result.historyMetadata())
        + (result.runFailure() == null ? 0 : Canonical.size(result.runFailure().details()))
        + length(result.prompt())
        + length(result.response());
  }

  public static long of(InterruptRequest request) {
    return of(request.change())
        + Canonical.size(request.payload())
        + (request.addressees().isNone() ? 0 : Canonical.size(request.addressees().value()));
  }

  public static long of(Change change) {
    long bytes = Canonical.size(change.overwrite()) + Canonical.size(change.update());
    for (var listCompaction : change.cuts()) {
      bytes += listCompaction.summary().map(Canonical::size).orElse(0L);
    }
    return bytes;
  }

  private static long length(@org.jspecify.annotations.Nullable String text) {
    return text == null ? 0 : text.length();
  }
}
