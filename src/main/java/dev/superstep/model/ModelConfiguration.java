package dev.superstep.model;

import dev.superstep.secret.SecretReference;
import dev.superstep.secret.Secrets;
import java.util.HashMap;
import java.util.Optional;
import java.util.concurrent.Executors;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// Makes the models that the configuration names.
@Configuration(proxyBeanMethods = false)
class ModelConfiguration {

  // The threads are no bean: Spring Boot would take them for those of its own.
  @Bean
  Models models(ModelSettings settings, Secrets secrets) {
    var threads = Thread.ofVirtual().name("model-", 0).factory();
    var clients = new ChatClients(Executors.newThreadPerTaskExecutor(threads));
    var models = new HashMap<String, Model>();
    settings
        .models()
        .forEach((name, entry) -> {
          var reference = Optional.ofNullable(entry.apiKey()).flatMap(SecretReference::parse);
          var key = new Key(reference, secrets);
          models.put(
              name,
              new Model(
                  name,
                  entry,
                  new ModelFailures(name, key),
                  lines -> clients.create(entry, key, lines)));
        });
    return new Models(models, Optional.ofNullable(settings.defaultModel()));
  }
}
