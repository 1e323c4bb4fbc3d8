package dev.superstep.schedule;

import com.github.kagkarlsson.scheduler.task.TaskInstance;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.jdbc.core.simple.JdbcClient;

/// The life of this process in the cluster: it joins, watches that it is still a member, joins anew
/// when it was taken for dead, and leaves in good order. It stops before the web server, so that
/// clients who wait are answered. From then on it is not ready, and takes on nothing new.
final class ClusterMember implements Replica, SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(ClusterMember.class);
  private static final Duration WATCH = Duration.ofMillis(500);

  private final Schedulers schedulers;
  private final Membership membership;
  private final Watch watch;
  private final Supplier<WakeHandler> handler;
  private final ScheduleSettings settings;
  private volatile boolean running;
  private volatile boolean leaving;

  /// What the watch looks at.
  record Watch(JdbcClient jdbc, DatabaseClock clock, DatabaseContact contact) {

    /// Whether the database still has the name; takes its time, too.
    boolean confirms(String id) {
      var sent = clock.local();
      var answer =
          jdbc.sql(
                  """
                  select clock_timestamp() as at, exists (
                           select from scheduled_duties
                            where task_name = ? and task_instance = ?) as known
                  """)
              .params(SchedulerTasks.REPLICA, id)
              .query(Answer.class)
              .single();
      clock.adjust(sent, answer.at());
      contact.made();
      return answer.known();
    }

    record Answer(Instant at, boolean known) {}
  }

  ClusterMember(
      Schedulers schedulers,
      Membership membership,
      Watch watch,
      Supplier<WakeHandler> handler,
      ScheduleSettings settings) {
    this.schedulers = schedulers;
    this.membership = membership;
    this.watch = watch;
    this.handler = handler;
    this.settings = settings;
  }

  @Override
  public Optional<String> id() {
    return running ? membership.confirmed() : Optional.empty();
  }

  @Override
  public Optional<String> taking() {
    return leaving || isFull() ? Optional.empty() : id();
  }

  @Override
  public boolean leaving() {
    return leaving;
  }

  private boolean isFull() {
    return schedulers.runs().getSchedulerState().isPaused();
  }

  @Override
  public void pauseClaims() {
    if (!isFull()) {
      schedulers.runs().pause();
    }
  }

  @Override
  public void resumeClaims() {
    if (running && !leaving && isFull()) {
      schedulers.runs().resume();
      schedulers.runs().triggerCheckForDueExecutions();
    }
  }

  @Override
  public void start() {
    running = true;
    schedulers.start();
    join();
    // On a thread of its own: whatever computes on the carriers of virtual ones, the lease goes on.
    Thread.ofPlatform().daemon().name("replica-watch").start(this::watch);
  }

  private void join() {
    var instance = new TaskInstance<Void>(SchedulerTasks.REPLICA, UUID.randomUUID().toString());
    schedulers.duties().scheduleIfNotExists(instance, watch.clock().instant());
    schedulers.duties().triggerCheckForDueExecutions();
  }

  private void watch() {
    while (running) {
      try {
        Thread.sleep(WATCH);
        membership.name().ifPresent(this::look);
      } catch (RuntimeException e) { // those of db-scheduler have no type of their own
        log.warn("The database does not answer; this replica begins nothing new: {}", reason(e));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private static String reason(RuntimeException e) {
    return String.valueOf(NestedExceptionUtils.getMostSpecificCause(e).getMessage());
  }

  private void look(String id) {
    if (watch.confirms(id)) {
      return;
    }
    log.warn("Replica {} was taken for dead: its runs are dropped here, it joins anew", id);
    handler.get().replicaLost(id);
    membership.release(id);
    join();
  }

  @Override
  public void stop() {
    leaving = true;
    schedulers.runs().pause();
    try {
      handler.get().drain(settings.drain());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    running = false;
    membership.name().ifPresent(membership::release);
    schedulers.stop();
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  /// A scheduler that was stopped cannot be started again: to leave is for good.
  @Override
  public boolean isPauseable() {
    return false;
  }
}
