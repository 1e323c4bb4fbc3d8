package dev.superstep.run.trigger;

import dev.superstep.definition.form.TriggerTables;
import dev.superstep.definition.form.TriggerTables.DeclaredSchedule;
import dev.superstep.definition.form.TriggerTables.DeclaredStart;
import dev.superstep.definition.form.TriggerTables.StartOrigin;
import dev.superstep.definition.store.GraphListener;
import dev.superstep.json.Json;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.trigger.RunSchedule.StartRequest;
import dev.superstep.run.trigger.RunSchedules.NewSchedule;
import dev.superstep.security.ActingCallers;
import dev.superstep.security.ApiScope;
import dev.superstep.security.AuthenticatedCallers;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Tenant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.springframework.stereotype.Component;

/// Keeps the schedules, webhooks and events that definitions declare: those of the newest version
/// of each graph, for who has posted it last.
@Component
class DeclaredTriggers implements GraphListener {
  /// Triggers of a tenant that one event may start.
  static final int EVENT_MAX = 100;

  private final RunSchedules schedules;
  private final InboundTriggerRows inbound;
  private final HookVerifier verifier;
  private final ActingCallers acting;
  private final AuthenticatedCallers callers;

  DeclaredTriggers(
      RunSchedules schedules,
      InboundTriggerRows inbound,
      HookVerifier verifier,
      ActingCallers acting,
      AuthenticatedCallers callers) {
    this.schedules = schedules;
    this.inbound = inbound;
    this.verifier = verifier;
    this.acting = acting;
    this.callers = callers;
  }

  @Override
  public void posted(String graph, int version, ObjectValue definition) {
    var declared = TriggerTables.schedules(definition);
    var started = TriggerTables.starts(definition);
    if (!declared.isEmpty() || !started.isEmpty()) {
      callers.require(Set.of(ApiScope.RUN));
    }
    declareStarts(graph, version, started);
    var wanted = new LinkedHashMap<String, NewSchedule>();
    declared.forEach((name, it) -> wanted.put(name, schedule(graph, name, it)));
    schedules.declare(graph, version, wanted);
  }

  private void declareStarts(String graph, int version, Map<String, DeclaredStart> wanted) {
    inbound.deleteOthers(graph, wanted.keySet());
    wanted.forEach((trigger, it) -> {
      inbound.put(new InboundTrigger(graph, trigger, it, acting.current()), version);
      switch (it.origin()) {
        case StartOrigin.FromSender(_, var secret) -> requireSecret(secret, graph, trigger);
        case StartOrigin.FromEvent(var name) -> requireRoom(name, graph, trigger);
      }
    });
  }

  private void requireSecret(String secret, String graph, String trigger) {
    verifier
        .refusal(secret, Tenant.shown(graph))
        .ifPresent(why -> {
          throw ServiceException.at(
              "/triggers/%s/webhook/secret".formatted(trigger), ErrorCode.INVALID_DEFINITION, why);
        });
  }

  private void requireRoom(String event, String graph, String trigger) {
    if (inbound.countOfEvent(Tenant.of(graph), event) > EVENT_MAX) {
      throw ServiceException.at(
          "/triggers/%s/event/name".formatted(trigger),
          ErrorCode.LIMIT_EXCEEDED,
          "%d triggers name this event, which is all that may".formatted(EVENT_MAX));
    }
  }

  private static NewSchedule schedule(String graph, String trigger, DeclaredSchedule declared) {
    var request =
        ObjectValue.of("graph", Value.of(Tenant.shown(graph))).plus("input", declared.input());
    return new NewSchedule(
        Optional.of(graph + "." + trigger),
        graph,
        declared.timing(),
        new StartRequest(StartForm.PLAIN, Json.write(request)),
        false,
        Optional.empty());
  }

  @Override
  public void hidden(String graph) {
    schedules.deleteDeclared(graph);
    inbound.deleteOthers(graph, Set.of());
  }
}
