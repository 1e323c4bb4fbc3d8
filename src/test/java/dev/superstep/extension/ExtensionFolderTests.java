package dev.superstep.extension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.logging.DeferredLogs;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.mock.env.MockEnvironment;

class ExtensionFolderTests {

  private static final String SOURCE =
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

  @TempDir Path folder;

  @Test
  void appliesTheAutoConfigurationsOfItsJars() throws IOException {
    pack(folder.resolve("extension.jar"));
    SpringApplication application = new SpringApplication(Empty.class);
    application.setWebApplicationType(WebApplicationType.NONE);

    try (ConfigurableApplicationContext context =
        application.run("--superstep.extensions=" + folder, "--spring.main.banner-mode=off")) {
      assertThat(context.getBean("fromTheJar")).isInstanceOf(Runnable.class);
    }
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

  private void pack(Path jar) throws IOException {
    Path source = Files.createDirectories(folder.resolve("src/ext")).resolve("Extension.java");
    Files.writeString(source, SOURCE);
    int result =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-proc:none", "-cp", classPath(), source.toString());
    assertThat(result).isZero();
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file)) {
      out.putNextEntry(new JarEntry("ext/Extension.class"));
      out.write(Files.readAllBytes(source.resolveSibling("Extension.class")));
      out.putNextEntry(
          new JarEntry(
              "META-INF/spring/"
                  + "org.springframework.boot.autoconfigure.AutoConfiguration.imports"));
      out.write("ext.Extension".getBytes(StandardCharsets.US_ASCII));
    }
  }

  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration(
      excludeName = {
        "dev.superstep.database.EmbeddedDatabaseAutoConfiguration",
        "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration"
      })
  static class Empty {}
}
