package dev.superstep.engine.node;

import dev.superstep.tenant.Share;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// Counts the permits that are held, and says who gets one although none is free: a tenant that
/// holds none, and a caller that does, each as long as few others have theirs in this way. Callers
/// of one tenant leave half of them to other tenants. Not thread-safe.
final class PermitCounts {
  private final int beyondMax;
  private final Map<String, Integer> byTenant = new HashMap<>();
  private final Map<Share, Integer> byShare = new HashMap<>();

  /// Shares that have got one beyond those that there are, until they hold none.
  private final Set<Share> beyond = new HashSet<>();

  /// @param max permits that there are
  PermitCounts(int max) {
    beyondMax = SlotCounts.slots(max) - max;
  }

  void add(Share share) {
    byTenant.merge(share.tenant(), 1, Integer::sum);
    byShare.merge(share, 1, Integer::sum);
  }

  void remove(Share share) {
    byTenant.computeIfPresent(share.tenant(), (_, held) -> held == 1 ? null : held - 1);
    if (byShare.computeIfPresent(share, (_, held) -> held == 1 ? null : held - 1) == null) {
      beyond.remove(share);
    }
  }

  /// Whether this share gets a permit although none is free.
  boolean admitsBeyond(Share share) {
    int max = byTenant.containsKey(share.tenant()) ? beyondMax / 2 : beyondMax;
    return !byShare.containsKey(share) && beyond.size() < max && !beyond.contains(share);
  }

  /// Likewise; remembers that it does.
  boolean addBeyond(Share share) {
    return admitsBeyond(share) && beyond.add(share);
  }
}
