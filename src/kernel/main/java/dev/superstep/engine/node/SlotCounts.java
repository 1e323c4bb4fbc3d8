package dev.superstep.engine.node;

import dev.superstep.tenant.Share;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Counts the slots that are held, and says who may take another one. One caller may hold `max`,
/// and never all that there are: an eighth more is there for other callers of its tenant, and an
/// eighth of both for other tenants, however long the slots of the first are held.
///
/// A tenant takes a slot while it holds fewer than eight times as many as are free (the dynamic
/// threshold of shared switch buffers), so that each further tenant finds some, too, and nobody has
/// to know how many there are. Its callers share in the same way what it may still take. So a
/// tenant that is alone has what it would have on a server without tenants. Not thread-safe.
public final class SlotCounts {
  private static final int FACTOR = 8;

  private final Map<String, Integer> byTenant = new HashMap<>();
  private final Map<Share, Integer> byShare = new HashMap<>();

  /// How many slots there are, if one caller may hold `max`.
  public static int slots(int max) {
    int ofOneTenant = max + max / FACTOR;
    return ofOneTenant + ofOneTenant / FACTOR;
  }

  /// Whether a share may take one of the slots that are free.
  public boolean admits(Share share, int free) {
    int left = left(byTenant.getOrDefault(share.tenant(), 0), free);
    return byShare.getOrDefault(share, 0) < (long) FACTOR * left;
  }

  /// How many more slots a tenant may take, one after the other, while nobody else takes any.
  private static int left(int held, int free) {
    long beyond = (long) FACTOR * free - held;
    return beyond <= 0 ? 0 : (int) Math.ceilDiv(beyond, FACTOR + 1);
  }

  public void add(Share share) {
    byTenant.merge(share.tenant(), 1, Integer::sum);
    byShare.merge(share, 1, Integer::sum);
  }

  public void remove(Share share) {
    byTenant.computeIfPresent(share.tenant(), (_, held) -> held == 1 ? null : held - 1);
    byShare.computeIfPresent(share, (_, held) -> held == 1 ? null : held - 1);
  }

  /// Orders shares by what their tenants hold, then by what they hold themselves, most first.
  public int compare(Share one, Share other) {
    int tenants = byTenant.getOrDefault(other.tenant(), 0) - byTenant.getOrDefault(one.tenant(), 0);
    return tenants != 0 ? tenants : byShare.getOrDefault(other, 0) - byShare.getOrDefault(one, 0);
  }

  /// Who may take none of the slots that are free.
  ///
  /// @param tenants with all their callers
  /// @param shares others
  public record WithoutRoom(Set<String> tenants, Set<Share> shares) {}

  /// Those that hold slots and may take none of the free ones.
  public WithoutRoom withoutRoom(int free) {
    var tenants =
        byTenant.entrySet().stream()
            .filter(it -> left(it.getValue(), free) == 0)
            .map(Map.Entry::getKey)
            .collect(Collectors.toUnmodifiableSet());
    var shares =
        byShare.keySet().stream()
            .filter(it -> !tenants.contains(it.tenant()) && !admits(it, free))
            .collect(Collectors.toUnmodifiableSet());
    return new WithoutRoom(tenants, shares);
  }
}
