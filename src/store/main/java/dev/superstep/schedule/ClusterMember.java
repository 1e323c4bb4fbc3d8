package dev.superstep.schedule;

import dev.superstep.database.OutageLog;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/// Keeps this process a member of the cluster: it joins, checks that it is still a member, joins
/// anew when it was taken for dead, and leaves in good order. It stops before the web server, so
/// that waiting clients are answered. From then on it is not ready, and takes on nothing new.
@Component
final class ClusterMember implements SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(ClusterMember.class);
  private static final Duration WATCH_MAX = Duration.ofMillis(500);
  private static final Duration DEATH_WATCH_MAX = Duration.ofSeconds(1);

  private final Schedulers schedulers;
  private final LocalReplica replica;
  private final Membership membership;
  private final DeathWatch deaths;
  private final WakeHandler handler;
  private final ScheduleSettings settings;
  private final OutageLog outage;
  private final Rejoining rejoining;

  ClusterMember(
      Schedulers schedulers,
      LocalReplica replica,
      Membership membership,
      DeathWatch deaths,
      WakeHandler handler,
      ScheduleSettings settings,
      OutageLog outage,
      Rejoining rejoining) {
    this.schedulers = schedulers;
    this.replica = replica;
    this.membership = membership;
    this.deaths = deaths;
    this.handler = handler;
    this.settings = settings;
    this.outage = outage;
    this.rejoining = rejoining;
  }

  @Override
  public void start() {
    replica.begin(schedulers.runs());
    schedulers.start();
    watch();
    // Threads of the platform: work that keeps the carriers of virtual threads busy must not make
    // this process look dead.
    platform("replica-watch", least(settings.heartbeat(), WATCH_MAX), this::watch);
    platform(
        "death-watch",
        least(settings.heartbeat().multipliedBy(2), DEATH_WATCH_MAX),
        this::lookForDead);
  }

  private static Duration least(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private void platform(String name, Duration pause, Runnable round) {
    Thread.ofPlatform().daemon().name(name).start(() -> repeat(pause, round));
  }

  private void repeat(Duration pause, Runnable round) {
    try {
      while (replica.isRunning()) {
        Thread.sleep(pause);
        survive(round);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Memory may be short for a moment; without its watch this process would not stay a member.
  private static void survive(Runnable round) {
    try {
      round.run();
    } catch (Error e) {
      log.error("The watch of this replica failed; it continues", e);
    }
  }

  private void watch() {
    try {
      rejoining.check();
      membership.databaseAnswered();
      outage.answered();
    } catch (RuntimeException e) { // those of db-scheduler have no type of their own
      membership.databaseSilent();
      if (replica.isRunning()) {
        outage.failed(e);
      }
    }
  }

  private void lookForDead() {
    try {
      deaths.check();
    } catch (RuntimeException e) {
      log.debug("Dead replicas will be looked for again later", e);
    }
  }

  /// Readiness has been down since the process was asked to end; the port answers until load
  /// balancers have noticed.
  @Override
  public void stop() {
    replica.leave();
    try {
      Thread.sleep(settings.grace());
      handler.drain(settings.drain());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    replica.end();
    schedulers.stop();
  }

  @Override
  public boolean isRunning() {
    return replica.isRunning();
  }

  /// A stopped scheduler cannot be started again: leaving is final.
  @Override
  public boolean isPauseable() {
    return false;
  }
}
