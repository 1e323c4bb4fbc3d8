package dev.superstep.audit;

import java.util.Arrays;
import java.util.Optional;

/// What the audit log records of calls that took effect.
public enum AuditAction {
  GRAPH_POST("graph.post"),
  GRAPH_DELETE("graph.delete"),
  RUN_START("run.start"),
  RUN_FORK("run.fork"),
  RUN_RESUME("run.resume"),
  /// An edit of state or prompt context, or of what runs next.
  RUN_EDIT("run.edit"),
  RUN_CANCEL("run.cancel"),
  RUN_PAUSE("run.pause"),
  /// A run that has stopped goes on for one superstep.
  RUN_STEP("run.step"),
  RUN_DELETE("run.delete"),
  /// A failed task counts as done.
  TASK_RESOLVE("task.resolve"),
  INTERRUPT_ANSWER("interrupt.answer"),
  /// An administrator answers or delegates what others are asked.
  INTERRUPT_OVERRIDE("interrupt.override"),
  INTERRUPT_CLAIM("interrupt.claim"),
  INTERRUPT_RELEASE("interrupt.release"),
  INTERRUPT_DELEGATE("interrupt.delegate"),
  /// A message to a run.
  MESSAGE_SEND("message.send"),
  /// An answer or a failure by the token of a callback.
  CALLBACK_ANSWER("callback.answer"),
  /// An event from outside.
  EVENT_SEND("event.send"),
  THREAD_CREATE("thread.create"),
  THREAD_UPDATE("thread.update"),
  THREAD_COPY("thread.copy"),
  /// A call without input that goes on with a thread.
  THREAD_RESUME("thread.resume"),
  THREAD_EDIT("thread.edit"),
  THREAD_DELETE("thread.delete"),
  ASSISTANT_CREATE("assistant.create"),
  ASSISTANT_UPDATE("assistant.update"),
  ASSISTANT_DELETE("assistant.delete"),
  SCHEDULE_CREATE("schedule.create"),
  SCHEDULE_UPDATE("schedule.update"),
  SCHEDULE_DELETE("schedule.delete"),
  MEMORY_PUT("memory.put"),
  MEMORY_DELETE("memory.delete"),
  KEY_CREATE("key.create"),
  KEY_ROTATE("key.rotate"),
  KEY_REVOKE("key.revoke"),
  WEBHOOK_CREATE("webhook.create"),
  WEBHOOK_UPDATE("webhook.update"),
  /// It gets another secret.
  WEBHOOK_ROTATE("webhook.rotate"),
  WEBHOOK_DELETE("webhook.delete"),
  DELIVERY_REPLAY("delivery.replay"),
  /// Somebody signs in at the console.
  SESSION_START("session.start"),
  SESSION_END("session.end");

  private final String text;

  AuditAction(String text) {
    this.text = text;
  }

  /// As rows and answers have it: the kind of the object and a verb.
  public String text() {
    return text;
  }

  /// The kind of its object.
  public String kind() {
    return text.substring(0, text.indexOf('.'));
  }

  /// By its text.
  public static Optional<AuditAction> find(String text) {
    return Arrays.stream(values()).filter(it -> it.text.equals(text)).findFirst();
  }
}
