package dev.superstep.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import java.io.InputStream;
import java.lang.reflect.Type;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.converter.ByteArrayHttpMessageConverter;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.util.unit.DataSize;

class BodyAdviceTests {

  /// Each byte comes well within the time-out of a read.
  @Test
  @Timeout(20)
  void stopsReadingABodyThatDrips() throws Exception {
    var advice =
        new BodyAdvice(
            new MockHttpServletRequest(),
            new RequestSettings(DataSize.ofGigabytes(1), Duration.ofMillis(100)));
    var parameter =
        new MethodParameter(BodyAdviceTests.class.getDeclaredMethod("reads", Type.class), 0);

    assertThatExceptionOfType(ServiceException.class)
        .isThrownBy(() ->
            advice.beforeBodyRead(
                new Dripping(), parameter, byte[].class, ByteArrayHttpMessageConverter.class))
        .satisfies(it -> assertThat(it.code()).isEqualTo(ErrorCode.REQUEST_TIMEOUT))
        .withMessageContaining("superstep.requests.body-time");
  }

  void reads(Type body) {}

  private static final class Dripping extends InputStream implements HttpInputMessage {
    @Override
    public int read() {
      return 'x';
    }

    @Override
    public int read(byte[] to, int offset, int length) {
      to[offset] = 'x';
      return 1;
    }

    @Override
    public HttpHeaders getHeaders() {
      return new HttpHeaders();
    }

    @Override
    public InputStream getBody() {
      return this;
    }
  }
}
