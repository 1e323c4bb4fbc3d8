package dev.superstep.engine.node;

import dev.superstep.tenant.Share;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// A queue from which tenants are served in turn, one element each, and of a tenant its callers in
/// turn; of one share the first element comes first. However many elements and callers a tenant has
/// queued, those of another wait for at most one of each tenant. Not thread-safe.
public final class RoundQueue<E> {
  /// By tenant; tenants and shares in the order in which they are served.
  private final SequencedMap<String, SequencedMap<Share, ArrayDeque<E>>> byTenant =
      new LinkedHashMap<>();

  private int size;

  public void add(Share share, E element) {
    byTenant
        .computeIfAbsent(share.tenant(), _ -> new LinkedHashMap<>())
        .computeIfAbsent(share, _ -> new ArrayDeque<>())
        .addLast(element);
    size++;
  }

  /// Returns an element to the front of its share, which comes next.
  public void addFirst(Share share, E element) {
    var shares = byTenant.getOrDefault(share.tenant(), new LinkedHashMap<>());
    var elements = shares.getOrDefault(share, new ArrayDeque<>());
    elements.addFirst(element);
    shares.putFirst(share, elements);
    byTenant.putFirst(share.tenant(), shares);
    size++;
  }

  public boolean remove(Share share, E element) {
    var shares = byTenant.get(share.tenant());
    if (shares == null) {
      return false;
    }
    var elements = shares.get(share);
    if (elements == null || !elements.remove(element)) {
      return false;
    }
    size--;
    if (elements.isEmpty()) {
      shares.remove(share);
    }
    if (shares.isEmpty()) {
      byTenant.remove(share.tenant());
    }
    return true;
  }

  /// The element that [#poll()] would take; null if there is none.
  public @Nullable E peek() {
    return byTenant.isEmpty()
        ? null
        : byTenant.firstEntry().getValue().firstEntry().getValue().peekFirst();
  }

  public @Nullable E poll() {
    return poll(_ -> true);
  }

  /// Takes the next element of a share that `admits` accepts; null if there is none.
  public @Nullable E poll(Predicate<Share> admits) {
    for (var shares : byTenant.sequencedValues()) {
      for (var share : shares.sequencedKeySet()) {
        if (admits.test(share)) {
          return take(share, shares);
        }
      }
    }
    return null;
  }

  /// Takes the next element of a share; null if there is none.
  public @Nullable E poll(Share share) {
    var shares = byTenant.get(share.tenant());
    return shares == null ? null : take(share, shares);
  }

  private @Nullable E take(Share share, SequencedMap<Share, ArrayDeque<E>> shares) {
    var elements = shares.remove(share);
    if (elements == null) {
      return null;
    }
    byTenant.remove(share.tenant());
    var first = elements.removeFirst();
    size--;
    if (!elements.isEmpty()) {
      shares.putLast(share, elements);
    }
    if (!shares.isEmpty()) {
      byTenant.putLast(share.tenant(), shares);
    }
    return first;
  }

  public boolean isEmpty() {
    return size == 0;
  }

  public int size() {
    return size;
  }
}
