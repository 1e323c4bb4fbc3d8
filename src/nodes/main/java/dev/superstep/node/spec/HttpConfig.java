package dev.superstep.node.spec;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Calls a web service: a remote node function (mode function), or any REST call (mode request).
public interface HttpConfig {
  /// Mode request: text is sent as it is, anything else as JSON; null or absent: no body.
  HttpConfig body(@Nullable Object value);

  /// Mode request: the task ends when the outside answers, not with the response of this call,
  /// which must only succeed: `callback.url`, `callback.token` and `callback.deadline` are in the
  /// templates, the run waits once the call has returned, and `response` in `result`, and what
  /// response_schema is about, is the answer.
  HttpConfig callback(Map<String, ?> value);

  /// Whether to follow redirects (at most 5, each address checked). Default: a redirect fails the
  /// task.
  HttpConfig followRedirects(boolean value);

  /// Header → value; null leaves a header out.
  @Key(form = Key.Form.MEMBER)
  HttpConfig headers(String name, String value);

  /// Header → value; null leaves a header out.
  HttpConfig headers(String value);

  /// Mode request: the method.: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS
  HttpConfig method(@Nullable Object value);

  /// function: POSTs run, state and input, and takes a node result as the answer. request: sends
  /// what method, headers and body say, and makes the node result from `response`.: function,
  /// request
  HttpConfig mode(@Nullable Object value);

  /// Mode request: JSON Schema of the body of a successful response. A body that does not satisfy
  /// it fails the task with bad_node_result; posting checks `response.body` against it.
  HttpConfig responseSchema(Map<String, ?> value);

  /// Mode request: JSON Schema of the body of a successful response. A body that does not satisfy
  /// it fails the task with bad_node_result; posting checks `response.body` against it.
  HttpConfig responseSchema(boolean value);

  /// Mode request: the node result, as templates over `response`. Default: the response {status,
  /// headers, body} goes to the channel named like the node; {} drops it.
  HttpConfig result(Map<String, ?> value);

  /// Mode request: the node result, as templates over `response`. Default: the response {status,
  /// headers, body} goes to the channel named like the node; {} drops it.
  HttpConfig result(String value);

  /// Mode function: the channels that are sent; absent: all.
  @Key(form = Key.Form.ITEM)
  HttpConfig stateKeys(String... items);

  /// Mode request: CEL over `response` {status, headers, body} that says whether the call
  /// succeeded. Default: any 2xx.
  HttpConfig success(String value);

  /// Where to call: http or https, no user info; may be a template. Private addresses are refused
  /// unless superstep.egress.allow names them.
  HttpConfig url(String value);
}
