package dev.superstep.run.web;

import dev.superstep.node.http.Outbound;
import dev.superstep.problem.ErrorCode;
import dev.superstep.run.RunWebhooks;
import dev.superstep.run.RunWebhooks.WebhookTarget;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// A URL that a run tells what happens in it.
@Schema(name = "RunWebhook")
record WebhookTargetBody(@Nullable String url, @Nullable List<@Nullable String> events) {
  private static final int TARGETS_MAX = 10;
  private static final int URL_CHARS_MAX = 2_000;
  private static final int META_BYTES_MAX = 4_096;

  static RunWebhooks read(
      @Nullable List<WebhookTargetBody> bodies, @Nullable ObjectValue meta, BodyChecks bodyChecks) {
    if (meta != null && Canonical.size(meta) > META_BYTES_MAX) {
      bodyChecks.refuse(
          "/callback_meta",
          ErrorCode.LIMIT_EXCEEDED,
          "may have at most %d bytes".formatted(META_BYTES_MAX));
    }
    var targets = new ArrayList<WebhookTarget>();
    if (bodies != null && bodies.size() > TARGETS_MAX) {
      bodyChecks.refuse("/webhooks", ErrorCode.LIMIT_EXCEEDED, "may have at most " + TARGETS_MAX);
    } else if (bodies != null) {
      for (int i = 0; i < bodies.size(); i++) {
        targets.add(bodies.get(i).read("/webhooks/" + i, bodyChecks));
      }
    }
    return new RunWebhooks(targets, meta == null ? ObjectValue.empty() : meta);
  }

  private WebhookTarget read(String pointer, BodyChecks bodyChecks) {
    var target = bodyChecks.required(pointer + "/url", url, "");
    if (url != null) {
      checkUrl(pointer + "/url", url, bodyChecks);
    }
    return new WebhookTarget(target, events(pointer + "/events", events, bodyChecks));
  }

  static void checkUrl(String pointer, String url, BodyChecks bodyChecks) {
    if (url.length() > URL_CHARS_MAX || url.chars().anyMatch(it -> it > 0x7e)) {
      bodyChecks.refuse(
          pointer,
          ErrorCode.INVALID_VALUE,
          "may have at most %d characters, of ASCII; percent-encode others"
              .formatted(URL_CHARS_MAX));
    } else {
      Outbound.refusal(url)
          .ifPresent(it -> bodyChecks.refuse(pointer, ErrorCode.INVALID_VALUE, it));
    }
  }

  /// @param events null: those that most want
  static Set<String> events(
      String pointer, @Nullable List<@Nullable String> events, BodyChecks bodyChecks) {
    if (events == null) {
      return RunWebhooks.DEFAULT_EVENTS;
    }
    var found = new HashSet<String>();
    for (int i = 0; i < events.size(); i++) {
      var event = events.get(i);
      if (event == null || !RunWebhooks.ALL_EVENTS.contains(event)) {
        bodyChecks.refuse(
            pointer + "/" + i,
            ErrorCode.INVALID_VALUE,
            "must be one of " + String.join(", ", new TreeSet<>(RunWebhooks.ALL_EVENTS)));
      } else {
        found.add(event);
      }
    }
    if (events.isEmpty()) {
      bodyChecks.refuse(pointer, ErrorCode.INVALID_VALUE, "must not be empty");
    }
    return found;
  }
}
