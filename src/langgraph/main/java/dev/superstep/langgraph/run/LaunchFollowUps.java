package dev.superstep.langgraph.run;

import dev.superstep.langgraph.OnLangGraph;
import dev.superstep.langgraph.run.RunCall.Launched;
import dev.superstep.langgraph.run.RunCalls.CalledRun;
import dev.superstep.run.IfBusy;
import dev.superstep.run.RunWatch;
import dev.superstep.run.RunWatch.Subscription;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/// Does what follows a call that begins a run: a run that it has rolled back is erased, and the
/// texts of its own are kept while models write them, so that a client which comes in the middle of
/// an answer gets all of it.
@Component
@OnLangGraph
class LaunchFollowUps {
  private static final Logger log = LoggerFactory.getLogger(LaunchFollowUps.class);

  /// A subscription that is not renewed for a minute ends.
  private static final Duration RENEWAL = Duration.ofSeconds(20);

  private final RunCalls calls;
  private final RunEnder ender;
  private final RunWatch watch;

  LaunchFollowUps(RunCalls calls, RunEnder ender, RunWatch watch) {
    this.calls = calls;
    this.ender = ender;
    this.watch = watch;
  }

  /// Of a call that is about to be performed.
  FollowUp of(Optional<String> thread, RunCreate request) {
    var replaced =
        thread.filter(_ -> request.thread().ifBusy() == IfBusy.ROLLBACK).flatMap(calls::active);
    return new FollowUp(replaced);
  }

  final class FollowUp implements AutoCloseable {
    private final Optional<CalledRun> replaced;
    private @Nullable Subscription keeping;

    private FollowUp(Optional<CalledRun> replaced) {
      this.replaced = replaced;
    }

    /// The texts of the run are kept from now on: its models stream.
    void keepTexts(String run) {
      close();
      keeping = watch.keepTexts(run);
    }

    /// Likewise, of a run that is on disk, for any replica, when its call is performed.
    void keepTextsAnywhere(String run) {
      keepTexts(run);
      announce();
    }

    /// The call is performed, and not committed: a run that does not begin here may begin elsewhere
    /// as soon as it is.
    Launched performed(Launched launched) {
      if (launched.progress().isEmpty()) {
        announce();
      }
      return launched;
    }

    private void announce() {
      if (keeping != null) {
        keeping.renew();
      }
    }

    /// The call is on disk.
    void launched(Launched launched) {
      replaced.filter(it -> it.call().after() == 0).ifPresent(it -> ender.eraseSoon(it.call()));
      var mine = keeping;
      keeping = null;
      if (mine != null) {
        Thread.ofVirtual().name("text-watch").start(() -> keep(launched, mine));
      }
    }

    @Override
    public void close() {
      var mine = keeping;
      keeping = null;
      if (mine != null) {
        mine.close();
      }
    }
  }

  /// Until the run is at rest. Other replicas need not know of one that does not leave this one; of
  /// a superstep that is spread over them, its driver tells them.
  private void keep(Launched launched, Subscription subscription) {
    var run = launched.call().run();
    try (subscription) {
      boolean moves =
          launched.progress().isEmpty()
              || (launched.progress().get().awaitState(RENEWAL).isEmpty() && !calls.isAtRest(run));
      while (moves) {
        subscription.renew();
        watch.awaitRest(run, RENEWAL);
        moves = !calls.isAtRest(run);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (DataAccessException | TransactionException e) {
      log.debug("texts of run {} are not watched any more", run, e);
    }
  }
}
