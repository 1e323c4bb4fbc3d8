package dev.superstep.run.event;

import dev.superstep.tenant.Tenant;
import java.util.HashMap;
import java.util.Map;

/// Bounds what a replica does at a time so that no tenant holds up others: each may have as much as
/// it leaves free. Thread-safe.
final class DeliveryTurns {
  private final int most;
  private final int ofTenant;
  private final Map<Tenant, Integer> running = new HashMap<>();
  private int sum;

  /// @param ofTenant at most, however much is free
  DeliveryTurns(int most, int ofTenant) {
    this.most = most;
    this.ofTenant = ofTenant;
  }

  /// @return false if there is no room for one more of the tenant
  synchronized boolean begin(Tenant tenant) {
    int its = running.getOrDefault(tenant, 0);
    if (its >= ofTenant || its >= most - sum) {
      return false;
    }
    running.put(tenant, its + 1);
    sum++;
    return true;
  }

  synchronized void end(Tenant tenant) {
    running.computeIfPresent(tenant, (_, its) -> its == 1 ? null : its - 1);
    sum--;
  }
}
