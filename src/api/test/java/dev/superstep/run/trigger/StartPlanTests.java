package dev.superstep.run.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.definition.CronTimes;
import dev.superstep.definition.RunTiming;
import dev.superstep.definition.RunTiming.CatchUp;
import dev.superstep.definition.RunTiming.Overlap;
import dev.superstep.run.trigger.PlannedStart.MissReason;
import dev.superstep.run.trigger.PlannedStart.StartStatus;
import dev.superstep.run.trigger.RunSchedule.ChangeTimes;
import dev.superstep.run.trigger.RunSchedule.StartRequest;
import dev.superstep.run.trigger.StartPlan.ScheduleLook;
import dev.superstep.security.ActingCallers.LastingCaller;
import dev.superstep.tenant.Tenant;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StartPlanTests {
  private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");

  private static RunSchedule schedule(String cron, String jitter, CatchUp catchUp, Instant next) {
    return new RunSchedule(
        "report",
        "report",
        Optional.empty(),
        new RunTiming(
            CronTimes.of(cron, ZoneOffset.UTC), Duration.parse(jitter), Overlap.ALLOW, catchUp),
        new StartRequest("v1", "{}"),
        new LastingCaller(Tenant.DEFAULT, "", "NONE", Optional.empty()),
        false,
        Optional.empty(),
        new ChangeTimes(Instant.EPOCH, Instant.EPOCH),
        Optional.of(next));
  }

  private static List<Instant> started(StartPlan plan) {
    return plan.starts().stream()
        .filter(it -> it.status() == StartStatus.WAITING)
        .map(PlannedStart::plannedAt)
        .toList();
  }

  @ParameterizedTest
  @CsvSource({"NONE, 0", "LAST, 1", "ALL, 12"})
  void catchesUpWithTwoHours(CatchUp catchUp, int starts) {
    var back = NOON.plusSeconds(120);

    var plan = of(schedule("*/10 * * * *", "PT0S", catchUp, NOON.minusSeconds(6_600)), back, 0);

    assertThat(started(plan)).hasSize(starts);
    assertThat(plan.starts())
        .hasSize(12)
        .last()
        .extracting(PlannedStart::plannedAt)
        .isEqualTo(NOON);
    assertThat(plan.next()).contains(NOON.plusSeconds(600));
    assertThat(started(plan).stream().skip(Math.max(0, starts - 1))).allMatch(NOON::equals);
  }

  @ParameterizedTest
  @CsvSource({"NONE, 1", "LAST, 2", "ALL, 3"})
  void meetsATimeThatIsNotOverByMoreThanAMinute(CatchUp catchUp, int starts) {
    var plan =
        of(
            schedule("*/10 * * * *", "PT0S", catchUp, NOON.minusSeconds(1_200)),
            NOON.plusSeconds(60),
            0);

    assertThat(started(plan)).hasSize(starts).last().isEqualTo(NOON);
  }

  @Test
  void boundsWhatYearsOfAnOutageStart() {
    var plan =
        of(
            schedule("* * * * * *", "PT0S", CatchUp.ALL, NOON.minus(Duration.ofDays(3_650))),
            NOON,
            0);

    assertThat(started(plan)).hasSize(StartPlan.TIMES_MAX).last().isEqualTo(NOON);
    assertThat(plan.starts().getFirst().reason()).map(MissReason::why).contains(MissReason.OUTAGE);
    assertThat(plan.starts()).hasSize(StartPlan.TIMES_MAX + 1);
  }

  @Test
  void findsTheLastTimesOfRareOnes() {
    var plan =
        of(
            schedule("0 0 29 2 *", "PT0S", CatchUp.LAST, Instant.parse("2000-02-29T00:00:00Z")),
            NOON,
            0);

    assertThat(started(plan)).containsExactly(Instant.parse("2024-02-29T00:00:00Z"));
    assertThat(plan.starts()).hasSize(7);
  }

  @Test
  void letsNoMoreWaitThanThereIsRoomFor() {
    var plan =
        of(
            schedule("* * * * *", "PT0S", CatchUp.ALL, NOON.minusSeconds(120)),
            NOON,
            StartPlan.TIMES_MAX - 1);

    assertThat(started(plan)).hasSize(1);
    assertThat(plan.starts().getLast().reason())
        .map(MissReason::why)
        .contains(MissReason.QUEUE_FULL);
  }

  @Test
  void waitsForItsJitterWhichIsAlwaysTheSame() {
    var schedule = schedule("0 * * * *", "PT30M", CatchUp.NONE, NOON);
    var due = schedule.due(NOON);

    assertThat(due).isBetween(NOON, NOON.plusSeconds(1_800)).isEqualTo(schedule.due(NOON));
    assertThat(schedule.due(NOON.plusSeconds(3_600))).isNotEqualTo(due.plusSeconds(3_600));
    assertThat(of(schedule, due.minusMillis(1), 0).starts()).isEmpty();
    assertThat(started(of(schedule, due, 0))).containsExactly(NOON);
    assertThat(started(of(schedule, due.plusSeconds(59), 0))).containsExactly(NOON);
    assertThat(started(of(schedule, due.plusSeconds(61), 0))).isEmpty();
  }

  /// Whoever looks after many others has been there all the time.
  @Test
  void countsTheTimeThatALookTakesForNoDelay() {
    var schedule = schedule("*/10 * * * *", "PT0S", CatchUp.NONE, NOON);
    var now = NOON.plusSeconds(300);

    assertThat(started(StartPlan.of(schedule, new ScheduleLook(now, NOON.minusSeconds(1)), 0)))
        .containsExactly(NOON);
    assertThat(started(of(schedule, now, 0))).isEmpty();
  }

  private static StartPlan of(RunSchedule schedule, Instant now, int waiting) {
    return StartPlan.of(schedule, new ScheduleLook(now, now), waiting);
  }
}
