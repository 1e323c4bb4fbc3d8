package dev.superstep.definition.web;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.HttpOutputMessage;
import org.springframework.http.MediaType;
import org.springframework.http.converter.AbstractHttpMessageConverter;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.stereotype.Component;

/// Writes a graph version as YAML: its definition alone, ready to be edited and posted.
@Component
final class YamlBodies extends AbstractHttpMessageConverter<GraphBody> {

  YamlBodies() {
    super(StandardCharsets.UTF_8, MediaType.APPLICATION_YAML);
  }

  @Override
  protected boolean supports(Class<?> type) {
    return type == GraphBody.class;
  }

  @Override
  public boolean canRead(Class<?> type, @Nullable MediaType media) {
    return false;
  }

  @Override
  protected GraphBody readInternal(Class<? extends GraphBody> type, HttpInputMessage message) {
    throw new HttpMessageNotReadableException("graphs are not read here", message);
  }

  @Override
  protected void writeInternal(GraphBody graph, HttpOutputMessage message) throws IOException {
    message.getBody().write(graph.yaml().get().getBytes(StandardCharsets.UTF_8));
  }
}
