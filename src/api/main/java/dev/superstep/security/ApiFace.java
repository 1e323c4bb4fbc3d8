package dev.superstep.security;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;

/// A face of the API beside that below `/v1`, for clients that were written for another server. Its
/// calls are guarded by the same keys, scopes and origins; keys may also come in the header
/// [KeyConverter#HEADER].
public interface ApiFace {
  /// Below which its calls are, such as `/langgraph`.
  String path();

  /// Headers of its answers that pages of other origins may read, besides those of `/v1`.
  List<String> shownHeaders();

  /// Whether the request is for something below this path.
  static boolean isBelow(String path, HttpServletRequest request) {
    var asked = request.getRequestURI().substring(request.getContextPath().length());
    return asked.equals(path) || asked.startsWith(path + "/");
  }
}
