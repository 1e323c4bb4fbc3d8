package dev.superstep.run.trigger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.definition.HookScheme;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.trigger.HookSignature.HookRequest;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// By the examples that the senders publish; that of Stripe was computed as its manual says.
class HookSignatureTests {
  /// An example of a scheme.
  private record Sample(String secret, String body, long at, Map<String, String> headers) {
    HookRequest request() {
      return new HookRequest(headers, body.getBytes(UTF_8));
    }

    Sample with(String header, String value) {
      var other = new HashMap<>(headers);
      other.put(header, value);
      return new Sample(secret, body, at, other);
    }

    Instant signedAt() {
      return Instant.ofEpochSecond(at);
    }
  }

  private static final String SLACK_BODY =
      "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow"
          + "&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner"
          + "&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com"
          + "%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN"
          + "&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c";

  private static Sample sample(HookScheme scheme) {
    return switch (scheme) {
      case STANDARD ->
          new Sample(
              "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
              "{\"test\": 2432232314}",
              1_614_265_330,
              Map.of(
                  "webhook-id",
                  "msg_p5jXN8AQM9LWM0D4loKWxJek",
                  "webhook-timestamp",
                  "1614265330",
                  "webhook-signature",
                  "v1,AAAA v1a,BBBB v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="));
      case GITHUB ->
          new Sample(
              "It's a Secret to Everybody",
              "Hello, World!",
              0,
              Map.of(
                  "x-hub-signature-256",
                  "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"));
      case STRIPE ->
          new Sample(
              "whsec_test_secret",
              "{\"id\": \"evt_1\"}",
              1_492_774_577,
              Map.of(
                  "stripe-signature",
                  "t=1492774577,v1=00,v1=10b0a2815816a45e6b874658b928cae03296be10637343405aaf1e8306ddffdc,v0=11"));
      case SLACK ->
          new Sample(
              "8f742231b10e8888abcd99yyyzzz85a5",
              SLACK_BODY,
              1_531_420_618,
              Map.of(
                  "x-slack-request-timestamp",
                  "1531420618",
                  "x-slack-signature",
                  "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503"));
    };
  }

  private static void require(HookScheme scheme, Sample sample, Instant now) {
    HookSignature.read(scheme, sample.request())
        .require(HookSignature.key(scheme, sample.secret()), now);
  }

  @ParameterizedTest
  @EnumSource
  void takesWhatTheSenderHasSigned(HookScheme scheme) {
    var sample = sample(scheme);

    assertThatCode(() -> require(scheme, sample, sample.signedAt().plusSeconds(299)))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @EnumSource
  void refusesAnotherBodyAndAnotherSecret(HookScheme scheme) {
    var sample = sample(scheme);
    var now = sample.signedAt();
    var other = new Sample(sample.secret(), sample.body() + " ", sample.at(), sample.headers());
    var guessed = new Sample("whsec_AAAA", sample.body(), sample.at(), sample.headers());

    assertThatThrownBy(() -> require(scheme, other, now)).isInstanceOf(ServiceException.class);
    assertThatThrownBy(() -> require(scheme, guessed, now)).isInstanceOf(ServiceException.class);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "GITHUB")
  void refusesWhatWasSignedLongAgo(HookScheme scheme) {
    var sample = sample(scheme);

    for (long seconds : new long[] {301, -301}) {
      assertThatThrownBy(() -> require(scheme, sample, sample.signedAt().plusSeconds(seconds)))
          .hasMessageContaining("minutes");
    }
  }

  @ParameterizedTest
  @EnumSource
  void refusesWhatIsNotSigned(HookScheme scheme) {
    var sample = sample(scheme);
    var unsigned = new Sample(sample.secret(), sample.body(), sample.at(), Map.of());
    assertThatThrownBy(() -> require(scheme, unsigned, sample.signedAt()))
        .hasMessageContaining("is missing");
    for (var header : sample.headers().keySet()) {
      assertThatThrownBy(() -> require(scheme, sample.with(header, "x"), sample.signedAt()))
          .isInstanceOf(ServiceException.class);
    }
  }

  @Test
  void signsTheIdAndTheTimeToo() {
    var sample = sample(HookScheme.STANDARD);

    assertThatThrownBy(() ->
            require(HookScheme.STANDARD, sample.with("webhook-id", "other"), sample.signedAt()))
        .hasMessageContaining("signature");
    assertThat(HookSignature.key(HookScheme.STRIPE, "whsec_AAAA")).hasSize(10);
  }
}
