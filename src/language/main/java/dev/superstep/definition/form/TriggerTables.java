package dev.superstep.definition.form;

import static dev.superstep.definition.form.ObjectSchema.optional;
import static dev.superstep.definition.form.ObjectSchema.required;
import static dev.superstep.definition.form.SchemaTypes.checkedText;
import static dev.superstep.definition.form.SchemaTypes.duration;
import static dev.superstep.definition.form.SchemaTypes.object;
import static dev.superstep.definition.form.SchemaTypes.oneOf;
import static dev.superstep.definition.form.SchemaTypes.text;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.superstep.definition.Codes;
import dev.superstep.definition.CronTimes;
import dev.superstep.definition.HookScheme;
import dev.superstep.definition.RunTiming;
import dev.superstep.definition.RunTiming.CatchUp;
import dev.superstep.definition.RunTiming.Overlap;
import dev.superstep.definition.form.RecordSchema.Fields;
import dev.superstep.graph.Location;
import dev.superstep.secret.SecretUse;
import dev.superstep.state.value.ObjectValue;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// What starts runs of a graph by itself.
public final class TriggerTables {
  public static final String TRIGGERS = "triggers";
  public static final String SCHEDULE = "schedule";
  public static final String WEBHOOK = "webhook";
  public static final String EVENT = "event";
  private static final int TRIGGERS_MAX = 20;
  private static final int TYPE_BYTES_MAX = 512;

  private static final RecordSchema<DeclaredSchedule> SCHEDULES =
      RecordSchema.of("ScheduleDefinition", "a schedule", TriggerTables::schedule);

  private static final RecordSchema<DeclaredStart> HOOKS =
      RecordSchema.of("WebhookDefinition", "a webhook", TriggerTables::hook);

  private static final RecordSchema<DeclaredStart> EVENTS =
      RecordSchema.of("StartingEventDefinition", "an event", TriggerTables::event);

  private static final ObjectSchema TRIGGER =
      ObjectSchema.of(
          "TriggerDefinition",
          "a trigger",
          optional(SCHEDULE, SCHEDULES, "Starts runs at the times of a cron expression")
              .reports(Codes.MISSING_FIELD, Codes.NOT_APPLICABLE),
          optional(WEBHOOK, HOOKS, "Starts a run for each request of a sender that signs it"),
          optional(EVENT, EVENTS, "Starts a run for each event of a type that is sent to the API"));

  private TriggerTables() {}

  /// A schedule of a definition.
  ///
  /// @param input of each run
  public record DeclaredSchedule(RunTiming timing, ObjectValue input) {}

  /// What starts runs from outside.
  public record DeclaredStart(StartOrigin origin, StartMapping mapping) {}

  /// Where it comes from.
  public sealed interface StartOrigin {
    /// @param secret the name of the secret with which the sender signs
    record FromSender(HookScheme scheme, String secret) implements StartOrigin {}

    /// @param name the type of the events
    record FromEvent(String name) implements StartOrigin {}
  }

  /// Which run starts for what comes from outside.
  ///
  /// @param condition others start nothing; empty: all start runs
  /// @param input a template of the input; empty: what has come is the input
  public record StartMapping(Optional<String> condition, ObjectValue input) {}

  static ObjectSchema.SchemaKey key() {
    return optional(
        TRIGGERS,
        new MapSchema(Names::trigger, TRIGGER, TRIGGERS_MAX),
        "What starts runs of the newest version by itself, by name");
  }

  /// @param definition without errors
  /// @return by the names of the triggers
  public static Map<String, DeclaredSchedule> schedules(ObjectValue definition) {
    return declared(definition, SCHEDULE, SCHEDULES);
  }

  /// @param definition without errors
  /// @return by the names of the triggers
  public static Map<String, DeclaredStart> starts(ObjectValue definition) {
    var found = declared(definition, WEBHOOK, HOOKS);
    found.putAll(declared(definition, EVENT, EVENTS));
    return found;
  }

  private static <T> Map<String, T> declared(
      ObjectValue definition, String kind, RecordSchema<T> table) {
    var found = new LinkedHashMap<String, T>();
    definition
        .objectOrEmpty(TRIGGERS)
        .forEach((name, trigger) -> {
          if (trigger instanceof ObjectValue it && it.has(kind)) {
            found.put(name, table.of(it.objectOrEmpty(kind)));
          }
        });
    return found;
  }

  /// The table of this schedule is made without an object.
  private static DeclaredSchedule schedule(Fields in) {
    var cron =
        in.text(
            required(
                "cron",
                checkedText(TriggerTables::cron, Codes.INVALID_VALUE),
                "Minute, hour, day of month, month, day of week; six fields begin with a second"));
    var zone =
        in.text(
            optional(
                    "zone",
                    checkedText(TriggerTables::zone, Codes.INVALID_VALUE),
                    "Whose clock it is, such as Europe/Zurich")
                .standard("UTC"));
    var jitter =
        in.duration(
            optional("jitter", duration(), "By up to how much a start is later than its time")
                .standard("0s"));
    var overlap = in.text(overlap());
    var catchUp =
        in.text(
            optional(
                    "catch_up",
                    oneOf(Stream.of(CatchUp.values()).map(CatchUp::text).toList()),
                    "Which runs start for times at which no replica was there")
                .standard(CatchUp.LAST.text()));
    var input =
        in.object(optional("input", object(), "Of each run").reports(Codes.SCHEMA_VIOLATION));
    return new DeclaredSchedule(
        new RunTiming(
            times(cron, zone),
            jitter,
            Overlap.find(overlap).orElse(Overlap.SKIP),
            CatchUp.find(catchUp).orElse(CatchUp.LAST)),
        input);
  }

  private static ObjectSchema.SchemaKey overlap() {
    return optional(
            "overlap",
            oneOf(Stream.of(Overlap.values()).map(Overlap::text).toList()),
            "What happens at a time at which a run of before has not ended")
        .standard(Overlap.SKIP.text());
  }

  private static CronTimes times(String cron, String zone) {
    return cron.isEmpty()
        ? CronTimes.of("@yearly", ZoneOffset.UTC)
        : CronTimes.of(cron, CronTimes.zone(zone));
  }

  private static DeclaredStart hook(Fields in) {
    var scheme =
        in.text(
            required(
                "scheme",
                oneOf(Stream.of(HookScheme.values()).map(HookScheme::text).toList()),
                "Who signs it, and how; standard: Standard Webhooks"));
    var secret =
        in.text(
            required(
                "secret",
                checkedText(TriggerTables::secret, Codes.INVALID_VALUE, "unknown_secret"),
                "secret:<name> of the secret, released by the operator, with which it is signed"));
    var condition =
        in.text(
            optional("when", text(), "A condition over body and headers; others start no run")
                .reports(Codes.INVALID_EXPRESSION));
    var input =
        in.object(
            optional("input", object(), "Templates over body and headers; default: the body")
                .reports(Codes.INVALID_EXPRESSION));
    return new DeclaredStart(
        new StartOrigin.FromSender(
            HookScheme.find(scheme).orElse(HookScheme.STANDARD),
            SecretUse.parse(secret).map(SecretUse::name).orElse("")),
        mapping(condition, input));
  }

  private static DeclaredStart event(Fields in) {
    var name =
        in.text(
            required(
                "name",
                checkedText(TriggerTables::type, Codes.INVALID_VALUE),
                "The type of the events"));
    var condition =
        in.text(
            optional("match", text(), "A condition over event; others start no run")
                .reports(Codes.INVALID_EXPRESSION));
    var input =
        in.object(
            optional("input", object(), "Templates over event; default: its data")
                .reports(Codes.INVALID_EXPRESSION));
    return new DeclaredStart(new StartOrigin.FromEvent(name), mapping(condition, input));
  }

  private static StartMapping mapping(String condition, ObjectValue input) {
    return new StartMapping(Optional.of(condition).filter(it -> !it.isEmpty()), input);
  }

  /// Whether events may be of this type: it is part of keys of indexes.
  public static boolean isEventType(String text) {
    return !text.isEmpty()
        && text.getBytes(UTF_8).length <= TYPE_BYTES_MAX
        && text.chars().noneMatch(Character::isISOControl);
  }

  private static boolean type(String text, Location at) {
    if (isEventType(text)) {
      return true;
    }
    at.error(
        Codes.INVALID_VALUE,
        "must have 1 to %d bytes, and no control characters".formatted(TYPE_BYTES_MAX));
    return false;
  }

  private static boolean secret(String text, Location at) {
    if (SecretUse.parse(text).filter(it -> it.scheme().isEmpty()).isPresent()) {
      return true;
    }
    at.error(Codes.INVALID_VALUE, "must be secret:<name> of a secret that the operator released");
    return false;
  }

  private static boolean cron(String text, Location at) {
    return accepts(() -> CronTimes.of(text, ZoneOffset.UTC), at);
  }

  private static boolean zone(String text, Location at) {
    return accepts(() -> CronTimes.zone(text), at);
  }

  private static boolean accepts(Supplier<Object> reading, Location at) {
    try {
      var _ = reading.get();
      return true;
    } catch (IllegalArgumentException e) {
      at.error(Codes.INVALID_VALUE, String.valueOf(e.getMessage()));
      return false;
    }
  }
}
