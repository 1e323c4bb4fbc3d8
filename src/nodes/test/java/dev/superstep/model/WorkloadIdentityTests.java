package dev.superstep.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.superstep.json.Json;
import dev.superstep.model.ModelIdentitySettings.ModelIdentityEntry;
import dev.superstep.model.identity.Cloud;
import dev.superstep.problem.InvalidSettingException;
import dev.superstep.secret.Secrets;
import dev.superstep.state.value.ObjectValue;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.mock.env.MockEnvironment;

/// Models of clouds, called as the workload that this process is: what goes over the wire to those
/// who give tokens, and to the model.
class WorkloadIdentityTests {
  private static final String ANSWER =
      """
      {"model": "m", "choices": [{"message": {"content": "hi"}, "finish_reason": "stop"}]}
      """;

  @TempDir private Path folder;
  private final MockEnvironment environment = new MockEnvironment();
  private final ConcurrentLinkedQueue<Sent> sent = new ConcurrentLinkedQueue<>();
  private volatile Instant now = Instant.parse("2030-01-01T00:00:00Z");
  private Function<Sent, Said> tokens = _ -> new Said(500, "");
  private HttpServer server;
  private String url;

  private record Sent(String method, String path, Map<String, String> headers, String body) {
    String header(String name) {
      return headers.getOrDefault(name.toLowerCase(java.util.Locale.ROOT), "");
    }

    Map<String, String> form() {
      return Arrays.stream(body.split("&", -1))
          .map(it -> it.split("=", 2))
          .collect(
              Collectors.toMap(
                  it -> it[0], it -> URLDecoder.decode(it[1], StandardCharsets.UTF_8)));
    }
  }

  private record Said(int status, String body) {}

  @BeforeEach
  void starts() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::serve);
    server.start();
    url = "http://127.0.0.1:%d".formatted(server.getAddress().getPort());
  }

  @AfterEach
  void stops() {
    server.stop(0);
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      var headers = new TreeMap<String, String>();
      exchange
          .getRequestHeaders()
          .forEach((name, values) ->
              headers.put(name.toLowerCase(java.util.Locale.ROOT), String.join(",", values)));
      var request =
          new Sent(
              exchange.getRequestMethod(),
              exchange.getRequestURI().toString(),
              headers,
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
      sent.add(request);
      var said =
          request.path().startsWith("/model/") ? new Said(200, ANSWER) : tokens.apply(request);
      var body = said.body().getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(said.status(), body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private Path file(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content);
  }

  private Model model(Cloud cloud) {
    return model(cloud, url + "/model/v1", null);
  }

  private Model model(Cloud cloud, @Nullable String baseUrl, @Nullable String apiKey) {
    var entry =
        new ModelSettings.ModelEntry(
            Provider.OPENAI, baseUrl, "m", apiKey, Duration.ofSeconds(5), "", Map.of(), null);
    var beans = new StaticListableBeanFactory(Map.of("clock", (InstantSource) () -> now));
    return new ModelConfiguration()
        .models(
            new ModelSettings(Map.of("m", entry), null, null),
            new ScriptSettings(Map.of()),
            new ModelLimitSettings(Map.of()),
            new ModelCacheSettings(Map.of()),
            new ModelIdentitySettings(Map.of("m", new ModelIdentityEntry(cloud))),
            new Secrets(environment),
            environment,
            beans.getBeanProvider(InstantSource.class))
        .standard()
        .orElseThrow();
  }

  private static String ask(Model model) throws Exception {
    return model
        .call(
            new ModelRequest(
                List.of((ObjectValue) Json.read("{\"role\": \"user\", \"content\": \"hello\"}")),
                List.of(),
                Optional.empty(),
                ObjectValue.empty(),
                new ModelRequest.Delivery.Whole()))
        .text();
  }

  private List<Sent> sent(String path) {
    return sent.stream().filter(it -> it.path().startsWith(path)).toList();
  }

  private static Said token(String token) {
    return new Said(
        200,
        "{\"token_type\":\"Bearer\",\"expires_in\":3600,\"access_token\":\"%s\"}".formatted(token));
  }

  private void azure() throws IOException {
    environment.setProperty("AZURE_AUTHORITY_HOST", url + "/entra/");
    environment.setProperty("AZURE_TENANT_ID", "our-tenant");
    environment.setProperty("AZURE_CLIENT_ID", "our-client");
    environment.setProperty(
        "AZURE_FEDERATED_TOKEN_FILE", file("azure", "kubernetes-1\n").toString());
  }

  @Test
  void exchangesTheTokenOfKubernetesForOneOfAzure() throws Exception {
    azure();
    tokens = it -> token("for-" + it.form().get("client_assertion"));
    var model = model(Cloud.AZURE);

    assertThat(ask(model)).isEqualTo("hi");
    assertThat(ask(model)).isEqualTo("hi");

    var questions = sent("/entra/our-tenant/oauth2/v2.0/token");
    assertThat(questions).hasSize(1);
    assertThat(questions.getFirst().method()).isEqualTo("POST");
    assertThat(questions.getFirst().header("Content-Type"))
        .isEqualTo("application/x-www-form-urlencoded");
    assertThat(questions.getFirst().form())
        .containsOnly(
            Map.entry("grant_type", "client_credentials"),
            Map.entry("client_id", "our-client"),
            Map.entry(
                "client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"),
            Map.entry("client_assertion", "kubernetes-1"),
            Map.entry("scope", "https://cognitiveservices.azure.com/.default"));
    assertThat(sent("/model/v1/chat/completions"))
        .hasSize(2)
        .allMatch(it -> it.header("Authorization").equals("Bearer for-kubernetes-1"));
  }

  /// Kubernetes replaces its token now and then.
  @Test
  void renewsATokenBeforeItEnds() throws Exception {
    azure();
    tokens = it -> token("for-" + it.form().get("client_assertion"));
    var model = model(Cloud.AZURE);
    assertThat(ask(model)).isEqualTo("hi");
    file("azure", "kubernetes-2");
    now = now.plus(Duration.ofMinutes(56));

    assertThat(renewed(model, "Authorization"))
        .containsExactly("Bearer for-kubernetes-1", "Bearer for-kubernetes-2");
  }

  @Test
  void saysWhyThereIsNoTokenAndNothingOfWhatIsSecret() throws Exception {
    azure();
    var assertion = "eyJhbGciOiJSUzI1NiIsImtpZCI6IjEyMzQ1Njc4OTAifQ.payload.signature";
    file("azure", assertion);
    tokens =
        _ ->
            new Said(
                401,
                "{\"error\":\"invalid_client\",\"error_description\":\"AADSTS70021: no match for %s\"}"
                    .formatted(assertion));

    assertThatThrownBy(() -> ask(model(Cloud.AZURE)))
        .isInstanceOfSatisfying(
            ModelException.class,
            it -> {
              assertThat(it.error().code()).isEqualTo("model_unauthorized");
              assertThat(it.error().message())
                  .isEqualTo(
                      "model 'm': Microsoft Entra answered 401 to the question for a token:"
                          + " invalid_client AADSTS70021: no match for ***");
            });
    assertThat(sent("/model/")).isEmpty();
  }

  @Test
  void takesAnOutageOfWhoGivesTokensForOneOfTheModel() throws Exception {
    azure();
    tokens = _ -> new Said(503, "");

    assertThatThrownBy(() -> ask(model(Cloud.AZURE)))
        .isInstanceOfSatisfying(
            ModelException.class,
            it -> assertThat(it.error().code()).isEqualTo("model_unavailable"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}",
        "[]",
        "nothing",
        "{\"access_token\":\"a\"}",
        "{\"expires_in\":3600,\"access_token\":\"a\\r\\nX-Evil: b\"}",
        "{\"expires_in\":99999999,\"access_token\":\"a\"}",
      })
  void takesNoTokenThatIsNone(String answer) throws Exception {
    azure();
    tokens = _ -> new Said(200, answer);

    assertThatThrownBy(() -> ask(model(Cloud.AZURE))).isInstanceOf(ModelException.class);
    assertThat(sent("/model/")).isEmpty();
  }

  @Test
  void asksTheMetadataServerOfGoogle() throws Exception {
    environment.setProperty("GCE_METADATA_HOST", url.substring("http://".length()));
    tokens = _ -> token("of-google");

    assertThat(ask(model(Cloud.GOOGLE))).isEqualTo("hi");

    var questions = sent("/computeMetadata/v1/instance/service-accounts/default/token");
    assertThat(questions).hasSize(1);
    assertThat(questions.getFirst().method()).isEqualTo("GET");
    assertThat(questions.getFirst().header("Metadata-Flavor")).isEqualTo("Google");
    assertThat(sent("/model/v1/chat/completions").getFirst().header("Authorization"))
        .isEqualTo("Bearer of-google");
  }

  @Test
  void exchangesTheTokenOfAnotherPlatformForOneOfGoogle() throws Exception {
    var subject = file("subject", "{\"id_token\":\"of-our-cluster\"}");
    var federation =
        """
        {"type": "external_account", "audience": "//iam.googleapis.com/pools/p/providers/q",
         "subject_token_type": "urn:ietf:params:oauth:token-type:jwt",
         "token_url": "URL/sts/v1/token",
         "service_account_impersonation_url": "URL/iam/v1/accounts/sa:generateAccessToken",
         "credential_source": {"file": "FILE",
           "format": {"type": "json", "subject_token_field_name": "id_token"}}}
        """
            .replace("URL", url)
            .replace("FILE", subject.toString());
    environment.setProperty(
        "GOOGLE_APPLICATION_CREDENTIALS", file("federation.json", federation).toString());
    tokens =
        it ->
            it.path().startsWith("/sts")
                ? token("exchanged")
                : new Said(
                    200,
                    "{\"accessToken\":\"of-the-account\",\"expireTime\":\"2030-01-01T01:00:00Z\"}");

    assertThat(ask(model(Cloud.GOOGLE))).isEqualTo("hi");

    assertThat(sent("/sts/v1/token").getFirst().form())
        .containsEntry("grant_type", "urn:ietf:params:oauth:grant-type:token-exchange")
        .containsEntry("audience", "//iam.googleapis.com/pools/p/providers/q")
        .containsEntry("subject_token", "of-our-cluster")
        .containsEntry("subject_token_type", "urn:ietf:params:oauth:token-type:jwt")
        .containsEntry("scope", "https://www.googleapis.com/auth/cloud-platform");
    var impersonation = sent("/iam/v1/accounts/sa:generateAccessToken").getFirst();
    assertThat(impersonation.header("Authorization")).isEqualTo("Bearer exchanged");
    assertThat(impersonation.body())
        .isEqualTo("{\"scope\":[\"https://www.googleapis.com/auth/cloud-platform\"]}");
    assertThat(sent("/model/").getFirst().header("Authorization"))
        .isEqualTo("Bearer of-the-account");
  }

  private void aws() throws IOException {
    environment.setProperty("AWS_REGION", "eu-central-1");
    environment.setProperty("AWS_ROLE_ARN", "arn:aws:iam::123456789012:role/models");
    environment.setProperty("AWS_ENDPOINT_URL_STS", url + "/sts");
    environment.setProperty("AWS_WEB_IDENTITY_TOKEN_FILE", file("aws", "of-eks").toString());
  }

  private static Said lent(String number, String until) {
    return new Said(
        200,
        """
        <AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
         <AssumeRoleWithWebIdentityResult><Credentials>
          <AccessKeyId>ASIA%1$s</AccessKeyId><SecretAccessKey>secret/%1$s+x=</SecretAccessKey>
          <SessionToken>session-%1$s</SessionToken><Expiration>%2$s</Expiration>
         </Credentials></AssumeRoleWithWebIdentityResult>
        </AssumeRoleWithWebIdentityResponse>
        """
            .formatted(number, until));
  }

  @Test
  void takesARoleAtAwsAndSignsWithIt() throws Exception {
    aws();
    tokens = _ -> lent("1", "2030-01-01T01:00:00Z");
    var model = model(Cloud.AWS);

    assertThat(ask(model)).isEqualTo("hi");
    assertThat(ask(model)).isEqualTo("hi");

    assertThat(sent("/sts")).hasSize(1);
    assertThat(sent("/sts").getFirst().form())
        .containsOnly(
            Map.entry("Action", "AssumeRoleWithWebIdentity"),
            Map.entry("Version", "2011-06-15"),
            Map.entry("RoleArn", "arn:aws:iam::123456789012:role/models"),
            Map.entry("RoleSessionName", "superstep"),
            Map.entry("WebIdentityToken", "of-eks"));
    var call = sent("/model/v1/chat/completions").getFirst();
    assertThat(call.header("X-Amz-Date")).isEqualTo("20300101T000000Z");
    assertThat(call.header("X-Amz-Security-Token")).isEqualTo("session-1");
    assertThat(call.header("Authorization"))
        .isEqualTo(
            "AWS4-HMAC-SHA256"
                + " Credential=ASIA1/20300101/eu-central-1/bedrock/aws4_request,"
                + " SignedHeaders=content-type;host;x-amz-date;x-amz-security-token, Signature="
                + signature(call, "secret/1+x="));
  }

  /// As AWS computes it from what has arrived.
  private static String signature(Sent call, String secret) throws Exception {
    var signed = List.of("content-type", "host", "x-amz-date", "x-amz-security-token");
    var canonical =
        "POST\n%s\n\n%s\n%s\n%s"
            .formatted(
                call.path(),
                signed.stream()
                    .map(it -> it + ":" + call.header(it) + "\n")
                    .collect(Collectors.joining()),
                String.join(";", signed),
                hash(call.body()));
    var text =
        "AWS4-HMAC-SHA256\n20300101T000000Z\n20300101/eu-central-1/bedrock/aws4_request\n"
            + hash(canonical);
    var key = ("AWS4" + secret).getBytes(StandardCharsets.UTF_8);
    for (var part : List.of("20300101", "eu-central-1", "bedrock", "aws4_request", text)) {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      key = mac.doFinal(part.getBytes(StandardCharsets.UTF_8));
    }
    return HexFormat.of().formatHex(key);
  }

  private static String hash(String text) throws Exception {
    return HexFormat.of()
        .formatHex(
            MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void takesTheRoleAgainBeforeItEnds() throws Exception {
    aws();
    tokens = _ -> lent("1", "2030-01-01T01:00:00Z");
    var model = model(Cloud.AWS);
    assertThat(ask(model)).isEqualTo("hi");
    now = Instant.parse("2030-01-01T00:56:00Z");
    tokens = _ -> lent("2", "2030-01-01T01:56:00Z");

    assertThat(renewed(model, "X-Amz-Security-Token")).containsExactly("session-1", "session-2");
  }

  /// What calls have sent, one after the other, until it changes: calls go on with what there is
  /// while it is renewed.
  private Set<String> renewed(Model model, String header) {
    return await()
        .until(
            () -> {
              assertThat(ask(model)).isEqualTo("hi");
              return sent("/model/").stream()
                  .map(it -> it.header(header))
                  .collect(Collectors.toCollection(LinkedHashSet::new));
            },
            it -> it.size() > 1);
  }

  @Test
  void saysWhyAwsGivesNoRole() throws Exception {
    aws();
    tokens =
        _ ->
            new Said(
                403,
                "<ErrorResponse><Error><Code>AccessDenied</Code><Message>Not authorized to perform"
                    + " sts:AssumeRoleWithWebIdentity</Message></Error></ErrorResponse>");

    assertThatThrownBy(() -> ask(model(Cloud.AWS)))
        .hasStackTraceContaining(
            "AWS STS answered 403 to the question for a token: Not authorized to perform"
                + " sts:AssumeRoleWithWebIdentity");
  }

  @Test
  void borrowsFromTheAgentOfTheNode() throws Exception {
    environment.setProperty("AWS_REGION", "eu-central-1");
    environment.setProperty("AWS_CONTAINER_CREDENTIALS_FULL_URI", url + "/agent/credentials");
    environment.setProperty(
        "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", file("agent", "of-the-pod").toString());
    tokens =
        _ ->
            new Said(
                200,
                "{\"AccessKeyId\":\"ASIA9\",\"SecretAccessKey\":\"s\",\"Token\":\"session-9\","
                    + "\"Expiration\":\"2030-01-01T06:00:00Z\"}");

    assertThat(ask(model(Cloud.AWS))).isEqualTo("hi");

    assertThat(sent("/agent/credentials").getFirst().header("Authorization"))
        .isEqualTo("of-the-pod");
    assertThat(sent("/model/").getFirst().header("X-Amz-Security-Token")).isEqualTo("session-9");
  }

  /// What was sent, wherever it stands in the answer.
  @Test
  void repeatsNothingOfWhatItHasSent() throws Exception {
    environment.setProperty("AWS_REGION", "eu-central-1");
    environment.setProperty("AWS_CONTAINER_CREDENTIALS_FULL_URI", url + "/agent");
    environment.setProperty(
        "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", file("agent", "of-the-pod").toString());
    tokens =
        it ->
            new Said(
                400,
                "{\"error\":{\"message\":\"bad token:%s.\"}}"
                    .formatted(it.header("Authorization")));

    assertThatThrownBy(() -> ask(model(Cloud.AWS)))
        .hasMessageContaining("bad token:***.")
        .hasMessageNotContaining("of-the-pod");
  }

  @ParameterizedTest
  @CsvSource({
    "http://169.254.170.2/x, false",
    "http://metadata.google.internal/x, false",
    "http://[fd00:ec2::23]/x, false",
    "https://sts.eu-central-1.amazonaws.com/, true",
  })
  void asksThePlatformItselfAndNoProxy(String address, boolean proxied) {
    var proxy = InetSocketAddress.createUnresolved("proxy.example", 3128);
    var selected =
        new PlatformProxies(ProxySelector.of(proxy)).select(URI.create(address)).getFirst();

    assertThat(selected.type() != Proxy.Type.DIRECT).isEqualTo(proxied);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "AZURE  | https://m.example/openai/v1 |               | AZURE_TENANT_ID is not set",
        "GOOGLE | http://m.example/v1         |               | must be an https address",
        "AWS    | https://m.example/v1        |               | AWS_REGION is not set",
        "AWS    | https://bedrock-runtime.eu-west-1.amazonaws.com/v1 | | none of the variables",
        "AZURE  | https://m.example/openai/v1 | env:KEY       | beside api-key",
        "AZURE  |                             |               | needs the base-url",
      })
  void complainsAtTheStart(
      Cloud cloud, @Nullable String baseUrl, @Nullable String apiKey, String complaint) {
    assertThatThrownBy(() -> model(cloud, baseUrl, apiKey))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessageContaining("superstep.models.m.identity")
        .hasMessageContaining(complaint);
  }
}
