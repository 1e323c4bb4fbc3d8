package dev.superstep.run.start;

import dev.superstep.database.Pools;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.CheckedStart;
import dev.superstep.run.RunService.Started;
import dev.superstep.run.StartRun;
import dev.superstep.run.check.RequestHash;
import dev.superstep.run.check.StartChecks;
import dev.superstep.run.store.RunFinder;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionOperations;

/// Starts runs, each id at most once, in the caller's transaction if there is one.
@Component
class Starter {
  private final RunFinder runFinder;
  private final StartChecks checks;
  private final RunCreator creator;
  private final JdbcClient jdbc;
  private final TransactionOperations transaction;

  Starter(
      RunFinder runFinder,
      StartChecks checks,
      RunCreator creator,
      JdbcClient jdbc,
      TransactionOperations transaction) {
    this.runFinder = runFinder;
    this.checks = checks;
    this.creator = creator;
    this.jdbc = jdbc;
    this.transaction = transaction;
  }

  /// Checks a request. Outside of transactions: it may wait for a processor.
  public CheckedStart check(StartRun request) {
    return CheckedStart.of(
        request,
        () -> {
          var graph = runFinder.usable(request.graph(), request.version());
          return new CheckedStart.Accepted(graph, checks.check(request, graph));
        });
  }

  /// @param named receives the id before the run begins
  public Started start(CheckedStart checked, Consumer<String> named) {
    var request = checked.request();
    return request.id().isEmpty() && request.thread().isEmpty()
        ? creator.create(checked, Optional.empty(), named)
        : Objects.requireNonNull(transaction.execute(_ -> startOnce(checked, named)));
  }

  /// Makes a run that does not go on behind its input; its thread must be free.
  ///
  /// @return its id
  @Transactional
  public String startAtRest(CheckedStart checked) {
    return creator.createAtRest(checked).run();
  }

  private Started startOnce(CheckedStart checked, Consumer<String> named) {
    var request = checked.request();
    if (request.id().isPresent() && isKnown(request.id().get(), request)) {
      return new Started(request.id().get(), true, Optional.empty());
    }
    return creator.create(checked, request.id().map(_ -> RequestHash.of(request)), named);
  }

  /// Whether the run exists and came from the same request. Calls with one id wait for each other.
  private boolean isKnown(String id, StartRun request) {
    jdbc.sql("select pg_advisory_xact_lock(hashtextextended(?, 0) # " + Pools.SCHEMA_KEY + ")")
        .param("run:" + id)
        .query((_, _) -> id)
        .single();
    if (!runFinder.exists(id)) {
      return false;
    }
    var known = runFinder.input(id).requestHash();
    if (known == null || !RequestHash.matches(request, known)) {
      throw ServiceException.at(
          "/id",
          ErrorCode.RUN_EXISTS,
          "run '%s' was started by another request; choose another id".formatted(id));
    }
    return true;
  }
}
