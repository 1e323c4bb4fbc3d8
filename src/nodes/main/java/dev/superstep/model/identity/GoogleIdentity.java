package dev.superstep.model.identity;

import dev.superstep.json.JsonException;
import dev.superstep.model.identity.TokenHttp.TokenQuestion;
import dev.superstep.state.value.ObjectValue;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/// Who this process is to Google: within Google Cloud its metadata server says so; elsewhere the
/// token of another platform is exchanged (RFC 8693), as the file of workload identity federation
/// says.
final class GoogleIdentity {
  private static final String WHO = "Google's token service";
  private static final String FILE = "GOOGLE_APPLICATION_CREDENTIALS";
  private static final String SCOPE = "https://www.googleapis.com/auth/cloud-platform";
  private static final String TOKEN_PATH =
      "/computeMetadata/v1/instance/service-accounts/default/token";

  private GoogleIdentity() {}

  static WorkloadIdentity of(CloudVariables variables, TokenHttp http, InstantSource clock) {
    var cached =
        new CachedCredential<>(
            variables.find(FILE).isPresent()
                ? federated(variables, http)
                : metadata(variables, http),
            clock);
    return (_, _) -> WorkloadIdentity.CallProof.bearer(cached.now().text());
  }

  private static CachedCredential.CredentialSource<AccessToken> metadata(
      CloudVariables variables, TokenHttp http) {
    var host = variables.find("GCE_METADATA_HOST").orElse("metadata.google.internal");
    var uri = variables.parse("the variable GCE_METADATA_HOST", "http://" + host + TOKEN_PATH);
    var who = "the metadata server";
    var question = new TokenQuestion(uri, Map.of("Metadata-Flavor", "Google"), null);
    return now -> TokenEndpoints.token(who, TokenEndpoints.ask(http, who, question), now);
  }

  /// @param impersonates empty: the exchanged token is that of the calls
  private record Federation(
      Path file,
      Optional<String> field,
      String audience,
      String type,
      URI tokens,
      Optional<URI> impersonates) {}

  private static CachedCredential.CredentialSource<AccessToken> federated(
      CloudVariables variables, TokenHttp http) {
    var federation = federation(variables);
    return now -> exchanged(federation, http, now);
  }

  private static Federation federation(CloudVariables variables) {
    ObjectValue written;
    try {
      written = TokenEndpoints.object(TokenEndpoints.read(FILE, variables.file(FILE)));
    } catch (JsonException | IdentityException _) {
      throw variables.complaint("the file of %s cannot be read as JSON", FILE);
    }
    var source = written.objectOrEmpty("credential_source");
    if (!written.textOrEmpty("type").equals("external_account")
        || source.textOrEmpty("file").isEmpty()) {
      throw variables.complaint(
          "the file of %s is not that of a workload identity federation whose credential_source is"
              + " a file",
          FILE);
    }
    var format = source.objectOrEmpty("format");
    return new Federation(
        Path.of(source.textOrEmpty("file")),
        format.textOrEmpty("type").equals("json")
            ? format.findText("subject_token_field_name")
            : Optional.empty(),
        written.textOrEmpty("audience"),
        written.textOrEmpty("subject_token_type"),
        variables.safe("token_url", written.textOrEmpty("token_url")),
        written
            .findText("service_account_impersonation_url")
            .map(it -> variables.safe("service_account_impersonation_url", it)));
  }

  private static AccessToken exchanged(Federation federation, TokenHttp http, Instant now)
      throws IOException, InterruptedException, TimeoutException {
    var question =
        TokenEndpoints.form(
            federation.tokens(),
            Map.of(
                "grant_type",
                "urn:ietf:params:oauth:grant-type:token-exchange",
                "audience",
                federation.audience(),
                "scope",
                SCOPE,
                "requested_token_type",
                "urn:ietf:params:oauth:token-type:access_token",
                "subject_token",
                subject(federation),
                "subject_token_type",
                federation.type()));
    var exchanged = TokenEndpoints.token(WHO, TokenEndpoints.ask(http, WHO, question), now);
    return federation.impersonates().isEmpty()
        ? exchanged
        : impersonating(federation.impersonates().get(), exchanged, http, now);
  }

  private static String subject(Federation federation) throws IOException {
    var text = TokenEndpoints.read("credential_source", federation.file());
    if (federation.field().isEmpty()) {
      return text;
    }
    try {
      return TokenEndpoints.requireToken(
          "the file of credential_source",
          TokenEndpoints.object(text).textOrEmpty(federation.field().get()));
    } catch (JsonException _) {
      throw new IdentityException("the file of credential_source is not JSON");
    }
  }

  private static AccessToken impersonating(
      URI uri, AccessToken exchanged, TokenHttp http, Instant now)
      throws IOException, InterruptedException, TimeoutException {
    var who = "Google's IAM";
    var question =
        new TokenQuestion(
            uri,
            Map.of(
                "Authorization", "Bearer " + exchanged.text(), "Content-Type", "application/json"),
            "{\"scope\":[\"%s\"]}".formatted(SCOPE).getBytes(StandardCharsets.US_ASCII));
    var body = TokenEndpoints.ask(http, who, question);
    try {
      var answer = TokenEndpoints.object(body);
      return new AccessToken(
          TokenEndpoints.requireToken(who, answer.textOrEmpty("accessToken")),
          TokenEndpoints.time(who, answer.textOrEmpty("expireTime"), now));
    } catch (JsonException _) {
      throw new IdentityException(who + " answered no JSON", true);
    }
  }
}
