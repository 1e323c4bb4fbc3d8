package dev.superstep.run;

import static dev.superstep.run.RunActions.fresh;
import static dev.superstep.run.TestGraphs.graph;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.checkpoint.event.IncomingEvents;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.CallbackRequest;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.engine.run.WorkerEnd;
import dev.superstep.node.EventCondition;
import dev.superstep.run.event.EventService;
import dev.superstep.run.event.SentEvent;
import dev.superstep.state.Change;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Tenant;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/// Events for runs that wait for them (E50), on several replicas over one database.
class EventTests {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final long SEED = Long.getLong("event.seed", 50);

  private static TwoReplicas cluster;
  private static ConfigurableApplicationContext one;
  private static ConfigurableApplicationContext two;

  @BeforeAll
  static void startTwo() throws Exception {
    cluster = new TwoReplicas("--superstep.workers.expiry=100ms");
    var both = cluster.startTwo();
    one = both.getFirst();
    two = both.getLast();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void goesToEveryRunThatWaitsAndMatches() {
    var type = fresh("paid");
    var name = waiting(type, "event.data.order == '7'");
    var others = waiting(type, "event.data.order == '8'");
    var first = cluster.on(one).start(name);
    var second = cluster.on(two).start(name);
    var other = cluster.on(two).start(others);
    List.of(first, second, other).forEach(EventTests::awaitWaiting);

    send(one, type, "e1", ObjectValue.of("order", "7"));
    send(two, type, "e1", ObjectValue.of("order", "8"));

    for (var run : List.of(first, second)) {
      var on = cluster.on(one);
      on.await(run, RunStatus.SUCCEEDED);
      assertThat(on.log(run)).containsExactly("e1");
    }
    assertThat(cluster.on(one).status(other))
        .as("the second has a known id")
        .isEqualTo(RunStatus.WAITING);
    send(two, type, "e2", ObjectValue.of("order", "8"));
    cluster.on(one).await(other, RunStatus.SUCCEEDED);
  }

  @Test
  void isKeptForRunsThatBeginToWaitWhileItIsWorthSomething() {
    var type = fresh("kept");
    var name = waiting(type, "");
    send(one, type, "gone", ObjectValue.empty(), Optional.of(Instant.EPOCH));
    send(one, type, "kept", ObjectValue.empty());

    var run = cluster.on(two).start(name);
    var on = cluster.on(two);
    on.await(run, RunStatus.SUCCEEDED);
    assertThat(on.log(run)).containsExactly("kept");
  }

  /// To each run at most once, also if it waits again.
  @Test
  void isTakenOnceByARun() {
    var type = fresh("once");
    var name = fresh("twice");
    cluster
        .graphs()
        .add(
            graph(name)
                .node("a", hearing(type, ""))
                .node("b", hearing(type, ""))
                .edge("__start__", "a")
                .edge("a", "b"));
    send(one, type, "e1", ObjectValue.empty());
    var run = cluster.on(one).start(name);
    await().atMost(LONG).until(() -> cluster.on(one).log(run).equals(List.of("e1")));
    awaitWaiting(run);
    send(two, type, "e2", ObjectValue.empty());
    var on = cluster.on(one);
    on.await(run, RunStatus.SUCCEEDED);
    assertThat(on.log(run)).containsExactly("e1", "e2");
  }

  @Test
  void doesNotMatchWhereTheConditionFails() {
    var type = fresh("failing");
    var run = cluster.on(one).start(waiting(type, "event.data.order.number > 3"));
    awaitWaiting(run);
    send(one, type, "e1", ObjectValue.of("order", "no object"));
    send(one, type, "e2", ObjectValue.of("order", ObjectValue.of("number", 4)));
    var on = cluster.on(one);
    on.await(run, RunStatus.SUCCEEDED);
    assertThat(on.log(run)).containsExactly("e2");
  }

  /// What a replica that has died had stored, and not delivered.
  @Test
  void isDeliveredByAnyReplica() {
    var type = fresh("left");
    var run = cluster.on(one).start(waiting(type, ""));
    awaitWaiting(run);
    cluster
        .jdbc()
        .sql(
            """
            insert into incoming_event (id, type, content, received_at, expires_at, delivered)
            values (:id, :type, convert_to('{"id":"left"}', 'UTF8'),
                    clock_timestamp() - interval '1 minute', clock_timestamp() + interval '1 hour',
                    false)
            """)
        .param("id", fresh("hash"))
        .param("type", type)
        .update();
    var on = cluster.on(two);
    on.await(run, RunStatus.SUCCEEDED);
    assertThat(on.log(run)).containsExactly("left");
  }

  /// Its delivery is late, and nobody has failed the task yet.
  @Test
  void isDeliveredBehindTheDeadlineIfItCameBefore() {
    var type = fresh("late");
    var run = cluster.on(one).start(waiting(type, ""));
    awaitWaiting(run);
    cluster
        .jdbc()
        .sql(
            """
            with late as (
              insert into incoming_event (id, type, content, received_at, expires_at, delivered)
              values (:id, :type, convert_to('{"id":"late"}', 'UTF8'),
                      clock_timestamp() - interval '2 minutes',
                      clock_timestamp() - interval '1 minute', false))
            update task
               set queued_at = clock_timestamp() - interval '3 minutes',
                   end_until = clock_timestamp() - interval '1 second',
                   start_until = clock_timestamp() - interval '1 second'
             where run = :run
            """)
        .param("id", fresh("hash"))
        .param("type", type)
        .param("run", run)
        .update();
    var on = cluster.on(two);
    on.await(run, RunStatus.SUCCEEDED);
    assertThat(on.log(run)).containsExactly("late");
  }

  /// The others are not kept waiting.
  @Test
  void isTriedAgainForATaskThatCouldNotTakeIt() {
    var type = fresh("refused");
    var name = waiting(type, "");
    var refused = cluster.on(one).start(name);
    var other = cluster.on(one).start(name);
    List.of(refused, other).forEach(EventTests::awaitWaiting);
    var function = type.replace('-', '_');
    cluster
        .jdbc()
        .sql(
            """
            create function %1$s() returns trigger language plpgsql as $$
            begin
              if new.run = '%2$s' then raise exception 'refused'; end if;
              return new;
            end $$;
            create trigger %1$s before update on task for each row execute function %1$s()
            """
                .formatted(function, refused))
        .update();

    send(one, type, "e1", ObjectValue.empty());
    cluster.on(one).await(other, RunStatus.SUCCEEDED);
    cluster.jdbc().sql("drop function %s() cascade".formatted(function)).update();

    cluster.on(one).await(refused, RunStatus.SUCCEEDED);
    assertThat(cluster.on(one).log(refused)).containsExactly("e1");
  }

  /// They are in the future, so that nobody else looks at them.
  @Test
  void waitsForItsTurnAmongTenants() {
    var type = fresh("turns");
    cluster
        .jdbc()
        .sql(
            """
            insert into incoming_event (id, type, content, received_at, expires_at, delivered)
            select tenant || '/' || :type || number, :type, convert_to('{}', 'UTF8'),
                   clock_timestamp() + interval '1 day' + number * interval '1 second',
                   clock_timestamp() + interval '2 days', false
              from (values ('many', 1), ('many', 2), ('many', 3), ('few', 4))
                     as sent (tenant, number)
            """)
        .param("type", type)
        .update();

    var found =
        one.getBean(IncomingEvents.class)
            .undelivered(Duration.ofDays(-2), Set.of("many/" + type + "3"), 10);

    assertThat(found)
        .filteredOn(it -> it.contains(type))
        .containsExactly("many/" + type + 1, "few/" + type + 4, "many/" + type + 2);
    cluster.jdbc().sql("delete from incoming_event where type = ?").param(type).update();
  }

  @Test
  void staysWithinItsTenant() {
    var type = fresh("wall");
    var run = cluster.on(one).start(waiting(type, ""));
    awaitWaiting(run);
    new Tenant("acme")
        .within(() -> {
          send(one, type, "theirs", ObjectValue.empty());
          return true;
        });
    send(two, type, "ours", ObjectValue.empty());
    var on = cluster.on(one);
    on.await(run, RunStatus.SUCCEEDED);
    assertThat(on.log(run)).containsExactly("ours");
  }

  /// Both orders, at any moment: none is lost. Seeded.
  @Test
  void findsEachOtherWhicheverComesFirst() throws Exception {
    var random = new Random(SEED);
    var types = new ArrayList<String>();
    var starts = new ArrayList<Future<String>>();
    var sends = new ArrayList<Future<?>>();
    try (var threads = Executors.newFixedThreadPool(8)) {
      for (int i = 0; i < 60; i++) {
        var type = fresh("race");
        var name = waiting(type, "event.data.n == " + i);
        var data = ObjectValue.of("n", i);
        long pause = random.nextInt(20_000_000);
        long other = random.nextInt(20_000_000);
        var replica = i % 2 == 0 ? one : two;
        types.add(type);
        starts.add(
            threads.submit(() -> {
              LockSupport.parkNanos(pause);
              return cluster.on(replica).start(name);
            }));
        sends.add(
            threads.submit(() -> {
              LockSupport.parkNanos(other);
              send(two, type, "e", data);
            }));
      }
    }
    for (var sent : sends) {
      var _ = sent.get();
    }
    for (var start : starts) {
      cluster.on(one).await(start.get(), RunStatus.SUCCEEDED);
    }
    assertThat(types).hasSize(60);
  }

  private static String waiting(String type, String match) {
    var name = fresh("hears");
    cluster.graphs().add(graph(name).node("a", hearing(type, match)).edge("__start__", "a"));
    return name;
  }

  private static NodeRunner hearing(String type, String match) {
    return call -> {
      if (call.callbackEnd().isPresent()) {
        return heard(call.callbackEnd().get());
      }
      var payload = ObjectValue.of("match", match).plus("scope", ObjectValue.empty());
      return new Outcome.Callback(
          call.openCallback(
              new CallbackRequest(
                  EventCondition.taskType(type),
                  payload,
                  Duration.ofHours(1),
                  Optional.empty(),
                  "")));
    };
  }

  private static Outcome heard(WorkerEnd end) {
    return switch (end) {
      case WorkerEnd.Returned(var event) ->
          new Outcome.Done(
              NodeResult.of(
                  new Change(
                      List.of(),
                      List.of(),
                      ObjectValue.empty(),
                      ObjectValue.of("log", ((ObjectValue) event).getOr("id", Value.NULL)))));
      case WorkerEnd.Failed(var error) -> new Outcome.Failed(error);
      case WorkerEnd.StepQuestion _ -> throw new IllegalStateException("no event asks");
    };
  }

  private static void send(
      ConfigurableApplicationContext replica, String type, String id, ObjectValue data) {
    send(replica, type, id, data, Optional.empty());
  }

  private static void send(
      ConfigurableApplicationContext replica,
      String type,
      String id,
      ObjectValue data,
      Optional<Instant> expires) {
    var content = ObjectValue.of("id", id).plus("type", type).plus("data", data);
    replica
        .getBean(EventService.class)
        .publish(List.of(new SentEvent("/" + type, id, type, content, expires)));
  }

  private static void awaitWaiting(String run) {
    await().atMost(LONG).until(() -> cluster.on(one).status(run) == RunStatus.WAITING);
  }
}
