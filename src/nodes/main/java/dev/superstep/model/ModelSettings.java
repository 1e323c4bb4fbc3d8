package dev.superstep.model;

import dev.superstep.problem.Setting;
import dev.superstep.secret.SecretReference;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// The chat models of this server.
///
/// @param models name → model
/// @param defaultModel the one of nodes that name none; not needed if there is only one
/// @param currency of all prices, to be shown beside costs
@ConfigurationProperties("superstep")
record ModelSettings(
    @DefaultValue Map<String, ModelEntry> models,
    @Nullable String defaultModel,
    @Nullable String currency) {
  private static final Pattern CURRENCY = Pattern.compile("[\\p{L}\\p{Sc}]{1,8}");
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
  private static final Duration TIME_MIN = Duration.ofMillis(1);
  private static final Duration TIME_MAX = Duration.ofDays(1);

  ModelSettings {
    models = Map.copyOf(models);
    models.forEach((name, model) -> {
      if (!NAME.matcher(name).matches()) {
        throw new Setting("superstep.models")
            .invalid("has a model '%s', which is no name: %s".formatted(name, NAME.pattern()));
      }
      model.check("superstep.models." + name);
    });
    if (defaultModel != null && !models.containsKey(defaultModel)) {
      throw new Setting("superstep.default-model")
          .invalid("is '%s', but there is no superstep.models.%1$s".formatted(defaultModel));
    }
    if (currency != null && !CURRENCY.matcher(currency).matches()) {
      throw new Setting("superstep.currency")
          .invalid("must be a sign or code of up to 8 letters, such as USD or €");
    }
  }

  /// @param baseUrl where it is; absent: where the provider is
  /// @param model as the provider names it
  /// @param apiKey where the key is kept, never the key: `env:NAME`, `file:/path`, `property:name`
  /// @param timeout of one call
  /// @param description for authors of graphs
  /// @param options for calls that do not override them, such as `temperature`
  /// @param prices absent: what its calls cost is not known
  record ModelEntry(
      @DefaultValue("openai") Provider provider,
      @Nullable String baseUrl,
      @DefaultValue("") String model,
      @Nullable String apiKey,
      @DefaultValue("5m") Duration timeout,
      @DefaultValue("") String description,
      @DefaultValue Map<String, String> options,
      @Nullable PriceSettings prices) {

    String url() {
      return baseUrl == null ? provider.standardUrl() : baseUrl;
    }

    Optional<ModelPrices> priced(String name) {
      return Optional.ofNullable(prices)
          .map(it -> it.read("superstep.models.%s.prices".formatted(name), provider));
    }

    private void check(String property) {
      if (apiKey != null && SecretReference.parse(apiKey).isEmpty()) {
        throw new Setting(property + ".api-key").invalid(SecretReference.FORMS);
      }
      if (!isUrl(url())) {
        throw new Setting(property + ".base-url").invalid("must be an http or https URL");
      }
      new Setting(property + ".timeout").within(TIME_MIN, TIME_MAX, timeout);
      ModelOptions.check(property + ".options", options);
      if (prices != null) {
        prices.read(property + ".prices", provider);
      }
      if (model.isBlank()) {
        throw new Setting(property + ".model").invalid("is missing: name the provider's model");
      }
    }

    private static boolean isUrl(String text) {
      try {
        var uri = URI.create(text);
        return uri.getHost() != null && String.valueOf(uri.getScheme()).matches("(?i)https?");
      } catch (IllegalArgumentException _) {
        return false;
      }
    }
  }

  /// The prices of a model as the operator writes them, per million tokens.
  ///
  /// @param cachedInput of tokens that the provider reads from its cache; absent: that of input
  /// @param cacheWrite of tokens that the provider writes into its cache; absent: what the provider
  ///   takes, by the price of input
  record PriceSettings(
      @Nullable BigDecimal input,
      @Nullable BigDecimal output,
      @Nullable BigDecimal cachedInput,
      @Nullable BigDecimal cacheWrite) {
    private static final BigDecimal PRICE_MAX = BigDecimal.valueOf(1_000_000_000);
    private static final int DECIMALS_MAX = 9;

    /// @throws dev.superstep.problem.InvalidSettingException unless there are both prices, and all
    ///   are within bounds
    ModelPrices read(String property, Provider provider) {
      var in = price(property + ".input", input);
      return new ModelPrices(
          in,
          price(property + ".output", output),
          cachedInput == null ? in : price(property + ".cached-input", cachedInput),
          cacheWrite == null
              ? in.multiply(provider.cacheWriteFactor())
              : price(property + ".cache-write", cacheWrite));
    }

    private static BigDecimal price(String property, @Nullable BigDecimal price) {
      if (price == null) {
        throw new Setting(property).invalid("is missing: a model has a price for both or for none");
      }
      // Without exponents: a number such as 1e-2000000000 would be written out digit by digit.
      if (price.signum() < 0
          || price.compareTo(PRICE_MAX) > 0
          || price.scale() > DECIMALS_MAX
          || price.scale() < -DECIMALS_MAX) {
        throw new Setting(property)
            .invalid(
                "must be from 0 to %s per million tokens, with at most %d decimals"
                    .formatted(PRICE_MAX.toPlainString(), DECIMALS_MAX));
      }
      return price;
    }
  }
}
