package dev.superstep.node.spec;

import java.util.function.Consumer;

/// The table TriggerDefinition of the language.
public interface TriggerSpec {
  /// Starts a run for each event of a type that is sent to the API
  TriggerSpec event(Consumer<StartingEventSpec> author);

  /// Starts runs at the times of a cron expression
  TriggerSpec schedule(Consumer<ScheduleSpec> author);

  /// Starts a run for each request of a sender that signs it
  TriggerSpec webhook(Consumer<WebhookSpec> author);
}
