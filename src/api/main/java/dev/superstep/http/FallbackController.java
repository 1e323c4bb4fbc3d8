package dev.superstep.http;

import io.swagger.v3.oas.annotations.Hidden;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/// Answers requests that the container could not route to a controller.
@Hidden
@RestController
class FallbackController implements ErrorController {

  @RequestMapping("${spring.web.error.path:/error}")
  ResponseEntity<Problem> error(HttpServletRequest request) {
    var status =
        Optional.ofNullable(request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE))
            .map(it -> HttpStatus.resolve((Integer) it))
            .orElse(HttpStatus.NOT_FOUND);
    var path =
        Optional.ofNullable(request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI))
            .map(String::valueOf)
            .orElseGet(request::getRequestURI);
    var cause = FailureMapping.of(status);
    return ResponseEntity.status(cause.code().status())
        .headers(ProblemWriter.headers(cause))
        .contentType(MediaType.APPLICATION_PROBLEM_JSON)
        .body(Problem.of(cause, path));
  }
}
