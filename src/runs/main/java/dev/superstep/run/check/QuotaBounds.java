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
  /// @param property the setting that says so
  public record QuotaBound(QuotaHolder holder, long max, String property) {}

  /// The bounds that hold for something of this share, the caller's first; none where any amount is
  /// allowed.
  public List<QuotaBound> of(QuotaKind kind, Share share) {
    return QuotaHolder.of(share).stream()
        .filter(it -> max(kind, it) > 0)
        .map(it -> bound(kind, it))
        .toList();
  }

  QuotaBound bound(QuotaKind kind, QuotaHolder holder) {
    var property =
        switch (holder) {
          case CallerHolder _ -> "superstep.callers." + kind.setting();
          case TenantHolder(var name) -> tenants.property(kind, name);
        };
    return new QuotaBound(holder, max(kind, holder), property);
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
    return callers.max(kind, "") > 0 || (shared && tenants.isBounded(kind));
  }
}
