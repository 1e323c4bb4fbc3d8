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
import io.fabric8.kubernetes.api.model.apps.Deployment;
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
            "ConfigMap", "Deployment", "PodDisruptionBudget", "Service", "ServiceAccount");
    assertThat(objects).flatExtracting(Manifests::unknownFields).isEmpty();
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
