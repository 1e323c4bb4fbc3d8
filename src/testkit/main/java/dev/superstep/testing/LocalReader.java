package dev.superstep.testing;

import dev.superstep.definition.DefinitionLimits;
import dev.superstep.definition.ServerLimits;
import dev.superstep.definition.read.DefinitionReader;
import dev.superstep.definition.read.DefinitionTextReader;
import dev.superstep.json.KeptSchemas;
import dev.superstep.node.tool.CallCounts;
import dev.superstep.node.tool.Tool;
import dev.superstep.node.tool.ToolPins;
import dev.superstep.node.tool.ToolSource;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.springframework.boot.Banner;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.FilterType;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.StandardEnvironment;

/// The reader of definitions as a server has it, with its node types, its settings and its
/// extensions, but without database, HTTP and background work. What is not needed is not made.
public final class LocalReader {
  /// The folder in which a command runs may have an `application.yaml` of something else.
  private static final String OWN_SETTINGS_ONLY = "--spring.config.location=optional:classpath:/";

  private final ConfigurableApplicationContext context;

  private LocalReader(ConfigurableApplicationContext context) {
    this.context = context;
  }

  /// Takes settings from the environment, and none from files where it runs.
  public static LocalReader open() {
    return new LocalReader(
        new SpringApplicationBuilder(ReaderParts.class)
            .web(WebApplicationType.NONE)
            .bannerMode(Banner.Mode.OFF)
            .logStartupInfo(false)
            .lazyInitialization(true)
            .registerShutdownHook(false)
            .run(
                OWN_SETTINGS_ONLY,
                "--logging.level.root=warn",
                "--logging.level.dev.superstep=warn"));
  }

  /// A reader that takes nothing from where it runs, neither settings nor environment.
  ///
  /// @param beans registers what an extension could bring
  public static LocalReader with(Consumer<AnnotationConfigApplicationContext> beans) {
    // Lives as long as its reader: beans are made when they are needed.
    @SuppressWarnings("resource")
    var context = new AnnotationConfigApplicationContext();
    context.setEnvironment(new Unset());
    context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor());
    context.register(ReaderParts.class);
    beans.accept(context);
    context.refresh();
    return new LocalReader(context);
  }

  /// An environment without any settings.
  private static final class Unset extends StandardEnvironment {
    @Override
    protected void customizePropertySources(MutablePropertySources sources) {}
  }

  public DefinitionTextReader texts() {
    return context.getBean(DefinitionTextReader.class);
  }

  /// Not annotated as a configuration: the service, which scans all packages, must not find it.
  @ComponentScan(
      basePackages = {
        "dev.superstep.node",
        "dev.superstep.model",
        "dev.superstep.secret",
        "dev.superstep.expression",
        "dev.superstep.prompt"
      })
  @ComponentScan(
      basePackages = "dev.superstep.definition.read",
      useDefaultFilters = false,
      includeFilters =
          @Filter(
              type = FilterType.REGEX,
              pattern = "dev\\.superstep\\.definition\\.read\\.DefinitionConfiguration"))
  @ConfigurationPropertiesScan({
    "dev.superstep.node",
    "dev.superstep.model",
    "dev.superstep.secret",
    "dev.superstep.definition",
    "dev.superstep.prompt"
  })
  static class ReaderParts {

    @Bean
    DefinitionTextReader definitionTextReader(DefinitionReader reader, DefinitionLimits limits) {
      return new DefinitionTextReader(reader, limits);
    }

    /// The server's own are checked where a definition is posted.
    @Bean
    ServerLimits serverLimits() {
      return new ServerLimits(100_000, 256, 100_000, Duration.ofDays(30));
    }

    @Bean
    KeptSchemas keptSchemas() {
      return new KeptSchemas();
    }

    @Bean
    MeterRegistry meters() {
      return new SimpleMeterRegistry();
    }

    /// Which tools the server has on which the graph will run is not known here.
    @Bean
    ToolSource toolsOfTheServer() {
      return new ToolSource() {
        @Override
        public List<Tool> tools() {
          return List.of();
        }

        @Override
        public boolean isComplete() {
          return false;
        }
      };
    }

    /// Of runs, which there are none of.
    @Bean
    ToolPins toolPins() {
      return ToolPins.NONE;
    }

    @Bean
    CallCounts callCounts() {
      return CallCounts.NONE;
    }
  }
}
