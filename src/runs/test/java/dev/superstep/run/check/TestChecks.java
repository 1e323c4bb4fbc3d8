package dev.superstep.run.check;

import dev.superstep.database.TenantSettings;
import dev.superstep.definition.GraphRegistry;
import dev.superstep.engine.run.EngineLimits;
import dev.superstep.run.RunsAlone.TestCallers;
import java.lang.reflect.Proxy;
import java.util.Map;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.util.unit.DataSize;

/// Checks of runs in circumstances that a test needs.
public final class TestChecks {
  private TestChecks() {}

  /// Callers have nothing but what is admitted, and are not counted again.
  public static CallerQuotas quotas(int runsMax) {
    return new CallerQuotas(
        new TestCallers(),
        new QuotaBounds(
            new CallerSettings(runsMax, 1, DataSize.ofBytes(0)),
            new TenantLimitSettings(0, 0, DataSize.ofBytes(0), Map.of()),
            new TenantSettings(false)),
        Map::of,
        Map::of,
        (_, _) -> {},
        () -> 0);
  }

  /// The database is away when a definition is to be read.
  public static LimitsInForce unreadableLimits() {
    var graphs =
        Proxy.newProxyInstance(
            GraphRegistry.class.getClassLoader(),
            new Class<?>[] {GraphRegistry.class},
            (_, _, _) -> {
              throw new DataAccessResourceFailureException("away");
            });
    return new LimitsInForce((GraphRegistry) graphs, EngineLimits.DEFAULT);
  }
}
