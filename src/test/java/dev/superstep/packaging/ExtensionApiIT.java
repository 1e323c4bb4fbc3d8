package dev.superstep.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.examples.ExampleExtension;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.zip.ZipFile;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/// The jar that extensions are compiled against. [PackagedServiceContract] runs what was.
class ExtensionApiIT {

  /// Each type can be loaded with all that it mentions, so nothing is missing; and nothing of the
  /// service is there but kernel and functions.
  @Test
  void isWhole() throws Exception {
    URL[] here = {
      ExampleExtension.api().toUri().toURL(),
      NullMarked.class.getProtectionDomain().getCodeSource().getLocation()
    };
    try (var jar = new ZipFile(ExampleExtension.api().toFile());
        var loader = new URLClassLoader(here, ClassLoader.getPlatformClassLoader())) {
      var names =
          jar.stream()
              .map(it -> it.getName())
              .filter(it -> it.endsWith(".class"))
              .map(it -> it.replace(".class", "").replace('/', '.'))
              .toList();

      assertThat(names)
          .contains("dev.superstep.node.NodeFunction", "dev.superstep.state.reducer.MergeFunction")
          .contains("dev.superstep.context.ContextProcessor")
          .contains("dev.superstep.testing.kit.GraphTests")
          .hasSizeLessThan(200)
          .allMatch(it ->
              it.matches("dev\\.superstep\\.(context|engine|graph|node|state|testing\\.kit)\\..*"));
      for (var name : names) {
        var type = Class.forName(name, true, loader);
        assertThat(type.getDeclaredMethods()).doesNotContainNull();
        assertThat(type.getDeclaredConstructors()).doesNotContainNull();
      }
    }
  }
}
