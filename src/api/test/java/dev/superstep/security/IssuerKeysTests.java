package dev.superstep.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.util.Resource;
import dev.superstep.security.JwtCallers.IssuerKeys;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;

class IssuerKeysTests {
  private static final String ISSUER = "https://login.example/realms/one";
  private static final String METADATA = IssuerKeys.metadata(ISSUER);
  private static final String KEYS = "https://keys.example/one";

  private static String keys(String metadata) throws IOException {
    var documents = Map.of(METADATA, metadata, KEYS, "the keys");
    var issuerKeys =
        new IssuerKeys(
            url -> new Resource(documents.getOrDefault(url.toString(), ""), "application/json"),
            ISSUER);
    return issuerKeys.retrieveResource(URI.create(METADATA).toURL()).getContent();
  }

  private static String metadata(String issuer, String keys) {
    return "{\"issuer\":\"%s\",\"jwks_uri\":\"%s\"}".formatted(issuer, keys);
  }

  @Test
  void fetchesTheKeysFromWhereTheMetadataSays() throws IOException {
    assertThat(keys(metadata(ISSUER, KEYS))).isEqualTo("the keys");
    assertThat(IssuerKeys.metadata("https://login.example/"))
        .isEqualTo("https://login.example/.well-known/openid-configuration");
  }

  @Test
  void takesNoKeysFromElsewhere() {
    for (var metadata :
        new String[] {
          metadata("https://login.example/realms/two", KEYS),
          metadata(ISSUER, "file:///etc/passwd"),
          metadata(ISSUER, "http://keys.example/one"),
          metadata(ISSUER, "/one"),
          "{\"issuer\":\"%s\"}".formatted(ISSUER),
          "{\"issuer\":\"%s\",\"jwks_uri\":7}".formatted(ISSUER),
          "[]",
          "<html>",
          ""
        }) {
      assertThatThrownBy(() -> keys(metadata)).as(metadata).isInstanceOf(IOException.class);
    }
  }
}
