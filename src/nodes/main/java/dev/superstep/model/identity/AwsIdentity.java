package dev.superstep.model.identity;

import dev.superstep.json.JsonException;
import dev.superstep.model.identity.TokenHttp.TokenQuestion;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// The role of this process at AWS: taken with the token that Kubernetes keeps in a file (IRSA), or
/// lent by the agent of EKS and ECS; requests to Bedrock are signed with what comes of it.
final class AwsIdentity {
  private static final String STS = "AWS STS";
  private static final String FILE = "AWS_WEB_IDENTITY_TOKEN_FILE";
  private static final String FULL = "AWS_CONTAINER_CREDENTIALS_FULL_URI";
  private static final String RELATIVE = "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI";
  private static final String AGENT_FILE = "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE";

  /// Of the agent of ECS.
  private static final String AGENT = "http://169.254.170.2";

  private static final Set<String> AGENTS =
      Set.of("169.254.170.2", "169.254.170.23", "[fd00:ec2::23]");

  private static final Pattern HOST =
      Pattern.compile("(bedrock[a-z-]*)\\.([a-z]{2}[a-z0-9-]{3,30})\\..+");

  private AwsIdentity() {}

  static WorkloadIdentity of(
      CloudVariables variables, TokenHttp http, InstantSource clock, URI model) {
    var host = HOST.matcher(model.getHost());
    boolean isBedrock = host.matches();
    var region = isBedrock ? host.group(2) : variables.name("AWS_REGION");
    var service =
        isBedrock && host.group(1).startsWith("bedrock-mantle") ? "bedrock-mantle" : "bedrock";
    var signature = new AwsSignature(region, service);
    var cached =
        new CachedCredential<>(
            variables.find(FILE).isPresent()
                ? role(variables, http, region)
                : lent(variables, http),
            clock);
    return (uri, body) -> {
      var credential = cached.now();
      return new WorkloadIdentity.CallProof(
          signature.sign(
              uri, Map.of("content-type", "application/json"), body, credential, clock.instant()),
          List.of(credential.sessionToken(), credential.secretKey()));
    };
  }

  private static CachedCredential.CredentialSource<AwsCredential> role(
      CloudVariables variables, TokenHttp http, String region) {
    var role = variables.name("AWS_ROLE_ARN");
    var file = variables.file(FILE);
    var session =
        variables.find("AWS_ROLE_SESSION_NAME").isPresent()
            ? variables.name("AWS_ROLE_SESSION_NAME")
            : "superstep";
    var domain = region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com";
    var sts =
        variables.address("AWS_ENDPOINT_URL_STS", "https://sts.%s.%s/".formatted(region, domain));
    return now -> {
      var question =
          TokenEndpoints.form(
              sts,
              Map.of(
                  "Action",
                  "AssumeRoleWithWebIdentity",
                  "Version",
                  "2011-06-15",
                  "RoleArn",
                  role,
                  "RoleSessionName",
                  session,
                  "WebIdentityToken",
                  TokenEndpoints.read(FILE, file)));
      var xml = TokenEndpoints.ask(http, STS, question);
      return new AwsCredential(
          text(xml, "AccessKeyId"),
          text(xml, "SecretAccessKey"),
          text(xml, "SessionToken"),
          TokenEndpoints.time(STS, text(xml, "Expiration"), now));
    };
  }

  private static String text(String xml, String element) throws IdentityException {
    return TokenEndpoints.requireToken(STS, AwsXml.find(xml, element).orElse(""));
  }

  private static CachedCredential.CredentialSource<AwsCredential> lent(
      CloudVariables variables, TokenHttp http) {
    if (variables.find(FULL).isEmpty() && variables.find(RELATIVE).isEmpty()) {
      throw variables.complaint(
          "none of the variables %s is set: is the workload set up for it?",
          String.join(", ", FILE, FULL, RELATIVE));
    }
    var uri = agent(variables);
    var file =
        variables.find(AGENT_FILE).isPresent()
            ? Optional.of(variables.file(AGENT_FILE))
            : Optional.<Path>empty();
    return now -> {
      var headers = new HashMap<String, String>();
      if (file.isPresent()) {
        headers.put(
            "Authorization",
            TokenEndpoints.requireToken(
                "the file of " + AGENT_FILE, TokenEndpoints.read(AGENT_FILE, file.get())));
      }
      return lent(
          TokenEndpoints.ask(http, "AWS' agent", new TokenQuestion(uri, headers, null)), now);
    };
  }

  /// Where the agent is: on this host, or an https address.
  private static URI agent(CloudVariables variables) {
    var full = variables.find(FULL);
    var what = "the variable " + (full.isPresent() ? FULL : RELATIVE);
    var uri = variables.parse(what, full.orElseGet(() -> AGENT + variables.require(RELATIVE)));
    return AGENTS.contains(String.valueOf(uri.getHost())) ? uri : variables.requireSafe(what, uri);
  }

  private static AwsCredential lent(String json, Instant now) throws IOException {
    var who = "AWS' agent";
    try {
      var answer = TokenEndpoints.object(json);
      return new AwsCredential(
          TokenEndpoints.requireToken(who, answer.textOrEmpty("AccessKeyId")),
          TokenEndpoints.requireToken(who, answer.textOrEmpty("SecretAccessKey")),
          TokenEndpoints.requireToken(who, answer.textOrEmpty("Token")),
          TokenEndpoints.time(who, answer.textOrEmpty("Expiration"), now));
    } catch (JsonException _) {
      throw new IdentityException(who + " answered no JSON", true);
    }
  }
}
