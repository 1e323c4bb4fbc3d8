package dev.superstep.node.spec;

import java.util.function.Consumer;

/// The table TriggerDefinition of the language.
public interface TriggerSpec {
  /// Starts runs at the times of a cron expression
  TriggerSpec schedule(Consumer<ScheduleSpec> author);

  /// Starts a run for each request of a sender that signs it
  TriggerSpec webhook(Consumer<WebhookSpec> author);
}
