package dev.superstep.model;

import dev.superstep.model.http.ApiKey;
import dev.superstep.model.scripted.ScriptSettings;
import dev.superstep.model.scripted.ScriptedModel;
import dev.superstep.secret.SecretReference;
import dev.superstep.secret.Secrets;
import java.util.HashMap;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.env.Profiles;

/// Creates the configured models.
@Configuration(proxyBeanMethods = false)
class ModelConfiguration {
  private static final Logger LOG = LoggerFactory.getLogger(ModelConfiguration.class);

  @Bean
  Models models(
      ModelSettings settings, ScriptSettings scripts, Secrets secrets, Environment environment) {
    var clients = new ChatClients(Thread.ofVirtual().name("model-", 0).factory());
    var models = new HashMap<String, Model>();
    settings
        .models()
        .forEach((name, entry) -> {
          var reference = Optional.ofNullable(entry.apiKey()).flatMap(SecretReference::parse);
          var apiKey = new ApiKey(reference, secrets);
          models.put(
              name,
              new Model(
                  name,
                  entry,
                  new ModelFailures(name, apiKey),
                  entry.provider() == Provider.STUB
                      ? scripted(name, entry, scripts, environment)
                      : () -> clients.create(entry, apiKey)));
        });
    return new Models(
        models,
        Optional.ofNullable(settings.defaultModel()),
        Optional.ofNullable(settings.currency()));
  }

  private static Supplier<Model.Client> scripted(
      String name, ModelSettings.Entry entry, ScriptSettings scripts, Environment environment) {
    var script = scripts.script(name);
    if (environment.acceptsProfiles(Profiles.of("prod"))) {
      LOG.warn(
          "superstep.models.{} is a stub: in production, too, its script answers instead of a"
              + " model",
          name);
    }
    return () -> new ScriptedChat(entry.model(), new ScriptedModel(entry.timeout(), script));
  }
}
