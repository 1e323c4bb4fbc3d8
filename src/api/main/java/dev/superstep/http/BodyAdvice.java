package dev.superstep.http;

import dev.superstep.compute.ComputePool;
import dev.superstep.json.Json;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.value.Canonical;
import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Type;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.converter.AbstractJacksonHttpMessageConverter;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.servlet.mvc.method.annotation.RequestBodyAdviceAdapter;

/// Reads every request body once, within its limit. JSON that is to be bound to a type is checked
/// as a whole first: unsupported values are refused with all their locations, in typed fields too.
@RestControllerAdvice
class BodyAdvice extends RequestBodyAdviceAdapter {
  private final HttpServletRequest request;
  private final BodyReader reader;
  private final ComputePool compute;
  private final BodyBudget budget;

  /// @param request stands for the current one
  BodyAdvice(
      HttpServletRequest request,
      RequestSettings settings,
      ComputePool compute,
      BodyBudget budget) {
    this.budget = budget;
    this.request = request;
    this.compute = compute;
    this.reader =
        new BodyReader(
            Math.toIntExact(settings.bodyMax().toBytes()),
            settings.bodyTime(),
            BodyReader.BodyBounds.REQUESTS);
  }

  @Override
  public boolean supports(
      MethodParameter parameter, Type type, Class<? extends HttpMessageConverter<?>> converter) {
    return true;
  }

  @Override
  public HttpInputMessage beforeBodyRead(
      HttpInputMessage message,
      MethodParameter parameter,
      Type type,
      Class<? extends HttpMessageConverter<?>> converter)
      throws IOException {
    requirePlain(message.getHeaders());
    var bytes = reader.read(message, budget.share(request));
    boolean bound = AbstractJacksonHttpMessageConverter.class.isAssignableFrom(converter);
    if (request.getHeader(RequestBytes.KEY_HEADER) != null) {
      RequestBytes.attach(
          request, bound ? compute.call(bytes.length, () -> canonical(bytes)) : bytes);
    } else if (bound) {
      compute.call(bytes.length, () -> Json.read(bytes));
    }
    return new Body(message.getHeaders(), new ByteArrayInputStream(bytes));
  }

  private static byte[] canonical(byte[] bytes) {
    return Canonical.bytes(Json.read(bytes));
  }

  private static void requirePlain(HttpHeaders headers) {
    var encodings = headers.getOrEmpty(HttpHeaders.CONTENT_ENCODING);
    if (!encodings.stream().allMatch("identity"::equalsIgnoreCase)) {
      throw new ServiceException(
          ErrorCode.UNSUPPORTED_MEDIA_TYPE,
          "Content-Encoding %s is not supported; send the body as it is"
              .formatted(String.join(", ", encodings)));
    }
  }

  private record Body(HttpHeaders headers, InputStream body) implements HttpInputMessage {
    @Override
    public HttpHeaders getHeaders() {
      return headers;
    }

    @Override
    public InputStream getBody() {
      return body;
    }
  }
}
