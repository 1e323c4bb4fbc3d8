package dev.superstep.langgraph.run;

import dev.superstep.langgraph.run.RunCreate.Chosen;
import dev.superstep.langgraph.run.RunCreate.Command;
import dev.superstep.langgraph.run.RunCreate.RequestedSettings;
import dev.superstep.langgraph.run.RunCreate.RequestedWork;
import dev.superstep.langgraph.run.RunCreate.ThreadRules;
import dev.superstep.langgraph.run.RunEnder.EndAction;
import dev.superstep.langgraph.thread.Assistant;
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
  private static final int SECONDS_MAX = 365 * 24 * 3600;
  private static final Set<StreamMode> DEFAULT_MODES = EnumSet.of(StreamMode.VALUES);

  /// As the API of `/v1` takes them.
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");

  /// As of assistants: lists of runs carry them.
  private static final int METADATA_MAX = 64 * 1024;

  private final LenientObject body;

  RequestReader(ObjectValue body) {
    this.body = new LenientObject(body, "");
  }

  /// @param sent the body without what its assistant adds
  /// @param kept the body as it is kept with the run
  RunCreate read(Assistant assistant, ObjectValue sent, ObjectValue kept) {
    refuseWebhook();
    return new RunCreate(
        assistant.id(),
        assistant.graph(),
        work(),
        settings(),
        thread(),
        stream(),
        metadata(),
        kept,
        body.text("run_id").map(it -> chosen(it, sent)));
  }

  private ObjectValue metadata() {
    var metadata = body.object("metadata");
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
    return new Chosen(id, HexFormat.of().formatHex(Hash.sha256().digest(Canonical.bytes(sent))));
  }

  private void refuseWebhook() {
    if (body.text("webhook").isPresent()) {
      throw refuse(
          "/webhook",
          "this server calls no addresses that callers name; follow the run with /join or /stream,"
              + " or give the graph a last node of type http");
    }
  }

  private RequestedWork work() {
    var command = body.get("command").map(it -> command(new LenientObject(it, "/command")));
    // Clients send an input beside a command, mostly an empty one; it is the command that counts.
    var input = body.get("input").filter(_ -> command.isEmpty());
    var checkpoint =
        new LenientObject(body.get("checkpoint").orElse(Value.NULL), "/checkpoint")
            .text("checkpoint_id")
            .or(() -> body.text("checkpoint_id"));
    return new RequestedWork(input, command, checkpoint);
  }

  private static Command command(LenientObject command) {
    var read =
        new Command(command.get("resume"), command.get("update").orElse(Value.NULL), goTo(command));
    if (read.isEmpty()) {
      throw refuse("/command", "says nothing: it takes resume, update and goto");
    }
    return read;
  }

  private static List<String> goTo(LenientObject command) {
    var value = command.get("goto").orElse(ListValue.empty());
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
    var config = new LenientObject(body.object("config"), "/config");
    var variables = ObjectValue.builder();
    config
        .object("configurable")
        .forEach((key, value) -> {
          if (!isOwn(key)) {
            variables.put(key, value);
          }
        });
    return new RequestedSettings(
        config.integer("recursion_limit", Integer.MAX_VALUE),
        variables.build().plusAll(body.object("context")),
        new SettingsChange(nodes("interrupt_before"), nodes("interrupt_after")),
        body.number("after_seconds", SECONDS_MAX).filter(it -> it > 0));
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

  /// Checks what has no effect: each superstep is on disk before the next one starts.
  private void checkDurability() {
    var word = body.text("durability");
    if (word.isEmpty()) {
      body.flag("checkpoint_during");
    } else if (!StartRun.DURABILITIES.contains(word.get())) {
      refused("/durability", String.join(", ", StartRun.DURABILITIES));
    }
  }

  private Optional<Set<String>> nodes(String member) {
    return body.get(member).map(_ -> Set.copyOf(body.texts(member)));
  }

  private ThreadRules thread() {
    var strategy = body.text("multitask_strategy").orElse(IfBusy.REJECT.apiName());
    var ifBusy =
        IfBusy.find(strategy)
            .orElseThrow(() ->
                refuse("/multitask_strategy", "must be reject, enqueue, interrupt or rollback"));
    var missing = body.text("if_not_exists").orElse("reject");
    return new ThreadRules(
        ifBusy,
        missing.equals("create")
            || (!missing.equals("reject") && refused("/if_not_exists", "create, reject")),
        body.text("on_completion").orElse("delete").equals("keep"));
  }

  StreamRequest stream() {
    var words = body.texts("stream_mode");
    return new StreamRequest(
        words.isEmpty() ? DEFAULT_MODES : modes(words, "/stream_mode"),
        body.flag("stream_subgraphs").orElse(false),
        body.text("on_disconnect").orElse("continue").equals("cancel"));
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
