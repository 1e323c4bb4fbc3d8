package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.problem.Query;
import dev.superstep.run.StateView;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import io.swagger.v3.oas.annotations.media.Schema;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The state of a run at a checkpoint.
record StateBody(
    int checkpoint,
    int superstep,
    ObjectValue state,
    @Nullable List<StateValues.OmittedBody> omitted,
    @JsonProperty("state_hash") String stateHash,
    @JsonProperty("pending_results") @Nullable List<TaskBody> pendingResults) {

  public static StateBody committed(StateView view, StateValues wanted) {
    return of(view, wanted, null);
  }

  public static StateBody withPending(StateView view, StateValues wanted) {
    return of(view, wanted, view.pendingResults().stream().map(TaskBody::new).toList());
  }

  private static StateBody of(
      StateView view, StateValues wanted, @Nullable List<TaskBody> pending) {
    var shown = wanted.shown(view.state());
    return new StateBody(
        view.checkpoint(),
        view.superstep(),
        shown.state(),
        shown.omitted(),
        view.stateHash(),
        pending);
  }

  /// Which channels of a state a client wants, and up to which size.
  ///
  /// @param channels empty: all
  /// @param max bytes of JSON; empty: whatever they take
  public record StateValues(Set<String> channels, Optional<Integer> max) {
    public static final StateValues ALL = new StateValues(Set.of(), Optional.empty());

    private static final int MAX_MAX = 16_000_000;
    private static final int BEGIN_BYTES = 2_000;

    /// What is shown of a state, and what is left out; null: nothing was to be left out.
    record Shown(ObjectValue state, @Nullable List<OmittedBody> omitted) {}

    /// Reads `channel` and `values_max`, as far as a call declares them.
    public static StateValues of(Query query) {
      return new StateValues(
          new HashSet<>(query.all("channel")), query.integer("values_max", 0, MAX_MAX));
    }

    Shown shown(ObjectValue state) {
      if (channels.isEmpty() && max.isEmpty()) {
        return new Shown(state, null);
      }
      var shown = ObjectValue.builder();
      var omitted = new ArrayList<OmittedBody>();
      state.forEach((channel, value) -> {
        if (!channels.isEmpty() && !channels.contains(channel)) {
          return;
        }
        if (max.isPresent() && Canonical.size(value) > max.get()) {
          omitted.add(OmittedBody.of(channel, value));
        } else {
          shown.put(channel, value);
        }
      });
      return new Shown(shown.build(), max.isPresent() ? omitted : null);
    }

    @Schema(name = "OmittedValue")
    record OmittedBody(String channel, long size, String hash, String begin) {

      private static OmittedBody of(String channel, Value value) {
        var json = Canonical.bytes(value);
        return new OmittedBody(
            channel, json.length, HexFormat.of().formatHex(digest(json)), begin(json));
      }

      /// Ends before a character that would be cut.
      private static String begin(byte[] json) {
        int end = Math.min(BEGIN_BYTES, json.length);
        while (end > 0 && end < json.length && (json[end] & 0xC0) == 0x80) {
          end--;
        }
        return new String(json, 0, end, StandardCharsets.UTF_8);
      }

      private static byte[] digest(byte[] json) {
        try {
          return MessageDigest.getInstance("SHA-256").digest(json);
        } catch (NoSuchAlgorithmException e) {
          throw new IllegalStateException("every JDK has SHA-256", e);
        }
      }
    }
  }
}
