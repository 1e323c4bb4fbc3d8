package dev.superstep.client;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.superstep.client.model.Problem;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.json.JsonMapper;

/// Sends requests, and repeats what can be repeated.
final class Transport {
  private static final Duration PAUSE_MAX = Duration.ofSeconds(10);

  static final JsonMapper JSON =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .changeDefaultPropertyInclusion(
              it -> it.withValueInclusion(JsonInclude.Include.NON_NULL))
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .enable(EnumFeature.READ_UNKNOWN_ENUM_VALUES_USING_DEFAULT_VALUE)
          .build();

  /// For what strangers send: an absent number is not 0.
  static final JsonMapper STRICT =
      JSON.rebuild().enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES).build();

  private final Settings settings;
  private final String key;

  /// @param key of all changing calls, or empty: each has one of its own
  Transport(Settings settings, String key) {
    this.settings = settings;
    this.key = key;
  }

  Settings settings() {
    return settings;
  }

  String newKey() {
    return key.isEmpty() ? UUID.randomUUID().toString() : key;
  }

  <T> T call(Call call, Class<T> type) {
    var callKey = newKey();
    for (int attempt = 0; ; attempt++) {
      try {
        var response = send(call, callKey, "", settings.timeout(), BodyHandlers.ofString());
        return read(response.statusCode() == 204 ? "" : response.body(), type);
      } catch (SuperstepException e) {
        if (call.method().equals("DELETE") && attempt > 0 && e instanceof NotFoundException) {
          return null; // An earlier attempt was not answered, but had its effect.
        }
        if (call.repeat() == Call.Repeat.NEVER || attempt >= settings.retries() || !repeatable(e)) {
          throw e;
        }
        pause(attempt, e);
      }
    }
  }

  /// One request; an answer that is no success is thrown. The handler must give a text for those.
  <B> HttpResponse<B> send(
      Call call, String callKey, String lastId, Duration timeout, HttpResponse.BodyHandler<B> body) {
    var request =
        HttpRequest.newBuilder(URI.create(base() + call.target()))
            .timeout(timeout)
            .header("Accept", call.accept());
    if (!settings.apiKey().isEmpty()) {
      request.header("Authorization", "Bearer " + settings.apiKey());
    }
    if (call.repeat() == Call.Repeat.KEYED) {
      request.header("Idempotency-Key", callKey);
    }
    if (!lastId.isEmpty()) {
      request.header("Last-Event-ID", lastId);
    }
    content(call, request);
    HttpResponse<B> response;
    try {
      response = settings.http().send(request.build(), body);
    } catch (IOException e) {
      throw new ServiceUnreachableException("no answer of " + base() + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
    if (response.statusCode() >= 300) {
      throw ApiException.of(
          response.statusCode(),
          problem(String.valueOf(response.body())),
          response.headers().firstValue("Retry-After").map(Transport::retryAfter).orElse(null));
    }
    return response;
  }

  private static void content(Call call, HttpRequest.Builder request) {
    var type = "application/json";
    var content = call.body();
    if (content instanceof Definition definition) {
      type = definition.contentType();
      content = definition.content();
    }
    if (content == null) {
      request.method(call.method(), BodyPublishers.noBody());
    } else {
      request.header("Content-Type", type).method(call.method(), publisher(content));
    }
  }

  private static HttpRequest.BodyPublisher publisher(Object content) {
    if (content instanceof String text) {
      return BodyPublishers.ofString(text, StandardCharsets.UTF_8);
    }
    return BodyPublishers.ofByteArray(
        content instanceof byte[] bytes ? bytes : JSON.writeValueAsBytes(content));
  }

  <T> T read(String text, Class<T> type) {
    if (type == Void.class || text.isEmpty()) {
      return null;
    }
    try {
      return type == String.class ? type.cast(text) : JSON.readValue(text, type);
    } catch (JacksonException e) {
      throw new ServiceUnreachableException("the answer cannot be read: " + e.getMessage(), e);
    }
  }

  /// Whether asking again may help.
  boolean repeatable(SuperstepException failure) {
    if (failure instanceof ApiException refusal) {
      return refusal.retryAfter().orElse(Duration.ZERO).compareTo(settings.retryAfterMax()) <= 0
          && (refusal instanceof OverloadedException
              || refusal.code().equals("idempotency_in_progress"));
    }
    return failure instanceof ServiceUnreachableException;
  }

  void pause(int attempt, SuperstepException failure) {
    long grown = settings.retryPause().toMillis() << Math.min(attempt, 20);
    long longest = Math.max(1, Math.min(grown, PAUSE_MAX.toMillis()));
    // A share is left to chance, so that clients do not come back all at once.
    long pause = longest - ThreadLocalRandom.current().nextLong(longest / 2 + 1);
    if (failure instanceof ApiException refusal && refusal.retryAfter().isPresent()) {
      pause = refusal.retryAfter().get().toMillis();
    }
    try {
      Thread.sleep(pause);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  static SuperstepException interrupted(InterruptedException cause) {
    Thread.currentThread().interrupt();
    return new SuperstepException("interrupted", cause);
  }

  private String base() {
    return settings.baseUrl().toString().replaceFirst("/+$", "");
  }

  private Problem problem(String text) {
    try {
      return JSON.readValue(text, Problem.class);
    } catch (JacksonException e) {
      var detail = text.substring(0, Math.min(500, text.length()));
      return JSON.convertValue(java.util.Map.of("detail", detail), Problem.class);
    }
  }

  private static Duration retryAfter(String header) {
    try {
      return Duration.ofMillis((long) (Double.parseDouble(header) * 1000));
    } catch (NumberFormatException e) {
      return until(header);
    }
  }

  private static Duration until(String date) {
    try {
      var time = ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
      var left = Duration.between(Instant.now(), time);
      return left.isNegative() ? Duration.ZERO : left;
    } catch (DateTimeException e) {
      return null;
    }
  }

  /// What a stranger has sent, as a type.
  static Object typed(Object json, java.lang.reflect.Type type) throws TaskFailedException {
    try {
      return STRICT.convertValue(json, STRICT.constructType(type));
    } catch (IllegalArgumentException | JacksonException e) {
      throw new TaskFailedException("invalid_input", e.toString());
    }
  }

  /// What somebody has made, as plain JSON.
  static Object plain(Object result) throws TaskFailedException {
    try {
      return JSON.readValue(JSON.writeValueAsBytes(result), Object.class);
    } catch (RuntimeException | StackOverflowError e) {
      throw new TaskFailedException(Worker.INVALID_RESULT, "the result is no JSON: " + e);
    }
  }
}
