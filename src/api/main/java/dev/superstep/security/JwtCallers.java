package dev.superstep.security;

import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.jwk.source.RateLimitReachedException;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jose.util.JSONObjectUtils;
import com.nimbusds.jose.util.Resource;
import com.nimbusds.jose.util.ResourceRetriever;
import com.nimbusds.jose.util.health.HealthStatus;
import dev.superstep.engine.run.Addressees;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.security.Caller.KnownNames;
import dev.superstep.security.Grant.Limit;
import dev.superstep.security.JwtSettings.GroupRoles;
import dev.superstep.tenant.Tenant;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.security.oauth2.core.DelegatingOAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtClaimNames;
import org.springframework.security.oauth2.jwt.JwtClaimValidator;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtException;
import org.springframework.security.oauth2.jwt.JwtIssuerValidator;
import org.springframework.security.oauth2.jwt.JwtTimestampValidator;
import org.springframework.security.oauth2.jwt.JwtTypeValidator;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;

/// Takes the tokens of one OpenID provider. Its keys are fetched when the first token comes and
/// kept for five minutes; a token that names an unknown key has them fetched again, twice in half a
/// minute at most, so that strangers cannot make the server call the provider at will.
final class JwtCallers implements Credentials {
  /// Scopes that have not always been: without a prefix, a token may mean something else by them.
  private static final Set<String> YOUNG =
      Set.of(ApiScope.ANSWER.text(), ApiScope.ADMIN.text(), ApiScope.WORK.text());

  private static final String WORK_ON = ApiScope.WORK.text() + ":";

  private static final int ID_BYTES = 8;
  private static final int KEYS_TIMEOUT_MS = 3_000;
  private static final int KEYS_BYTES_MAX = 512 * 1024;

  /// Of the metadata, and of the keys.
  private static final Duration ANSWER_MAX = Duration.ofSeconds(5);

  private final JwtSettings settings;
  private final ResourceRetriever http =
      new TimedRetriever(
          new DefaultResourceRetriever(KEYS_TIMEOUT_MS, KEYS_TIMEOUT_MS, KEYS_BYTES_MAX),
          ANSWER_MAX);
  private final JWKSource<SecurityContext> keys;
  private final JwtDecoder decoder;

  /// Whether the provider gave its keys when it was asked last. A token that names none of them is
  /// a wrong one only then.
  private final boolean alone;

  private volatile boolean reached;

  JwtCallers(JwtSettings settings) {
    this(settings, true);
  }

  /// @param alone whether there are no other issuers
  JwtCallers(JwtSettings settings, boolean alone) {
    this.alone = alone;
    this.settings = settings;
    this.keys = keys();
    this.decoder = decoder(validator());
  }

  JwtSettings settings() {
    return settings;
  }

  /// What the provider says of itself (OpenID Connect Discovery).
  Map<String, Object> metadata() throws IOException {
    try {
      var document = http.retrieveResource(url(IssuerKeys.metadata(settings.issuer())));
      var metadata = JSONObjectUtils.parse(document.getContent());
      if (!settings.issuer().equals(JSONObjectUtils.getString(metadata, "issuer"))) {
        throw new IOException("the metadata is that of another issuer");
      }
      return metadata;
    } catch (ParseException e) {
      throw new IOException("the metadata of the issuer cannot be read", e);
    }
  }

  /// Whose token this is, if it is a valid one.
  ///
  /// @throws ServiceException if the provider's keys cannot be had
  @Override
  public Optional<Caller> caller(String token) {
    return read(token)
        .flatMap(it ->
            caller(it.getClaims(), Optional.ofNullable(it.getExpiresAt()))
                .map(caller -> caller.with(subjectToken(it))));
  }

  /// The decoder takes none without an end.
  private SubjectToken subjectToken(Jwt token) {
    return new SubjectToken(
        token.getTokenValue(),
        settings.issuer(),
        Objects.requireNonNullElse(token.getAudience(), List.of()),
        Objects.requireNonNull(token.getExpiresAt()));
  }

  /// The token, if it is a valid one.
  ///
  /// @throws ServiceException if the provider's keys cannot be had
  Optional<Jwt> read(String token) {
    try {
      return Optional.of(decoder.decode(token));
    } catch (BadJwtException _) {
      return Optional.empty();
    } catch (JwtException e) {
      if (reached && e.getCause() instanceof RateLimitReachedException) {
        return Optional.empty();
      }
      var failure =
          new ServiceException(
              ErrorCode.OVERLOADED, "the keys of the token's issuer cannot be had now; try again");
      failure.initCause(e);
      throw failure;
    }
  }

  /// Who has these claims, and what it may do; empty if they should say whose it is, and do not. A
  /// digest of the subject stays, is short, and shows no name in logs.
  Optional<Caller> caller(Map<String, Object> claims, Optional<Instant> endsAt) {
    return tenant(claims).map(it -> caller(it, claims, endsAt));
  }

  private Caller caller(Tenant tenant, Map<String, Object> claims, Optional<Instant> endsAt) {
    var subject = settings.issuer() + " " + claims.get(JwtClaimNames.SUB);
    var id = id(tenant.isDefault() ? subject : tenant.name() + " " + subject);
    var grants = grants(claims);
    return new Caller(
            tenant,
            Caller.Kind.TOKEN,
            id,
            Grant.all(grants),
            Grant.reaches(grants, tenant, id),
            endsAt,
            Caller.Revocation.NEVER)
        .called(names(claims));
  }

  /// The address of mail, if the provider has verified it, and the subject, unless other issuers
  /// may have the same one.
  private KnownNames names(Map<String, Object> claims) {
    var mail =
        Stream.ofNullable(claims.get("email"))
            .filter(String.class::isInstance)
            .filter(_ -> "true".equals(String.valueOf(claims.get("email_verified"))))
            .map(it -> ((String) it).toLowerCase(Locale.ROOT));
    var subject = Stream.ofNullable(claims.get(JwtClaimNames.SUB)).filter(_ -> alone);
    return new KnownNames(
        Stream.concat(mail, subject.map(String::valueOf)).filter(Addressees::isPerson).toList(),
        words(claim(claims, settings.rolesClaim())).collect(Collectors.toSet()));
  }

  private Optional<Tenant> tenant(Map<String, Object> claims) {
    var tenant = settings.tenant();
    if (!settings.hasTenants()) {
      return Optional.of(Tenant.DEFAULT);
    }
    return (tenant.claim().isEmpty() ? tenant.name() : claim(claims, tenant.claim()))
            instanceof String name
        ? Optional.of(name).filter(Tenant::isName).map(Tenant::new)
        : Optional.empty();
  }

  private static String id(String subject) {
    try {
      var digest =
          MessageDigest.getInstance("SHA-256").digest(subject.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(Arrays.copyOf(digest, ID_BYTES));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private List<Grant> grants(Map<String, Object> claims) {
    var names =
        words(claims.get(settings.scopesClaim()))
            .flatMap(this::unprefixed)
            .filter(it -> !settings.scopePrefix().isEmpty() || !YOUNG.contains(it.split(":", 2)[0]))
            .toList();
    var scopes = names.stream().flatMap(ApiScope::granted).collect(Collectors.toSet());
    return Stream.of(
            Stream.of(new Grant(Set.of(), scopes)),
            names.stream().flatMap(JwtCallers::work),
            words(claim(claims, settings.rolesClaim())).flatMap(this::grants))
        .flatMap(it -> it)
        .toList();
  }

  /// By a scope such as `work:billing.*`.
  private static Stream<Grant> work(String scope) {
    var types = scope.startsWith(WORK_ON) ? scope.substring(WORK_ON.length()) : "";
    return Limit.refusalOfTypes(types).isPresent()
        ? Stream.empty()
        : Stream.of(
            new Grant(
                Set.of(), Set.of(ApiScope.WORK), new Limit(List.of(), false, List.of(types))));
  }

  private Stream<String> unprefixed(String name) {
    return name.startsWith(settings.scopePrefix())
        ? Stream.of(name.substring(settings.scopePrefix().length()))
        : Stream.empty();
  }

  private Stream<Grant> grants(String value) {
    return settings.groups().isEmpty()
        ? unprefixed(value)
            .flatMap(it -> Role.find(it).stream())
            .map(it -> new Grant(Set.of(it), Set.of()))
        : settings.groups().stream().filter(it -> it.name().equals(value)).map(GroupRoles::grant);
  }

  /// The member of that name, or the one to which its dots lead.
  private static @Nullable Object claim(Map<?, ?> claims, String name) {
    if (name.isEmpty()) {
      return null;
    }
    var dot = name.indexOf('.');
    return dot < 0 || claims.containsKey(name)
        ? claims.get(name)
        : claims.get(name.substring(0, dot)) instanceof Map<?, ?> inner
            ? claim(inner, name.substring(dot + 1))
            : null;
  }

  private static Stream<String> words(@Nullable Object claim) {
    return switch (claim) {
      case String text -> Arrays.stream(text.split(" "));
      case Collection<?> items -> items.stream().map(String::valueOf);
      case null, default -> Stream.empty();
    };
  }

  private JWKSource<SecurityContext> keys() {
    var source =
        settings.isDiscovered()
            ? JWKSourceBuilder.<SecurityContext>create(
                url(IssuerKeys.metadata(settings.issuer())),
                new IssuerKeys(http, settings.issuer()))
            : JWKSourceBuilder.<SecurityContext>create(url(settings.jwksUri()), http);
    return source
        .healthReporting(it -> reached = it.getHealthStatus() == HealthStatus.HEALTHY)
        .build();
  }

  /// Checks the signatures of the provider, and what else is said here.
  JwtDecoder decoder(OAuth2TokenValidator<Jwt> validator) {
    var decoder =
        NimbusJwtDecoder.withJwkSource(keys)
            .jwsAlgorithms(it -> {
              it.clear();
              it.addAll(settings.algorithms());
            })
            .build();
    decoder.setJwtValidator(validator);
    return decoder;
  }

  private OAuth2TokenValidator<Jwt> validator() {
    var type = new JwtTypeValidator("JWT", "at+jwt", "application/at+jwt");
    type.setAllowEmpty(true);
    var times = new JwtTimestampValidator(settings.clockSkew());
    times.setAllowEmptyExpiryClaim(false);
    return new DelegatingOAuth2TokenValidator<Jwt>(
        type,
        times,
        new JwtIssuerValidator(settings.issuer()),
        new JwtClaimValidator<Collection<String>>(
            JwtClaimNames.AUD, it -> it != null && it.contains(settings.audience())),
        new JwtClaimValidator<String>(JwtClaimNames.SUB, it -> it != null && !it.isBlank()));
  }

  private static URL url(String address) {
    try {
      return URI.create(address).toURL();
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /// Bounds the whole time of a retrieval: the time-outs of a socket count from each byte, so that
  /// a server that drips would hold the request that waits for its answer. The thread that is left
  /// behind is virtual; its interrupt closes the connection.
  ///
  /// @param retriever does it
  /// @param timeout from the request to the last byte
  private record TimedRetriever(ResourceRetriever retriever, Duration timeout)
      implements ResourceRetriever {

    @Override
    public Resource retrieveResource(URL url) throws IOException {
      var retrieval = new FutureTask<>(() -> retriever.retrieveResource(url));
      Thread.ofVirtual().name("issuer").start(retrieval);
      try {
        return retrieval.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        throw new IOException("no complete answer within " + timeout, e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      } catch (ExecutionException e) {
        throw new IOException(e.getCause());
      } finally {
        retrieval.cancel(true);
      }
    }
  }

  /// Fetches the keys of an issuer from where its metadata says they are (OpenID Connect
  /// Discovery).
  ///
  /// @param http fetches both documents
  /// @param issuer which the metadata must name
  record IssuerKeys(ResourceRetriever http, String issuer) implements ResourceRetriever {
    private static final String METADATA = "/.well-known/openid-configuration";

    /// Where an issuer publishes its metadata.
    static String metadata(String issuer) {
      return issuer.replaceFirst("/$", "") + METADATA;
    }

    @Override
    public Resource retrieveResource(URL metadata) throws IOException {
      return http.retrieveResource(keys(http.retrieveResource(metadata).getContent()));
    }

    private URL keys(String document) throws IOException {
      try {
        var metadata = JSONObjectUtils.parse(document);
        if (!issuer.equals(JSONObjectUtils.getString(metadata, "issuer"))) {
          throw new IOException("the metadata is that of another issuer");
        }
        var keys = JSONObjectUtils.getURI(metadata, "jwks_uri");
        // The driver of URLs would read files, too, and keys over HTTP can be exchanged on the way.
        if (keys == null || !URI.create(issuer).getScheme().equals(keys.getScheme())) {
          throw new IOException("the metadata names no keys at an address like the issuer's");
        }
        return keys.toURL();
      } catch (ParseException e) {
        throw new IOException("the metadata of the issuer cannot be read", e);
      }
    }
  }
}
