package dev.superstep.http;

import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.Query;
import dev.superstep.problem.ServiceException;
import dev.superstep.security.Requires;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import io.swagger.v3.oas.annotations.Hidden;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/// Calls that exist to try out the conventions; every test of the service has them.
@Hidden
@RestController
class ProbeController {

  enum Colour {
    RED,
    LIGHT_BLUE
  }

  record Body(
      @Nullable String text,
      @Nullable Integer whole,
      @Nullable Double fraction,
      @Nullable Boolean flag,
      @Nullable Instant startAt,
      @Nullable List<Inner> inner,
      @Nullable Value free,
      @Nullable Map<String, String> labels) {}

  record Inner(@Nullable String name, @Nullable ObjectValue members) {}

  @Paged
  @Waits
  @QueryParameters({"after", "flag", "colour", "text"})
  @Requires({})
  @GetMapping("/v1/probe")
  Listing<String> query(Query query) {
    return Listing.of(
        List.of(
            "limit " + query.limit(),
            "cursor " + query.cursor().orElse("-"),
            "wait " + query.waiting().map(String::valueOf).orElse("-"),
            "after " + query.time("after").map(String::valueOf).orElse("-"),
            "flag " + query.flag("flag").map(String::valueOf).orElse("-"),
            "colour "
                + query.someOf("colour", Colour.values(), it -> it.name().toLowerCase(Locale.ROOT)),
            "text " + query.text("text").orElse("-")),
        Optional.of("next"));
  }

  @Requires({})
  @PostMapping(path = "/v1/probe", consumes = MediaType.APPLICATION_JSON_VALUE)
  Body body(@RequestBody Body body, HttpServletRequest request, HttpServletResponse response) {
    response.setIntHeader("Compared-Bytes", RequestBytes.of(request).length);
    return body;
  }

  @Requires({})
  @GetMapping("/v1/probe/fails/{how}")
  String fail(@PathVariable String how) {
    throw switch (how) {
      case "database" ->
          new DataAccessResourceFailureException("Connection to db.internal refused");
      case "service" ->
          new ServiceException(
              ErrorCode.NOTHING_TO_RESUME, "nothing", List.of(), Map.of("open", List.of("a")));
      case "repeatedly" -> new UnsupportedOperationException("a bug");
      default -> new IllegalStateException("select * from secret");
    };
  }
}
