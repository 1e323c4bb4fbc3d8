package dev.superstep.security;

import dev.superstep.security.Operations.Operation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/// Requests that name, in each place where an operation takes an id, something of which the caller
/// shall not know. Places in paths, queries and headers are those of the documents; bodies are
/// written here. What an operation has that is not known here is a failure: the next place cannot
/// be forgotten.
final class TenantRequests {
  /// A request with the kind of an id in angle brackets.
  ///
  /// @param makes whether it makes something under an id that its caller chooses
  record Request(
      Operation operation,
      String target,
      String body,
      Map<String, String> headers,
      boolean makes) {}

  /// Parameters that name something, with what; in paths of `id` what the path says.
  private static final Map<String, String> NAMES =
      Map.ofEntries(
          Map.entry("name", "<graph>"),
          Map.entry("graph", "<graph>"),
          Map.entry("thread_id", "<thread>"),
          Map.entry("thread", "<thread>"),
          Map.entry("assistant_id", "<assistant>"),
          Map.entry("run", "<call>"),
          Map.entry("delivery", "<delivery>"),
          Map.entry("parent", "<run>"),
          Map.entry("object", "<run>"),
          Map.entry("cursor", "<cursor>"),
          Map.entry("caller", "<key>"),
          Map.entry("checkpoint_id", "<checkpoint>"),
          Map.entry("before", "<checkpoint>"),
          Map.entry("metadata", "who:<word>"),
          Map.entry("Idempotency-Key", "<word>-idempotent"),
          Map.entry("Last-Event-ID", "1"));

  /// Parameters that name nothing of a tenant, with values for paths.
  private static final Map<String, String> OTHERS =
      Map.ofEntries(
          Map.entry("token", "0".repeat(32) + "." + "0".repeat(32)),
          Map.entry("version", "1"),
          Map.entry("number", "0"),
          Map.entry("code", "not_found"),
          Map.entry("cron_id", "00000000-0000-4000-8000-000000000000"));

  private static final Set<String> HARMLESS =
      Set.of(
          "limit",
          "offset",
          "status",
          "test",
          "form",
          "format",
          "head",
          "version",
          "wait",
          "max",
          "worker",
          "error_code",
          "created_after",
          "created_before",
          "since",
          "until",
          "outcome",
          "lines",
          "on_disconnect",
          "follow",
          "type",
          "node",
          "with",
          "without",
          "superstep",
          "values_max",
          "dispatch_id",
          "checkpoint",
          "after",
          "pending",
          "channel",
          "delete_threads",
          "xray",
          "recurse",
          "action",
          "key",
          "refresh_ttl",
          "namespace",
          "assigned",
          "overdue",
          "Prefer");

  /// Operation, values of parameters, body; a plus before those that make something.
  private static final String BODIES =
      """
      POST /v1/context/preview | | {"node":{"type":"llm"}}
      POST /v1/expressions/evaluate | | {"expression":"1","variables":{}}
      POST /v1/graphs/test | | {"name":"x","nodes":[{"id":"a","type":"subgraph","config":{"graph":"<graph>","input":{}}}],"edges":[{"from":"__start__","to":"a"}]}
      POST /v1/graphs/validate | | {"name":"x","nodes":[{"id":"a","type":"subgraph","config":{"graph":"<graph>","input":{}}}],"edges":[{"from":"__start__","to":"a"}]}
      POST /v1/graphs | | {"name":"x","nodes":[{"id":"a","type":"subgraph","config":{"graph":"<graph>","input":{}}}],"edges":[{"from":"__start__","to":"a"}]}
      + POST /v1/graphs | | {"name":"<graph>","nodes":[{"id":"a","type":"router"}],"edges":[{"from":"__start__","to":"a"}]}
      POST /v1/interrupts/{id}/answer | | {"value":1}
      POST /v1/interrupts/{id}/delegate | | {"to":"ann"}
      DELETE /v1/keys/{id} | |
      + POST /v1/keys | | {"name":"<word>-key","roles":["viewer"]}
      POST /v1/keys/{id}/rotate | | {}
      DELETE /v1/webhooks/{id} | |
      PATCH /v1/webhooks/{id} | | {"description":"x"}
      + POST /v1/webhooks | | {"url":"https://example.com/<word>","graphs":["<graph>"]}
      POST /v1/webhooks/{id}/rotate | | {}
      POST /v1/webhooks/{id}/deliveries:replay | |
      POST /v1/webhooks/{id}/deliveries/{delivery}:replay | |
      POST /v1/runs | | {"graph":"<graph>","input":{}}
      POST /v1/runs | | {"graph":"own-ends","input":{},"thread_id":"own-thread","from":{"run_id":"<run>","checkpoint":0}}
      POST /v1/runs | | {"graph":"own-ends","input":{},"thread_id":"<thread>","from":{"run_id":"<run>","checkpoint":0}}
      + POST /v1/runs | wait=20s | {"graph":"own-ends","input":{},"thread_id":"<thread>"}
      + POST /v1/runs | wait=20s | {"graph":"own-ends","input":{},"id":"<run>"}
      POST /v1/runs/stream | | {"graph":"<graph>","input":{}}
      + POST /v1/runs/stream | | {"graph":"own-ends","input":{},"thread_id":"<thread>"}
      POST /v1/runs/{id}/cancel | | {}
      POST /v1/runs/{id}/pause | | {}
      POST /v1/runs/{id}/step | | {}
      POST /v1/runs/{id}/fork | | {"checkpoint":0}
      + POST /v1/runs/{id}/fork | id=own-run&wait=20s | {"checkpoint":0,"thread_id":"<thread>"}
      POST /v1/runs/{id}/messages | | {"channel":"said","value":"hi"}
      POST /v1/threads/{thread_id}/messages | | {"channel":"said","value":"hi"}
      POST /v1/threads/{thread_id}/messages | | {"channel":"said","value":"hi","if_ended":"start"}
      POST /v1/runs/{id}/resume | | {"answers":[{"value":1}]}
      POST /v1/runs/{id}/resume | id=own-asking | {"answers":[{"interrupt_id":"<interrupt>","value":1}]}
      POST /v1/callbacks/{token} | | {}
      POST /v1/callbacks/{token}/failure | | {"code":"a","message":"b"}
      POST /v1/events | | {"specversion":"1.0","id":"e","source":"/a","type":"<word>"}
      POST /v1/schedules | | {"cron":"@daily","run":{"graph":"<graph>","input":{}}}
      + POST /v1/schedules | | {"id":"<schedule>","cron":"@daily","run":{"graph":"own-ends","input":{}}}
      PATCH /v1/schedules/{id} | | {"paused":true}
      PATCH /v1/schedules/{id} | | {"run":{"graph":"own-ends","input":{}}}
      POST /v1/tasks/claim | type=<word>-work&max=100 |
      POST /v1/tasks/{id}/heartbeat | | {"token":"<token>"}
      POST /v1/tasks/{id}/steps | | {"token":"<token>"}
      POST /v1/tasks/{id}/steps | | {"token":"<token>","step":{"ordinal":0,"name":"a","result":1}}
      POST /v1/tasks/{id}/outcome | | {"token":"<token>","result":{}}
      POST /v1/tasks/{id}/release | | {"token":"<token>"}
      + POST /v1/threads | | {"thread_id":"<thread>"}
      POST /v1/threads/search | | {"thread_ids":["<thread>"]}
      POST /v1/threads/search | | {"metadata":{"who":"<word>"}}
      POST /v1/threads/search | | {}
      PATCH /v1/threads/{thread_id} | | {"metadata":{"a":"b"}}
      POST /langgraph/assistants | | {"graph_id":"<graph>"}
      + POST /langgraph/assistants | | {"graph_id":"own-ends","assistant_id":"<assistant>"}
      POST /langgraph/assistants/count | | {"graph_id":"<graph>"}
      POST /langgraph/assistants/count | | {}
      POST /langgraph/assistants/search | | {"graph_id":"<graph>"}
      POST /langgraph/assistants/search | | {}
      PATCH /langgraph/assistants/{assistant_id} | | {"name":"x"}
      PATCH /langgraph/assistants/{assistant_id} | assistant_id=<graph> | {"name":"x"}
      PATCH /langgraph/assistants/{assistant_id} | assistant_id=<own-assistant> | {"graph_id":"<graph>"}
      POST /langgraph/assistants/{assistant_id}/latest | | {"version":1}
      POST /langgraph/assistants/{assistant_id}/versions | | {}
      POST /langgraph/runs | | {"assistant_id":"<assistant>","input":{}}
      POST /langgraph/runs | | {"assistant_id":"<graph>","input":{}}
      POST /langgraph/runs/batch | | [{"assistant_id":"<assistant>","input":{}}]
      POST /langgraph/runs/cancel | | {"thread_id":"<thread>","run_ids":["<call>"]}
      POST /langgraph/runs/cancel | | {"status":"all"}
      POST /langgraph/runs/crons | | {"assistant_id":"<assistant>","schedule":"@daily","input":{}}
      POST /langgraph/runs/crons/search | | {"assistant_id":"<graph>"}
      POST /langgraph/runs/crons/search | | {}
      POST /langgraph/runs/crons/count | | {"assistant_id":"<graph>"}
      PATCH /langgraph/runs/crons/{cron_id} | cron_id=<cron> | {"enabled":false}
      DELETE /langgraph/runs/crons/{cron_id} | cron_id=<cron> |
      POST /langgraph/threads/{thread_id}/runs/crons | | {"assistant_id":"own-ends","schedule":"@daily","input":{}}
      POST /langgraph/runs/stream | | {"assistant_id":"<assistant>","input":{}}
      POST /langgraph/runs/wait | | {"assistant_id":"<graph>","input":{}}
      DELETE /langgraph/store/items | | {"namespace":["<word>","notes"],"key":"<word>-item"}
      + PUT /langgraph/store/items | | {"namespace":["<word>","notes"],"key":"<word>-item","value":{"a":1}}
      GET /langgraph/store/items | namespace=<word>.notes&key=<word>-item |
      POST /langgraph/store/items/search | | {"namespace_prefix":["<word>"]}
      POST /langgraph/store/items/search | | {"filter":{"said":{"$ne":"x"}}}
      POST /langgraph/store/namespaces | | {"prefix":["<word>"]}
      POST /langgraph/store/namespaces | | {}
      + POST /langgraph/threads | | {"thread_id":"<talk>","if_exists":"raise"}
      POST /langgraph/threads/count | | {"metadata":{"who":"<word>"}}
      POST /langgraph/threads/count | | {}
      POST /langgraph/threads/prune | | {"thread_ids":["<thread>"]}
      POST /langgraph/threads/search | | {"ids":["<talk>"]}
      POST /langgraph/threads/search | | {}
      PATCH /langgraph/threads/{thread_id} | | {"metadata":{"a":"b"}}
      POST /langgraph/threads/{thread_id}/history | | {}
      POST /langgraph/threads/{thread_id}/history | thread_id=own-thread | {"before":{"configurable":{"checkpoint_id":"<checkpoint>"}}}
      POST /langgraph/threads/{thread_id}/state | | {"values":{"said":1}}
      POST /langgraph/threads/{thread_id}/state/checkpoint | | {"checkpoint":{"checkpoint_id":"<checkpoint>"}}
      POST /langgraph/threads/{thread_id}/state/checkpoint | thread_id=own-thread | {"checkpoint":{"checkpoint_id":"<checkpoint>"}}
      GET /langgraph/threads/{thread_id}/state/{checkpoint_id} | thread_id=own-thread |
      POST /langgraph/threads/{thread}/commands | | {"id":1,"method":"state.get","params":{}}
      + POST /langgraph/threads/{thread}/commands | | {"id":1,"method":"run.start","params":{"assistant_id":"own-ends","input":{}}}
      + POST /langgraph/threads/{thread}/runs | | {"assistant_id":"own-ends","input":{}}
      POST /langgraph/threads/{thread}/runs | thread=own-thread | {"assistant_id":"<assistant>","input":{}}
      POST /langgraph/threads/{thread}/runs | thread=own-thread | {"assistant_id":"own-ends","input":{},"checkpoint":{"checkpoint_id":"<checkpoint>"}}
      + POST /langgraph/threads/{thread}/runs/stream | | {"assistant_id":"own-ends","input":{}}
      + POST /langgraph/threads/{thread}/runs/wait | | {"assistant_id":"own-ends","input":{}}
      POST /langgraph/threads/{thread}/runs/wait | | {"assistant_id":"own-asks","command":{"resume":1}}
      GET /langgraph/threads/{thread}/runs/{run} | thread=own-thread |
      DELETE /langgraph/threads/{thread}/runs/{run} | thread=own-thread |
      POST /langgraph/threads/{thread}/runs/{run}/cancel | thread=own-thread |
      GET /langgraph/threads/{thread}/runs/{run}/join | thread=own-thread |
      GET /langgraph/threads/{thread}/runs/{run}/stream | thread=own-thread |
      POST /langgraph/threads/{thread}/stream/events | | {"channels":["values"]}
      """;

  private final List<Operation> operations;
  private final Map<String, List<Line>> bodies;

  private record Line(Map<String, String> values, String body, boolean makes) {}

  TenantRequests(List<Operation> operations) {
    this.operations = operations;
    this.bodies = lines();
  }

  private static Map<String, List<Line>> lines() {
    var found = new LinkedHashMap<String, List<Line>>();
    BODIES
        .lines()
        .forEach(text -> {
          var parts = text.split("\\|", 3);
          boolean makes = parts[0].startsWith("+ ");
          var values = new LinkedHashMap<String, String>();
          for (var value : parts[1].strip().split("&", -1)) {
            if (!value.isEmpty()) {
              values.put(value.replaceFirst("=.*", ""), value.replaceFirst("[^=]*=", ""));
            }
          }
          found
              .computeIfAbsent(parts[0].replace("+ ", "").strip(), _ -> new ArrayList<>())
              .add(new Line(values, parts[2].strip(), makes));
        });
    return found;
  }

  /// What is there that nobody has thought of.
  List<String> gaps() {
    var names = operations.stream().map(Operation::toString).toList();
    var gone = bodies.keySet().stream().filter(it -> !names.contains(it)).map("gone: "::concat);
    var bodiless =
        operations.stream()
            .filter(it -> it.hasBody() && !bodies.containsKey(it.toString()))
            .map(it -> "no body for " + it);
    var parameters =
        operations.stream()
            .flatMap(operation ->
                operation.parameters().stream()
                    .filter(it -> !isKnown(it.in().equals("path"), operation.path(), it.name()))
                    .map(it -> operation + ": " + it));
    return Stream.of(gone, bodiless, parameters).flatMap(it -> it).toList();
  }

  private static boolean isKnown(boolean inPath, String path, String name) {
    return name(path, name) != null
        || (inPath
            ? OTHERS.containsKey(name) || name.equals("namespace")
            : HARMLESS.contains(name));
  }

  private static @org.jspecify.annotations.Nullable String name(String path, String parameter) {
    return parameter.equals("id")
        ? "<" + path.split("/", -1)[2].replaceFirst("s$", "") + ">"
        : NAMES.get(parameter);
  }

  /// Those that make nothing first, and of those the ones that only read.
  List<Request> all() {
    var all = new ArrayList<Request>();
    for (var operation : operations) {
      all.addAll(of(operation));
    }
    return Stream.of(
            all.stream().filter(it -> it.operation().method().equals("GET")),
            all.stream().filter(it -> !it.operation().method().equals("GET") && !it.makes()),
            all.stream().filter(Request::makes))
        .flatMap(it -> it)
        .toList();
  }

  private List<Request> of(Operation operation) {
    var found = new ArrayList<Request>();
    var written = bodies.getOrDefault(operation.toString(), List.of());
    for (var line : written) {
      found.add(request(operation, line, Map.of()));
    }
    var plain = new Line(Map.of(), "", false);
    if (written.stream().allMatch(it -> !it.values().isEmpty())) {
      found.add(request(operation, plain, Map.of()));
    }
    for (var parameter : operation.parameters()) {
      var name = NAMES.get(parameter.name());
      if (name != null && parameter.in().equals("query")) {
        found.add(
            request(operation, new Line(Map.of(parameter.name(), name), "", false), Map.of()));
      } else if (name != null && parameter.in().equals("header")) {
        for (var line : written.isEmpty() ? List.of(plain) : written) {
          found.add(request(operation, line, Map.of(parameter.name(), name)));
        }
      }
    }
    return found;
  }

  private static Request request(Operation operation, Line line, Map<String, String> headers) {
    var values = new HashMap<>(OTHERS);
    values.put("namespace", "a");
    var path = operation.pathParameters();
    for (var parameter : path) {
      var name = name(operation.path(), parameter);
      if (name != null) {
        values.put(parameter, name);
      }
    }
    values.putAll(line.values());
    var query = new StringBuilder();
    line.values()
        .forEach((name, value) -> {
          if (!path.contains(name)) {
            query.append(query.isEmpty() ? "?" : "&").append(name).append("=").append(value);
          }
        });
    return new Request(
        operation, operation.target(values) + query, line.body(), headers, line.makes());
  }
}
