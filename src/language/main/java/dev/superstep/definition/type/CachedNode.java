package dev.superstep.definition.type;

import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.ResultSize;
import dev.superstep.expression.Expression;
import dev.superstep.graph.Node;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;

/// A node that is not called if a task with the same key has come to a result before. What a task
/// comes to that has asked somebody, or waited for something, is its own; failures are not kept.
///
/// @param key gives what the result depends on, besides the node and its configuration
public record CachedNode(
    NodeRunner node, Node declared, Expression key, Duration ttl, ResultCache cache)
    implements NodeRunner {
  private static final long RESULT_BYTES_MAX = 1 << 20;

  /// In which results are kept: releases that write another one find no others.
  private static final int FORM = 1;

  @Override
  public Outcome run(NodeCall call) throws Exception {
    if (goesOn(call)) {
      return node.run(call);
    }
    var digest = digest(call);
    var known = cache.find(call, digest);
    if (known.isPresent()) {
      call.span().setAttribute("superstep.cached", "true");
      return new Outcome.Done(known.get());
    }
    var outcome = node.run(call);
    if (outcome instanceof Outcome.Done(var result)
        && result.runFailure() == null
        && ResultSize.of(result) <= RESULT_BYTES_MAX) {
      cache.keep(call, digest, result, ttl);
    }
    return outcome;
  }

  private static boolean goesOn(NodeCall call) {
    return call.resume().isPresent()
        || call.woken()
        || call.childEnd().isPresent()
        || call.workerEnd().isPresent()
        || call.callbackEnd().isPresent();
  }

  /// Of the configuration, too: that of another version may be another.
  private String digest(NodeCall call) {
    var all =
        ListValue.of(
            List.of(
                Value.of(FORM),
                Value.of(call.run().graph()),
                Value.of(declared.id().value()),
                Value.of(declared.type()),
                declared.config(),
                ObjectValue.of("key", key.evaluate(call))));
    try {
      var sha = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(sha.digest(Canonical.bytes(all)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  @Override
  public boolean keepsParts() {
    return node.keepsParts();
  }

  @Override
  public boolean spends() {
    return node.spends();
  }
}
