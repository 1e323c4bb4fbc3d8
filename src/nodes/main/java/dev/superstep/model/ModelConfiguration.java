package dev.superstep.model;

import dev.superstep.model.ModelRequest.ToolOffer;
import dev.superstep.model.ScriptedModel.ScriptedAnswer;
import dev.superstep.model.identity.Clouds;
import dev.superstep.secret.SecretReference;
import dev.superstep.secret.Secrets;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
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
      ModelSettings settings,
      ScriptSettings scripts,
      ModelLimitSettings limits,
      ModelCacheSettings caches,
      ModelIdentitySettings identities,
      Secrets secrets,
      Environment environment,
      ObjectProvider<InstantSource> clock) {
    var clients = new ChatClients(Thread.ofVirtual().name("model-", 0).factory());
    var clouds = new Clouds(environment, clients.tokens(), clock::getObject);
    var models = new HashMap<String, Model>();
    settings
        .models()
        .forEach((name, entry) -> {
          var reference = Optional.ofNullable(entry.apiKey()).flatMap(SecretReference::parse);
          var apiKey = new ApiKey(reference, secrets);
          var identity =
              identities
                  .of(name, entry)
                  .map(
                      it -> clouds.identity(it, ModelIdentitySettings.property(name), entry.url()));
          models.put(
              name,
              new Model(
                  name,
                  entry,
                  new ModelFailures(name, apiKey),
                  entry.provider() == Provider.STUB
                      ? scripted(name, entry, scripts, environment)
                      : () -> clients.create(entry, apiKey, caches.of(name), identity),
                  limits.limits(name)));
        });
    return new Models(
        models,
        Optional.ofNullable(settings.defaultModel()),
        Optional.ofNullable(settings.currency()));
  }

  private static Supplier<Model.Client> scripted(
      String name,
      ModelSettings.ModelEntry entry,
      ScriptSettings scripts,
      Environment environment) {
    var script = scripts.script(name);
    if (environment.acceptsProfiles(Profiles.of("prod"))) {
      LOG.warn(
          "superstep.models.{} is a stub: in production, too, its script answers instead of a"
              + " model",
          name);
    }
    return () -> new ScriptedChat(entry.model(), new ScriptedModel(entry.timeout(), script));
  }

  /// Asks a script instead of a provider.
  ///
  /// @param model as it calls itself
  private record ScriptedChat(String model, ScriptedModel script) implements Model.Client {

    @Override
    public ModelAnswer call(ModelRequest request, ModelOptions options)
        throws ModelException, InterruptedException, TimeoutException {
      var prompt = prompt(ChatMessage.of(request.messages()), request.tools());
      return switch (request.delivery()) {
        case ModelRequest.Delivery.Whole _ -> answer(script.answer(prompt));
        case ModelRequest.Delivery.Streamed(var readers) ->
            answer(script.answer(prompt, readers.get()));
      };
    }

    private ModelAnswer answer(ScriptedAnswer said) {
      var draft = new AnswerDraft(model, _ -> {});
      draft.addText(said.text());
      for (var call : said.calls()) {
        draft.call(draft.callCount()).add(call.id(), call.name(), call.arguments());
      }
      draft.endsFor(said.finish());
      draft.takesInput(said.usage().input());
      draft.takesOutput(said.usage().output());
      return draft.finish();
    }

    private static ScriptPrompt prompt(List<ChatMessage> messages, List<ToolOffer> tools) {
      return new ScriptPrompt(
          last(messages, "user"),
          messages.stream()
              .filter(it -> role(it).equals("system"))
              .map(ScriptedChat::text)
              .collect(Collectors.joining("\n")),
          last(messages, "tool"),
          messages.isEmpty() ? "" : role(messages.getLast()),
          1 + (int) messages.stream().filter(it -> role(it).equals("assistant")).count(),
          tools.stream().map(ToolOffer::name).collect(Collectors.toSet()));
    }

    private static String last(List<ChatMessage> messages, String role) {
      return messages.reversed().stream()
          .filter(it -> role(it).equals(role))
          .findFirst()
          .map(ScriptedChat::text)
          .orElse("");
    }

    private static String role(ChatMessage message) {
      return switch (message) {
        case ChatMessage.Instructions _ -> "system";
        case ChatMessage.User _ -> "user";
        case ChatMessage.Assistant _ -> "assistant";
        case ChatMessage.Results _ -> "tool";
      };
    }

    private static String text(ChatMessage message) {
      return switch (message) {
        case ChatMessage.Instructions(var text) -> text;
        case ChatMessage.User(var text, _) -> text;
        case ChatMessage.Assistant(var text, _) -> text;
        case ChatMessage.Results(var results) -> results.getLast().text();
      };
    }
  }
}
