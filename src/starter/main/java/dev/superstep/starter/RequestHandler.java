package dev.superstep.starter;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// Answers requests.
@FunctionalInterface
interface RequestHandler {
  void handle(HttpServletRequest request, HttpServletResponse response)
      throws IOException, ServletException;
}
