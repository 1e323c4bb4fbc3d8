package dev.superstep.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import com.marcnuri.helm.TemplateCommand;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ChartTests {

  private static final Path CHART = Path.of("helm/superstep");

  @BeforeAll
  static void needsHelm() {
    assumeTrue(helmLoads(), "the native library of Helm cannot be loaded on this platform");
  }

  private static boolean helmLoads() {
    try {
      Helm.version().call();
      return true;
    } catch (LinkageError | RuntimeException _) {
      return false;
    }
  }

  @Test
  void passesTheStrictLint() {
    LintResult result = new Helm(CHART).lint().strict().call();

    assertThat(result.isFailed()).as(String.join("\n", result.getMessages())).isFalse();
  }

  @Test
  void rendersObjectsWithoutMisspeltFields() {
    List<HasMetadata> objects = Manifests.parse(rendered(complete()));

    assertThat(objects)
        .extracting(HasMetadata::getKind)
        .containsExactlyInAnyOrder(
            "ConfigMap",
            "Deployment",
            "NetworkPolicy",
            "PodDisruptionBudget",
            "Service",
            "ServiceAccount");
    assertThat(objects).flatExtracting(Manifests::unknownFields).isEmpty();
  }

  /// Nobody from outside of the cluster reaches the port that asks for no key.
  @Test
  void closesTheManagementPortToAllButTheCluster() {
    var policy =
        Manifests.parse(rendered(complete())).stream()
            .filter(NetworkPolicy.class::isInstance)
            .map(NetworkPolicy.class::cast)
            .findFirst()
            .orElseThrow();

    assertThat(policy.getSpec().getIngress())
        .filteredOn(it -> it.getPorts().getFirst().getPort().getStrVal().equals("management"))
        .singleElement()
        .satisfies(it ->
            assertThat(it.getFrom())
                .singleElement()
                .satisfies(from -> assertThat(from.getNamespaceSelector()).isNotNull()));
  }

  @Test
  void findsAMisspeltField() {
    String manifest = rendered(complete()).replace("readinessProbe:", "readynessProbe:");

    assertThat(Manifests.parse(manifest))
        .flatExtracting(Manifests::unknownFields)
        .anyMatch(path -> path.endsWith("readynessProbe"));
  }

  @Test
  void takesKeysAndPasswordsFromSecretsOnly() {
    Container container = container(rendered(complete()));

    assertThat(container.getEnv())
        .extracting(EnvVar::getName, env -> env.getValueFrom().getSecretKeyRef().getName())
        .containsExactlyInAnyOrder(
            tuple("SUPERSTEP_API_KEYS", "keys"),
            tuple("SPRING_DATASOURCE_USERNAME", "db"),
            tuple("SPRING_DATASOURCE_PASSWORD", "db"));
  }

  @Test
  void probesTheManagementPort() {
    Container container = container(rendered(complete()));

    assertThat(List.of(container.getLivenessProbe(), container.getReadinessProbe()))
        .extracting(probe -> probe.getHttpGet().getPort().getStrVal())
        .containsOnly("management");
    assertThat(container.getReadinessProbe().getHttpGet().getPath())
        .isEqualTo("/actuator/health/readiness");
  }

  @Test
  void runsWithoutPrivileges() {
    Deployment deployment = one(rendered(complete()), Deployment.class);

    assertThat(deployment.getSpec().getTemplate().getSpec().getSecurityContext().getRunAsNonRoot())
        .isTrue();
    assertThat(container(rendered(complete())).getSecurityContext())
        .returns(true, it -> it.getReadOnlyRootFilesystem())
        .returns(false, it -> it.getAllowPrivilegeEscalation());
  }

  @Test
  void runsInProductionWithTheSettingsGiven() {
    ConfigMap settings =
        one(rendered(complete().set("settings.SUPERSTEP_LEASE", "9s")), ConfigMap.class);

    assertThat(settings.getData())
        .containsEntry("SPRING_PROFILES_ACTIVE", "prod")
        .containsEntry("MANAGEMENT_SERVER_ADDRESS", "0.0.0.0")
        .containsEntry("SPRING_DATASOURCE_URL", "jdbc:postgresql://pg:5432/superstep")
        .containsEntry("SUPERSTEP_LEASE", "9s");
  }

  /// Nothing is killed that the service still waits for.
  @Test
  void waitsForTheGraceAndTheDrainBeforeItKills() {
    String chart =
        rendered(complete().set("shutdown.graceSeconds", "7").set("shutdown.drainSeconds", "90"));

    assertThat(one(chart, ConfigMap.class).getData())
        .containsEntry("SUPERSTEP_GRACE", "7s")
        .containsEntry("SUPERSTEP_DRAIN", "90s");
    assertThat(
            one(chart, Deployment.class)
                .getSpec()
                .getTemplate()
                .getSpec()
                .getTerminationGracePeriodSeconds())
        .isEqualTo(117);
  }

  @Test
  void refusesToRenderWithoutASecretOfApiKeys() {
    assertThatThrownBy(() -> rendered(complete().set("apiKeys.existingSecret", "")))
        .hasMessageContaining("apiKeys.existingSecret is required");
  }

  @Test
  void refusesToRenderWithoutADatabase() {
    assertThatThrownBy(() -> rendered(complete().set("database.url", "")))
        .hasMessageContaining("database.url is required");
  }

  @Test
  void refusesValuesThatItDoesNotKnow() {
    assertThatThrownBy(() -> rendered(complete().set("replicas", "3")))
        .hasMessageContaining("replicas");
  }

  @Test
  void takesTheModelsThatGraphsUseAndTheirKeysFromASecret() {
    String chart =
        rendered(
            complete()
                .set("models.small.provider", "openai")
                .set("models.small.api-key", "env:OPENAI_API_KEY")
                .set("config.superstep.default-model", "small")
                .set("envFrom[0].secretRef.name", "model-keys"));

    assertThat(chart)
        .contains("api-key: env:OPENAI_API_KEY", "default-model: small")
        .contains("SPRING_CONFIG_ADDITIONALLOCATION: file:/opt/superstep/config/");
    assertThat(container(chart).getEnvFrom())
        .extracting(it -> it.getSecretRef() == null ? "" : it.getSecretRef().getName())
        .contains("model-keys");
    assertThat(mounts(chart)).contains("/opt/superstep/config");
  }

  @Test
  void refusesAModelsKeyThatIsWrittenDown() {
    assertThatThrownBy(() ->
            rendered(
                complete()
                    .set("models.small.provider", "openai")
                    .set("models.small.api-key", "sk-1")))
        .hasMessageContaining("api-key");
  }

  @Test
  void copiesExtensionsFromAnImage() {
    String chart = rendered(complete().set("extensions.image", "tools:1"));

    assertThat(
            one(chart, Deployment.class)
                .getSpec()
                .getTemplate()
                .getSpec()
                .getInitContainers()
                .getFirst()
                .getImage())
        .isEqualTo("tools:1");
    assertThat(one(chart, ConfigMap.class).getData())
        .containsEntry("SUPERSTEP_EXTENSIONS", "/opt/superstep/extensions");
    assertThat(mounts(chart)).contains("/opt/superstep/extensions");
  }

  @Test
  void prefersADigestToATag() {
    String digest = "sha256:" + "a".repeat(64);

    assertThat(container(rendered(complete().set("image.digest", digest))).getImage())
        .isEqualTo("superstep@" + digest);
    assertThatThrownBy(() -> rendered(complete().set("image.digest", "latest")))
        .hasMessageContaining("digest");
  }

  /// A proxy that buffers shows the events of a stream when it is over.
  @Test
  void letsStreamsThroughTheIngress() {
    String chart =
        rendered(complete().set("ingress.enabled", "true").set("ingress.hosts[0]", "s.example"));

    assertThat(one(chart, Ingress.class).getMetadata().getAnnotations())
        .containsEntry("nginx.ingress.kubernetes.io/proxy-buffering", "off")
        .containsEntry("nginx.ingress.kubernetes.io/proxy-read-timeout", "3600");
    assertThatThrownBy(() -> rendered(complete().set("ingress.enabled", "true")))
        .hasMessageContaining("ingress.hosts");
  }

  @Test
  void tellsWhereCallbacksReachTheService() {
    var exposed = complete().set("ingress.enabled", "true").set("ingress.hosts[0]", "s.example");

    assertThat(rendered(exposed)).contains("SUPERSTEP_PUBLICURL: \"https://s.example\"");
    assertThat(rendered(exposed.set("settings.SUPERSTEP_PUBLICURL", "http://t.example")))
        .contains("SUPERSTEP_PUBLICURL: \"http://t.example\"")
        .doesNotContain("https://s.example");
    assertThat(rendered(complete())).doesNotContain("PUBLICURL");
  }

  @Test
  void leavesTheNumberOfReplicasToTheAutoscaler() {
    String chart = rendered(complete().set("autoscaling.enabled", "true"));

    assertThat(one(chart, Deployment.class).getSpec().getReplicas()).isNull();
    assertThat(one(chart, HorizontalPodAutoscaler.class).getSpec().getMinReplicas()).isEqualTo(2);
    assertThatThrownBy(() ->
            rendered(
                complete().set("autoscaling.enabled", "true").set("autoscaling.minReplicas", "9")))
        .hasMessageContaining("minReplicas");
  }

  @Test
  void boundsTheTemporarySpaceAndSpreadsTheReplicas() {
    var pod = one(rendered(complete()), Deployment.class).getSpec().getTemplate().getSpec();

    assertThat(pod.getVolumes().getFirst().getEmptyDir().getSizeLimit()).hasToString("512Mi");
    assertThat(pod.getContainers().getFirst().getResources().getLimits())
        .containsKey("ephemeral-storage");
    assertThat(pod.getTopologySpreadConstraints().getFirst().getLabelSelector().getMatchLabels())
        .containsEntry("app.kubernetes.io/instance", "test");
  }

  /// All that is off by default, at once.
  @Test
  void rendersEverythingWithoutMisspeltFields() {
    String chart = rendered(everything());
    List<HasMetadata> objects = Manifests.parse(chart);

    assertThat(objects)
        .extracting(HasMetadata::getKind)
        .contains("Ingress", "HorizontalPodAutoscaler", "NetworkPolicy", "PodMonitor")
        .contains("PrometheusRule");
    assertThat(objects)
        .filteredOn(it -> !it.getApiVersion().startsWith("monitoring.coreos.com"))
        .flatExtracting(Manifests::unknownFields)
        .isEmpty();
    assertThat(chart)
        .contains("LOGGING_STRUCTURED_FORMAT_CONSOLE")
        .contains("superstep.json: |", "\"uid\": \"superstep\"");
    assertThat(mounts(chart)).contains("/opt/superstep/extensions", "/run/more");
    assertThat(container(chart).getEnv()).extracting(EnvVar::getName).contains("MORE");
  }

  private static TemplateCommand everything() {
    return complete()
        .set("ingress.enabled", "true")
        .set("ingress.hosts[0]", "s.example")
        .set("ingress.tlsSecret", "tls")
        .set("autoscaling.enabled", "true")
        .set("networkPolicy.enabled", "true")
        .set("networkPolicy.from[0].podSelector.matchLabels.app", "web")
        .set("networkPolicy.egress[0].ports[0].port", "5432")
        .set("metrics.podMonitor.enabled", "true")
        .set("metrics.rules.enabled", "true")
        .set("metrics.dashboard.enabled", "true")
        .set("logging.format", "ecs")
        .set("extensions.volume.image.reference", "tools:1")
        .set("extraEnv[0].name", "MORE")
        .set("extraEnv[0].value", "words")
        .set("extraVolumes[0].name", "more")
        .set("extraVolumes[0].secret.secretName", "more")
        .set("extraVolumeMounts[0].name", "more")
        .set("extraVolumeMounts[0].mountPath", "/run/more")
        .set("priorityClassName", "high");
  }

  private static List<String> mounts(String chart) {
    return container(chart).getVolumeMounts().stream().map(VolumeMount::getMountPath).toList();
  }

  private static TemplateCommand complete() {
    return new Helm(CHART)
        .template()
        .withName("test")
        .withKubeVersion("1.34.0")
        .set("apiKeys.existingSecret", "keys")
        .set("database.url", "jdbc:postgresql://pg:5432/superstep")
        .set("database.existingSecret", "db");
  }

  private static String rendered(TemplateCommand command) {
    return command.call();
  }

  private static Container container(String manifest) {
    return one(manifest, Deployment.class)
        .getSpec()
        .getTemplate()
        .getSpec()
        .getContainers()
        .getFirst();
  }

  private static <T extends HasMetadata> T one(String manifest, Class<T> kind) {
    return Manifests.parse(manifest).stream()
        .filter(kind::isInstance)
        .map(kind::cast)
        .findFirst()
        .orElseThrow();
  }
}
