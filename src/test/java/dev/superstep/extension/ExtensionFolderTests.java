package dev.superstep.extension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
  private static final String NAMES =
      """
      # Both are added.
      ext.Extension
      ext.Greeting # a component
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

  private ConfigurableApplicationContext run() {
    SpringApplication application = new SpringApplication(Empty.class);
    application.setWebApplicationType(WebApplicationType.NONE);
    return application.run("--superstep.extensions=" + folder, "--spring.main.banner-mode=off");
  }

  private void pack(String names) throws IOException {
    Path sources = Files.createDirectories(folder.resolve("src/ext"));
    Path configuration = Files.writeString(sources.resolve("Extension.java"), CONFIGURATION);
    Path component = Files.writeString(sources.resolve("Greeting.java"), COMPONENT);
    int result =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-proc:none",
                "-cp",
                classPath(),
                configuration.toString(),
                component.toString());
    assertThat(result).isZero();
    try (OutputStream file = Files.newOutputStream(folder.resolve("extension.jar"));
        JarOutputStream out = new JarOutputStream(file)) {
      for (String type : List.of("Extension", "Greeting")) {
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

  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  @Configuration(proxyBeanMethods = false)
  static class Empty {}
}
