package dev.superstep.run.web;

import dev.superstep.graph.Violations;
import dev.superstep.problem.DurationText;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.FieldError;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.IfBusy;
import dev.superstep.run.SettingsChange;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads the fields of a request, so that one error reports everything that is wrong with them.
final class BodyChecks {
  private final Violations violations = new Violations();

  void refuse(String pointer, ErrorCode code, String message) {
    violations.error(pointer, code.code(), message);
  }

  /// The value; if it is missing, that is recorded and `instead` lets reading continue.
  <T> T required(String pointer, @Nullable T value, T instead) {
    if (value == null) {
      refuse(pointer, ErrorCode.MISSING_FIELD, "is required");
      return instead;
    }
    return value;
  }

  Optional<Duration> duration(String pointer, @Nullable String value) {
    if (value == null) {
      return Optional.empty();
    }
    var found = DurationText.parse(value);
    if (found.isEmpty()) {
      refuse(pointer, ErrorCode.INVALID_VALUE, "must be a duration such as 90s, 5m or PT5M");
    }
    return found;
  }

  /// What a fork does if its thread is busy: it has no input that could be sent.
  IfBusy forkIfBusy(@Nullable String word, @Nullable String thread) {
    if (IfBusy.STEER.apiName().equals(word)) {
      refuse("/if_busy", ErrorCode.INVALID_VALUE, "must be reject, enqueue, interrupt or rollback");
      return IfBusy.REJECT;
    }
    return ifBusy(word, thread);
  }

  /// What a new run does if its thread is busy.
  IfBusy ifBusy(@Nullable String word, @Nullable String thread) {
    if (word == null) {
      return IfBusy.REJECT;
    }
    if (thread == null && !word.equals(IfBusy.REJECT.apiName())) {
      refuse("/if_busy", ErrorCode.INVALID_VALUE, "goes with a thread_id only");
    }
    var found = IfBusy.find(word);
    if (found.isEmpty()) {
      refuse(
          "/if_busy",
          ErrorCode.INVALID_VALUE,
          "must be reject, enqueue, steer, interrupt or rollback");
    }
    return found.orElse(IfBusy.REJECT);
  }

  /// The breakpoints that a call gives; null: none are given.
  static SettingsChange breakpoints(@Nullable List<String> before, @Nullable List<String> after) {
    return new SettingsChange(
        Optional.ofNullable(before).map(Set::copyOf), Optional.ofNullable(after).map(Set::copyOf));
  }

  /// @throws ServiceException naming every field that was refused
  void throwIfAny() {
    var errors = FieldError.of(violations.errors());
    if (errors.isEmpty()) {
      return;
    }
    var first = errors.getFirst();
    if (errors.size() == 1) {
      throw ServiceException.at(
          first.pointer(),
          ErrorCode.find(first.code()).orElse(ErrorCode.INVALID_REQUEST),
          first.message());
    }
    throw new ServiceException(
        ErrorCode.INVALID_REQUEST,
        "%d fields are wrong; the first is %s".formatted(errors.size(), first.pointer()),
        errors);
  }
}
