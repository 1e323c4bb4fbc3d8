package dev.superstep.node.http;

import dev.superstep.definition.type.GraphOutline;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.engine.run.TaskError;
import dev.superstep.node.CallbackSettings;
import dev.superstep.node.TestCall;
import dev.superstep.secret.ReleasedSecrets;
import dev.superstep.secret.Secrets;
import dev.superstep.state.Channels;
import dev.superstep.transport.HttpClients;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLContext;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.util.unit.DataSize;

/// Makes HTTP nodes over a real client, with the settings of a test.
public final class TestNodes implements AutoCloseable {
  static final HttpSettings SETTINGS =
      new HttpSettings(
          Duration.ofSeconds(2),
          Duration.ofSeconds(20),
          DataSize.ofKilobytes(64),
          DataSize.ofKilobytes(8),
          20,
          DataSize.ofKilobytes(1),
          50,
          Duration.ofHours(1));

  private final HttpTransport transport;
  private final HttpNodeType type;

  public TestNodes(NameResolver names, SSLContext tls, String... allowed) {
    var resolver = new HttpTransport.GuardedResolver(names, EgressPolicy.of(List.of(allowed)));
    transport =
        new HttpTransport(
            HttpClients.builder(HttpTransport.limits(SETTINGS), resolver, tls).build(),
            SETTINGS.responseMax().toBytes(),
            Thread.ofVirtual().factory());
    type =
        new HttpNodeType(
            new HttpNodeConfiguration().outbound(transport, SETTINGS).calls(),
            TestCall.EXPRESSIONS,
            new Secrets(new StandardEnvironment()),
            ReleasedSecrets.none(),
            CallbackSettings.LOCAL);
  }

  /// Nodes that may call this machine.
  public static TestNodes onLoopback() throws Exception {
    return new TestNodes(NameResolver.system(), SSLContext.getDefault(), "127.0.0.1:*");
  }

  public static TestNodes guarded(NameResolver names, String... allowed) throws Exception {
    return new TestNodes(names, SSLContext.getDefault(), allowed);
  }

  /// @param config JSON in which `'` stands for `"`
  public NodeRunner node(String config, Object... parameters) {
    var json = config.replace('\'', '"').formatted(parameters);
    return type.create(TestCall.node("http", json), new GraphOutline(Channels.none(), Set.of()));
  }

  public NodeResult done(NodeCall call, String config, Object... parameters) throws Exception {
    var outcome = node(config, parameters).run(call);
    if (outcome instanceof Outcome.Done(var result)) {
      return result;
    }
    throw new AssertionError("not done: " + outcome);
  }

  public TaskError failed(NodeCall call, String config, Object... parameters) throws Exception {
    var outcome = node(config, parameters).run(call);
    if (outcome instanceof Outcome.Failed(var error)) {
      return error;
    }
    throw new AssertionError("not failed: " + outcome);
  }

  @Override
  public void close() throws IOException {
    transport.close();
  }
}
