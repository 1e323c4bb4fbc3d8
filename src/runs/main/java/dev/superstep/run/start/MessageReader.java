package dev.superstep.run.start;

import dev.superstep.definition.Compiled;
import dev.superstep.graph.Graph;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.SendMessage.MessageContent;
import dev.superstep.state.Change;
import dev.superstep.state.Fold;
import dev.superstep.state.GraphState;
import dev.superstep.state.MessageIds;
import dev.superstep.state.Reducer;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Tenant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/// Makes of what a client sends what a channel of the graph is given.
final class MessageReader {
  private static final String MESSAGES = "messages";
  private static final Set<String> SAID_BY_OTHERS = Set.of("id", "tool_calls", "tool_call_id");

  private final Graph graph;

  MessageReader(Graph graph) {
    this.graph = graph;
  }

  /// @param channel that the client names
  String channel(Optional<String> channel) {
    var name =
        channel
            .or(() -> graph.settings().inbox().channel())
            .orElseGet(() ->
                graph.channels().declared().containsKey(MESSAGES) ? MESSAGES : missingChannel());
    if (!graph.channels().declared().containsKey(name)) {
      throw ServiceException.at(
          "/channel",
          ErrorCode.INVALID_VALUE,
          "the graph declares no channel '%s'".formatted(name));
    }
    return name;
  }

  private static String missingChannel() {
    throw ServiceException.at(
        "/channel",
        ErrorCode.MISSING_FIELD,
        "the graph names no channel for messages, and has none called messages; name one");
  }

  /// Whether it is no more than something that a person says where the graph expects that: it
  /// cannot stand for what a node, a model or somebody who was to answer has said.
  boolean isTalk(String channel, MessageContent content) {
    var named = graph.settings().inbox().channel();
    if (!channel.equals(named.orElse(MESSAGES))) {
      return false;
    }
    if (!(graph.channels().get(channel).reducer() instanceof Reducer.Messages)) {
      return named.isPresent();
    }
    if (content.isMessage()) {
      return isOfUser(content.value());
    }
    return content.value() instanceof ListValue list
        && list.asList().stream().allMatch(MessageReader::isOfUser);
  }

  /// What has an id could take the place of another message, and one that calls tools, or answers a
  /// call, has not been said by a person.
  private static boolean isOfUser(Value said) {
    return switch (said) {
      case Value.Text _ -> true;
      case ObjectValue message ->
          Value.of("user").equals(message.get("role"))
              && SAID_BY_OTHERS.stream().noneMatch(message::has);
      default -> false;
    };
  }

  /// The value, with ids for messages that have none.
  ///
  /// @param id of the message, with that of its run
  /// @throws ServiceException if the channel can take it in no state
  Value value(String channel, MessageContent said, String id) {
    var given = said.isMessage() ? message(channel, said.value()) : said.value();
    var change =
        MessageIds.identify(Change.update(channel, given), graph.channels(), "message " + id, 0);
    check(channel, change, said.isMessage() ? "/message" : "/value");
    return Objects.requireNonNull(change.update().get(channel));
  }

  private Value message(String channel, Value said) {
    var message =
        said instanceof ObjectValue object
            ? object
            : ObjectValue.of("role", "user").plus("content", said);
    return isOfBlocks(graph.channels().get(channel).reducer()) ? ListValue.of(message) : message;
  }

  /// Whether an update of the channel is a list of items.
  static boolean isOfBlocks(Reducer reducer) {
    return reducer instanceof Reducer.Messages || reducer instanceof Reducer.BlockAppend;
  }

  /// @throws ServiceException if a run of the graph cannot begin with the value alone
  static void checkBeginning(Compiled graph, String channel, Value value) {
    var violations = graph.inputCheck().check(ObjectValue.of(channel, value));
    if (!violations.isEmpty()) {
      var first = violations.getFirst();
      throw ServiceException.at(
          "/if_ended",
          ErrorCode.INVALID_INPUT,
          "no run of graph '%s' can begin with the message alone: %s %s"
              .formatted(Tenant.shown(graph.name()), first.pointer(), first.message()));
    }
  }

  /// What a user's merge makes of it, only the state at that time can say.
  private void check(String channel, Change change, String pointer) {
    if (graph.channels().get(channel).reducer() instanceof Reducer.Custom) {
      return;
    }
    Fold.over(graph.channels(), GraphState.empty())
        .apply(List.of(change))
        .ifPresent(problem -> {
          throw ServiceException.at(
              pointer + problem.pointer(), ErrorCode.INVALID_VALUE, problem.message());
        });
  }
}
