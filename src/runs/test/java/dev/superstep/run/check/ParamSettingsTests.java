package dev.superstep.run.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

class ParamSettingsTests {

  @Test
  void areFoundByNameInProperties() {
    var settings = properties(Map.of("superstep.params.research-team.search_url", "https://x"));
    assertThat(settings.of("research-team").text("search_url")).contains("https://x");
    assertThat(settings.of("research-team").text("search")).isEmpty();
    assertThat(settings.of("research").text("search_url")).isEmpty();
  }

  @Test
  void areFoundInEnvironmentVariablesAsTheyAreNamed() {
    var name = properties(Map.of()).of("research-team").setting("search_Url");
    assertThat(name)
        .isEqualTo(
            "superstep.params.research-team.search_Url (SUPERSTEP_PARAMS_RESEARCHTEAM_SEARCHURL)");
    var settings = variables(Map.of("SUPERSTEP_PARAMS_RESEARCHTEAM_SEARCHURL", "https://x"));
    assertThat(settings.of("research-team").text("search_Url")).contains("https://x");
  }

  @Test
  void keepTextsAsTheyAre() {
    var settings =
        properties(Map.of("superstep.params.g.x", " [1, 2] ", "superstep.params.g.y", 5));
    assertThat(settings.of("g").text("x")).contains(" [1, 2] ");
    assertThat(settings.of("g").text("y")).contains("5");
  }

  private static ParamSettings properties(Map<String, Object> properties) {
    return bind(new MapPropertySource("test", properties));
  }

  private static ParamSettings variables(Map<String, Object> variables) {
    return bind(new SystemEnvironmentPropertySource("test-systemEnvironment", variables));
  }

  private static ParamSettings bind(MapPropertySource source) {
    var environment = new StandardEnvironment();
    environment.getPropertySources().addFirst(source);
    ConfigurationPropertySources.attach(environment);
    return Binder.get(environment).bindOrCreate("superstep", ParamSettings.class);
  }
}
