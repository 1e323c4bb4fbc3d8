package dev.superstep.run.trigger;

import dev.superstep.definition.form.TriggerTables;
import dev.superstep.definition.form.TriggerTables.DeclaredHook;
import dev.superstep.definition.form.TriggerTables.DeclaredSchedule;
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

/// Keeps the schedules and webhooks that definitions declare: those of the newest version of each
/// graph, for who has posted it last.
@Component
class DeclaredTriggers implements GraphListener {
  private final RunSchedules schedules;
  private final HookRows hooks;
  private final HookVerifier verifier;
  private final ActingCallers acting;
  private final AuthenticatedCallers callers;

  DeclaredTriggers(
      RunSchedules schedules,
      HookRows hooks,
      HookVerifier verifier,
      ActingCallers acting,
      AuthenticatedCallers callers) {
    this.schedules = schedules;
    this.hooks = hooks;
    this.verifier = verifier;
    this.acting = acting;
    this.callers = callers;
  }

  @Override
  public void posted(String graph, int version, ObjectValue definition) {
    var declared = TriggerTables.schedules(definition);
    var webhooks = TriggerTables.hooks(definition);
    if (!declared.isEmpty() || !webhooks.isEmpty()) {
      callers.require(Set.of(ApiScope.RUN));
    }
    declareHooks(graph, version, webhooks);
    var wanted = new LinkedHashMap<String, NewSchedule>();
    declared.forEach((name, it) -> wanted.put(name, schedule(graph, name, it)));
    schedules.declare(graph, version, wanted);
  }

  private void declareHooks(String graph, int version, Map<String, DeclaredHook> wanted) {
    wanted.forEach((trigger, it) -> {
      verifier
          .refusal(it.secret(), Tenant.shown(graph))
          .ifPresent(why -> {
            throw ServiceException.at(
                "/triggers/%s/webhook/secret".formatted(trigger),
                ErrorCode.INVALID_DEFINITION,
                why);
          });
      hooks.put(new InboundHook(graph, trigger, it, acting.current()), version);
    });
    hooks.deleteOthers(graph, wanted.keySet());
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
    hooks.deleteOthers(graph, Set.of());
  }
}
