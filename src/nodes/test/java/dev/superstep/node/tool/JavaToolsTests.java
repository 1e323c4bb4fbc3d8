package dev.superstep.node.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

class JavaToolsTests {
  private static final String SOURCE =
      """
      import org.springframework.ai.chat.model.ToolContext;
      import org.springframework.ai.tool.annotation.Tool;

      public class Weather {
        @Tool(description = "Tells the time.")
        public String time() { return "noon"; }

        @Tool(description = "Tells who asks.")
        public String who(ToolContext context) { return "you"; }

        %s
      }
      """;
  private static final String CITY =
      """
      @Tool(description = "Tells the weather of a city.")
      public String weather(String city) { return "sunny in " + city; }
      """;

  @TempDir Path folder;

  @Test
  void refusesToStartWithMethodsWhoseParametersHaveNoNames() throws Exception {
    try (var loader = compiled(SOURCE.formatted(CITY))) {
      assertThatThrownBy(() -> start(loader))
          .isInstanceOf(UnusableToolException.class)
          .hasMessageContaining("weather of Weather")
          .satisfies(it ->
              assertThat(new UnusableToolFailureAnalyzer().analyze(it))
                  .extracting(FailureAnalysis::getAction)
                  .asString()
                  .contains("-parameters"));
    }
  }

  @Test
  void takesThemWithNames() throws Exception {
    try (var loader = compiled(SOURCE.formatted(CITY), "-parameters")) {
      assertThat(start(loader)).containsExactlyInAnyOrder("time", "who", "weather");
    }
  }

  /// Nothing that a model would have to name.
  @Test
  void takesMethodsWithoutArguments() throws Exception {
    try (var loader = compiled(SOURCE.formatted(""))) {
      assertThat(start(loader)).containsExactlyInAnyOrder("time", "who");
    }
  }

  private static List<String> start(ClassLoader loader) throws ClassNotFoundException {
    try (var context = new AnnotationConfigApplicationContext()) {
      context.registerBean("weather", loader.loadClass("Weather"));
      var settings = new Binder(List.of()).bindOrCreate("superstep.tools", ToolSettings.class);
      context.registerBean(JavaTools.class, () -> JavaTools.of(context, settings));
      context.refresh();
      return context.getBean(JavaTools.class).tools().stream()
          .map(it -> it.description().name())
          .toList();
    }
  }

  private URLClassLoader compiled(String source, String... options) throws IOException {
    var file = Files.writeString(folder.resolve("Weather.java"), source);
    var arguments = new ArrayList<>(List.of(options));
    var classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    arguments.addAll(List.of("-proc:none", "-cp", classPath, "-d", folder.toString()));
    arguments.add(file.toString());
    var compiler = ToolProvider.getSystemJavaCompiler();
    assertThat(compiler.run(null, null, null, arguments.toArray(String[]::new))).isZero();
    return new URLClassLoader(new URL[] {folder.toUri().toURL()}, Tool.class.getClassLoader());
  }
}
