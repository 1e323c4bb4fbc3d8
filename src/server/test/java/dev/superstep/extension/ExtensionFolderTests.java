package dev.superstep.extension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.context.ContextCondition;
import dev.superstep.context.ContextLibrary;
import dev.superstep.context.ContextProcessor;
import dev.superstep.context.PromptContext;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.logging.DeferredLogs;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.mock.env.MockEnvironment;

class ExtensionFolderTests {

  private static final String CONFIGURATION =
      """
      package ext;

      @org.springframework.boot.autoconfigure.AutoConfiguration
      public class Extension {
        @org.springframework.context.annotation.Bean
        public Runnable fromTheJar() {
          return () -> {};
        }
      }
      """;
  private static final String COMPONENT =
      """
      package ext;

      @org.springframework.stereotype.Component("greet")
      class Greeting implements java.util.function.Supplier<String> {
        public String get() {
          return "hello";
        }
      }
      """;
  private static final String TRANSFORM =
      """
      package ext;

      import dev.superstep.context.ContextTransform;
      import dev.superstep.state.value.Value;

      @org.springframework.stereotype.Component("shout")
      class Shout implements ContextTransform {
        @Override
        public Value apply(Value value, java.util.List<Value> arguments) {
          return Value.of(value + "!");
        }
      }
      """;
  private static final String PROCESSOR_IMPORTS =
      """
      package ext;

      import dev.superstep.context.ContextProcessor;
      import dev.superstep.context.PromptContext;
      import dev.superstep.state.value.ObjectValue;
      import org.springframework.stereotype.Component;

      """;
  private static final String NAMES =
      """
      # All are added.
      ext.Extension
      ext.Greeting # a component
      ext.Shout
      ext.LastEntries
      """;

  @TempDir Path folder;

  @Test
  void addsTheConfigurationsAndComponentsThatItsJarsName() throws IOException {
    pack(NAMES);

    try (ConfigurableApplicationContext context = run()) {
      assertThat(context.getBean("fromTheJar")).isInstanceOf(Runnable.class);
      assertThat(context.getBean("greet", Supplier.class).get()).isEqualTo("hello");
    }
  }

  /// P6, P14, S4-25: a jar brings transforms and processors, which definitions call by the names of
  /// their beans; the processor is the one that docs/prompt-context.md shows.
  @Test
  void addsTheTransformsAndProcessorsOfItsJars() throws Exception {
    pack(NAMES);
    Class<?> prompts = Class.forName("dev.superstep.prompt.PromptConfiguration");

    try (ConfigurableApplicationContext context = run(prompts, Conditions.class)) {
      ContextLibrary library = context.getBean(ContextLibrary.class);
      PromptContext entries = PromptContext.EMPTY;
      for (int i = 0; i < 5; i++) {
        entries =
            entries.plusEntry(ObjectValue.of("id", Value.of("h" + i)), "2026-01-01T00:00:00Z");
      }
      ContextProcessor last = library.processors().find("last_entries").orElseThrow();
      assertThat(last.process(entries, ObjectValue.empty()).history().size()).isEqualTo(3);
      assertThat(last.pure()).isTrue();
      assertThat(library.transforms().call("shout").source()).isEqualTo("shout");
    }
  }

  /// Proxies of package-private repositories could not be made with another one.
  @Test
  void leavesTheContextItsClassLoader() throws IOException {
    pack(NAMES);

    try (ConfigurableApplicationContext context = run()) {
      assertThat(context.getClassLoader()).isSameAs(new SpringApplication().getClassLoader());
    }
  }

  @Test
  void refusesANameWithoutItsClass() throws IOException {
    pack("ext.Missing");

    assertThatThrownBy(() -> run().close())
        .isInstanceOf(InvalidConfigurationPropertyValueException.class)
        .hasMessageContaining("ext.Missing");
  }

  @Test
  void refusesAFolderThatIsNotThere() {
    MockEnvironment environment =
        new MockEnvironment().withProperty("superstep.extensions", folder + "/nowhere");

    assertThatThrownBy(() ->
            new ExtensionFolder(new DeferredLogs())
                .postProcessEnvironment(environment, new SpringApplication()))
        .isInstanceOf(InvalidConfigurationPropertyValueException.class);
  }

  private ConfigurableApplicationContext run(Class<?>... more) {
    SpringApplication application = new SpringApplication(Empty.class);
    application.addPrimarySources(List.of(more));
    application.setWebApplicationType(WebApplicationType.NONE);
    return application.run("--superstep.extensions=" + folder, "--spring.main.banner-mode=off");
  }

  private void pack(String names) throws IOException {
    Path sources = Files.createDirectories(folder.resolve("src/ext"));
    List<String> command = new ArrayList<>(List.of("-proc:none", "-cp", classPath()));
    for (Map.Entry<String, String> source : sources().entrySet()) {
      Path file = sources.resolve(source.getKey() + ".java");
      command.add(Files.writeString(file, source.getValue()).toString());
    }
    int result =
        ToolProvider.getSystemJavaCompiler().run(null, null, null, command.toArray(String[]::new));
    assertThat(result).isZero();
    try (OutputStream file = Files.newOutputStream(folder.resolve("extension.jar"));
        JarOutputStream out = new JarOutputStream(file)) {
      for (String type : sources().keySet()) {
        out.putNextEntry(new JarEntry("ext/" + type + ".class"));
        out.write(Files.readAllBytes(sources.resolve(type + ".class")));
      }
      out.putNextEntry(
          new JarEntry(
              "META-INF/spring/"
                  + "org.springframework.boot.autoconfigure.AutoConfiguration.imports"));
      out.write(names.getBytes(StandardCharsets.UTF_8));
    }
  }

  /// The sources of the jar by the name of their class.
  private static Map<String, String> sources() throws IOException {
    String page = Files.readString(Path.of("docs/prompt-context.md"));
    int code = page.indexOf("```java\n") + "```java\n".length();
    String processor = page.substring(code, page.indexOf("```", code));
    return Map.of(
        "Extension", CONFIGURATION,
        "Greeting", COMPONENT,
        "Shout", TRANSFORM,
        "LastEntries", PROCESSOR_IMPORTS + processor);
  }

  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  @Configuration(proxyBeanMethods = false)
  static class Empty {}

  @Configuration(proxyBeanMethods = false)
  static class Conditions {
    @Bean
    MeterRegistry meters() {
      return new SimpleMeterRegistry();
    }

    @Bean
    ContextCondition.Compiler conditions() {
      return source -> new ContextCondition(source, (_, _) -> true);
    }
  }
}
