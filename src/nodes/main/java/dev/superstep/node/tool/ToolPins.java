package dev.superstep.node.tool;

import dev.superstep.engine.run.RunHeader;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// Pins what MCP servers say of their tools to the versions of graphs: an author who posts a graph
/// has seen what its tools said then, and nothing of what a server has made of them since.
public interface ToolPins {
  /// Of a process that knows no tools but its own.
  ToolPins NONE = (_, _) -> false;

  /// Whether the tool says something else than it said when the graph of this run was posted, or,
  /// where it was not known then, when this version called it first.
  boolean isChanged(RunHeader run, Tool.Description tool) throws InterruptedException;

  /// Whether others than the operator of this server say what the tool is.
  static boolean concern(Tool.Description tool) {
    return tool.source().equals("mcp");
  }

  /// What is pinned: a hash of description and schema.
  static String fingerprint(Tool.Description tool) {
    var said = ObjectValue.of("description", tool.text()).plus("schema", tool.inputSchema());
    try {
      var utf8 = Canonical.text(said).getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(utf8), 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
