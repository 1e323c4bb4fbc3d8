package dev.superstep.security;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.tenant.Tenant;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/// Keeps tenants and callers within their rates of requests, each with a bucket of tokens at this
/// replica. A request takes a token of both, or none.
final class RequestRates {
  private static final double NANOS = 1e9;

  /// Buckets that are forgotten begin full: that costs a burst, and takes more callers than these.
  private static final int CALLERS_MAX = 100_000;

  private final RateSettings settings;
  private final LongSupplier nanos;
  private final Cache<Tenant, TokenBucket> tenants;
  private final Cache<String, TokenBucket> callers;

  RequestRates(RateSettings settings, LongSupplier nanos) {
    this.settings = settings;
    this.nanos = nanos;
    tenants = buckets(settings, nanos);
    callers = buckets(settings, nanos);
  }

  /// A bucket that nobody has used for a burst is full, and need not be remembered.
  private static <K> Cache<K, TokenBucket> buckets(RateSettings settings, LongSupplier nanos) {
    Ticker ticker = nanos::getAsLong;
    return Caffeine.newBuilder()
        .maximumSize(CALLERS_MAX)
        .expireAfterAccess(settings.burst().plusSeconds(1))
        .ticker(ticker)
        .build();
  }

  /// Whether anything is bounded.
  boolean isBounded() {
    return settings.tenant() > 0 || settings.caller() > 0;
  }

  /// Admits one more request.
  ///
  /// @throws ServiceException `rate_limited` if it comes too soon
  void admit(Tenant tenant, String caller) {
    if (settings.caller() > 0) {
      take(bucket(callers, caller, settings.caller()), "API key", settings.caller());
    }
    if (settings.tenant() > 0) {
      try {
        take(bucket(tenants, tenant, settings.tenant()), "tenant", settings.tenant());
      } catch (ServiceException e) {
        if (settings.caller() > 0) {
          bucket(callers, caller, settings.caller()).giveBack();
        }
        throw e;
      }
    }
  }

  private <K> TokenBucket bucket(Cache<K, TokenBucket> buckets, K key, int rate) {
    return buckets.get(
        key,
        _ -> new TokenBucket(rate, rate * settings.burst().toNanos() / NANOS, nanos.getAsLong()));
  }

  private void take(TokenBucket bucket, String whose, int rate) {
    var wait = bucket.take(nanos.getAsLong());
    if (!wait.isZero()) {
      throw new ServiceException(
          ErrorCode.RATE_LIMITED,
          "the %s makes more than %d requests a second at this replica; repeat it later"
              .formatted(whose, rate),
          List.of(),
          Map.of("retry_after", Math.max(1, wait.plusMillis(999).toSeconds())));
    }
  }

  /// Fills at a rate, up to a capacity.
  private static final class TokenBucket {
    private final double rate;
    private final double capacity;
    private double tokens;
    private long at;

    /// @param rate tokens a second
    TokenBucket(double rate, double capacity, long now) {
      this.rate = rate;
      this.capacity = capacity;
      this.tokens = capacity;
      this.at = now;
    }

    /// @return zero, or how long it takes until there is a token
    synchronized Duration take(long now) {
      tokens = Math.min(capacity, tokens + Math.max(0, now - at) * rate / NANOS);
      at = Math.max(at, now);
      if (tokens >= 1) {
        tokens--;
        return Duration.ZERO;
      }
      return Duration.ofNanos((long) Math.ceil((1 - tokens) * NANOS / rate));
    }

    synchronized void giveBack() {
      tokens = Math.min(capacity, tokens + 1);
    }
  }
}
