package dev.superstep.model.identity;

import dev.superstep.problem.Setting;
import java.net.URI;
import java.time.InstantSource;
import java.util.function.Supplier;
import org.springframework.core.env.Environment;

/// Makes identities from the variables that the platforms of the clouds set in each process.
public final class Clouds {
  private final Environment environment;
  private final TokenHttp http;
  private final Supplier<InstantSource> clock;

  /// @param clock asked for when it is first needed
  public Clouds(Environment environment, TokenHttp http, Supplier<InstantSource> clock) {
    this.environment = environment;
    this.http = http;
    this.clock = clock;
  }

  /// @param property of the model, for complaints
  /// @param url of the model
  /// @throws dev.superstep.problem.InvalidSettingException if what the platform should have set is
  ///   not there
  public WorkloadIdentity identity(Cloud cloud, String property, String url) {
    var variables = new CloudVariables(environment, new Setting(property), cloud);
    variables.requireSafe("the model's base-url", URI.create(url));
    InstantSource time = () -> clock.get().instant();
    return switch (cloud) {
      case AZURE -> AzureIdentity.of(variables, http, time);
      case GOOGLE -> GoogleIdentity.of(variables, http, time);
      case AWS -> AwsIdentity.of(variables, http, time, URI.create(url));
    };
  }
}
