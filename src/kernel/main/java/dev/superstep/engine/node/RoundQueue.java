package dev.superstep.engine.node;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// A queue from which shares are served in turn, one element each; of one share the first element
/// comes first. However many elements a share has queued, those of another wait for at most one of
/// each share. Not thread-safe.
public final class RoundQueue<E> {
  /// In the order in which they are served.
  private final SequencedMap<String, ArrayDeque<E>> byShare = new LinkedHashMap<>();

  private int size;

  public void add(String share, E element) {
    byShare.computeIfAbsent(share, _ -> new ArrayDeque<>()).addLast(element);
    size++;
  }

  /// Returns an element to the front of its share, which comes next.
  public void addFirst(String share, E element) {
    var elements = byShare.getOrDefault(share, new ArrayDeque<>());
    elements.addFirst(element);
    byShare.putFirst(share, elements);
    size++;
  }

  public boolean remove(String share, E element) {
    var elements = byShare.get(share);
    if (elements == null || !elements.remove(element)) {
      return false;
    }
    size--;
    if (elements.isEmpty()) {
      byShare.remove(share);
    }
    return true;
  }

  /// The element that [#poll()] would take; null if there is none.
  public @Nullable E peek() {
    return byShare.isEmpty() ? null : byShare.firstEntry().getValue().peekFirst();
  }

  public @Nullable E poll() {
    return poll(_ -> true);
  }

  /// Takes the next element of a share that `admits` accepts; null if there is none.
  @Nullable E poll(Predicate<String> admits) {
    for (var share : byShare.sequencedKeySet()) {
      if (admits.test(share)) {
        return take(share);
      }
    }
    return null;
  }

  private @Nullable E take(String share) {
    var elements = byShare.remove(share);
    if (elements == null) {
      return null;
    }
    var first = elements.removeFirst();
    size--;
    if (!elements.isEmpty()) {
      byShare.putLast(share, elements);
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
