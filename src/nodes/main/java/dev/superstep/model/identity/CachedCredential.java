package dev.superstep.model.identity;

import dev.superstep.engine.node.WorkPermits;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Keeps what a cloud has given until shortly before it ends. One call renews it, while others go
/// on with what there is; if there is nothing, they wait, and share a failure.
final class CachedCredential<T extends CachedCredential.Expiring> {
  /// So long before its end it is renewed, or a fifth of its time before.
  private static final Duration EARLY = Duration.ofMinutes(5);

  /// What would end on the way is not sent.
  private static final Duration LATE = Duration.ofSeconds(10);

  /// After a failure nobody is asked for so long.
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /// ... and while there is still something to go on with.
  private static final Duration LONG_PAUSE = Duration.ofSeconds(30);

  private final CredentialSource<T> source;
  private final InstantSource clock;
  private final ReentrantLock renewing = new ReentrantLock();
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
    this.source = source;
    this.clock = clock;
  }

  T now() throws IOException, InterruptedException, TimeoutException {
    var known = kept;
    var now = clock.instant();
    if (known != null && now.isBefore(known.renewAt())) {
      return known.credential();
    }
    return known != null && now.isBefore(known.endsAt()) ? early(known) : first();
  }

  @SuppressWarnings("ReferenceEquality") // whether another has kept one meanwhile
  private T early(Kept<T> known) throws InterruptedException {
    if (!renewing.tryLock()) {
      return known.credential();
    }
    try {
      var current = kept;
      return current != null && !current.equals(known) ? current.credential() : renewed();
    } catch (IOException | TimeoutException _) {
      var again = clock.instant().plus(LONG_PAUSE);
      kept = new Kept<>(known.credential(), again, known.endsAt());
      return known.credential();
    } finally {
      renewing.unlock();
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
    var fifth = lasts.dividedBy(5);
    var early = fifth.compareTo(EARLY) < 0 ? fifth : EARLY;
    kept =
        new Kept<>(
            credential, credential.expiresAt().minus(early), credential.expiresAt().minus(LATE));
    failure = null;
    return credential;
  }
}
