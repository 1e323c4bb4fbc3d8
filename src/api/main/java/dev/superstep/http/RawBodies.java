package dev.superstep.http;

import dev.superstep.http.BodyReader.BodyBounds;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpInputMessage;
import org.springframework.stereotype.Component;

/// Reads bodies byte by byte as they were sent, for calls whose senders have signed them: Spring
/// writes those of forms anew.
@Component
public class RawBodies {
  private final BodyBudget budget;

  RawBodies(BodyBudget budget) {
    this.budget = budget;
  }

  /// @param setting of the size, as a refusal names it
  /// @throws dev.superstep.problem.ServiceException `body_too_large`, `request_timeout`,
  ///   `overloaded`
  public byte[] read(HttpServletRequest request, int bytesMax, String setting, Duration time)
      throws IOException {
    var bounds = new BodyBounds(setting, "its time");
    return new BodyReader(bytesMax, time, bounds).read(new Message(request), budget.share(request));
  }

  private record Message(HttpServletRequest request) implements HttpInputMessage {
    @Override
    public InputStream getBody() throws IOException {
      return request.getInputStream();
    }

    @Override
    public HttpHeaders getHeaders() {
      var headers = new HttpHeaders();
      headers.setContentLength(Math.max(0, request.getContentLengthLong()));
      return headers;
    }
  }
}
