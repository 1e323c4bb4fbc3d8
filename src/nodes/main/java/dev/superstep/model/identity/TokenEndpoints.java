package dev.superstep.model.identity;

import dev.superstep.json.Json;
import dev.superstep.json.JsonException;
import dev.superstep.model.identity.TokenHttp.TokenAnswer;
import dev.superstep.model.identity.TokenHttp.TokenQuestion;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What the clouds have in common: forms that are posted, files with tokens, answers in JSON.
final class TokenEndpoints {
  /// One that goes into a header: nothing that could end it.
  private static final Pattern TOKEN = Pattern.compile("[\\x21-\\x7e]{1,16384}");

  /// What is sent and no secret: names of forms, roles and addresses.
  private static final Pattern PUBLIC =
      Pattern.compile("(urn:|https?:|arn:|//iam|application/|client_credentials|AssumeRole)");

  private static final int SECRET_MIN = 8;
  private static final long FILE_MAX = 64 << 10;
  private static final long SECONDS_MAX = Duration.ofDays(1).toSeconds();
  private static final int EXCERPT_MAX = 200;

  private TokenEndpoints() {}

  static TokenQuestion form(URI uri, Map<String, String> fields) {
    var form =
        fields.entrySet().stream()
            .map(it -> it.getKey() + "=" + URLEncoder.encode(it.getValue(), StandardCharsets.UTF_8))
            .sorted()
            .collect(Collectors.joining("&"));
    return new TokenQuestion(
        uri,
        Map.of("Content-Type", "application/x-www-form-urlencoded"),
        form.getBytes(StandardCharsets.US_ASCII));
  }

  /// The body of a success.
  ///
  /// @param who is asked, for messages
  static String ask(TokenHttp http, String who, TokenQuestion question)
      throws IOException, InterruptedException, TimeoutException {
    var answer = http.ask(question);
    if (answer.status() == 200) {
      return answer.body();
    }
    boolean passes = answer.status() >= 500 || answer.status() == 429 || answer.status() == 408;
    throw new IdentityException(
        "%s answered %d to the question for a token%s"
            .formatted(who, answer.status(), said(question, answer)),
        passes);
  }

  /// What it says of the error, unless that repeats what it was sent.
  private static String said(TokenQuestion question, TokenAnswer answer) {
    String text;
    try {
      var error = object(answer.body());
      var described = error.getOr("error", Value.NULL);
      text =
          described instanceof ObjectValue inner
              ? inner.textOrEmpty("message")
              : "%s %s"
                  .formatted(error.textOrEmpty("error"), error.textOrEmpty("error_description"));
    } catch (JsonException _) {
      text = AwsXml.find(answer.body(), "Message").orElse("");
    }
    for (var secret : secrets(question)) {
      text = text.replace(secret, "***");
    }
    text = text.replaceAll("\\p{Cntrl}+", " ").strip();
    return text.isEmpty() ? "" : ": " + text.substring(0, Math.min(text.length(), EXCERPT_MAX));
  }

  /// What was sent that may be secret, and its words: the longer first.
  private static List<String> secrets(TokenQuestion question) {
    var sent = new ArrayList<>(question.headers().values());
    if (question.body() != null) {
      var form = new String(question.body(), StandardCharsets.US_ASCII);
      for (var field : form.split("&", -1)) {
        sent.add(URLDecoder.decode(field.replaceFirst("^[^=]*=", ""), StandardCharsets.UTF_8));
      }
    }
    return sent.stream()
        .flatMap(it -> Stream.concat(Stream.of(it), Arrays.stream(it.split(" ", -1))))
        .filter(it -> it.length() >= SECRET_MIN && !PUBLIC.matcher(it).lookingAt())
        .sorted(Comparator.comparingInt(String::length).reversed())
        .toList();
  }

  static ObjectValue object(String json) {
    return Json.read(json) instanceof ObjectValue object ? object : ObjectValue.empty();
  }

  /// The answer of OAuth's token endpoints.
  static AccessToken token(String who, String json, Instant now) throws IdentityException {
    try {
      var answer = object(json);
      if (answer.get("expires_in") instanceof Value.Int(long seconds)
          && seconds > 0
          && seconds <= SECONDS_MAX) {
        return new AccessToken(
            requireToken(who, answer.textOrEmpty("access_token")), now.plusSeconds(seconds));
      }
    } catch (JsonException _) {
      // said below
    }
    throw new IdentityException(who + " answered without a token and its time", true);
  }

  static String requireToken(String who, String token) throws IdentityException {
    if (!TOKEN.matcher(token).matches()) {
      throw new IdentityException(who + " gave a token that is none", true);
    }
    return token;
  }

  static Instant time(String who, String text, Instant now) throws IdentityException {
    try {
      var time = Instant.parse(text);
      var latest = now.plusSeconds(SECONDS_MAX);
      return time.isAfter(latest) ? latest : time;
    } catch (DateTimeParseException _) {
      throw new IdentityException(who + " gave a token without its time", true);
    }
  }

  /// A file that the platform keeps fresh.
  ///
  /// @param variable that names it
  static String read(String variable, Path file) throws IdentityException {
    try {
      if (Files.size(file) > FILE_MAX) {
        throw new IdentityException(
            "the file of %s is larger than %d bytes".formatted(variable, FILE_MAX));
      }
      var text = Files.readString(file).strip();
      if (text.isEmpty()) {
        throw new IdentityException("the file of %s is empty".formatted(variable), true);
      }
      return text;
    } catch (IdentityException e) {
      throw e;
    } catch (IOException | SecurityException e) {
      throw new IdentityException(
          "the file of %s cannot be read (%s)".formatted(variable, e.getClass().getSimpleName()));
    }
  }
}
