package dev.superstep.model;

import dev.superstep.json.Json;
import dev.superstep.model.identity.IdentityException;
import dev.superstep.model.identity.WorkloadIdentity;
import dev.superstep.model.identity.WorkloadIdentity.CallProof;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/// Asks a provider over HTTP: one request, one answer. Nothing is repeated (the node's retry policy
/// does), and the key is looked up for each request.
final class HttpChat implements Model.Client {
  private final ModelSettings.ModelEntry model;
  private final Protocol protocol;
  private final ApiKey apiKey;
  private final Optional<WorkloadIdentity> identity;
  private final ModelHttp http;
  private final URI uri;

  /// @param identity in place of the key; empty: the key says who calls
  HttpChat(
      ModelSettings.ModelEntry model,
      Protocol protocol,
      ApiKey apiKey,
      Optional<WorkloadIdentity> identity,
      ModelHttp http) {
    this.model = model;
    this.protocol = protocol;
    this.apiKey = apiKey;
    this.identity = identity;
    this.http = http;
    this.uri = URI.create(model.url().replaceFirst("/+$", "") + protocol.path());
  }

  @Override
  public ModelAnswer call(ModelRequest request, ModelOptions options)
      throws ModelException, IOException, InterruptedException, TimeoutException {
    var call = call(request, body(request, options));
    return switch (request.delivery()) {
      case ModelRequest.Delivery.Whole _ -> {
        var draft = new AnswerDraft(model.model(), _ -> {});
        protocol.read(AnswerJson.read(http.whole(call)), draft);
        yield draft.finish();
      }
      case ModelRequest.Delivery.Streamed(var readers) -> {
        try (var gate = new Gate(readers.get())) {
          var draft = new AnswerDraft(model.model(), gate);
          http.streamed(call, protocol.framing(), it -> protocol.readPiece(it, draft));
          yield draft.finish();
        }
      }
    };
  }

  private byte[] body(ModelRequest request, ModelOptions options) throws ModelException {
    var question =
        new Protocol.ModelQuestion(
            model.model(), ChatMessage.of(request.messages()), request, options);
    return Json.write(protocol.body(question)).getBytes(StandardCharsets.UTF_8);
  }

  private ModelHttp.PostedRequest call(ModelRequest request, byte[] body)
      throws IOException, InterruptedException, TimeoutException {
    var headers = headers(body);
    request.traceparent().ifPresent(it -> headers.put("traceparent", it));
    var timeout =
        request.timeout().filter(it -> it.compareTo(model.timeout()) < 0).orElse(model.timeout());
    return new ModelHttp.PostedRequest(uri, headers, body, timeout);
  }

  private Map<String, String> headers(byte[] body)
      throws IOException, InterruptedException, TimeoutException {
    if (identity.isEmpty()) {
      return new HashMap<>(protocol.headers(apiKey.now().orElse("")));
    }
    var headers = new HashMap<>(protocol.headers(""));
    var proof = proved(identity.get(), body);
    proof.secrets().forEach(apiKey::remember);
    headers.putAll(proof.headers());
    return headers;
  }

  /// The model is not asked, whatever goes wrong here.
  private CallProof proved(WorkloadIdentity workload, byte[] body)
      throws IdentityException, InterruptedException {
    try {
      return workload.prove(uri, body);
    } catch (IdentityException e) {
      throw e;
    } catch (IOException | TimeoutException e) {
      throw IdentityException.away(e);
    }
  }

  /// Lets nothing pass once the call is over, although its thread may still be reading.
  private static final class Gate implements Consumer<String>, AutoCloseable {
    private final Consumer<String> reader;
    private boolean closed;

    Gate(Consumer<String> reader) {
      this.reader = reader;
    }

    @Override
    public synchronized void accept(String piece) {
      if (!closed) {
        reader.accept(piece);
      }
    }

    @Override
    public synchronized void close() {
      closed = true;
    }
  }
}
