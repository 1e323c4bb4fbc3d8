package dev.superstep.durable;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.fault.Replica;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;

/// Plays a case: starts its run, does what its outside does, and says how it ended.
final class CasePlay {
  private static final String JSON = "application/json";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final DurableCase it;
  private final Replica replica;
  private final OutsideService service;
  private final SharedKill kill;
  private boolean arrived;

  /// Tasks of workers that the case has in hand, by type.
  private final Map<String, ObjectValue> claimed = new HashMap<>();

  CasePlay(DurableCase it, Replica replica, OutsideService service, SharedKill kill) {
    this.it = it;
    this.replica = replica;
    this.service = service;
    this.kill = kill;
  }

  /// @return the run as it is in the end; the answer to its definition if that is refused
  ObjectValue play() throws InterruptedException {
    try {
      var posted = replica.post("/v1/graphs", JSON, Canonical.text(it.definition(service.url())));
      if (it.expected().has("refused")) {
        return (ObjectValue) posted.body();
      }
      assertThat(posted.status()).as(posted.toString()).isEqualTo(201);
      start();
      for (var action : it.actions()) {
        act(action);
      }
      return end();
    } finally {
      if (it.isInterrupted() && !arrived) {
        kill.arrive();
      }
    }
  }

  private void start() {
    var body = ObjectValue.of("graph", it.run()).plus("id", it.run()).plus("input", it.input());
    var started = replica.post("/v1/runs", JSON, Canonical.text(body));
    assertThat(started.status()).as(started.toString()).isEqualTo(202);
  }

  private ObjectValue run(String parameters) {
    return (ObjectValue) replica.get("/v1/runs/" + it.run() + parameters).body();
  }

  private ObjectValue end() {
    var wanted = it.expected().text("status", "succeeded");
    return Awaitility.await(it.id())
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(100))
        .until(
            () -> run(wanted.equals("waiting") ? "" : "?wait=5s"),
            run -> {
              var status = run.text("status");
              return status.equals(wanted) || status.equals("failed") || status.equals("succeeded");
            });
  }

  private void act(ObjectValue action) throws InterruptedException {
    var name = action.asMap().keySet().iterator().next();
    var value = action.getOr(name, Value.NULL);
    switch (name) {
      case "answer" -> answer(value);
      case "claim" -> claim(value);
      case "complete", "fail" -> outcome((ObjectValue) value);
      case "heartbeat" -> heartbeat(value);
      case "callback" -> callback((ObjectValue) value);
      case "pass" -> LockSupport.parkNanos(DurableCase.duration(value).toNanos());
      case "kill" -> kill();
      default -> throw new IllegalArgumentException(action.toString());
    }
  }

  private void kill() throws InterruptedException {
    Awaitility.await(it.id())
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(100))
        .until(() -> service.holds(it) || run("").text("status").equals("waiting"));
    arrived = true;
    kill.arrive();
    kill.awaitRestart();
  }

  private void answer(Value value) {
    var open =
        Awaitility.await(it.id())
            .atMost(PATIENCE)
            .pollInterval(Duration.ofMillis(100))
            .until(
                () -> run("?wait=5s").objects("interrupts"), interrupts -> !interrupts.isEmpty());
    var path = "/v1/interrupts/" + open.getFirst().text("id") + "/answer";
    var body = Canonical.text(ObjectValue.of("value", value));
    assertThat(replica.post(path, JSON, body).status()).isBetween(200, 299);
  }

  private ObjectValue claim(Value type) {
    var name = ((Value.Text) type).value();
    var answer = replica.post("/v1/tasks/claim?max=1&wait=20s&type=" + name, JSON, "");
    var items = ((ObjectValue) answer.body()).objects("items");
    assertThat(items).as("a task of type %s: %s", name, answer).hasSize(1);
    claimed.put(name, items.getFirst());
    return items.getFirst();
  }

  private void outcome(ObjectValue said) {
    var type = said.getOr("task", Value.NULL);
    var task = claimed.get(((Value.Text) type).value());
    if (task == null) {
      task = claim(type);
    }
    var dispatch = task.textOrEmpty("dispatch_id");
    said.findText("named").ifPresent(name -> assertThat(dispatch).isEqualTo(name));
    var body = ObjectValue.of("token", task.text("token"));
    var error = said.findObject("error");
    body =
        error.isPresent()
            ? body.plus("error", error.get())
            : body.plus("result", said.getOr("result", Value.NULL));
    assertThat(call(task, "outcome", body)).isEqualTo(said.whole("status", 204));
  }

  private void heartbeat(Value type) {
    var task = Objects.requireNonNull(claimed.get(((Value.Text) type).value()));
    assertThat(call(task, "heartbeat", ObjectValue.of("token", task.text("token")))).isEqualTo(200);
  }

  private void callback(ObjectValue said) {
    var of = said.text("of");
    var token =
        Awaitility.await(it.id())
            .atMost(PATIENCE)
            .pollInterval(Duration.ofMillis(50))
            .until(() -> service.token(it.id(), of), Objects::nonNull);
    var what = said.has("error") ? "/failure" : said.has("heartbeat") ? "/heartbeat" : "";
    var body = said.has("error") ? said.object("error") : said.getOr("result", Value.NULL);
    var answer = replica.post("/v1/callbacks/" + token + what, JSON, Canonical.text(body));
    assertThat(answer.status()).as(answer.toString()).isBetween(200, 299);
  }

  private int call(ObjectValue task, String what, ObjectValue body) {
    var path = "/v1/tasks/%s/%s".formatted(task.text("id"), what);
    return replica.post(path, JSON, Canonical.text(body)).status();
  }

  /// What the run has at a path below it.
  ListValue items(String path) {
    var found = (ObjectValue) replica.get(path.formatted(it.run())).body();
    return found.list("items");
  }

  ObjectValue state() {
    return ((ObjectValue) replica.get("/v1/runs/" + it.run() + "/state").body()).object("state");
  }
}
