package dev.superstep.langgraph.run;

import static java.util.Locale.ROOT;

import dev.superstep.langgraph.RequestFields;
import dev.superstep.langgraph.run.RunCreate.Chosen;
import dev.superstep.langgraph.run.RunCreate.Command;
import dev.superstep.langgraph.run.RunCreate.RequestedSettings;
import dev.superstep.langgraph.run.RunCreate.RequestedWork;
import dev.superstep.langgraph.run.RunCreate.ThreadRules;
import dev.superstep.langgraph.run.RunEnder.EndAction;
import dev.superstep.langgraph.thread.Assistants.StartableAssistant;
import dev.superstep.node.http.Outbound;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.IfBusy;
import dev.superstep.run.SettingsChange;
import dev.superstep.run.StartRun;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.Hash;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Tenant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// Reads the body of a call that begins a run. Members that are not known are ignored: newer
/// clients send more.
final class RequestReader {
  private static final int WEBHOOK_CHARS_MAX = 2_000;
  private static final int SECONDS_MAX = 365 * 24 * 3600;
  private static final Set<StreamMode> DEFAULT_MODES = EnumSet.of(StreamMode.VALUES);

  private static final Pattern CAPITAL = Pattern.compile("[A-Z]");

  /// As the API of `/v1` takes them.
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");

  /// As of assistants: lists of runs carry them.
  private static final int METADATA_MAX = 64 * 1024;

  private final RequestFields body;

  RequestReader(ObjectValue body) {
    this.body = RequestFields.of(body);
  }

  /// @param sent the body without what its assistant adds
  /// @param kept the body as it is kept with the run
  RunCreate read(StartableAssistant startable, ObjectValue sent, ObjectValue kept) {
    return new RunCreate(
        startable,
        work(),
        settings(),
        thread(),
        stream(),
        metadata(),
        kept,
        text(body, "run_id").map(it -> chosen(it, sent)));
  }

  private ObjectValue metadata() {
    var metadata = body.objectOrEmpty("metadata");
    if (Canonical.size(metadata) > METADATA_MAX) {
      throw ServiceException.at(
          "/metadata",
          ErrorCode.LIMIT_EXCEEDED,
          "may have at most %d bytes".formatted(METADATA_MAX));
    }
    return metadata;
  }

  private static Chosen chosen(String id, ObjectValue sent) {
    if (!ID.matcher(id).matches()) {
      throw refuse(
          "/run_id",
          "must have 1 to 128 letters, digits, '.', '_' and '-', and begin with one of the former"
              + " two");
    }
    return new Chosen(
        Tenant.current().own(id),
        HexFormat.of().formatHex(Hash.sha256().digest(Canonical.bytes(sent))));
  }

  private Optional<String> webhook() {
    var url = text(body, "webhook");
    url.filter(it -> it.length() > WEBHOOK_CHARS_MAX || it.chars().anyMatch(c -> c > 0x7e))
        .ifPresent(_ -> {
          throw refuse(
              "/webhook",
              "may have at most %d characters, of ASCII; percent-encode others"
                  .formatted(WEBHOOK_CHARS_MAX));
        });
    url.flatMap(Outbound::refusal)
        .ifPresent(it -> {
          throw refuse("/webhook", it);
        });
    return url;
  }

  private RequestedWork work() {
    var command = body.fields("command").map(RequestReader::command);
    // Clients send an input beside a command, mostly an empty one; it is the command that counts.
    var input = body.value("input").filter(_ -> command.isEmpty());
    var checkpoint =
        body.fields("checkpoint")
            .flatMap(it -> text(it, "checkpoint_id"))
            .or(() -> text(body, "checkpoint_id"));
    return new RequestedWork(input, command, checkpoint);
  }

  private static Command command(RequestFields command) {
    var read =
        new Command(
            command.value("resume"), command.value("update").orElse(Value.NULL), goTo(command));
    if (read.isEmpty()) {
      throw refuse("/command", "says nothing: it takes resume, update and goto");
    }
    return read;
  }

  private static List<String> goTo(RequestFields command) {
    var value = command.value("goto").orElse(ListValue.empty());
    var items = value instanceof ListValue list ? list.asList() : List.of(value);
    var nodes = new ArrayList<String>();
    for (var item : items) {
      if (item instanceof Value.Text(var node)) {
        nodes.add(node);
      } else {
        throw refuse(
            "/command/goto",
            "must be a node or a list of nodes; a node with an input of its own is activated by a"
                + " dispatch of the graph");
      }
    }
    return nodes;
  }

  private RequestedSettings settings() {
    checkDurability();
    var config = body.fields("config").orElseGet(() -> RequestFields.of(null));
    var variables = ObjectValue.builder();
    config
        .objectOrEmpty("configurable")
        .forEach((key, value) -> {
          if (!isOwn(key)) {
            variables.put(key, value);
          }
        });
    return new RequestedSettings(
        config.value("recursion_limit").map(it -> count(config, it)),
        variables.build().plusAll(body.objectOrEmpty("context")),
        new SettingsChange(nodes("interrupt_before"), nodes("interrupt_after")),
        body.value("after_seconds").map(this::seconds).filter(it -> it > 0),
        webhook());
  }

  private static int count(RequestFields config, Value value) {
    if (value instanceof Value.Int(var number) && number > 0 && number <= Integer.MAX_VALUE) {
      return (int) number;
    }
    throw config.wrong("recursion_limit", "must be a whole number from 1 to " + Integer.MAX_VALUE);
  }

  /// Rounded up.
  private int seconds(Value value) {
    double number =
        switch (value) {
          case Value.Int(var whole) -> whole;
          case Value.Real(var real) -> real;
          default -> -1;
        };
    if (number >= 0 && number <= SECONDS_MAX) {
      return (int) Math.ceil(number);
    }
    throw body.wrong("after_seconds", "must be a number from 0 to " + SECONDS_MAX);
  }

  /// Those that LangGraph itself puts there.
  private static boolean isOwn(String key) {
    return key.startsWith("__")
        || key.startsWith("langgraph_")
        || Set.of(
                "thread_id",
                "checkpoint_id",
                "checkpoint_ns",
                "checkpoint_map",
                "run_id",
                "graph_id",
                "assistant_id",
                "user_id")
            .contains(key);
  }

  /// Checks what has no effect: whatever anybody can notice is on disk.
  private void checkDurability() {
    var word = text(body, "durability");
    if (word.isEmpty()) {
      body.flag("checkpoint_during");
    } else if (!StartRun.DURABILITIES.contains(word.get())) {
      refused("/durability", String.join(", ", StartRun.DURABILITIES));
    }
  }

  private Optional<Set<String>> nodes(String member) {
    return body.value(member).map(_ -> Set.copyOf(texts(body, member)));
  }

  private ThreadRules thread() {
    var strategy = text(body, "multitask_strategy").orElse(IfBusy.REJECT.apiName());
    var ifBusy =
        IfBusy.find(strategy)
            .filter(it -> it != IfBusy.STEER)
            .orElseThrow(() ->
                refuse("/multitask_strategy", "must be reject, enqueue, interrupt or rollback"));
    var missing = text(body, "if_not_exists").orElse("reject");
    return new ThreadRules(
        ifBusy,
        missing.equals("create")
            || (!missing.equals("reject") && refused("/if_not_exists", "create, reject")),
        text(body, "on_completion").orElse("delete").equals("keep"));
  }

  StreamRequest stream() {
    var words = texts(body, "stream_mode");
    return new StreamRequest(
        words.isEmpty() ? DEFAULT_MODES : modes(words, "/stream_mode"),
        body.flag("stream_subgraphs").orElse(false),
        text(body, "on_disconnect").orElse("continue").equals("cancel"));
  }

  static Optional<String> text(RequestFields fields, String name) {
    return fields.value(name, Value.Text.class, "a text").map(Value.Text::value);
  }

  /// A text or a list of texts; absent: none.
  static List<String> texts(RequestFields fields, String name) {
    var found = fields.value(name).orElse(ListValue.empty());
    var items = found instanceof ListValue list ? list : ListValue.of(found);
    if (items.items(Value.Text.class).count() < items.size()) {
      throw fields.wrong(name, "must be a text or a list of texts");
    }
    return items.items(Value.Text.class).map(Value.Text::value).toList();
  }

  /// With the names of its members in snake_case: clients send some in camelCase.
  static ObjectValue snakeCased(ObjectValue body) {
    var members = ObjectValue.builder();
    body.forEach((name, value) ->
        members.put(
            CAPITAL.matcher(name).replaceAll(it -> "_" + it.group().toLowerCase(ROOT)), value));
    return members.build();
  }

  static Set<StreamMode> modes(List<String> words, String pointer) {
    var modes = EnumSet.noneOf(StreamMode.class);
    for (var word : words) {
      modes.add(StreamMode.find(word).orElseThrow(() -> refuse(pointer, unknown(word))));
    }
    return modes;
  }

  private static String unknown(String mode) {
    return mode.equals("events")
        ? "this server has no callbacks of LangChain, which 'events' shows; ask for"
            + " messages-tuple, tasks and tools"
        : "there is no mode '%s'".formatted(mode);
  }

  /// @throws ServiceException if it is no page of a list
  static void checkPage(int limit, int offset, int max) {
    if (limit < 1 || offset < 0 || (long) limit + offset > max) {
      throw new ServiceException(
          ErrorCode.INVALID_PARAMETER,
          "limit must be at least 1, offset at least 0, and both together at most " + max);
    }
  }

  static EndAction action(String word) {
    return switch (word) {
      case "interrupt" -> EndAction.INTERRUPT;
      case "rollback" -> EndAction.ROLLBACK;
      default ->
          throw new ServiceException(
              ErrorCode.INVALID_PARAMETER, "action must be interrupt or rollback");
    };
  }

  private static boolean refused(String pointer, String words) {
    throw refuse(pointer, "must be of " + words);
  }

  static ServiceException refuse(String pointer, String reason) {
    return ServiceException.at(pointer, ErrorCode.INVALID_VALUE, reason);
  }
}
