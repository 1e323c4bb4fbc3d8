package dev.superstep.console;

import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import io.swagger.v3.oas.annotations.Hidden;
import jakarta.servlet.http.HttpServletRequest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;

/// Answers every address of the console with its one page.
///
/// The page shows texts that models and strangers have written, so it may load and run nothing but
/// its own files, and speak with this server only. The styles of its components are made while it
/// runs; they carry the nonce of the answer, which is why the page is not served as a plain file.
@Controller
@Hidden
class ConsolePage {
  private static final int NONCE_BYTES = 16;

  private static final String POLICY =
      String.join(
          "; ",
          "default-src 'none'",
          "script-src 'self'",
          "style-src 'self' 'nonce-%s'",
          "img-src 'self' data:",
          "font-src 'self'",
          "connect-src 'self'",
          "worker-src 'self'",
          "base-uri 'none'",
          "form-action 'none'",
          "frame-ancestors 'none'");

  /// For programs that ask for JSON: where the rest is.
  private static final Map<String, String> LINKS =
      Map.of(
          "api", "/v1",
          "document", "/v3/api-docs",
          "swagger_ui", "/swagger-ui.html");

  private final SecureRandom random = new SecureRandom();
  private final Console console;

  ConsolePage(Console console) {
    this.console = console;
  }

  @GetMapping({
    ConsolePaths.ROOT,
    ConsolePaths.INDEX,
    ConsolePaths.RUNS,
    ConsolePaths.INBOX,
    ConsolePaths.THREADS,
    ConsolePaths.SCHEDULES,
    ConsolePaths.WEBHOOKS,
    ConsolePaths.GRAPHS,
    ConsolePaths.CATALOG
  })
  ResponseEntity<Object> show(HttpServletRequest request) {
    if (takesHtml(request.getHeader(HttpHeaders.ACCEPT))) {
      return page();
    }
    if (request.getServletPath().equals(ConsolePaths.ROOT)) {
      return ResponseEntity.ok().contentType(MediaType.APPLICATION_JSON).body(LINKS);
    }
    throw new ServiceException(
        ErrorCode.NOT_FOUND, "this is a page of the console, for browsers; the API is under /v1");
  }

  /// Each answer has a nonce of its own and is kept by nobody: header and page belong together.
  private ResponseEntity<Object> page() {
    var bytes = new byte[NONCE_BYTES];
    random.nextBytes(bytes);
    var nonce = Base64.getEncoder().encodeToString(bytes);
    return ResponseEntity.ok()
        .contentType(MediaType.parseMediaType("text/html;charset=UTF-8"))
        .cacheControl(CacheControl.noCache())
        .header("Content-Security-Policy", POLICY.formatted(nonce))
        .header("Referrer-Policy", "no-referrer")
        .header("Cross-Origin-Opener-Policy", "same-origin")
        .header(HttpHeaders.VARY, HttpHeaders.ACCEPT)
        .body(console.page(nonce));
  }

  private static boolean takesHtml(@Nullable String accept) {
    if (accept == null || accept.isBlank()) {
      return true;
    }
    try {
      return MediaType.parseMediaTypes(accept).stream()
          .anyMatch(it -> it.includes(MediaType.TEXT_HTML));
    } catch (InvalidMediaTypeException _) {
      return true;
    }
  }
}
