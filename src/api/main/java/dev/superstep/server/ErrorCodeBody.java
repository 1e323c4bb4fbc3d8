package dev.superstep.server;

import dev.superstep.state.value.ObjectValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The meaning of a code in answers of the API.
record ErrorCodeBody(
    String code,
    String title,
    @Nullable Integer status,
    List<String> found,
    String meaning,
    List<String> causes,
    String remedy,
    ObjectValue example) {

  static ErrorCodeBody of(Explanation code) {
    return new ErrorCodeBody(
        code.code(),
        code.title(),
        code.status().orElse(null),
        code.found().stream().map(CodeSource::key).toList(),
        code.what(),
        code.causes(),
        code.remedy(),
        code.example());
  }
}
