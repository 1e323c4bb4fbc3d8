package dev.superstep.node.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.superstep.problem.InvalidSettingException;
import dev.superstep.secret.OnBehalfOf;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class ToolSettingsTests {

  /// Readers without Spring Boot have the same.
  @Test
  void isWhatAServerHasOnWhichNothingIsSet() {
    assertThat(ToolSettings.UNSET)
        .isEqualTo(new Binder(List.of()).bindOrCreate("superstep.tools", ToolSettings.class));
  }

  private static ToolSettings bind(Map<String, String> settings) {
    return new Binder(List.of(new MapConfigurationPropertySource(settings)))
        .bindOrCreate("superstep.tools", ToolSettings.class);
  }

  private static Map<String, String> onBehalf(String url) {
    var http = "superstep.tools.http.crm.";
    return new HashMap<>(
        Map.of(
            http + "url", url,
            http + "on-behalf-of.subject", "exchange",
            http + "on-behalf-of.audience", "crm",
            http + "on-behalf-of.scopes", "read, write"));
  }

  @Test
  void readsOnWhoseBehalfAToolIsCalled() {
    var tools = bind(onBehalf("https://crm.example/{note}?by={who}"));

    assertThat(tools.onBehalf().bySetting())
        .containsExactly(
            entry(
                "superstep.tools.http.crm.on-behalf-of",
                new OnBehalfOf(OnBehalfOf.TokenMode.EXCHANGE, "crm", List.of("read", "write"))));
  }

  @ParameterizedTest
  @CsvSource({
    "url,https://{who}.example/notes",
    "url,https://crm.example:{port}/notes",
    "url,https://crm.example{more}",
    "api-key,env:KEY",
    "headers.authorization,Basic x",
    "on-behalf-of.audience,''",
    "on-behalf-of.subject,''",
    "on-behalf-of.subject,pass"
  })
  void refusesATokenThatCouldGoElsewhereOrStandBesideAnother(String name, String value) {
    var settings = onBehalf("https://crm.example/notes");
    settings.put("superstep.tools.http.crm." + name, value);

    assertThatThrownBy(() -> bind(settings))
        .hasRootCauseInstanceOf(InvalidSettingException.class)
        .rootCause()
        .hasMessageContaining("superstep.tools.http.crm.on-behalf-of");
  }
}
