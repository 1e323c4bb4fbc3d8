import java.util.Map;

final class JavaSources {
  JavaSources(Api a) {}

  Map<String, String> sources() {
    return Map.of();
  }
}
