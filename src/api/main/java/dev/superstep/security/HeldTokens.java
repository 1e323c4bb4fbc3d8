package dev.superstep.security;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.Scheduler;
import dev.superstep.secret.OnBehalfOf;
import dev.superstep.secret.RunStarters.RunStarter;
import dev.superstep.secret.ToolsOnBehalf;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectFactory;
import org.springframework.stereotype.Component;
import org.springframework.util.function.SingletonSupplier;

/// The tokens of those who have started, resumed or answered runs of their own, in memory and
/// nowhere else. A server without tools that need them keeps none.
@Component
final class HeldTokens {
  /// What a call may take at least: a token that ends sooner is not there.
  private static final Duration REMAINING = Duration.ofSeconds(10);

  private final Cache<HeldKey, HeldToken> held;
  private final Duration keep;
  private final InstantSource clock;
  private final SingletonSupplier<Boolean> needed;

  /// @param tools asked for once there is a token: the filters for which this is made begin before
  ///   all settings are known
  HeldTokens(HeldTokenSettings settings, ObjectFactory<ToolsOnBehalf> tools, InstantSource clock) {
    this.held =
        Caffeine.newBuilder()
            .maximumSize(settings.max())
            .scheduler(Scheduler.systemScheduler())
            .expireAfter(
                Expiry.<HeldKey, HeldToken>writing(
                    (_, it) -> Duration.between(clock.instant(), it.until())))
            .build();
    this.keep = settings.keep();
    this.clock = clock;
    this.needed = SingletonSupplier.of(() -> !tools.getObject().isEmpty());
  }

  /// A client may choose the id of a run that is another's: the subject says whose token it is.
  private record HeldKey(String run, String subject) {}

  /// @param until when it is not used any more
  /// @param exchanged what it was exchanged for
  record HeldToken(SubjectToken token, Instant until, Map<OnBehalfOf, ExchangedToken> exchanged) {
    @Override
    public String toString() {
      return token.toString();
    }
  }

  /// A token that an issuer has given for another.
  record ExchangedToken(String value, Instant expiresAt) {
    boolean isUsable(Instant now) {
      return expiresAt.isAfter(now.plus(REMAINING));
    }

    @Override
    public String toString() {
      return "***";
    }
  }

  /// Replaces the one that there is.
  void keep(String run, String subject, SubjectToken token) {
    if (!needed.obtain()) {
      return;
    }
    var last = clock.instant().plus(keep);
    var until = token.expiresAt().isBefore(last) ? token.expiresAt() : last;
    held.put(new HeldKey(run, subject), new HeldToken(token, until, new ConcurrentHashMap<>()));
  }

  /// The token of who has started a run, for that run or one that has begun it.
  Optional<HeldToken> find(RunStarter starter) {
    var last = clock.instant().plus(REMAINING);
    return starter.runs().stream()
        .flatMap(it -> find(new HeldKey(it, starter.caller())))
        .filter(it -> it.until().isAfter(last))
        .findFirst();
  }

  private Stream<HeldToken> find(HeldKey key) {
    return Stream.ofNullable(held.getIfPresent(key));
  }

  /// Its issuer does not take it any more. One that was sent since stays.
  void drop(RunStarter starter, HeldToken over) {
    for (var run : starter.runs()) {
      held.asMap()
          .computeIfPresent(
              new HeldKey(run, starter.caller()), (_, it) -> it.equals(over) ? null : it);
    }
  }
}
