package dev.superstep.model.identity;

import dev.superstep.engine.node.WorkPermits;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps what a cloud has given until shortly before it ends. Once a fifth of its time is left, it
/// is renewed beside the calls, which go on with what there is; if there is nothing, they wait, and
/// share a failure.
final class CachedCredential<T extends CachedCredential.Expiring> {
  /// This part of its time is left when it is renewed.
  private static final int EARLY = 5;

  /// What would end on the way is not sent.
  private static final Duration LATE = Duration.ofSeconds(10);

  /// After a failure nobody is asked for so long.
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /// ... and while there is still something to go on with.
  private static final Duration LONG_PAUSE = Duration.ofSeconds(30);

  private static final Logger log = LoggerFactory.getLogger(CachedCredential.class);

  private final CredentialSource<T> source;
  private final InstantSource clock;
  private final Executor beside;
  private final ReentrantLock renewing = new ReentrantLock();
  private final AtomicBoolean ahead = new AtomicBoolean();
  private volatile @Nullable Kept<T> kept;
  private volatile @Nullable FailedRenewal failure;

  /// What is given for a while.
  interface Expiring {
    Instant expiresAt();
  }

  /// Where it comes from.
  @FunctionalInterface
  interface CredentialSource<T> {
    T fetch(Instant now) throws IOException, InterruptedException, TimeoutException;
  }

  private record Kept<T>(T credential, Instant renewAt, Instant endsAt) {}

  private record FailedRenewal(IOException why, Instant until) {}

  CachedCredential(CredentialSource<T> source, InstantSource clock) {
    this(source, clock, it -> Thread.ofVirtual().name("credential-renewal").start(it));
  }

  /// @param beside where it is renewed
  CachedCredential(CredentialSource<T> source, InstantSource clock, Executor beside) {
    this.source = source;
    this.clock = clock;
    this.beside = beside;
  }

  T now() throws IOException, InterruptedException, TimeoutException {
    var known = kept;
    var now = clock.instant();
    if (known == null || !now.isBefore(known.endsAt())) {
      return first();
    }
    if (!now.isBefore(known.renewAt()) && ahead.compareAndSet(false, true)) {
      beside.execute(this::renewAhead);
    }
    return known.credential();
  }

  private void renewAhead() {
    renewing.lock();
    try {
      var current = kept;
      if (current != null && !clock.instant().isBefore(current.renewAt())) {
        renewed(current);
      }
    } finally {
      renewing.unlock();
      ahead.set(false);
    }
  }

  private void renewed(Kept<T> known) {
    try {
      renewed();
    } catch (IOException | InterruptedException | TimeoutException | RuntimeException e) {
      log.debug("What a cloud has given is not renewed yet", e);
      kept = new Kept<>(known.credential(), clock.instant().plus(LONG_PAUSE), known.endsAt());
    }
  }

  @SuppressWarnings("ReferenceEquality") // whether it is the one that was kept
  private T first() throws IOException, InterruptedException, TimeoutException {
    lock();
    try {
      var current = kept;
      var now = clock.instant();
      if (current != null && now.isBefore(current.endsAt())) {
        return current.credential();
      }
      var failed = failure;
      if (failed != null && now.isBefore(failed.until())) {
        throw failed.why();
      }
      return renewed();
    } catch (IOException e) {
      var failed = failure;
      if (failed == null || !failed.why().equals(e)) {
        failure = new FailedRenewal(e, clock.instant().plus(PAUSE));
      }
      throw e;
    } catch (TimeoutException e) {
      var late = IdentityException.away(e);
      failure = new FailedRenewal(late, clock.instant().plus(PAUSE));
      throw late;
    } finally {
      renewing.unlock();
    }
  }

  private void lock() throws InterruptedException {
    if (!renewing.tryLock()) {
      try (var _ = WorkPermits.releaseDuringIo()) {
        renewing.lockInterruptibly();
      }
    }
  }

  private T renewed() throws IOException, InterruptedException, TimeoutException {
    var now = clock.instant();
    var credential = source.fetch(now);
    var lasts = Duration.between(now, credential.expiresAt());
    if (lasts.compareTo(LATE) <= 0) {
      throw new IdentityException("what was given has ended already", true);
    }
    var endsAt = credential.expiresAt();
    kept = new Kept<>(credential, endsAt.minus(lasts.dividedBy(EARLY)), endsAt.minus(LATE));
    failure = null;
    return credential;
  }
}
