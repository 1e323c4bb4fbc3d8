package dev.superstep.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.secret.Secrets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.core.env.StandardEnvironment;

class ModelsTests {
  private static final ModelSettings.ModelEntry ENTRY =
      new ModelSettings.ModelEntry(
          Provider.OPENAI, null, "m", null, Duration.ofMinutes(1), "", Map.of(), null);

  @Test
  void takesTheOnlyModelForNodesThatNameNone() {
    assertThat(models(null, "a").standard()).map(Model::name).contains("a");
  }

  @Test
  void takesNoneOfSeveralUnlessItIsSaidWhich() {
    assertThat(models(null, "a", "b").standard()).isEmpty();
    assertThat(models("b", "a", "b").standard()).map(Model::name).contains("b");
  }

  private static Models models(@Nullable String standard, String... names) {
    var entries = new HashMap<String, ModelSettings.ModelEntry>();
    for (var name : names) {
      entries.put(name, ENTRY);
    }
    return new ModelConfiguration()
        .models(
            new ModelSettings(entries, standard, null),
            new ScriptSettings(Map.of()),
            new ModelLimitSettings(Map.of()),
            new ModelCacheSettings(Map.of()),
            new ModelIdentitySettings(Map.of()),
            new Secrets(new StandardEnvironment()),
            new StandardEnvironment(),
            new StaticListableBeanFactory().getBeanProvider(InstantSource.class));
  }
}
