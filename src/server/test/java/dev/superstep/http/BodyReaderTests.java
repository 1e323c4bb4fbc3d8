package dev.superstep.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import java.io.InputStream;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpInputMessage;

class BodyReaderTests {

  /// Each byte comes well within the time-out of a read.
  @Test
  @Timeout(20)
  void stopsReadingABodyThatDrips() {
    var reader = new BodyReader(1 << 30, Duration.ofMillis(100), BodyReader.BodyBounds.REQUESTS);

    assertThatExceptionOfType(ServiceException.class)
        .isThrownBy(() -> reader.read(new Dripping(), BodyBudgetApiTests.unused()))
        .satisfies(it -> assertThat(it.code()).isEqualTo(ErrorCode.REQUEST_TIMEOUT))
        .withMessageContaining("superstep.requests.body-time");
  }

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
