package dev.superstep.langgraph.run;

import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Which events of a thread a client subscribes to.
///
/// @param namespaces beginnings of them; none: all
/// @param depth how many segments may follow such a beginning
/// @param since the number of the last event that the client has
record ThreadSubscription(
    Set<String> channels,
    List<List<String>> namespaces,
    Optional<Long> depth,
    Optional<Long> since) {
  private static final int MAX = 64;
  private static final int CHARS_MAX = 512;
  private static final Set<String> CHANNELS =
      Set.of(
          "values",
          "updates",
          "messages",
          "tools",
          "lifecycle",
          "input",
          "checkpoints",
          "tasks",
          ProtocolEvent.CUSTOM);

  ThreadSubscription {
    channels = Set.copyOf(channels);
    namespaces = List.copyOf(namespaces);
  }

  /// @throws ServiceException if it is none, or too large
  static ThreadSubscription read(ObjectValue body) {
    var channels = new LinkedHashSet<>(texts(list(body, "channels"), "/channels"));
    if (channels.isEmpty()) {
      throw refuse("/channels", "is missing: what to stream, such as [\"values\", \"messages\"]");
    }
    for (var channel : channels) {
      if (!CHANNELS.contains(channel) && !channel.startsWith(ProtocolEvent.CUSTOM + ":")) {
        throw refuse("/channels", "there is no channel '%s'".formatted(channel));
      }
    }
    var namespaces = new ArrayList<List<String>>();
    for (var namespace : list(body, "namespaces").asList()) {
      namespaces.add(
          texts(
              namespace instanceof ListValue segments ? segments : ListValue.of(namespace),
              "/namespaces"));
    }
    return new ThreadSubscription(
        channels, namespaces, number(body, "depth"), number(body, "since"));
  }

  private static ListValue list(ObjectValue body, String member) {
    return switch (body.getOr(member, Value.NULL)) {
      case ListValue list when list.size() <= MAX -> list;
      case Value.Null _ -> ListValue.empty();
      default -> throw refuse("/" + member, "must be a list of at most " + MAX);
    };
  }

  private static List<String> texts(ListValue list, String pointer) {
    var texts = new ArrayList<String>();
    for (var item : list.asList()) {
      if (!(item instanceof Value.Text(var text)) || text.length() > CHARS_MAX) {
        throw refuse(pointer, "must hold texts of at most %d characters".formatted(CHARS_MAX));
      }
      texts.add(text);
    }
    if (texts.size() > MAX) {
      throw refuse(pointer, "must be a list of at most " + MAX);
    }
    return texts;
  }

  private static Optional<Long> number(ObjectValue body, String member) {
    return switch (body.getOr(member, Value.NULL)) {
      case Value.Int(var number) when number >= 0 -> Optional.of(number);
      case Value.Null _ -> Optional.empty();
      default -> throw refuse("/" + member, "must be a whole number from 0 on");
    };
  }

  private static ServiceException refuse(String pointer, String reason) {
    return ServiceException.at(pointer, ErrorCode.INVALID_VALUE, reason);
  }

  /// What is read of the runs of the thread.
  StreamRequest request() {
    var modes = EnumSet.noneOf(StreamMode.class);
    for (var channel : channels) {
      switch (channel) {
        case "values" -> modes.add(StreamMode.VALUES);
        case "updates", "input" -> modes.add(StreamMode.UPDATES);
        case "messages" -> modes.add(StreamMode.MESSAGES_TUPLE);
        case "checkpoints" -> modes.add(StreamMode.CHECKPOINTS);
        case "tasks" -> modes.add(StreamMode.TASKS);
        case "tools" -> modes.add(StreamMode.TOOLS);
        case "lifecycle" -> {}
        default -> modes.add(StreamMode.CUSTOM);
      }
    }
    boolean rootOnly =
        depth.filter(it -> it == 0).isPresent() && namespaces.stream().allMatch(List::isEmpty);
    return new StreamRequest(modes, !rootOnly, false);
  }

  boolean accepts(ProtocolEvent event) {
    var namespace = event.namespace().tasks();
    return (channels.contains(event.channel())
            || (event.isCustom() && channels.contains(ProtocolEvent.CUSTOM)))
        && (namespaces.isEmpty()
            ? isWithin(namespace, List.of())
            : namespaces.stream().anyMatch(it -> isWithin(namespace, it)));
  }

  private boolean isWithin(List<String> namespace, List<String> beginning) {
    if (beginning.size() > namespace.size()) {
      return false;
    }
    for (int i = 0; i < beginning.size(); i++) {
      if (!isSame(namespace.get(i), beginning.get(i))) {
        return false;
      }
    }
    return namespaces.isEmpty()
        || depth.filter(it -> namespace.size() - beginning.size() > it).isEmpty();
  }

  /// Those that clients write themselves are names of nodes, without the task.
  private static boolean isSame(String segment, String wanted) {
    return segment.equals(wanted) || (!wanted.contains(":") && segment.startsWith(wanted + ":"));
  }
}
