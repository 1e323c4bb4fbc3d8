package dev.superstep.run.work;

import dev.superstep.checkpoint.work.ClaimStatement.TaskClaim;
import dev.superstep.checkpoint.work.ClaimedTask;
import dev.superstep.checkpoint.work.TaskQueues;
import dev.superstep.checkpoint.work.TaskQueues.TaskQueue;
import dev.superstep.checkpoint.work.WorkArrivals;
import dev.superstep.checkpoint.work.WorkArrivals.WorkType;
import dev.superstep.checkpoint.work.WorkerTasks;
import dev.superstep.checkpoint.work.WorkerTasks.TaskBeat;
import dev.superstep.engine.run.WorkerEnd;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Tenant;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/// Hands tasks to workers and takes what becomes of them. When a method returns, its effect is on
/// disk.
@Component
public class WorkerService {
  private final WorkerTasks tasks;
  private final WorkArrivals arrivals;
  private final WorkerEnds ends;
  private final TaskQueues queues;

  WorkerService(WorkerTasks tasks, WorkArrivals arrivals, WorkerEnds ends, TaskQueues queues) {
    this.queues = queues;
    this.tasks = tasks;
    this.arrivals = arrivals;
    this.ends = ends;
  }

  /// Claims up to `max` tasks of the tenant whose request this is.
  ///
  /// @param worker a name to be shown
  /// @param wait for how long to wait for the first one
  public List<ClaimedTask> claim(
      Set<String> types, Optional<String> worker, int max, Duration wait) {
    var claim = new TaskClaim(Tenant.current().name(), types, worker, max, Set.of());
    long begun = System.nanoTime();
    var workTypes = workTypes(claim);
    try (var waiting = arrivals.open(workTypes)) {
      var claimed = tasks.isQueued(workTypes) ? tasks.claim(claim) : List.<ClaimedTask>of();
      var left = wait;
      while (claimed.isEmpty() && left.isPositive() && waiting.await(left)) {
        claimed = tasks.claim(claim, waiting.task());
        left = wait.minusNanos(System.nanoTime() - begun);
      }
      return claimed;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    }
  }

  private static Set<WorkType> workTypes(TaskClaim claim) {
    return claim.types().stream()
        .map(it -> new WorkType(claim.tenant(), it))
        .collect(Collectors.toUnmodifiableSet());
  }

  /// What waits, and who works.
  public List<TaskQueue> queues() {
    return queues.look();
  }

  /// Prolongs a lease, unless no run wants the task any more.
  public TaskBeat heartbeat(String id, UUID token, Optional<Value> progress) {
    return tasks.heartbeat(id, token, progress).orElseThrow(() -> lostOrUnknown(id));
  }

  /// Queues a task again that its worker gives back. That counts neither as an attempt nor as a
  /// lost worker.
  public void release(String id, UUID token) {
    var type = tasks.release(id, token).orElseThrow(() -> lostOrUnknown(id));
    arrivals.arrived(type, 1);
  }

  private ServiceException lostOrUnknown(String id) {
    return tasks.find(id).isPresent() ? lost() : WorkerEnds.notFound(id);
  }

  /// Ends a task. Ending it again alike changes nothing.
  public void end(String id, UUID token, WorkerEnd end) {
    if (!ends.end(id, token, end)) {
      throw lost();
    }
  }

  static ServiceException lost() {
    return new ServiceException(
        ErrorCode.TASK_LEASE_LOST,
        "the lease of this token is over, or no run waits for the task any more; nothing has"
            + " changed");
  }
}
