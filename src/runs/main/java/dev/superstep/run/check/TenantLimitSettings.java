package dev.superstep.run.check;

import dev.superstep.problem.Setting;
import dev.superstep.tenant.Tenant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/// Bounds of one tenant at a time, where several share the server. All its keys together stay
/// within them, each within its own.
///
/// @param runsMax runs that are queued, running, waiting or being cancelled; 0: unbounded
/// @param streamsMax streams of events open at one replica; 0: unbounded
/// @param storedMax bytes that are kept; 0: unbounded
/// @param limits of single tenants, by name
@ConfigurationProperties("superstep.tenants")
public record TenantLimitSettings(
    @DefaultValue("100000") int runsMax,
    @DefaultValue("250") int streamsMax,
    @DefaultValue("100GB") DataSize storedMax,
    @DefaultValue Map<String, OwnLimits> limits) {
  private static final int LIMITS_MAX = 10_000;

  public TenantLimitSettings {
    limits = Map.copyOf(limits);
    new OwnLimits(runsMax, streamsMax, storedMax).check("superstep.tenants");
    new Setting("superstep.tenants.limits").within(0, LIMITS_MAX, limits.size());
    limits.forEach((name, own) -> {
      if (!Tenant.isName(name)) {
        throw new Setting("superstep.tenants.limits")
            .invalid("has a tenant '%s', whose name %s".formatted(name, Tenant.NAME_FORM));
      }
      own.check("superstep.tenants.limits." + name);
    });
  }

  /// Bounds that a tenant has in place of the common ones; absent: the common one.
  public record OwnLimits(
      @Nullable Integer runsMax, @Nullable Integer streamsMax, @Nullable DataSize storedMax) {
    static final OwnLimits NONE = new OwnLimits(null, null, null);

    private void check(String property) {
      if (runsMax != null) {
        new Setting(property + ".runs-max").within(0, 100_000_000, runsMax);
      }
      if (streamsMax != null) {
        new Setting(property + ".streams-max").within(0, 1_000_000, streamsMax);
      }
      if (storedMax != null) {
        CallerSettings.checkStored(property + ".stored-max", storedMax);
      }
    }

    private @Nullable Long max(QuotaKind kind) {
      return switch (kind) {
        case RUNS -> runsMax == null ? null : Long.valueOf(runsMax);
        case STREAMS -> streamsMax == null ? null : Long.valueOf(streamsMax);
        case STORED -> storedMax == null ? null : Long.valueOf(storedMax.toBytes());
      };
    }
  }

  /// 0: unbounded.
  long max(QuotaKind kind, String tenant) {
    var own = limits.getOrDefault(tenant, OwnLimits.NONE).max(kind);
    return own == null ? common(kind) : own;
  }

  /// The setting that says what it may have.
  String property(QuotaKind kind, String tenant) {
    var own = limits.getOrDefault(tenant, OwnLimits.NONE).max(kind);
    var prefix = own == null ? "superstep.tenants." : "superstep.tenants.limits." + tenant + ".";
    return prefix + kind.setting();
  }

  /// Whether a tenant has a bound.
  boolean isBounded(QuotaKind kind) {
    return common(kind) > 0 || limits.keySet().stream().anyMatch(it -> max(kind, it) > 0);
  }

  private long common(QuotaKind kind) {
    return switch (kind) {
      case RUNS -> runsMax;
      case STREAMS -> streamsMax;
      case STORED -> storedMax.toBytes();
    };
  }
}
