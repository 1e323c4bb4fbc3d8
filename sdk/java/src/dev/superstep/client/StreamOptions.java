package dev.superstep.client;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What a stream of events shows.
///
/// @param lastEventId only what comes behind this event; empty: from the first
/// @param follow stays open over questions and failures
/// @param types only events of these types; empty: of all
/// @param nodes only events of these nodes; empty: of all
/// @param with what comes along with each commit: `changes`, `state`, or both with a comma
/// @param onDisconnect of a stream that starts its run: `cancel` ends the run when the connection
///   breaks
public record StreamOptions(
    String lastEventId,
    boolean follow,
    List<String> types,
    List<String> nodes,
    String with,
    String onDisconnect) {

  public StreamOptions {
    types = List.copyOf(types);
    nodes = List.copyOf(nodes);
  }

  public static StreamOptions of() {
    return new StreamOptions("", false, List.of(), List.of(), "", "");
  }

  public StreamOptions behind(long lastEventId) {
    return new StreamOptions(
        Long.toString(lastEventId), follow, types, nodes, with, onDisconnect);
  }

  public StreamOptions following() {
    return new StreamOptions(lastEventId, true, types, nodes, with, onDisconnect);
  }

  public StreamOptions ofTypes(String... types) {
    return new StreamOptions(
        lastEventId, follow, Arrays.asList(types), nodes, with, onDisconnect);
  }

  public StreamOptions ofNodes(String... nodes) {
    return new StreamOptions(
        lastEventId, follow, types, Arrays.asList(nodes), with, onDisconnect);
  }

  public StreamOptions with(String with) {
    return new StreamOptions(lastEventId, follow, types, nodes, with, onDisconnect);
  }

  public StreamOptions cancelling() {
    return new StreamOptions(lastEventId, follow, types, nodes, with, "cancel");
  }

  Map<String, Object> query() {
    var query = new LinkedHashMap<String, Object>();
    query.put("follow", follow ? true : null);
    query.put("type", types);
    query.put("node", nodes);
    query.put("with", with.isEmpty() ? null : with);
    return query;
  }
}
