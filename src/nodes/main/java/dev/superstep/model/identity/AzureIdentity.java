package dev.superstep.model.identity;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/// Microsoft Entra's workload identity: the token that Kubernetes keeps in a file is the assertion
/// of the client (RFC 7523), and a token for Azure's models comes for it.
final class AzureIdentity {
  private static final String WHO = "Microsoft Entra";
  private static final String FILE = "AZURE_FEDERATED_TOKEN_FILE";
  private static final String SCOPE = "https://cognitiveservices.azure.com/.default";

  private final TokenHttp http;
  private final URI tokens;
  private final String client;
  private final Path file;

  private AzureIdentity(TokenHttp http, URI tokens, String client, Path file) {
    this.http = http;
    this.tokens = tokens;
    this.client = client;
    this.file = file;
  }

  static WorkloadIdentity of(CloudVariables variables, TokenHttp http, InstantSource clock) {
    var authority =
        variables.address("AZURE_AUTHORITY_HOST", "https://login.microsoftonline.com").toString();
    var tokens =
        variables.safe(
            "AZURE_TENANT_ID",
            "%s/%s/oauth2/v2.0/token"
                .formatted(authority.replaceFirst("/+$", ""), variables.name("AZURE_TENANT_ID")));
    var azure =
        new AzureIdentity(http, tokens, variables.name("AZURE_CLIENT_ID"), variables.file(FILE));
    var cached = new CachedCredential<>(azure::fetch, clock);
    return (_, _) -> WorkloadIdentity.CallProof.bearer(cached.now().text());
  }

  private AccessToken fetch(Instant now)
      throws IOException, InterruptedException, TimeoutException {
    var question =
        TokenEndpoints.form(
            tokens,
            Map.of(
                "grant_type",
                "client_credentials",
                "client_id",
                client,
                "client_assertion_type",
                "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
                "client_assertion",
                TokenEndpoints.read(FILE, file),
                "scope",
                SCOPE));
    return TokenEndpoints.token(WHO, TokenEndpoints.ask(http, WHO, question), now);
  }
}
