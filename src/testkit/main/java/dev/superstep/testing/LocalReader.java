package dev.superstep.testing;

import dev.superstep.context.ContextCache;
import dev.superstep.context.ContextRuleReader;
import dev.superstep.definition.DefinitionLimits;
import dev.superstep.definition.ServerLimits;
import dev.superstep.definition.read.DefinitionReaders;
import dev.superstep.definition.read.DefinitionTextReader;
import dev.superstep.definition.read.Registered;
import dev.superstep.definition.type.NodeType;
import dev.superstep.definition.type.NodeTypes;
import dev.superstep.definition.type.ResultCache;
import dev.superstep.definition.type.SummarizerType;
import dev.superstep.definition.type.Summarizers;
import dev.superstep.expression.ContextConditions;
import dev.superstep.expression.Expressions;
import dev.superstep.json.KeptSchemas;
import dev.superstep.model.Models;
import dev.superstep.model.SpendingGate;
import dev.superstep.node.CallbackSettings;
import dev.superstep.node.ExtensionJars;
import dev.superstep.node.NodeConfiguration;
import dev.superstep.node.http.HttpNodeConfiguration;
import dev.superstep.node.http.Outbound;
import dev.superstep.node.llm.LlmConfiguration;
import dev.superstep.node.tool.CallCounts;
import dev.superstep.node.tool.Tool;
import dev.superstep.node.tool.ToolConfiguration;
import dev.superstep.node.tool.ToolPins;
import dev.superstep.node.tool.ToolSource;
import dev.superstep.node.tool.Tools;
import dev.superstep.node.tool.ToolsOfGraphs;
import dev.superstep.prompt.PromptConfiguration;
import dev.superstep.secret.ReleasedSecrets;
import dev.superstep.secret.Secrets;
import dev.superstep.state.MergeFunction;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.StandardEnvironment;

/// The reader of definitions as a server has it on which nothing is set: with its node types and
/// with extensions, but without database, HTTP and background work. It takes nothing from where it
/// runs, neither settings nor environment.
///
/// Made here and not by Spring, which would take longer than most definitions do. Spring makes the
/// beans of extensions, if there are any.
public final class LocalReader {
  /// The server's own are checked where a definition is posted.
  private static final ServerLimits SERVER =
      new ServerLimits(100_000, 256, 100_000, Duration.ofDays(30));

  private final NodeTypes types;
  private final DefinitionTextReader texts;

  private LocalReader(ListableBeanFactory beans) {
    var parts = new Parts(beans);
    var summarizers = parts.summarizers();
    types = new NodeTypes(parts.nodeTypes(summarizers));
    texts = parts.reader(types, summarizers);
  }

  public static LocalReader open() {
    return new LocalReader(new StaticListableBeanFactory());
  }

  /// @param folder with jars of extensions
  /// @throws IllegalArgumentException if it is none, or a jar names a class that is not there
  public static LocalReader open(Path folder) {
    var classes = ExtensionJars.classes(folder, LocalReader.class.getClassLoader());
    return with(context -> classes.forEach(context::register));
  }

  /// @param beans registers what an extension could bring
  public static LocalReader with(Consumer<AnnotationConfigApplicationContext> beans) {
    // Lives as long as its reader: beans are made when they are needed.
    @SuppressWarnings("resource")
    var context = new AnnotationConfigApplicationContext();
    context.setEnvironment(new Unset());
    context.addBeanFactoryPostProcessor(factory ->
        Stream.of(factory.getBeanDefinitionNames())
            .forEach(it -> factory.getBeanDefinition(it).setLazyInit(true)));
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
    return texts;
  }

  NodeTypes types() {
    return types;
  }

  /// Which tools the server has on which the graph will run is not known here.
  private static final class UnknownTools implements ToolSource {
    @Override
    public List<Tool> tools() {
      return List.of();
    }

    @Override
    public boolean isComplete() {
      return false;
    }
  }

  /// What a reader is made of, as the configurations of these packages have Spring make it.
  private static final class Parts {
    private final ListableBeanFactory beans;
    private final Expressions expressions = new Expressions();
    private final Secrets secrets = Secrets.withoutProperties();
    private final ReleasedSecrets released = ReleasedSecrets.none();
    private final Outbound outbound = Outbound.closed();
    private final Models models = Models.none();
    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final NodeConfiguration plain = new NodeConfiguration();
    private final LlmConfiguration llm = LlmConfiguration.unset(meters);
    private final ToolConfiguration tool = ToolConfiguration.unset();
    private final ToolsOfGraphs tools;

    Parts(ListableBeanFactory beans) {
      this.beans = beans;
      tools =
          tool.toolsOfGraphs(
              new Tools(List.of(tool.javaTools(beans), new UnknownTools())),
              outbound,
              secrets,
              released);
    }

    DefinitionTextReader reader(NodeTypes types, Summarizers summarizers) {
      var contexts =
          new PromptConfiguration()
              .contextLibrary(new ContextConditions(expressions), ContextCache.NONE, beans);
      var registered =
          new Registered(
              types,
              beans.getBeansOfType(MergeFunction.class),
              summarizers,
              new ContextRuleReader(contexts),
              tool.toolDefinitions(tools),
              ResultCache.NONE);
      return new DefinitionTextReader(
          DefinitionReaders.of(registered, expressions, DefinitionLimits.UNSET, SERVER),
          DefinitionLimits.UNSET);
    }

    Summarizers summarizers() {
      List<List<SummarizerType>> all =
          List.of(plain.summarizersWithin(expressions, beans), llm.summarizersWithModels(models));
      return new Summarizers(all.stream().flatMap(List::stream).toList());
    }

    List<NodeType> nodeTypes(Summarizers summarizers) {
      var permits = tool.toolPermits(expressions);
      return Stream.of(
              plain.nodeTypesWithin(
                  expressions,
                  summarizers,
                  plain.functions(beans),
                  models,
                  SpendingGate.OPEN,
                  CallbackSettings.LOCAL),
              new HttpNodeConfiguration()
                  .nodeTypesWithHttp(
                      outbound, expressions, secrets, released, CallbackSettings.LOCAL),
              llm.nodeTypesWithModels(expressions, models, tools, permits),
              tool.nodeTypesWithTools(
                  expressions,
                  tools,
                  new KeptSchemas(),
                  permits,
                  ToolPins.NONE,
                  CallCounts.NONE,
                  meters,
                  CallbackSettings.LOCAL))
          .flatMap(List::stream)
          .toList();
    }
  }
}
