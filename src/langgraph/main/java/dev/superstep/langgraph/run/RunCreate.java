package dev.superstep.langgraph.run;

import dev.superstep.langgraph.thread.Assistants.StartableAssistant;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.IfBusy;
import dev.superstep.run.SettingsChange;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Tenant;
import java.util.List;
import java.util.Optional;

/// A call that begins a run.
///
/// @param startable the assistant that it names
/// @param body what the client sent, as far as it is kept with the run
/// @param chosen if the client has chosen the id
record RunCreate(
    StartableAssistant startable,
    RequestedWork work,
    RequestedSettings settings,
    ThreadRules thread,
    StreamRequest stream,
    ObjectValue metadata,
    ObjectValue body,
    Optional<Chosen> chosen) {

  /// Id of its assistant.
  String assistant() {
    return startable.assistant().id();
  }

  /// Name of its graph.
  String graph() {
    return startable.assistant().graph();
  }

  /// Whether, without a thread, its start is a single statement.
  boolean isSingle() {
    return chosen.isEmpty() && !thread.keeps() && settings.afterSeconds().isEmpty();
  }

  /// An id that the client has chosen for its run, so that the call can be repeated.
  ///
  /// @param hash of the request: another one with the same id is a conflict
  record Chosen(String id, String hash) {
    ServiceException taken() {
      return ServiceException.at(
          "/run_id",
          ErrorCode.RUN_EXISTS,
          "run '%s' was started by another request; choose another id".formatted(Tenant.shown(id)));
    }
  }

  /// What is to be done. Nothing of it: to go on with what is pending.
  ///
  /// @param checkpoint to begin from; empty: the newest of the thread
  record RequestedWork(
      Optional<Value> input, Optional<Command> command, Optional<String> checkpoint) {}

  /// @param resume answers a question, or several
  /// @param update channels and their values; null: none
  record Command(Optional<Value> resume, Value update, List<String> goTo) {
    private static final String END = "__end__";

    boolean isEmpty() {
      return resume.isEmpty() && !updates() && goTo.isEmpty();
    }

    boolean updates() {
      return switch (update) {
        case Value.Null _ -> false;
        case ObjectValue object -> !object.isEmpty();
        case ListValue pairs -> !pairs.isEmpty();
        default -> true;
      };
    }

    /// Whether it only drops what is pending.
    boolean ends() {
      return resume.isEmpty() && !updates() && goTo.equals(List.of(END));
    }
  }

  /// @param supersteps how many it may do at most
  /// @param variables of the prompt context
  /// @param change what else is given for the steps to come
  /// @param webhook that is told where the run stands
  record RequestedSettings(
      Optional<Integer> supersteps,
      ObjectValue variables,
      SettingsChange change,
      Optional<Integer> afterSeconds,
      Optional<String> webhook) {}

  /// @param creates whether a thread that is not there is made
  /// @param keeps whether a run without a thread gets one that stays
  record ThreadRules(IfBusy ifBusy, boolean creates, boolean keeps) {}
}
