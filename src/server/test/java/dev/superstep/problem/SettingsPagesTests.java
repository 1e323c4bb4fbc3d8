package dev.superstep.problem;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The pages that list settings, against the settings that the code reads.
class SettingsPagesTests {
  private static final Path CHOSEN = Path.of("docs/configuration.md");
  private static final Path TUNING = Path.of("docs/tuning.md");
  private static final String METADATA = "META-INF/spring-configuration-metadata.json";

  /// More than a person reads before the first start would be none.
  private static final int CHOSEN_MAX = 40;

  /// Their sections show them as YAML: each entry has a name that the operator gives.
  private static final List<String> WITH_NAMES =
      List.of(
          "superstep.auth.exchange",
          "superstep.auth.issuers",
          "superstep.auth.jwt.groups",
          "superstep.budgets",
          "superstep.models",
          "superstep.params",
          "superstep.retention",
          "superstep.secrets",
          "superstep.tenants.limits",
          "superstep.tools.http",
          "superstep.tools.mcp",
          "superstep.tools.policies",
          "superstep.tools.stub");

  /// Settings that stand for one of Spring Boot's.
  private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{(superstep\\.[a-z.-]+)");

  private static final Pattern ROW =
      Pattern.compile("^\\| `([A-Z_]+)` \\| `([a-z.-]+)` \\|", Pattern.MULTILINE);

  @Test
  void listsEachSettingOnce() throws IOException {
    var listed = new ArrayList<>(properties(CHOSEN));
    listed.addAll(properties(TUNING));

    assertThat(listed).doesNotHaveDuplicates();
    assertThat(listed.stream().filter(it -> it.startsWith("superstep.")))
        .containsExactlyInAnyOrderElementsOf(read());
  }

  @Test
  void asksNobodyToReadMoreThanForty() throws IOException {
    assertThat(properties(CHOSEN)).hasSizeBetween(20, CHOSEN_MAX);
  }

  /// Spring Boot reads either form.
  @Test
  void namesTheVariableOfEachSetting() throws IOException {
    for (var page : List.of(CHOSEN, TUNING)) {
      assertThat(rows(page))
          .allSatisfy(row -> {
            var name = row.group(2).replace('.', '_').toUpperCase(Locale.ROOT);
            assertThat(row.group(1)).isIn(name.replace("-", ""), name.replace('-', '_'));
          });
    }
  }

  private static List<String> properties(Path page) throws IOException {
    return rows(page).stream().map(it -> it.group(2)).toList();
  }

  private static List<MatchResult> rows(Path page) throws IOException {
    return ROW.matcher(Files.readString(page)).results().toList();
  }

  /// What Spring Boot's processor found in the code of each module.
  private static List<String> read() throws IOException {
    var loader = SettingsPagesTests.class.getClassLoader();
    var read = new ArrayList<String>();
    for (var metadata : Collections.list(loader.getResources(METADATA))) {
      try (var content = metadata.openStream()) {
        var properties = JsonMapper.shared().readTree(content).get("properties");
        properties.valueStream().map(SettingsPagesTests::name).forEach(read::add);
      }
    }
    PLACEHOLDER
        .matcher(Files.readString(Path.of("src/server/main/resources/application.yaml")))
        .results()
        .forEach(it -> read.add(it.group(1)));
    return read.stream()
        .filter(it -> it.startsWith("superstep."))
        .filter(it -> WITH_NAMES.stream().noneMatch(it::startsWith))
        .distinct()
        .toList();
  }

  private static String name(JsonNode property) {
    return property.get("name").asString();
  }
}
