package dev.superstep.engine;

import dev.superstep.engine.checkpoint.TaskRecord.TaskStatus;
import dev.superstep.graph.DispatchPolicy;
import dev.superstep.graph.NodeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The tasks of one superstep that one task has dispatched under a policy (E54): counts how they
/// end, in the order in which the driver takes it, and says when that decides.
final class FanOutGroup {
  private final DispatchPolicy policy;
  private final List<OpenTask> members = new ArrayList<>();
  private final Map<NodeId, Integer> ofNodes = new HashMap<>(2);
  private final IdentityHashMap<OpenTask, DispatchFate> fates = new IdentityHashMap<>();
  private int succeeded;
  private int failed;
  private boolean cut;

  private enum DispatchFate {
    SUCCEEDED,
    FAILED
  }

  FanOutGroup(DispatchPolicy policy) {
    this.policy = policy;
  }

  void add(OpenTask member) {
    members.add(member);
    ofNodes.merge(member.task().key().node(), 1, Integer::sum);
    cut |= member.isCancelled();
  }

  /// In task order.
  List<OpenTask> members() {
    return members;
  }

  /// Takes over how a member stands: it may have ended, or run again.
  void note(OpenTask member) {
    count(fates.remove(member), -1);
    var fate = fate(member);
    if (fate != null) {
      fates.put(member, fate);
      count(fate, 1);
    }
  }

  private void count(@Nullable DispatchFate fate, int by) {
    if (fate == DispatchFate.SUCCEEDED) {
      succeeded += by;
    } else if (fate == DispatchFate.FAILED) {
      failed += by;
    }
  }

  private static @Nullable DispatchFate fate(OpenTask member) {
    var record = member.record();
    if (record == null || member.phase() != OpenTask.Phase.SETTLED) {
      return null;
    }
    return switch (record.status()) {
      case TaskStatus.Done _ -> DispatchFate.SUCCEEDED;
      case TaskStatus.Failed _, TaskStatus.Rejected _, TaskStatus.Handled _ -> DispatchFate.FAILED;
      case TaskStatus.Cancelled _, TaskStatus.Unfinished _ -> null;
    };
  }

  /// Whether the members that have not ended are not needed any more.
  boolean isDecided() {
    return (needed() > 0 && succeeded >= needed()) || isExceeded();
  }

  /// Whether more have failed than the policy tolerates.
  boolean isExceeded() {
    return failed > policy.failuresMax(Math.max(members.size(), policy.minSucceeded()));
  }

  /// How many successes decide; 0: none do.
  int needed() {
    return Math.min(policy.minSucceeded(), members.size());
  }

  /// At how many successes of the node, at least, success may decide; 0: at none.
  int needed(NodeId node) {
    int others = members.size() - ofNodes.getOrDefault(node, 0);
    return needed() == 0 ? 0 : Math.max(1, needed() - others);
  }

  /// Whether members may have been cancelled.
  boolean isCut() {
    return cut;
  }

  void cut(boolean isCut) {
    cut = isCut;
  }
}
