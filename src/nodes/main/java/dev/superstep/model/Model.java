package dev.superstep.model;

import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A named chat model. Free to share between threads.
public final class Model {
  private final String name;
  private final ModelSettings.ModelEntry settings;
  private final ModelFailures failures;
  private final Supplier<Client> maker;
  private final ObjectValue standard;
  private final Optional<ModelPrices> prices;
  private final Optional<ModelLimits> limits;
  private @Nullable Client client;

  /// Asks a provider, or what stands in its place.
  @FunctionalInterface
  interface Client {
    /// @param options those of the model and of the request
    ModelAnswer call(ModelRequest request, ModelOptions options)
        throws ModelException, IOException, InterruptedException, TimeoutException;
  }

  Model(
      String name,
      ModelSettings.ModelEntry settings,
      ModelFailures failures,
      Supplier<Client> maker) {
    this(name, settings, failures, maker, Optional.empty());
  }

  Model(
      String name,
      ModelSettings.ModelEntry settings,
      ModelFailures failures,
      Supplier<Client> maker,
      Optional<ModelLimits> limits) {
    this.name = name;
    this.settings = settings;
    this.failures = failures;
    this.maker = maker;
    this.standard = ModelOptions.read(settings.options());
    this.prices = settings.priced(name);
    this.limits = limits;
  }

  public String name() {
    return name;
  }

  /// As the provider names it.
  public String providerModel() {
    return settings.model();
  }

  /// `openai`, `anthropic`, `ollama` or `stub`.
  public String provider() {
    return settings.provider().name().toLowerCase(Locale.ROOT);
  }

  /// Options of each call unless it overrides them.
  public ObjectValue standardOptions() {
    return standard;
  }

  public String description() {
    return settings.description();
  }

  /// Empty: the provider allows as much as one likes.
  public Optional<ModelLimits> limits() {
    return limits;
  }

  /// Empty: what its calls cost is not known.
  public Optional<ModelPrices> prices() {
    return prices;
  }

  /// The most output that an answer can have: the option `max_tokens`, or what the protocol sends
  /// without it; empty: the provider decides.
  public OptionalLong outputTokensMax(ModelRequest request) {
    return switch (standard.plusAll(request.options()).get("max_tokens")) {
      case Value.Int(long max) -> max > 0 ? OptionalLong.of(max) : OptionalLong.empty();
      case null ->
          settings.provider() == Provider.ANTHROPIC
              ? OptionalLong.of(Anthropic.TOKENS_STANDARD)
              : OptionalLong.empty();
      case Value _ -> OptionalLong.empty();
    };
  }

  /// One request to the provider and its answer; nothing is repeated and no tool is run.
  ///
  /// @throws ModelException if there is no usable answer
  /// @throws InterruptedException if the caller was interrupted; the connection is closed
  public ModelAnswer call(ModelRequest request) throws ModelException, InterruptedException {
    var options = new ModelOptions(standard.plusAll(request.options()));
    options.require();
    try {
      return client().call(request, options);
    } catch (IOException | TimeoutException | RuntimeException e) {
      throw failures.of(e);
    }
  }

  /// Made at the first call: a server whose graphs use no model loads none of its classes.
  private synchronized Client client() {
    var made = client;
    if (made == null) {
      made = maker.get();
      client = made;
    }
    return made;
  }
}
