package dev.superstep.node.spec;

import dev.superstep.node.NodeFunction;
import dev.superstep.node.PlainData;
import dev.superstep.node.spec.Key.Form;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Listens to what the author of a graph says: a call of a method of one of the interfaces of this
/// package is the key of its name.
final class Spoken implements InvocationHandler {
  private static final Pattern WORD = Pattern.compile("(?=\\p{Lu})");

  private final String path;
  private final Map<String, NodeFunction> functions;
  private ObjectValue said = ObjectValue.empty();

  /// @param path of names, from that of the graph on; functions that are given as code have it for
  ///   theirs
  /// @param functions takes them
  private Spoken(String path, Map<String, NodeFunction> functions) {
    this.path = path;
    this.functions = functions;
  }

  static GraphDefinition graph(String name, Consumer<GraphSpec> author) {
    var graph = new Spoken(name, new LinkedHashMap<>());
    graph.listen(GraphSpec.class, author);
    return new GraphDefinition(name, graph.said.plus("name", name), graph.functions);
  }

  /// For tests alone: one table.
  static ObjectValue said(Class<?> table, Consumer<Object> author) {
    var spoken = new Spoken(table.getSimpleName(), new LinkedHashMap<>());
    spoken.listen(table, author);
    return spoken.said;
  }

  private void listen(Class<?> table, Consumer<?> author) {
    @SuppressWarnings("unchecked") // the interfaces are written so
    var listener = (Consumer<Object>) author;
    listener.accept(Proxy.newProxyInstance(table.getClassLoader(), new Class<?>[] {table}, this));
  }

  @Override
  @SuppressWarnings("ReferenceEquality")
  public Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments) {
    if (method.getDeclaringClass() == Object.class) {
      return switch (method.getName()) {
        case "equals" -> arguments != null && proxy == arguments[0];
        case "hashCode" -> System.identityHashCode(proxy);
        default -> path + " " + said;
      };
    }
    hear(new SpokenCall(method, arguments == null ? new Object[0] : arguments));
    return proxy;
  }

  private void hear(SpokenCall call) {
    try {
      switch (call.form()) {
        case VALUE -> said = with(said, call.key(), value(path, call, 0));
        case ITEM -> {
          var items = said.listOrEmpty(call.key());
          var more = value(path, call, 0);
          said =
              said.plus(
                  call.key(),
                  call.method().isVarArgs() ? items.plusAll((ListValue) more) : items.plus(more));
        }
        case MEMBER -> {
          var member = call.has(1) ? value(under(call.name()), call, 1) : ObjectValue.empty();
          said = said.plus(call.key(), with(said.objectOrEmpty(call.key()), call.name(), member));
        }
        case NODE -> said = said.plus("nodes", said.listOrEmpty("nodes").plus(node(call)));
      }
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("%s: %s".formatted(path, e.getMessage()), e);
    }
  }

  private static ObjectValue with(ObjectValue object, String key, Value value) {
    if (object.has(key)) {
      throw new IllegalArgumentException("'%s' is said twice".formatted(key));
    }
    return object.plus(key, value);
  }

  private String under(String name) {
    return path + "." + name;
  }

  /// The arguments behind the id are the type, unless the method has its name, what the type takes,
  /// and what every node has.
  private ObjectValue node(SpokenCall call) {
    var node = new Spoken(under(call.name()), functions);
    node.said = ObjectValue.of("id", call.name()).plus("type", call.key());
    for (int i = 1; call.has(i); i++) {
      if (call.arguments()[i] instanceof String type) {
        node.said = node.said.plus("type", type);
      } else if (call.table(i) == NodeSpec.class) {
        node.listen(NodeSpec.class, (Consumer<?>) call.given(i));
      } else {
        node.said = with(node.said, "config", value(node.path, call, i));
      }
    }
    return node.said;
  }

  private Value value(String path, SpokenCall call, int index) {
    return switch (call.arguments()[index]) {
      case Consumer<?> author -> {
        var table = new Spoken(path, functions);
        table.listen(call.table(index), author);
        yield table.said;
      }
      case NodeFunction function -> {
        functions.put(path, function);
        yield Value.of(path);
      }
      case Duration time -> Value.of(time.toString());
      case Object[] items -> PlainData.toValue(Arrays.asList(items));
      case null, default -> PlainData.toValue(call.arguments()[index]);
    };
  }

  /// One thing that is said.
  private record SpokenCall(Method method, @Nullable Object[] arguments) {
    Form form() {
      var annotation = method.getAnnotation(Key.class);
      return annotation == null ? Form.VALUE : annotation.form();
    }

    String key() {
      var annotation = method.getAnnotation(Key.class);
      return annotation == null || annotation.value().isEmpty()
          ? WORD.matcher(method.getName()).replaceAll("_").toLowerCase(Locale.ROOT)
          : annotation.value();
    }

    boolean has(int index) {
      return index < arguments.length;
    }

    Object given(int index) {
      if (arguments[index] == null) {
        throw new IllegalArgumentException("'%s' is said without a value".formatted(key()));
      }
      return arguments[index];
    }

    String name() {
      return (String) given(0);
    }

    /// Which one the consumer at this place gets.
    Class<?> table(int index) {
      Type type = method.getGenericParameterTypes()[index];
      return (Class<?>) ((ParameterizedType) type).getActualTypeArguments()[0];
    }
  }
}
