package dev.superstep.model.identity;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Against AWS' published suite of tests of Signature Version 4.
class AwsSignatureTests {
  private static final String TOKEN =
      "AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPf"
          + "IeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYw"
          + "T7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqK"
          + "mlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA==";
  private static final Instant NOW = Instant.parse("2015-08-30T12:36:00Z");
  private static final URI ADDRESS = URI.create("https://example.amazonaws.com/");

  private static Map<String, String> signed(
      URI uri, Map<String, String> headers, String body, String token) {
    var credential =
        new AwsCredential(
            "AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", token, Instant.MAX);
    return new AwsSignature("us-east-1", "service")
        .sign(uri, headers, body.getBytes(StandardCharsets.UTF_8), credential, NOW);
  }

  private static String authorization(String names, String signature) {
    return "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request,"
        + " SignedHeaders=%s, Signature=%s".formatted(names, signature);
  }

  @Test
  void signsARequestWithoutBody() {
    assertThat(signed(ADDRESS, Map.of(), "", ""))
        .containsOnly(
            Map.entry("x-amz-date", "20150830T123600Z"),
            Map.entry(
                "authorization",
                authorization(
                    "host;x-amz-date",
                    "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b")));
  }

  @Test
  void signsABodyAndItsType() {
    var headers = Map.of("content-type", "application/x-www-form-urlencoded");
    assertThat(signed(ADDRESS, headers, "Param1=value1", ""))
        .containsEntry("content-type", "application/x-www-form-urlencoded")
        .containsEntry(
            "authorization",
            authorization(
                "content-type;host;x-amz-date",
                "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"));
  }

  @Test
  void signsTheTokenOfARole() {
    assertThat(signed(ADDRESS, Map.of(), "", TOKEN))
        .containsEntry("x-amz-security-token", TOKEN)
        .containsEntry(
            "authorization",
            authorization(
                "host;x-amz-date;x-amz-security-token",
                "85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead"));
  }
}
