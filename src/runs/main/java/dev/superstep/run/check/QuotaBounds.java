package dev.superstep.run.check;

import dev.superstep.database.TenantSettings;
import dev.superstep.run.check.QuotaHolder.CallerHolder;
import dev.superstep.run.check.QuotaHolder.TenantHolder;
import dev.superstep.tenant.Share;
import java.util.List;
import org.springframework.stereotype.Component;

/// The bounds of callers, and of tenants where several share the server.
@Component
public final class QuotaBounds {
  private final CallerSettings callers;
  private final TenantLimitSettings tenants;
  private final boolean shared;

  QuotaBounds(CallerSettings callers, TenantLimitSettings tenants, TenantSettings sharing) {
    this.callers = callers;
    this.tenants = tenants;
    this.shared = sharing.enabled();
  }

  /// @param max what the holder may have
  public record QuotaBound(QuotaHolder holder, long max) {}

  /// The bounds that hold for something of this share, the caller's first; none where any amount is
  /// allowed.
  public List<QuotaBound> of(QuotaKind kind, Share share) {
    return QuotaHolder.of(share).stream()
        .map(it -> new QuotaBound(it, max(kind, it)))
        .filter(it -> it.max() > 0)
        .toList();
  }

  /// What the holder may have; 0: any amount.
  long max(QuotaKind kind, QuotaHolder holder) {
    return switch (holder) {
      case CallerHolder(var id) -> callers.max(kind, id);
      case TenantHolder(var name) -> shared ? tenants.max(kind, name) : 0;
    };
  }

  /// Whether anybody has a bound.
  boolean isBounded(QuotaKind kind) {
    return callers.max(kind, "") > 0 || shared && tenants.isBounded(kind);
  }
}
